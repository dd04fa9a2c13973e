"""Text files of lists of URLs, as streams of UTF-8 without a byte order mark."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from . import storage
from .errors import UsageError

# The mark of UTF-32 begins with that of UTF-16, and is compared first.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"


class Source:
    """A text file that may be compressed by gzip, and can be opened several times."""

    def __init__(self, path: str, input_format: str, block_bytes: int) -> None:
        self.path = path
        self.block_bytes = block_bytes
        self._name = input_format.removesuffix(".gz")
        self._compressed = input_format.endswith(".gz")

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Opens the file at its beginning. Text in UTF-16 or UTF-32 has a byte order mark, and is read as UTF-8.

        Raises `UsageError` if the file is not text.
        """
        with storage.open_file(self.path, "rb") as raw:
            file = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if self._compressed else raw
            yield pieces_file(self._pieces(file), self.block_bytes)

    def no_column(self, column: str) -> UsageError:
        """Returns the error for a column that the file does not have."""
        return UsageError(f"{self.path} has no column {column}")

    def _pieces(self, file: IO[bytes]) -> Iterator[bytes]:
        # Files of some servers can only be read from their beginning to their end.
        start = file.read(4)
        encoding, mark = self._encoding(start)
        yield from _utf8(self._blocks(start[len(mark) :], file), encoding)

    def _blocks(self, start: bytes, file: IO[bytes]) -> Iterator[bytes]:
        yield start
        while block := file.read(self.block_bytes):
            yield block

    def _encoding(self, start: bytes) -> tuple[str, bytes]:
        """Returns the encoding of the text, and the byte order mark at its beginning."""
        for mark, encoding in BYTE_ORDER_MARKS:
            if start.startswith(mark):
                return encoding, mark
        for magic, name, needed in ((GZIP, "compressed by gzip", f"{self._name}.gz"), (PARQUET, "parquet", "parquet")):
            if start.startswith(magic):
                raise UsageError(f"{self.path} is {name}, and needs input_format {needed}")
        if b"\0" in start:
            raise UsageError(f"{self.path} is neither UTF-8 nor text with a byte order mark")
        return "utf-8", b""


def _utf8(blocks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Yields text in UTF-8. What already is in UTF-8 is not tested."""
    if encoding == "utf-8":
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for block in blocks:
        yield decoder.decode(block).encode()
    yield decoder.decode(b"", final=True).encode()


def pieces_file(pieces: Iterator[bytes], block_bytes: int) -> IO[bytes]:
    """Returns a stream of these pieces. What their iterator raises is raised by the methods that read."""
    return io.BufferedReader(_Pieces(pieces), block_bytes)


class _Pieces(io.RawIOBase):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
