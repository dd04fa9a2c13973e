"""The invariants I1 to I9, which must hold right after a fault and after one run without faults.

I1 no loss, I2 no corruption, I3 nothing is fetched or stored twice, I4 no files or processes are
left behind, I5 the database is sound, I6 rows and files agree, I7 time, memory and sizes are
bounded, I8 nothing changes outside the library, I9 the cause is named.
"""

import fcntl
import os
import re
from collections import Counter, namedtuple

import library
from violation import require

# The number of connections, and the number of bytes that each may fetch again after a kill, beside
# data that was never written. A body that is shorter than a segment gets no row.
CONNECTIONS = 8
SEGMENT = 64 << 10
# The time in seconds after which a body that was sent must be in the store, also on a loaded
# machine.
GRACE = 3.0
EXIT_CODES = set(range(10))

# A stop after a fault: the targets that were in the store, and the times when the program was
# started, was killed, and was seen to be gone. `killed` is None if the time proves nothing, because
# the disk had failed or lost data that was not synced.
Stop = namedtuple("Stop", "committed started killed seen")


def crashed(snapshot, folder, job):
    """Checks what holds at every moment, also before recovery: each row in a durable state has its
    complete file."""
    require(not snapshot.problems, "; ".join(snapshot.problems))
    for row in snapshot.rows:
        # The original of a resource that could not be rendered is kept as well.
        if row.state in library.DURABLE or (row.state == library.FAILED and row.name):
            check_file(row, folder, job)


def remembered(snapshot, told):
    """Checks that every resource that was reported as finished is still finished."""
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
    """Checks all invariants after one run without faults."""
    crashed(snapshot, case.library, case.job)
    check_rows(case, snapshot)
    check_log(case)
    check_surroundings(case)
    check_disk(case, snapshot)
    check_sharing(case, snapshot)
    check_leftovers(case)


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
    """Checks that originals and renditions on the disk match the rows, and that renditions are
    complete."""
    check_originals(case, snapshot)
    renditions = case.library / ".imgdl/renditions"
    found = {
        os.path.relpath(os.path.join(parent, name), renditions)
        for parent, _, files in os.walk(renditions) for name in files
    }
    require(not snapshot.renditions - found,
            f"I6: renditions are missing: {sorted(snapshot.renditions - found)[:3]}")
    known = snapshot.renditions | remote_pages(case, snapshot)
    require(not found - known, f"I4: renditions without a row: {sorted(found - known)[:3]}")
    for name in sorted(found):
        require(is_whole_picture(renditions / name), f"I6: the rendition {name} is not whole")


def remote_pages(case, snapshot):
    """The renditions of archives that were not downloaded, which have no row. They are evicted like any other file
    of the cache, and their names do not begin with the digest of an original."""
    if not case.reads_remote_pages:
        return set()
    originals = {row.digest for row in snapshot.rows}
    return {name for name in snapshot.cached if os.path.basename(name)[:64] not in originals}


def check_originals(case, snapshot):
    """Checks that every file has a row, except the files of the user, which must still exist."""
    known = {row.name for row in snapshot.rows} | case.foreign
    require(case.foreign <= library.originals(case.library), "I8: a file of the user is gone")
    extra = {name for name in library.originals(case.library) - known
             if os.path.basename(name) != case.user_file_name}
    require(not extra, f"I6: files without a row: {sorted(extra)[:3]}")


def is_whole_picture(path):
    content = path.read_bytes()
    return (content.startswith(b"\xff\xd8") and content.rstrip(b"\0").endswith(b"\xff\xd9")
            or content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82"))


def check_sharing(case, snapshot):
    """Checks that equal content is stored once: its names are hard links to one file."""
    places = {}
    for row in snapshot.rows:
        places.setdefault(row.digest, set()).add(os.stat(case.library / row.name).st_ino)
    twice = [name for name, inodes in places.items() if len(inodes) > 1]
    require(not twice, f"I3: the same content is stored more than once: {sorted(twice)[:3]}")


def check_leftovers(case):
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
    now.pop("run/imgdl", None)  # the folder for sockets may remain without its sockets
    difference = library.changes(case.outside_before, now)
    require(not difference, f"I8: changed outside the library: {difference}")
    ours = {"outside", "rig", "library", "library.txt", "disk", "disk.img"}
    beside = set(os.listdir(case.folder)) - ours
    require(not beside, f"I8: made beside the library: {sorted(beside)}")
    for name, content in case.canaries.items():
        found = (case.library / name).read_bytes()
        require(found == content, f"I8: {name} of the user has changed")


def check_log(case):
    """I3: compares the server's log with the targets that were in the store at each stop."""
    sizes = {path: size for path, (size, _) in case.job.ledger.items()}
    requests, sent, is_whole = case.origin.whole_requests(sizes)
    for stop in case.stops:
        # A response with status 304 transfers no body, so that it does not count.
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
    """Returns how many bytes of interrupted bodies the kernel had received and the program had not
    written."""
    cut = sum(one.bytes for one in case.origin.requests(since=run.started)
              if one.path in case.job.ledger and not one.completed)
    parts = (case.library / ".imgdl/incoming").glob("*.part")
    return max(0, cut - sum(part.stat().st_size for part in parts))


def check_late(requests, stop):
    """Checks that bodies that were sent long before a kill are not fetched again, independent of their rows."""
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
    """I9: checks that the exit code is documented, and that the message names the cause without
    control characters."""
    text = program.errors
    require(program.code in EXIT_CODES,
            f"I9: exit code {program.code} is not documented: {program.last_words}")
    require(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text.replace("\r", "")),
            "I9: control characters in the messages")
    if program.code not in (0, 7):
        require(text.strip(), f"I9: exit code {program.code} without a word")
    if causes and program.code:
        require(re.search(causes, text), f"I9: the cause is not named: {program.last_words}")
