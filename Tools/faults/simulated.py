"""K8: a power cut before the Nth call, simulated: the program is killed there, and what no sync has
followed is lost: writes to files, and to the database and its log, all or some of them. That is the
worst that a kernel may do: it writes in any order. K9: the same again while the library recovers.
K10: the same while records are removed. K11: the same after a sync has failed. Needs no rights and
strikes at every call."""

import os
import re
from pathlib import Path

import images
import library
import oracle
import shim
from calls import SURE, call_counts, moments, run_until, strike
from case import Case
from power import OTHER_BOOT
from violation import Violation, require

CHANGES = {"write", "pwrite", "pwrite64", "writev", "pwritev", "ftruncate", "ftruncate64",
           "copy_file_range", "sendfile", "fallocate", "fallocate64"}
SYNCS = {"fsync", "fdatasync"}
# How the data of a file that was not synced is lost.
WAYS = ["empty", "zeros", "short"]
# What removes files.
REMOVALS = {"remove": ("remove", "1", "--yes"), "reset": ("reset", "--yes")}
# A boot for every start after a power cut.
BOOTS = [OTHER_BOOT, OTHER_BOOT[:-1] + "e"]


def plan_simulated(rig):
    """Every moment with every way of the database nightly; a sample of both in the commit tier, in
    which the first calls are left out: they make the database, and files come later."""
    ways = images.WAYS if rig.tier == "nightly" else [None]
    cases = [
        one | {"label": one["label"] + (f"-{way}" if way else ""),
               "way": WAYS[one["nth"] % len(WAYS)],
               "log_way": way or images.WAYS[one["nth"] % len(images.WAYS)]}
        for one in moments(rig, "K8", 100, 24) for way in ways
    ]
    # Moments of danger: just before a sync, whatever was written counts on it; and just behind one,
    # where something was said to be finished.
    return cases + [
        {"label": f"K8/{job}/{call}-{n}-{way}-{log_way}", "job": job, "call": call, "nth": n,
         "least": 0, "way": way, "log_way": log_way}
        for job in ("small", "twins") for call in ("syncfs", "fdatasync") for n in (1, 2)
        for way, log_way in zip(
            [*WAYS, WAYS[0]], rig.choose(commit=images.WAYS[1:3], nightly=images.WAYS))
    ]


def run_simulated(rig, label, job, call, nth, least, way, log_way):
    def judge(case, run):
        lost = cut_power(case, run, way, log_way, {})
        go_on(case, run, BOOTS[0])
        return {"cuts": 1, "lost": lost}

    return strike(rig, label, job, call, nth, least, f"power cut ({way}, log {log_way})", judge)


def plan_again(rig):
    """K9: a power cut, and one more while the next start recovers from it, or soon after."""
    chance = rig.chance("K9")
    cases = []
    for i in range(rig.choose(commit=8, nightly=300)):
        job = "twins" if i % 4 == 3 else "small"
        last = int(SURE * call_counts(rig, job)[0])
        cases.append({
            "label": f"K9/{i}", "job": job, "first": 1 + int(chance.random() * last),
            "second": 1 + int(chance.random() * chance.choice([40, 40, 150])),
            "ways": [chance.choice(WAYS) for _ in BOOTS],
            "log_ways": [chance.choice(images.WAYS) for _ in BOOTS]})
    return cases


def run_again(rig, label, job, first, second, ways, log_ways):
    with Case(rig, label, job) as case:
        run, report = run_until(case, first)
        require(report.fired, f"the run ended before call {first}")
        places = f"call {first} ({report.place})"
        try:
            cut_power(case, run, ways[0], log_ways[0], {})
            stop(case, run)
            before = images.durable(case.library)
            run, report = run_until(case, second, boot_id=BOOTS[0])
            # A start with little left to do may end before.
            places += f", then call {second} ({report.place})"
            cut_power(case, run, ways[1], log_ways[1], before)
            go_on(case, run, BOOTS[1])
        except Violation as error:
            raise Violation(
                f"power cuts ({ways}, log {log_ways}) before {places}: {error}") from error
        return {"cuts": 1 + report.fired, "before": report.place}


def plan_failed_sync(rig):
    """K11: a sync of the log fails, the next start goes on, and then comes the power cut."""
    chance = rig.chance("K11")
    return [
        {"label": f"K11/{i}", "job": "twins" if i % 4 == 3 else "small",
         "failing": 1 + i % 6, "moment": chance.uniform(0, SURE), "log_way": images.WAYS[i % 4]}
        for i in range(rig.choose(commit=8, nightly=120))
    ]


def run_failed_sync(rig, label, job, failing, moment, log_way):
    with Case(rig, label, job) as case:
        run = case.add("--json", plan=shim.plan("EIO", "fdatasync", failing), trace=True)
        run.end()
        report = case.report(run)
        if not report.fired:
            return {"beyond the end": 1}
        case.stopped(run, states=library.DURABLE)
        left = images.read(run.folder / "changes", {})
        # The machine goes on: what failed to be written is still in its memory, and read from there.
        nth = 1 + int(moment * call_counts(rig, job)[0])
        run, second = run_until(case, nth)
        try:
            cut_power(case, run, "short", log_way, left)
            go_on(case, run, BOOTS[0])
        except Violation as error:
            raise Violation(
                f"EIO from fdatasync {failing} ({report.path}), then a power cut (log {log_way}) "
                f"before call {nth} ({second.place}): {error}") from error
        return {"cuts": 1, "before": second.place}


def plan_removal(rig):
    """K10: before each call of a removal; a sample in the commit tier."""
    least = removal_calls(rig)
    numbers = range(1, least + 1)
    if rig.tier != "nightly":
        numbers = rig.chance("K10").sample(numbers, 6)
    return [
        {"label": f"K10/{verb}/{n}-{way}", "verb": verb, "nth": n, "log_way": way}
        for verb in REMOVALS for n in numbers for way in images.WAYS[1:]
    ]


def removal_calls(rig):
    """How many calls a removal makes at least; a reset makes more."""
    with finished_library(rig, "K10-count") as case:
        run = case.start(*REMOVALS["remove"], plan="")
        require(run.end() == 0, f"ends with {run.code}: {run.last_words}")
        return case.report(run).changing


def finished_library(rig, label):
    case = Case(rig, label)
    run = case.add()
    require(run.end() == 0, f"exit {run.code}: {run.last_words}")
    return case


def run_removal(rig, label, verb, nth, log_way):
    with finished_library(rig, label) as case:
        total = len(case.snapshot().rows)
        before = images.durable(case.library)
        run = case.start(*REMOVALS[verb], plan=shim.plan("kill", "*", nth), trace=True)
        run.end()
        report = case.report(run)
        try:
            cut_power(case, run, "short", log_way, before)
            # What is not marked as removed is there.
            oracle.crashed(case.snapshot(), case.library, case.job)
            check_removed(case, verb, total)
        except Violation as error:
            raise Violation(
                f"power cut (log {log_way}) before call {nth} ({report.place}) of {verb}: {error}"
            ) from error
        return {"cuts": int(report.fired), "before": report.place}


def check_removed(case, verb, total):
    """The next start goes on, with all of it or with nothing."""
    run = case.start("resume", boot_id=BOOTS[0])
    require(run.end() == 0, f"I1: resume ends with {run.code}: {run.last_words}")
    snapshot = case.snapshot()
    oracle.crashed(snapshot, case.library, case.job)
    oracle.check_originals(case, snapshot)
    oracle.check_litter(case)
    require(not snapshot.removed, "I4: a record is still marked as removed")
    left = len(snapshot.rows)
    require(left == total or (left == 0 if verb == "reset" else 0 < left < total),
            f"I1: {left} of {total} rows are left")
    case.check_sound()


def cut_power(case, run, way, log_way, before):
    """Spoils what was not synced; returns how many files, and how many bytes of the database.
    `before`: images of the databases when the run began."""
    files = lose(case, run.folder / "trace", way)
    kept = images.read(run.folder / "changes", before)
    return files, images.leave(case.library, kept, log_way, case.chance)


def stop(case, run):
    """What a power cut leaves alone; and what it costs to fetch the rest again."""
    snapshot = case.stopped(run, states=library.DURABLE)
    case.allowance += 1 << 20
    return snapshot


def go_on(case, run, boot_id):
    """`resume` completes what is in the library, and then there is nothing to mend."""
    snapshot = stop(case, run)
    if snapshot.rows:
        resumed = case.start("resume", boot_id=boot_id)
        resumed.end()
        # What was being processed at both cuts waits for `retry`, in `finish`.
        has_ended_well = resumed.code == 0 or (resumed.code == 1 and case.has_only_quarantined())
        require(has_ended_well, f"I1: resume ends with {resumed.code}: {resumed.last_words}")
        case.is_done = case.holds_all(case.snapshot())
    case.finish(boot_id=boot_id)


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


TESTS = {
    "K8": ("power cuts before the Nth call, simulated", plan_simulated, run_simulated),
    "K9": ("power cuts while a library recovers from one, simulated", plan_again, run_again),
    "K11": ("a sync of the log fails, and later comes a power cut", plan_failed_sync,
            run_failed_sync),
    "K10": ("power cuts while records are removed, simulated", plan_removal, run_removal),
}
