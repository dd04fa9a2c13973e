"""K7: what a power cut may leave of files whose rows are not durable yet, made by hand: of a
partial file, and of files that were on their way into place."""

import time

import library
import shim
from case import Case
from power import OTHER_BOOT
from violation import Violation, require

# Of a partial file; "none" is the control: the same boot, and nothing changed.
PARTIAL = ["zeros", "short", "long", "empty", "gone", "none"]
# Of a file that is in place; "none" again.
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
    """A large body is on its way when the program is killed."""
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
    """Files are in place and their rows say so, but nothing was synced."""
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
    """Nothing that was spoilt is trusted; what was not is not fetched again."""
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
    """Until a partial file has so many bytes."""
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
    """The first `keeping` bytes have come to the disk; the rest comes back in one of these ways."""
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
