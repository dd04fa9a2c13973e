"""The invariants I1 to I9: what must hold right after a fault, and after one clean run.

I1 no loss, I2 no corruption, I3 nothing twice, I4 no litter, I5 the database is sound, I6 rows and
files agree, I7 bounded, I8 nothing outside the library, I9 the cause is named.
"""

import fcntl
import os
import re
from collections import Counter, namedtuple

import library
from violation import require

# What may be fetched again after each kill, beside what never reached the disk: so much of every
# connection. The start of a body is not worth a row.
CONNECTIONS = 8
SEGMENT = 64 << 10
# A body that was sent so long before a kill must be in the store by then, also on a loaded machine
# (seconds).
GRACE = 3.0
EXIT_CODES = set(range(10))

# A moment after a fault: targets that were in the store, when the program was started, killed (None
# where that says nothing: a disk that failed before, or lost what was not synced), and seen to be
# gone.
Stop = namedtuple("Stop", "committed started killed seen")


def crashed(snapshot, folder, job):
    """Holds at every moment, also before recovery: rows that say so have their whole file."""
    require(not snapshot.problems, "; ".join(snapshot.problems))
    for row in snapshot.rows:
        # What could not be shown is kept as well.
        if row.state in library.DURABLE or (row.state == library.FAILED and row.name):
            check_file(row, folder, job)


def remembered(snapshot, told):
    """Every resource that an event called finished is finished, whatever came then."""
    lost = told - {row.id for row in snapshot.rows if row.state == library.FINISHED}
    require(not lost, f"I1: said to be finished, and lost: {sorted(lost)[:5]}")


def check_file(row, folder, job):
    path = folder / row.name
    name = f"{row.target} ({library.STATES[row.state]}, {row.name})"
    require(library.is_regular(path), f"I6: {name}: no such file")
    size = path.stat().st_size
    require(size == row.bytes, f"I6: {name}: {size} bytes where the row says {row.bytes}")
    found = library.digest(path)
    require(found == row.digest, f"I6: {name}: other content than the row says")
    require(found == job.digest(row.target), f"I2: {name}: other content than the server's")


def settled(case, snapshot):
    """Everything, after one clean run."""
    crashed(snapshot, case.library, case.job)
    check_rows(case, snapshot)
    check_log(case)
    check_surroundings(case)
    check_disk(case, snapshot)
    check_sharing(case, snapshot)
    check_litter(case)


def check_rows(case, snapshot):
    wanted = case.job.entries
    found = Counter(row.target for row in snapshot.rows)
    lost, twice = list(wanted - found), list(found - wanted)
    require(found == wanted, f"I1: lost {lost[:3]}, twice {twice[:3]}")
    for row in snapshot.rows:
        require(
            row.state == library.FINISHED,
            f"I1: {row.target} is {library.STATES[row.state]}: {row.reason}")
        require(row.pages > 0, f"I6: {row.target} is finished without a page")


def check_disk(case, snapshot):
    """Files without a row, rows without a rendition, renditions without a row."""
    check_originals(case, snapshot)
    renditions = case.library / ".imgdl/renditions"
    found = {
        os.path.relpath(os.path.join(parent, name), renditions)
        for parent, _, files in os.walk(renditions) for name in files
    }
    require(not snapshot.renditions - found,
            f"I6: renditions are missing: {sorted(snapshot.renditions - found)[:3]}")
    require(not found - snapshot.renditions,
            f"I4: renditions without a row: {sorted(found - snapshot.renditions)[:3]}")
    for name in sorted(found):
        require(is_whole_picture(renditions / name), f"I6: the rendition {name} is not whole")


def check_originals(case, snapshot):
    """Files without a row."""
    known = {row.name for row in snapshot.rows} | case.foreign
    require(case.foreign <= library.originals(case.library), "I8: a file of the user is gone")
    extra = {name for name in library.originals(case.library) - known
             if os.path.basename(name) != case.somebodys_name}
    require(not extra, f"I6: files without a row: {sorted(extra)[:3]}")


def is_whole_picture(path):
    content = path.read_bytes()
    return (content.startswith(b"\xff\xd8") and content.rstrip(b"\0").endswith(b"\xff\xd9")
            or content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82"))


def check_sharing(case, snapshot):
    """Equal content lies on the disk once: names of one file, where links work."""
    places = {}
    for row in snapshot.rows:
        places.setdefault(row.digest, set()).add(os.stat(case.library / row.name).st_ino)
    twice = [name for name, inodes in places.items() if len(inodes) > 1]
    require(not twice, f"I3: the same content is stored more than once: {sorted(twice)[:3]}")


def check_litter(case):
    inner = case.library / ".imgdl"
    expected = {"library.sqlite", "lock", "incoming", "renditions", "reserve"}
    found = set(os.listdir(inner)) - expected
    require(not found, f"I4: left in .imgdl: {sorted(found)}")
    left = os.listdir(inner / "incoming")
    require(not left, f"I4: left in .imgdl/incoming: {sorted(left)[:5]}")
    with open(inner / "lock") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            require(False, "I4: the lock is held though no program runs")


def check_surroundings(case):
    now = library.tree(case.outside)
    now.pop("run/imgdl", None)  # the folder for sockets stays; they do not
    difference = library.changes(case.outside_before, now)
    require(not difference, f"I8: changed outside the library: {difference}")
    ours = {"outside", "rig", "library", "library.txt", "disk", "disk.img"}
    beside = set(os.listdir(case.folder)) - ours
    require(not beside, f"I8: made beside the library: {sorted(beside)}")
    for name, content in case.canaries.items():
        found = (case.library / name).read_bytes()
        require(found == content, f"I8: {name} of the user has changed")


def check_log(case):
    """I3: the server's log against what was in the store at each stop."""
    sizes = {path: size for path, (size, _) in case.job.ledger.items()}
    requests, sent, is_whole = case.origin.whole_requests(sizes)
    for stop in case.stops:
        # A question whether it has changed (304) is none.
        again = {one.path for one in requests if one.start >= stop.seen and one.status != 304}
        again &= stop.committed
        require(not again, f"I3: fetched again after it was committed: {sorted(again)[:3]}")
        if stop.killed:
            check_late(requests, stop)
    case.refetched = sum(max(0, sent[path] - size) for path, size in sizes.items())
    bound = len(case.stops) * CONNECTIONS * SEGMENT + case.allowance
    require(case.refetched <= bound,
            f"I3: {case.refetched:,} bytes fetched again; {bound:,} are allowed")
    require(is_whole, "I1: a file is finished that the server never sent whole")


def unread(case, run):
    """Bytes of bodies that a stop cut and that were not written yet: the kernel had them."""
    cut = sum(one.bytes for one in case.origin.requests(since=run.started)
              if one.path in case.job.ledger and not one.completed)
    parts = (case.library / ".imgdl/incoming").glob("*.part")
    return max(0, cut - sum(part.stat().st_size for part in parts))


def check_late(requests, stop):
    """What had arrived long before a kill is not fetched again either, whatever the rows said."""
    arrived = {
        one.path for one in requests
        if one.start > stop.started and one.completed and one.status in (200, 206)
        and one.end < stop.killed - GRACE
    }
    again = {one.path for one in requests if one.start >= stop.seen and one.status != 304}
    again &= arrived
    require(not again,
            f"I3: fetched again though it had come {GRACE} s before the kill: {sorted(again)[:3]}")


def check_words(program, causes=None):
    """I9: a documented exit code, and a message that names the cause without control characters."""
    text = program.errors
    require(program.code in EXIT_CODES,
            f"I9: exit code {program.code} is not documented: {program.last_words}")
    require(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text.replace("\r", "")),
            "I9: control characters in the messages")
    if program.code not in (0, 7):
        require(text.strip(), f"I9: exit code {program.code} without a word")
    if causes and program.code:
        require(re.search(causes, text), f"I9: the cause is not named: {program.last_words}")
