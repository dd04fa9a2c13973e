"""D6: files of the library are damaged, or replaced by a folder, a link or a pipe. No command may
hang or follow a link out of the library, and each damaged file must be found and fetched again,
once."""

import os
import time

import library
import oracle
from case import Case
from remains import spoil, wait_for_partial
from violation import Skipped, Violation, require

KINDS = ["flipped", "short", "empty", "gone", "folder", "link", "pipe", "past", "future"]
INSIDE = "somebody's file"
# The time limit of `verify` in seconds. A pipe without a writer must not block it.
PATIENCE = 60


def plan_damage(rig):
    partial = [{"label": f"D6/partial-{kind}", "what": "partial", "kind": kind}
               for kind in KINDS if kind != "flipped"]
    originals = [{"label": f"D6/original-{kind}", "what": "original", "kind": kind}
                 for kind in KINDS]
    return partial + originals


def run_damage(rig, label, what, kind):
    return (run_partial if what == "partial" else run_original)(rig, label, kind)


def damage(path, kind, outside):
    """Damages or replaces a file, as its owner or another program might."""
    if kind == "flipped":
        with open(path, "r+b") as file:
            byte = file.read(1)[0]
            file.seek(0)
            file.write(bytes([byte ^ 0x10]))
    elif kind in ("past", "future"):
        year = {"past": 0, "future": 3_155_760_000}[kind]
        os.utime(path, (year, year))
    elif kind in ("short", "empty"):
        spoil(path, kind, keeping=path.stat().st_size // 2)
    else:
        path.unlink()
        if kind == "folder":
            path.mkdir()
            (path / INSIDE).write_text(INSIDE)
        elif kind == "link":
            path.symlink_to(outside / "home/canary")
        elif kind == "pipe":
            os.mkfifo(path)


def run_partial(rig, label, kind):
    """Damages partial files between a kill and the next start."""
    with Case(rig, label, "small", ("--rate", "500K")) as case:
        run = case.add()
        wait_for_partial(case, run, 64 << 10)
        run.kill()
        run.end()
        # Complete files that are not renamed into place yet are damaged as well, so their rows do
        # not count.
        case.stopped(run, states=library.DURABLE)
        parts = [path for path in (case.library / ".imgdl/incoming").glob("*.part")]
        require(parts, "nothing was on its way")
        for path in parts:
            damage(path, kind, case.outside)
        case.allowance += 4 << 20
        case.finish()
        return {"spoilt": len(parts), "bytes": case.refetched}


def run_original(rig, label, kind):
    """Damages three originals of a finished library. `verify` must report them, and the next run
    must fetch them again."""
    with Case(rig, label) as case:
        if "verify" not in case.text("--help"):
            raise Skipped("this imgdl-cli has no verify")
        run = case.add()
        require(run.end() == 0, f"exit {run.code}: {run.last_words}")
        rows = case.chance.sample(case.stopped(run).rows, 3)
        for row in rows:
            damage(case.library / row.name, kind, case.outside)
        try:
            return judge(case, rows, kind)
        except Violation as error:
            raise Violation(f"{[row.name for row in rows]}: {error}") from error


def judge(case, rows, kind):
    harmless = kind in ("past", "future")
    before = time.monotonic()
    run = case.start("verify", "--read-data")
    run.end(PATIENCE)
    oracle.check_words(run)
    for row in rows:
        told = os.path.basename(row.name) in run.output + run.errors
        require(told != harmless, f"I9: verify says nothing of {row.name}: {run.last_words}")
    require((run.code == 0) == harmless, f"verify ends with {run.code}")
    case.stops.clear()
    case.is_done = harmless
    case.allowance += 1 << 20
    case.user_file_name = INSIDE
    case.finish()
    # A folder in place of an original contains a file of the user, so it may be moved but not
    # removed.
    require(kind != "folder" or count_kept(case) == len(rows), "I8: a folder of the user is gone")
    later = case.origin.requests(since=before)
    again = [one.path for one in later if one.path in case.job.ledger and one.status != 304]
    wanted = [] if harmless else sorted(row.target for row in rows)
    require(sorted(again) == wanted, f"I3: fetched again {sorted(again)}, not {wanted}")
    return {"again": len(again)}


def count_kept(case):
    return sum(os.path.basename(name) == INSIDE for name in library.originals(case.library))


TESTS = {"D6": ("files of the library are damaged", plan_damage, run_damage)}
