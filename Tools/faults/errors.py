"""D2: a call that fails, once or from then on: EIO, ENOSPC, EDQUOT, EROFS, EACCES, EMFILE, ENOMEM.
D3: calls that do half of what was asked or are interrupted, which is no error at all."""

import os
import time

import library
import oracle
import shim
from case import Case
from violation import Violation, require

# What may fail how. Reads include those of SQLite.
ERRORS = {
    "open": ["EIO", "ENOSPC", "EACCES", "EROFS", "EMFILE"],
    "write": ["EIO", "ENOSPC", "EDQUOT"],
    "rename": ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS"],
    "link": ["EIO", "ENOSPC", "EMLINK"],
    "unlink": ["EIO", "EACCES", "EROFS"],
    "mkdir": ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS"],
    "truncate": ["EIO", "ENOSPC"],
    "fsync": ["EIO", "ENOSPC", "EDQUOT"],
    "fdatasync": ["EIO", "ENOSPC", "EDQUOT"],
    "syncfs": ["EIO", "ENOSPC", "EDQUOT"],
    "read": ["EIO"],
    "mmap": ["ENOMEM"],
    "stat": ["EIO", "EACCES"],
    "lock": ["EIO"],
}
SYNCS = ("fsync", "fdatasync", "syncfs")
# Words that name what went wrong, whoever says it: the kernel, SQLite, or we.
CAUSES = (
    "(?i)input/output error|disk i/o error|i/o error|no space left|disk is full|disk full|quota|"
    "read-only|cannot be written|permission|too many open files|cannot allocate|out of memory|"
    "too many links|lock")
# The first that applies: some failed, source, disk, locked.
CODES = {0, 1, 3, 6, 9}


def plan_errors(rig):
    """Each class of calls with each of its errors, at random places, once and for good."""
    counts = class_counts(rig)
    chance = rig.chance("D2")
    kinds = [(call, name) for call, names in ERRORS.items() for name in names if counts.get(call)]
    wanted = rig.choose(commit=30, nightly=len(kinds) * 8)
    chosen = (kinds * (wanted // len(kinds) + 1))[:wanted] if wanted >= len(kinds) else \
        chance.sample(kinds, wanted)
    return [
        {"label": f"D2/{i}", "call": call, "name": name,
         "nth": 1 + int(chance.random() * counts[call]), "sticky": chance.random() < 0.5}
        for i, (call, name) in enumerate(chosen)
    ]


def class_counts(rig):
    """How often a small job makes each class of calls; fewer than any run, so that plans strike."""
    with Case(rig, "D2-count") as case:
        run = case.add(plan="")
        require(run.end() == 0, f"ends with {run.code}: {run.last_words}")
        return {call: max(1, int(0.8 * number)) for call, number in case.report(run).counts.items()
                if number}


def run_errors(rig, label, call, name, nth, sticky):
    """A run that makes fewer calls than another is tried again, with an earlier call."""
    while nth > 1:
        figures = try_errors(rig, label, call, name, nth, sticky)
        if figures:
            return figures
        nth //= 2
    figures = try_errors(rig, label, call, name, 1, sticky)
    require(figures, f"no {call} was made")
    return figures


def try_errors(rig, label, call, name, nth, sticky):
    with Case(rig, label) as case:
        run = case.add(plan=shim.plan(name, call, nth, sticky), trace=True)
        run.end()
        report = case.report(run)
        if not report.fired:
            return None
        place = f"{name} from {call} {nth}{'+' if sticky else ''} ({report.place}), exit {run.code}"
        try:
            check_end(run, report, call)
            check_patience(case)
            # What could not be synced may be fetched again, and has to be written again.
            states = library.DURABLE if call in SYNCS else library.COMMITTED
            snapshot = case.stopped(run, states=states)
            before = time.monotonic()
            marks = {row.target: mark(case.library / row.name) for row in snapshot.rows if row.name}
            case.finish(retries=True)
            if report.call == "syncfs":
                check_rewritten(case, snapshot, before, marks)
        except Violation as error:
            raise Violation(f"{place}: {error}") from error
        return {"place": place, "fired": report.fired}


def check_end(run, report, call):
    """Six and the cause; or success, where the call was not needed."""
    require(run.code in CODES, f"I9: not a documented exit code: {run.last_words}")
    # SQLite itself takes a page that cannot be read for damage.
    causes = CAUSES + "|damaged" if call == "read" else CAUSES
    oracle.check_words(run, causes if run.code == 6 else None)


def mark(path):
    """Changes when a file is written again; None where there is none."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def check_rewritten(case, snapshot, before, marks):
    """After a failed sync the kernel takes the pages for clean: a second sync says nothing about
    them. Files that waited for the first one are written again, by a request or a copy."""
    fetched = {one.path for one in case.origin.requests(since=before)}
    now = {row.target: mark(case.library / row.name) for row in case.snapshot().rows}
    left = {
        target for target in snapshot.targets({library.STORED}) - fetched
        if now[target] == marks[target]
    }
    require(not left, f"finished by a second sync though the first one failed: {sorted(left)[:3]}")


def check_patience(case):
    """No storm of attempts against a disk that does not take anything."""
    count = len(case.origin.requests())
    limit = 3 * len(case.job.ledger)
    require(count <= limit, f"I7: {count} requests for {len(case.job.ledger)} files")


def plan_short(rig):
    chance = rig.chance("D3")
    counts = class_counts(rig)
    plans = [
        {"label": f"D3/{i}", "call": call, "action": action,
         "nth": 1 + int(chance.random() * counts[call] / 2), "sticky": chance.random() < 0.7}
        for i, (call, action) in enumerate([
            (call, action) for call, action in
            [("write", "short"), ("read", "short"), ("write", "EINTR"), ("read", "EINTR"),
             ("truncate", "EINTR"), ("syncfs", "EINTR")]
            if call in counts
        ] * rig.choose(commit=1, nightly=10))
    ]
    for plan in plans:
        # One that never stops being interrupted never ends, and rightly.
        plan["sticky"] = plan["sticky"] and plan["action"] == "short"
    return plans


def run_short(rig, label, call, action, nth, sticky):
    with Case(rig, label) as case:
        run = case.add(plan=shim.plan(action, call, nth, sticky))
        run.end()
        report = case.report(run)
        place = f"{action} {call} {nth}{'+' if sticky else ''} ({report.place})"
        try:
            require(report.fired, "the plan did not strike")
            require(run.code == 0, f"exit {run.code}: {run.last_words}")
            case.stopped(run)
            case.finish()
        except Violation as error:
            raise Violation(f"{place}: {error}") from error
        return {"place": place}


TESTS = {
    "D2": ("a call on a file fails", plan_errors, run_errors),
    "D3": ("a call on a file does half or is interrupted", plan_short, run_short),
}
