"""Compiles shim.c, passes a plan to the shim, and reads its report."""

import errno
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
CORE = SOURCE.with_name("judgement.h")
# The classes of calls in the order of the X macro in judgement.h. The class "*" of a plan means the
# classes before "read", which open or change something.
CLASSES = re.findall(r"X\((\w+)\)", re.search(r"#define CLASSES.*?\nenum", CORE.read_text(),
                                              re.DOTALL).group())
CHANGING = CLASSES[: CLASSES.index("read")]
LAYOUT = struct.Struct(f"<2Q{len(CLASSES)}Q32s1024s")


def compiler():
    """Returns the clang of the Swift toolchain, or the system's compiler."""
    swift = shutil.which("swift")
    candidates = [str(Path(os.path.realpath(swift)).with_name("clang"))] if swift else []
    for name in candidates + ["clang", "cc"]:
        if shutil.which(name):
            return name
    sys.exit("Tools/faults: no C compiler; the Swift toolchain brings clang")


def built(folder):
    """Returns the path of the shim's library, which is compiled if its source is newer."""
    library = folder / "shim.so"
    newest = max(path.stat().st_mtime for path in (SOURCE, CORE))
    if not library.exists() or library.stat().st_mtime < newest:
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"shim-{os.getpid()}.so"
        subprocess.run(
            [compiler(), "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
             "-o", draft, SOURCE, "-ldl"], check=True)
        draft.rename(library)
    return library


class Report:
    """The counts that the shim has written, which exist also after the program was killed."""

    def __init__(self, path):
        data = path.read_bytes() if path.exists() else b""
        values = LAYOUT.unpack(data.ljust(LAYOUT.size, b"\0")[: LAYOUT.size])
        self.changing, self.fired = values[0], values[1]
        self.counts = dict(zip(CLASSES, values[2:-2]))
        self.call, self.path = (text.split(b"\0")[0].decode() for text in values[-2:])

    @property
    def place(self):
        return f"{self.call} {self.path}"


def plan(action, call, nth, sticky=False):
    """Returns the text of a plan. `action` is "kill", "short" or the name of an errno."""
    number = action if action in ("kill", "short") else getattr(errno, action)
    return f"{number} {call} {nth}{'+' if sticky else ''}"


def environment(library, root, report, what=None, logs=None, boot_id=None, program="imgdl-cli"):
    """Returns the variables that load the shim into the program. `logs` is a folder for the trace
    of its calls and for its changes to databases."""
    values = {
        "LD_PRELOAD": library, "FAULTS_PROGRAM": program, "FAULTS_ROOT": root,
        "FAULTS_REPORT": report, "FAULTS_PLAN": what, "FAULTS_TRACE": logs and logs / "trace",
        "FAULTS_CHANGES": logs and logs / "changes", "FAULTS_BOOT_ID": boot_id,
    }
    return {name: str(value) for name, value in values.items() if value is not None}
