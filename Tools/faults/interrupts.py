"""S1: SIGTERM, SIGINT and SIGHUP at random moments. The program must end soon, report the
interruption by its exit code, and keep all data that it has received."""

import signal
import time

import oracle
from case import PACED, Case
from violation import require

SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"]
# The time in seconds within which the program must end after a signal.
PATIENCE = 5
# The exit code of a program that was interrupted and has kept its work.
INTERRUPTED = 7
# Data that the server sent within this time in seconds before the signal may still have been in
# transit.
ON_THE_WAY = 0.5


def plan_signals(rig):
    chance = rig.chance("S1")
    return [
        {"label": f"S1/{i}", "name": SIGNALS[i % 3], "moment": chance.uniform(0, 1.8),
         # In every fifth case a second signal follows, which must end the program immediately.
         "twice": i % 5 == 4,
         # Every fourth case uses the transport with a helper process, which must notice the end of
         # the program.
         "transport": "url-session" if i % 4 == 3 else "socket"}
        for i in range(rig.choose(commit=10, nightly=100))
    ]


def run_signals(rig, label, name, moment, twice, transport):
    with Case(rig, label, "standard", PACED) as case:
        case.options = ["--set", f"adapters.transport={transport}"]
        run = case.add()
        if run.wait(moment) is not None:
            run.end()
            require(run.code == 0, f"I1: ends with {run.code}: {run.last_words}")
            return {"too late": 1}
        was_open = (case.library / ".imgdl/lock").exists()
        sent = time.monotonic()
        run.signal(signal.Signals[name])
        if twice:
            time.sleep(0.02)
            run.signal(signal.Signals[name])
        run.end()
        took = run.ended - sent
        require(run.code != 0 or moment > 1, f"{name} after {moment:.2f} s was not heard")
        require(took <= PATIENCE, f"I7: {name} after {moment:.2f} s: ended after {took:.1f} s")
        check_code(run, name, was_open, twice)
        between = time.monotonic()
        before = [one for one in case.origin.requests() if one.path in case.job.ledger]
        case.stopped(run, sent)
        case.finish()
        if run.code == INTERRUPTED and not twice:
            check_kept(before, case.origin.requests(since=between), sent, case.allowance)
        return {"signals": 1, "seconds": round(took, 3), "bytes": case.refetched}


def check_code(run, name, was_open, twice):
    """Checks the exit code. Before the library is open, the signal may end the program by itself;
    after a second signal the program need not print a message."""
    if was_open or run.code >= 0:
        require(run.code in (0, INTERRUPTED),
                f"I9: exit code {run.code} after {name}: {run.last_words}")
        oracle.check_words(run, causes=None if twice else "(?i)interrupt")
    else:
        require(run.code == -signal.Signals[name], f"I9: exit code {run.code} after {name}")


def check_kept(before, later, sent, unread):
    """Checks that a file that arrived before the signal is not fetched again after a clean stop.
    `unread` is the number of bytes that had been sent and not written when the program ended."""
    arrived = {
        one.path for one in before
        if one.completed and one.status in (200, 206) and one.end < sent - ON_THE_WAY
    }
    again = {one.path for one in later} & arrived
    require(not again, f"I3: fetched again after a clean stop: {sorted(again)[:3]}")
    # A body that was interrupted after more than a segment has a row, so that only its rest is
    # fetched.
    cut = [one for one in before if not one.completed and one.bytes > oracle.SEGMENT + unread]
    for one in cut:
        next_one = next((other for other in later if other.path == one.path), None)
        require(next_one is None or next_one.status == 206,
                f"I3: {one.path} was cut after {one.bytes:,} bytes and is fetched from its start")


TESTS = {"S1": ("signals at random moments", plan_signals, run_signals)}
