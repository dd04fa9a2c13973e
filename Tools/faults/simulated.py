"""K8: a power cut before the Nth call, simulated: the program is killed there, and files with
writes that no sync has followed lose them, while the database keeps all of its own. That is the
worst that a kernel may do: it writes in any order. Needs no rights and strikes at every call."""

import os
import re
from pathlib import Path

import library
from calls import ATTEMPTS, SURE, call_counts, run_until
from case import Case
from power import OTHER_BOOT
from violation import Violation, require

CHANGES = {"write", "pwrite", "pwrite64", "writev", "pwritev", "ftruncate", "ftruncate64",
           "copy_file_range", "sendfile", "fallocate", "fallocate64"}
SYNCS = {"fsync", "fdatasync"}
# How the data that was not synced is lost.
WAYS = ["empty", "zeros", "short"]


def plan_simulated(rig):
    least, _ = call_counts(rig)
    chance = rig.chance("K8")
    last = int(SURE * least)
    numbers = range(1, least + 1)
    if rig.tier == "commit":
        # The first calls make the database; files come later.
        numbers = sorted({*chance.sample(range(100, last), 30), *rig.asked("K8")})
    cases = [
        {"label": f"K8/{n}", "call": "*", "nth": n, "way": WAYS[n % len(WAYS)], "least": least}
        for n in numbers
    ]
    # Moments of danger: just before a sync, whatever was written counts on it.
    return cases + [
        {"label": f"K8/syncfs-{n}-{way}", "call": "syncfs", "nth": n, "way": way, "least": 0}
        for n in (1, 2) for way in WAYS
    ]


def run_simulated(rig, label, call, nth, way, least):
    for _ in range(ATTEMPTS):
        with Case(rig, label) as case:
            run, report = run_until(case, nth, call)
            if not report.fired:
                continue
            try:
                lost = lose(case, run.folder / "trace", way)
                case.stopped(run, states=library.DURABLE)
                case.allowance += 1 << 20
                case.finish(boot_id=OTHER_BOOT)
            except Violation as error:
                place = f"power cut before call {call} {nth} ({report.place}), {way}"
                raise Violation(f"{place}: {error}") from error
            return {"cuts": 1, "before": report.place, "lost": lost}
    require(nth > SURE * least, f"{ATTEMPTS} runs ended before call {call} {nth}")
    return {"beyond the end": 1}


def lose(case, trace, way):
    """Spoils every file whose last writes were not synced; returns how many."""
    dirty = unsynced(trace.read_text())
    lost = 0
    for parent, _, names in os.walk(case.library):
        for name in names:
            path = Path(parent, name)
            if path.stat().st_ino in dirty and ".sqlite" not in name and name != "lock":
                size = path.stat().st_size
                os.truncate(path, size // 2 if way == "short" else 0)
                if way == "zeros":
                    os.truncate(path, size)
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
