"""K8: a power cut before the Nth call, simulated: the program is killed there, and files with
writes that no sync has followed lose them, while the database keeps all of its own. That is the
worst that a kernel may do: it writes in any order. Needs no rights and strikes at every call."""

import os
import re
from pathlib import Path

import library
from calls import moments, strike
from power import OTHER_BOOT

CHANGES = {"write", "pwrite", "pwrite64", "writev", "pwritev", "ftruncate", "ftruncate64",
           "copy_file_range", "sendfile", "fallocate", "fallocate64"}
SYNCS = {"fsync", "fdatasync"}
# How the data that was not synced is lost.
WAYS = ["empty", "zeros", "short"]


def plan_simulated(rig):
    # The first calls make the database; files come later.
    cases = moments(rig, "K8", 100, 24)
    for one in cases:
        one["way"] = WAYS[one["nth"] % len(WAYS)]
    # Moments of danger: just before a sync, whatever was written counts on it.
    return cases + [
        {"label": f"K8/{job}/syncfs-{n}-{way}", "job": job, "call": "syncfs", "nth": n,
         "least": 0, "way": way}
        for job in ("small", "twins") for n in (1, 2) for way in WAYS
    ]


def run_simulated(rig, label, job, call, nth, least, way):
    def judge(case, run):
        lost = lose(case, run.folder / "trace", way)
        case.stopped(run, states=library.DURABLE)
        case.allowance += 1 << 20
        case.finish(boot_id=OTHER_BOOT)
        return {"cuts": 1, "lost": lost}

    return strike(rig, label, job, call, nth, least, f"power cut ({way})", judge)


def lose(case, trace, way):
    """Spoils every file whose last writes were not synced; returns how many."""
    dirty = unsynced(trace.read_text())
    lost = 0
    for parent, _, names in os.walk(case.library):
        for name in names:
            path = Path(parent, name)
            status = os.lstat(path)
            if status.st_ino in dirty and ".sqlite" not in name and name != "lock":
                dirty.discard(status.st_ino)  # another name of it may come
                os.truncate(path, status.st_size // 2 if way == "short" else 0)
                if way == "zeros":
                    os.truncate(path, status.st_size)
                lost += 1
    return lost


def unsynced(text):
    """Inodes with writes that no sync has followed."""
    dirty = set()
    for strikes, call, inode in re.findall(r"^(!?)(\w+) (\d+) ", text, re.MULTILINE):
        if strikes:
            continue  # not made
        if call in CHANGES:
            dirty.add(int(inode))
        elif call in SYNCS:
            dirty.discard(int(inode))
        elif call == "syncfs":
            dirty.clear()
    return dirty


TESTS = {"K8": ("power cuts before the Nth call, simulated", plan_simulated, run_simulated)}
