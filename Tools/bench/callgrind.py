"""Counts instructions with valgrind's callgrind, which hardly depend on the load of the machine."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

# valgrind before 3.20 lacks openat2(2), so that paths are walked step by step there, and only there.
EMULATED = "openStepBy"
# The bytes must be hashed, and how is up to the processor.
HASHING = "libcrypto"


class Profile:
    """The instructions of one program, by object file, without hashing and what valgrind alone makes necessary."""

    def __init__(self, path):
        self.objects = Counter()
        names, objects = {}, {}
        edges, function, owner, callee, is_call = Counter(), None, "", None, False
        for line in Path(path).read_text(errors="replace").splitlines():
            if not line:
                continue
            if line[0] in "0123456789+-*":
                fields = line.split()
                cost = int(fields[1]) if len(fields) > 1 else 0
                if is_call:
                    if EMULATED in callee and EMULATED not in function:
                        edges[callee] += cost
                    is_call = False
                else:
                    self.objects[owner] += cost
            elif line.startswith("fn="):
                function = resolve(names, line[3:])
            elif line.startswith("cfn="):
                callee = resolve(names, line[4:])
            elif line.startswith("ob="):
                owner = resolve(objects, line[3:]).rsplit("/", 1)[-1]
            elif line.startswith("cob="):
                resolve(objects, line[4:])
            elif line.startswith("calls="):
                is_call = True
        self.emulated = sum(edges.values())

    def count(self):
        total = sum(cost for owner, cost in self.objects.items() if not owner.startswith(HASHING))
        return total - self.emulated

    def sqlite(self):
        return sum(cost for owner, cost in self.objects.items() if owner.startswith("libsqlite3"))


def resolve(table, text):
    """The name behind `(12) name`, which is written out the first time only."""
    match = re.match(r"\((\d+)\)(?: (.*))?$", text)
    if not match:
        return text
    if match[2] is not None:
        table[match[1]] = match[2]
    return table.get(match[1], text)


def command(folder):
    """The beginning of a command line; the process leaves a file below `folder`."""
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/profile.%p"]


def profiles(folder):
    """The profiles of the processes that have ended, by the name of their program."""
    found = {}
    for path in sorted(Path(folder).glob("profile.*")):
        head = path.read_text(errors="replace")[:2000]
        program = re.search(r"^cmd:\s+(\S+)", head, re.MULTILINE)
        if program:
            found.setdefault(Path(program[1]).name, []).append(Profile(path))
    return found


def run(arguments, folder, environment, **options):
    """Runs a program to its end, and returns its profile."""
    for old in Path(folder).glob("profile.*"):
        old.unlink()
    result = subprocess.run(
        command(folder) + [str(argument) for argument in arguments], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if result.returncode != 0:
        sys.exit(f"{arguments[0]} ended with {result.returncode}: {result.stderr.decode()[-2000:]}")
    return profiles(folder)


def environment(folder):
    """An environment without settings of the user."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("IMGDL_")}
    for name in ("home", "run"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    return kept | {"HOME": str(folder / "home"), "XDG_RUNTIME_DIR": str(folder / "run")}
