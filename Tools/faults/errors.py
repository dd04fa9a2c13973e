"""D2: a call fails, once or from then on: EIO, ENOSPC, EDQUOT, EROFS, EACCES, EMFILE, ENOMEM. D3:
calls that process only a part of the bytes, or are interrupted, neither of which is an error."""

import os
import time

import library
import oracle
import shim
from case import Case
from violation import Violation, require

# The errors with which each class of calls may fail. Reads include those of SQLite.
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
# The words that name the cause in a message, whether the kernel, SQLite or imgdl wrote the message.
CAUSES = (
    "(?i)input/output error|disk i/o error|i/o error|no space left|disk is full|disk full|quota|"
    "read-only|cannot be written|permission|too many open files|cannot allocate|out of memory|"
    "too many links|lock")
# The acceptable exit codes: success, some resources failed, source, disk, locked.
CODES = {0, 1, 3, 6, 9}


def plan_errors(rig):
    """Plans every error of every class of calls, at random calls, either once or from that call on.
    """
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
    """Returns the number of calls of each class in the small job, reduced by a fifth, so that every
    run reaches the planned call."""
    with Case(rig, "D2-count") as case:
        run = case.add(plan="")
        require(run.end() == 0, f"ends with {run.code}: {run.last_words}")
        return {call: max(1, int(0.8 * number)) for call, number in case.report(run).counts.items()
                if number}


def run_errors(rig, label, call, name, nth, sticky):
    """Runs a case. If the run ends before the planned call, the case is repeated with half the
    number."""
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
            # After a failed sync, files that were not durable may be fetched again, and must be
            # written again.
            states = library.DURABLE if call in SYNCS else library.COMMITTED
            snapshot = case.stopped(run, states=states)
            before = time.monotonic()
            # `retry` fetches a file again whose pages failed, as the file may be the cause.
            case.allowance += sum(
                row.bytes or 0 for row in snapshot.rows if row.state == library.FAILED)
            marks = {row.target: mark(case.library / row.name) for row in snapshot.rows if row.name}
            case.finish(retries=True)
            if report.call == "syncfs":
                check_rewritten(case, snapshot, before, marks)
        except Violation as error:
            raise Violation(f"{place}: {error}") from error
        return {"place": place, "fired": report.fired}


def check_end(run, report, call):
    """Checks that the exit code is documented and, if it is 6, that the message names the cause."""
    require(run.code in CODES, f"I9: not a documented exit code: {run.last_words}")
    # SQLite reports a page that it cannot read as damage.
    causes = CAUSES + "|damaged" if call == "read" else CAUSES
    oracle.check_words(run, causes if run.code == 6 else None)


def mark(path):
    """Returns a value that changes when the file is written again; None if there is no file."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def check_rewritten(case, snapshot, before, marks):
    """Checks that files that waited for a failed sync were written again, by a request or a copy.
    After a failed sync the kernel treats their pages as clean, so that a second sync reports no
    error."""
    fetched = {one.path for one in case.origin.requests(since=before)}
    now = {row.target: mark(case.library / row.name) for row in case.snapshot().rows}
    left = {
        target for target in snapshot.targets({library.STORED}) - fetched
        if now[target] == marks[target]
    }
    require(not left, f"finished by a second sync though the first one failed: {sorted(left)[:3]}")


def check_patience(case):
    """Checks that a disk that fails every write causes at most three requests for each file."""
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
        # A call that is interrupted every time would never end.
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
