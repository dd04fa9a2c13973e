"""W2: a test of the oracle. One thing in a finished library is damaged, and the oracle must name
the invariant; without damage the oracle must report nothing."""

import json
import os
import shutil
import sqlite3
import time

import library
import oracle
from case import Case
from violation import Violation, require


def original(case, number=0):
    return case.library / case.snapshot().rows[number].name


def rendition(case):
    return case.library / ".imgdl/renditions" / sorted(case.snapshot().renditions)[0]


def change(path, content=b"other"):
    path.write_bytes(content)


def execute(case, statements):
    connection = sqlite3.connect(case.library / library.DATABASE, isolation_level=None)
    connection.executescript(statements)
    connection.close()


def request_again(case):
    """Appends a line to the server's log, as if a finished file had been fetched again."""
    case.stops.append(oracle.Stop(set(case.job.ledger), 0, None, time.monotonic()))
    entries = case.origin.entries()
    last = max(entries, key=lambda entry: entry["seq"])
    now = time.monotonic() * 1000
    again = last | {"seq": last["seq"] + 1, "target": next(iter(case.job.ledger)),
                    "monotonicStart": now, "monotonicEnd": now}
    with open(case.origin.log_file, "a") as file:
        file.write(json.dumps(again) + "\n")


REMOVAL = "PRAGMA foreign_keys = ON; DELETE FROM resource WHERE id = 2"
SPOILT = {
    "nothing": (None, lambda case: None),
    "file-gone": ("I6", lambda case: original(case).unlink()),
    "file-changed": ("I6", lambda case: change(original(case))),
    "file-replaced": ("I6", lambda case: shutil.copy(original(case, 1), original(case))),
    "file-added": ("I6", lambda case: change(original(case).with_name("0099-extra.png"))),
    "rendition-cut": ("I6", lambda case: os.truncate(rendition(case), 20)),
    "rendition-gone": ("I6", lambda case: rendition(case).unlink()),
    "rendition-added": ("I4", lambda case: change(rendition(case).with_name(".tmp-1"))),
    "part-left": ("I4", lambda case: change(case.library / ".imgdl/incoming/1.part")),
    "inner-file": ("I4", lambda case: change(case.library / ".imgdl/socket")),
    "row-gone": ("I1", lambda case: execute(case, REMOVAL)),
    "row-queued": ("I1", lambda case: execute(case, "UPDATE resource SET state = 0 WHERE id = 2")),
    "row-standalone": ("I5", lambda case: execute(case, "DELETE FROM record WHERE id = 1")),
    "mine-changed": ("I8", lambda case: change(case.library / "notes of mine.txt")),
    "outside": ("I8", lambda case: change(case.outside / "home/new")),
    "beside": ("I8", lambda case: change(case.folder / "new")),
    "again": ("I3", request_again),
}


def plan_selftest(rig):
    return [{"label": f"W2/{name}", "name": name} for name in SPOILT]


def run_selftest(rig, label, name):
    invariant, spoil = SPOILT[name]
    with Case(rig, label) as case:
        run = case.add()
        require(run.end() == 0, f"exit {run.code}: {run.last_words}")
        spoil(case)
        try:
            oracle.settled(case, case.snapshot())
            found = None
        except Violation as violation:
            found = str(violation)
        wanted = invariant or "nothing"
        require(invariant == (found and found[:2]), f"the oracle says {found}, not {wanted}")
        return {"found": found}


TESTS = {"W2": ("the oracle notices what is wrong", plan_selftest, run_selftest)}
