"""S1: SIGTERM, SIGINT and SIGHUP at random moments. The program ends soon, says so by its exit
code, and has kept everything that had come."""

import signal
import time

import oracle
from case import PACED, Case
from violation import require

SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"]
# Seconds to the end of the program after a signal.
PATIENCE = 5
# Exit code of a program that was interrupted and kept its work.
INTERRUPTED = 7
# What the server had sent shortly before the signal may still have been on its way.
ON_THE_WAY = 0.5


def plan_signals(rig):
    chance = rig.chance("S1")
    return [
        {"label": f"S1/{i}", "name": SIGNALS[i % 3], "moment": chance.uniform(0, 1.8),
         # Two at once: the second one ends the program on the spot.
         "twice": i % 5 == 4,
         # Every fourth time the other transport, whose helper has to notice.
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
    """Before the library is open the signal may end the program by itself; after the second one
    there is no time for words."""
    if was_open or run.code >= 0:
        require(run.code in (0, INTERRUPTED),
                f"I9: exit code {run.code} after {name}: {run.last_words}")
        oracle.check_words(run, causes=None if twice else "(?i)interrupt")
    else:
        require(run.code == -signal.Signals[name], f"I9: exit code {run.code} after {name}")


def check_kept(before, later, sent, unread):
    """After a clean stop nothing is fetched again that had come before the signal. `unread` bytes had
    been sent, and had not been written when the program ended."""
    arrived = {
        one.path for one in before
        if one.completed and one.status in (200, 206) and one.end < sent - ON_THE_WAY
    }
    again = {one.path for one in later} & arrived
    require(not again, f"I3: fetched again after a clean stop: {sorted(again)[:3]}")
    # Of a body that was cut, and was worth a row, only the rest is fetched.
    cut = [one for one in before if not one.completed and one.bytes > oracle.SEGMENT + unread]
    for one in cut:
        next_one = next((other for other in later if other.path == one.path), None)
        require(next_one is None or next_one.status == 206,
                f"I3: {one.path} was cut after {one.bytes:,} bytes and is fetched from its start")


TESTS = {"S1": ("signals at random moments", plan_signals, run_signals)}
