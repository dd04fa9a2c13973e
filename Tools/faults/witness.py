"""W1: compares the shim with strace. The shim must see every call on a file that the kernel sees,
because a call that bypasses the C library cannot be killed, failed or counted."""

import re
import shutil
from collections import Counter

import images
from case import Case
from violation import Skipped, require

# The system call that each function of the shim makes. Functions that only read are omitted:
# helpers read originals through descriptors that they are given, and the C library makes such calls
# inside others.
KERNEL = {
    "open": "openat", "open64": "openat", "openat": "openat", "openat64": "openat",
    "opendir": "openat", "fopen": "openat", "fopen64": "openat", "creat": "openat",
    "write": "write", "pwrite": "pwrite64", "pwrite64": "pwrite64", "writev": "writev",
    "rename": "rename", "renameat": "renameat", "renameat2": "renameat2", "link": "link",
    "linkat": "linkat", "unlink": "unlink", "unlinkat": "unlinkat", "mkdir": "mkdir",
    "mkdirat": "mkdirat", "rmdir": "rmdir", "ftruncate": "ftruncate", "ftruncate64": "ftruncate",
    "fsync": "fsync", "fdatasync": "fdatasync", "syncfs": "syncfs", "fallocate": "fallocate",
    "posix_fallocate": "fallocate",
    "copy_file_range": "copy_file_range", "sendfile": "sendfile", "fchmod": "fchmod",
    "fchown": "fchown", "chmod": "chmod", "flock": "flock",
}
CALLS = sorted(set(KERNEL.values()))


def plan_witness(rig):
    return [{"label": "W1/0"}]


def run_witness(rig, label):
    if not shutil.which("strace"):
        raise Skipped("needs strace")
    with Case(rig, label) as case:
        file = case.notes / "strace"
        run = case.add(trace=True, limits=["strace", "-f", "-y", "-qq", "-o", file,
                                           "-e", "trace=" + ",".join(CALLS)])
        if run.end() != 0 and "PTRACE" in run.errors:
            raise Skipped("strace may not trace here")
        require(run.code == 0, f"exit {run.code}: {run.last_words}")
        seen = Counter(
            KERNEL[call] for call in re.findall(
                r"^(\w+) ", (run.folder / "trace").read_text(), re.MULTILINE) if call in KERNEL)
        real = from_strace(file.read_text(), case.library)
        missed = {call: f"{seen[call]} of {count}" for call, count in real.items()
                  if seen[call] != count}
        require(sum(real.values()) > 300, f"strace saw only {dict(real)}")
        require(not missed, f"the shim does not see what the kernel sees: {missed}")
        check_changes(case, run)
        return dict(real)


def check_changes(case, run):
    """Checks that the changes that the shim recorded reproduce the database, all of them synced at
    the end."""
    kept = images.read(run.folder / "changes", {})
    found = images.durable(case.library)
    require(len(found) == 1, f"more than the database is left: {len(found)} files")
    for inode, image in found.items():
        require(kept[inode].durable == image.durable, "the shim does not keep what is written")
        require(not kept[inode].tail, "the database is not synced at the end")


def from_strace(text, folder):
    """Counts the calls on files below the folder. The second half of an interrupted call is not
    counted."""
    counts = Counter()
    for line in text.splitlines():
        match = re.match(r"\d+ +(\w+)\((.*)", line)
        if match and match[1] in CALLS and re.search(rf"{re.escape(str(folder))}[/>\"]", match[2]):
            counts[match[1]] += 1
    return counts


TESTS = {"W1": ("the shim sees what the kernel sees", plan_witness, run_witness)}
