"""K8: a simulated power cut before the Nth call. The program is killed, and all or some writes that
no sync has followed are lost: writes to files, to the database and to its log. This is the worst
case, because a kernel writes in any order. K9: a second power cut while the library recovers. K10:
a power cut while records are removed. K11: a power cut after a sync has failed. The tests need no
privileges and can strike at every call."""

import os
import re
from pathlib import Path

import images
import library
import oracle
import shim
from calls import REACHABLE_SHARE, call_counts, moments, run_until, strike
from case import Case
from power import OTHER_BOOT
from violation import Violation, require

CHANGES = {"write", "pwrite", "pwrite64", "writev", "pwritev", "ftruncate", "ftruncate64",
           "copy_file_range", "sendfile", "fallocate", "fallocate64"}
SYNCS = {"fsync", "fdatasync"}
# The ways in which the data of a file that was not synced is lost.
WAYS = ["empty", "zeros", "short"]
# The commands that remove files.
REMOVALS = {"remove": ("remove", "1", "--yes"), "reset": ("reset", "--yes")}
# The boot ids of the starts after the first and after the second power cut.
BOOTS = [OTHER_BOOT, OTHER_BOOT[:-1] + "e"]


def plan_simulated(rig):
    """Plans every call with every loss in the database nightly, and a sample of both in the commit
    tier. The sample omits the first calls, which create the database before there are files."""
    ways = images.WAYS if rig.tier == "nightly" else [None]
    cases = [
        one | {"label": one["label"] + (f"-{way}" if way else ""),
               "way": WAYS[one["nth"] % len(WAYS)],
               "log_way": way or images.WAYS[one["nth"] % len(images.WAYS)]}
        for one in moments(rig, "K8", 100, 24) for way in ways
    ]
    # Dangerous moments: just before a sync, on which the writes before it depend, and just after
    # one, when a resource was reported as finished.
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
    """K9: plans a power cut, and a second one while the next start recovers from the first, or soon
    after."""
    chance = rig.chance("K9")
    cases = []
    for i in range(rig.choose(commit=8, nightly=300)):
        job = "twins" if i % 4 == 3 else "small"
        last = int(REACHABLE_SHARE * call_counts(rig, job)[0])
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
            # A run with little left to do may end before the second power cut.
            places += f", then call {second} ({report.place})"
            cut_power(case, run, ways[1], log_ways[1], before)
            go_on(case, run, BOOTS[1])
        except Violation as error:
            raise Violation(
                f"power cuts ({ways}, log {log_ways}) before {places}: {error}") from error
        return {"cuts": 1 + report.fired, "before": report.place}


def plan_failed_sync(rig):
    """K11: plans a failed sync of the log, and a power cut during the next run."""
    chance = rig.chance("K11")
    return [
        {"label": f"K11/{i}", "job": "twins" if i % 4 == 3 else "small",
         "failing": 1 + i % 6, "moment": chance.uniform(0, REACHABLE_SHARE),
         "log_way": images.WAYS[i % 4]}
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
        # The machine stays on, so that data that was not written is still in the page cache and is
        # read from there.
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
    """K10: plans a power cut before each call of a removal, in the commit tier before a sample of
    the calls."""
    least = removal_calls(rig)
    numbers = range(1, least + 1)
    if rig.tier != "nightly":
        numbers = rig.chance("K10").sample(numbers, 6)
    return [
        {"label": f"K10/{verb}/{n}-{way}", "verb": verb, "nth": n, "log_way": way}
        for verb in REMOVALS for n in numbers for way in images.WAYS[1:]
    ]


def removal_calls(rig):
    """Returns the number of calls that the removal of a record makes; a reset makes more."""
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
            # Every resource that is not marked as removed must have its file.
            oracle.crashed(case.snapshot(), case.library, case.job)
            check_removed(case, verb, total)
        except Violation as error:
            raise Violation(
                f"power cut (log {log_way}) before call {nth} ({report.place}) of {verb}: {error}"
            ) from error
        return {"cuts": int(report.fired), "before": report.place}


def check_removed(case, verb, total):
    """Checks that after the next start the removal is complete, or has not happened."""
    run = case.start("resume", boot_id=BOOTS[0])
    require(run.end() == 0, f"I1: resume ends with {run.code}: {run.last_words}")
    snapshot = case.snapshot()
    oracle.crashed(snapshot, case.library, case.job)
    oracle.check_originals(case, snapshot)
    oracle.check_leftovers(case)
    require(not snapshot.removed, "I4: a record is still marked as removed")
    left = len(snapshot.rows)
    require(left == total or (left == 0 if verb == "reset" else 0 < left < total),
            f"I1: {left} of {total} rows are left")
    case.check_sound()


def cut_power(case, run, way, log_way, before):
    """Discards data that was not synced. Returns the number of damaged files, and how many bytes of
    changes to the database were not synced. `before` are images of the databases at the beginning
    of the run."""
    files = lose(case, run.folder / "trace", way)
    kept = images.read(run.folder / "changes", before)
    return files, images.apply_power_cut(case.library, kept, log_way, case.chance)


def stop(case, run):
    """Checks the library after a power cut, and permits that the lost data is fetched again."""
    snapshot = case.stopped(run, states=library.DURABLE)
    case.allowance += 1 << 20
    return snapshot


def go_on(case, run, boot_id):
    """Completes the library with `resume`; the checks of `finish` must then find nothing to repair.
    """
    snapshot = stop(case, run)
    if snapshot.rows:
        resumed = case.start("resume", boot_id=boot_id)
        resumed.end()
        # Resources that were being processed at both power cuts wait for `retry` in `finish`.
        has_ended_well = resumed.code == 0 or (resumed.code == 1 and case.has_only_quarantined())
        require(has_ended_well, f"I1: resume ends with {resumed.code}: {resumed.last_words}")
        case.is_done = case.holds_all(case.snapshot())
    case.finish(boot_id=boot_id)


def lose(case, trace, way):
    """Damages every file whose last writes were not synced. Returns the number of these files."""
    dirty = unsynced(trace.read_text())
    lost = 0
    for parent, _, names in os.walk(case.library):
        for name in names:
            path = Path(parent, name)
            status = os.lstat(path)
            if status.st_ino in dirty and ".sqlite" not in name and name != "lock":
                dirty.discard(status.st_ino)  # a hard link to the same file may follow
                os.truncate(path, status.st_size // 2 if way == "short" else 0)
                if way == "zeros":
                    os.truncate(path, status.st_size)
                lost += 1
    return lost


def unsynced(text):
    """Returns the inodes with writes that no sync has followed."""
    dirty = set()
    for strikes, call, inode in re.findall(r"^(!?)(\w+) (\d+) ", text, re.MULTILINE):
        if strikes:
            continue  # the shim prevented the call
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
