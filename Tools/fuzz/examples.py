"""Writes the inputs of llhttp's test tables as files, for a fuzzer to begin with.

Usage: examples.py TARGET LLHTTP_FOLDER OUTPUT_FOLDER; writes no files for a target that reads no messages.
"""

import re
import sys
from pathlib import Path

TARGETS = {"responses": "response", "requests": "request", "chunks": "response"}
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", '"': '"', "\\": "\\"}


def unescape(text):
    """Lines end in CR LF but after a backslash, which joins them."""
    joined = text.replace("\\\n", "").replace("\n", "\r\n")
    plain = re.sub(
        r"\\(x[0-9a-fA-F]{2}|.)",
        lambda match: chr(int(match[1][1:], 16)) if len(match[1]) == 3 else ESCAPES.get(match[1], match[0]),
        joined,
    )
    return plain.encode("latin-1", "replace")


def main():
    target, source, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if target not in TARGETS:
        sys.exit(1)
    output.mkdir(parents=True, exist_ok=True)
    for table in sorted((source / TARGETS[target]).glob("*.md")):
        blocks = re.findall(r"^```http\n(.*?)^```$", table.read_text(), re.DOTALL | re.MULTILINE)
        for number, block in enumerate(blocks):
            example = unescape(block.removesuffix("\n"))
            if target == "chunks":
                example = example.partition(b"\r\n\r\n")[2]
            (output / f"{table.stem}-{number}").write_bytes(example)


main()
