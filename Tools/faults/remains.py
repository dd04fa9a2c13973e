"""K7: the effects of a power cut on files that are not durable yet, simulated by changing the files
after a kill: partial files, and files whose rows are in the state stored."""

import time

import library
import shim
from case import Case
from power import OTHER_BOOT
from violation import Violation, require

# The damage to a partial file; "none" is the control without damage, in the same boot.
PARTIAL = ["zeros", "short", "long", "empty", "gone", "none"]
# The damage to a file whose row is in the state stored; "none" is the control.
STORED = ["zeros", "short", "empty", "gone", "none"]
KEPT = 64 << 10


def plan_remains(rig):
    return [
        {"label": f"K7/{what}-{kind}", "what": what, "kind": kind}
        for what, kinds in (("partial", PARTIAL), ("stored", STORED)) for kind in kinds
    ]


def run_remains(rig, label, what, kind):
    return (run_partial if what == "partial" else run_stored)(rig, label, kind)


def run_partial(rig, label, kind):
    """Kills the program while it receives a large body, and damages the partial file."""
    with Case(rig, label, "long", ("--rate", "8M")) as case:
        run = case.add()
        wait_for_partial(case, run, 3 << 20)
        run.kill()
        run.end()
        snapshot = case.stopped(run, run.ended)
        require(snapshot.partials > 0, "I3: nothing is remembered of a body of 3 MiB")
        for path in (case.library / ".imgdl/incoming").glob("*.part"):
            if path.stat().st_size > 1 << 20:
                spoil(path, kind, keeping=KEPT)
        return go_on(case, kind, resumes=True)


def run_stored(rig, label, kind):
    """Kills the program before the first sync, when rows name files that are not durable, and
    damages the files."""
    with Case(rig, label) as case:
        run = case.add(plan=shim.plan("kill", "syncfs", 1))
        run.end()
        require(run.code == -9, f"the plan did not strike: exit {run.code}")
        snapshot = case.stopped(run, states=library.DURABLE)
        stored = [row for row in snapshot.rows if row.state == library.STORED]
        require(stored, f"no row is on its way: {snapshot.tally()}")
        for row in stored:
            if library.is_regular(case.library / row.name):
                spoil(case.library / row.name, kind, keeping=0)
        if kind == "none":
            case.stopped(run)
        return go_on(case, kind, resumes=False)


def go_on(case, kind, resumes):
    """Completes the library. Damaged files must not be trusted, and intact ones must not be fetched
    again."""
    before = time.monotonic()
    if kind == "none":
        case.finish()
        later = case.origin.requests(since=before)
        require(not resumes or any(one.status == 206 for one in later), "I3: nothing was resumed")
    else:
        case.allowance += 8 << 20
        case.finish(boot_id=OTHER_BOOT)
    return {"kills": 1, "bytes": case.refetched}


def wait_for_partial(case, run, size):
    """Waits until a partial file has `size` bytes."""
    deadline = time.monotonic() + 60
    folder = case.library / ".imgdl/incoming"
    while time.monotonic() < deadline:
        require(run.wait(0.01) is None, f"exit {run.code} too early: {run.last_words}")
        parts = folder.glob("*.part") if folder.is_dir() else ()
        if any(size_of(path) >= size for path in parts):
            return
    raise Violation("I7: no partial file grows")


def size_of(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def spoil(path, kind, keeping):
    """Damages a file as a power cut may. The kinds "zeros" and "short" keep the first `keeping`
    bytes."""
    size = path.stat().st_size
    if kind == "gone":
        path.unlink()
    elif kind != "none":
        with open(path, "r+b") as file:
            if kind in ("empty", "short"):
                file.truncate(0 if kind == "empty" else keeping or size // 2)
            else:
                file.seek(keeping if kind == "zeros" else size)
                file.write(bytes(size - keeping if kind == "zeros" else 1 << 20))


TESTS = {"K7": ("what a power cut may leave", plan_remains, run_remains)}
