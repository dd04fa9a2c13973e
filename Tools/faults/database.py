"""D5: a database that is truncated, garbled, without its log, from a newer version, read-only, or
in use. A database that cannot be read must be refused with the cause and left unchanged, never
rebuilt silently."""

import os
import sqlite3
import time

import library
import mounts
import oracle
from case import PACED, Case
from violation import require

REFUSED = 6
IN_USE = 9


def plan_database(rig):
    kinds = ["empty", "half", "cut", "newer", "foreign", *sorted(set(RUNS) - {"flips"})]
    count = rig.choose(commit=3, nightly=200)
    return [{"label": f"D5/{kind}", "kind": kind} for kind in kinds] + [
        {"label": f"D5/flips-{i}", "kind": "flips"} for i in range(count)]


def run_database(rig, label, kind):
    return RUNS.get(kind, run_damaged)(rig, label, kind)


def finished(case):
    run = case.add()
    require(run.end() == 0, f"exit {run.code}: {run.last_words}")


def run_damaged(rig, label, kind):
    """Damages the database while no program runs. Every command must refuse, and no file may
    change."""
    with Case(rig, label) as case:
        finished(case)
        path = case.library / library.DATABASE
        damage(path, kind, case.chance)
        before = library.tree(case.library)
        causes = {"newer": "(?i)newer", "foreign": "(?i)not a library|damaged"}.get(kind, "damaged")
        for arguments in (["list"], ["retry"], ["add", case.source]):
            words = refused(case.start(*arguments), causes)
        check_same(before, library.tree(case.library), all_of_it=True)
        return {"said": words}


def refused(command, causes, codes=(REFUSED,)):
    """Waits for a command that must refuse. Returns its last message."""
    command.end()
    require(command.code in codes, f"exit {command.code}: {command.last_words}")
    oracle.check_words(command, causes)
    return command.last_words


def damage(path, kind, chance):
    size = path.stat().st_size
    if kind in ("empty", "half", "cut"):
        os.truncate(path, {"empty": 0, "half": size // 2, "cut": size * 99 // 100}[kind])
    elif kind == "newer":
        execute(path, "PRAGMA user_version = 999")
    elif kind == "foreign":
        execute(path, "PRAGMA application_id = 7")
    else:
        with open(path, "r+b") as file:
            for _ in range(size // 100):
                at = chance.randrange(size)
                file.seek(at)
                byte = file.read(1)[0]
                file.seek(at)
                file.write(bytes([byte ^ (1 << chance.randrange(8))]))


def execute(path, statement):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


def check_same(before, after, all_of_it):
    """Checks that no file has changed or disappeared; with `all_of_it`, also that no file was
    added."""
    # Every command may write the lock file, the log and the index of the log.
    for name in [".imgdl/lock", *(library.DATABASE + end for end in ("-shm", "-wal"))]:
        before.pop(name, None)
        after.pop(name, None)
    if not all_of_it:
        after = {name: entry for name, entry in after.items() if name in before}
    difference = library.changes(before, after)
    require(not difference, f"a damaged library was changed: {difference}")


def run_flips(rig, label, kind):
    """Flips a bit in one per cent of the bytes, some of which are never read. The program must
    neither crash nor create a new database."""
    with Case(rig, label) as case:
        finished(case)
        path = case.library / library.DATABASE
        damage(path, kind, case.chance)
        before = library.tree(case.library)
        inode = path.stat().st_ino
        codes = []
        for arguments in (["list"], ["show", "1"], ["retry"]):
            command = case.start(*arguments)
            command.end()
            codes.append(command.code)
            oracle.check_words(command)
        before.pop(library.DATABASE, None)
        check_same(before, library.tree(case.library), all_of_it=False)
        require(path.stat().st_ino == inode, "the damaged database was replaced")
        return {"codes": codes}


def run_no_log(rig, label, kind):
    """Deletes the log, and with it the latest commits. The program must notice that the log is
    missing, because the index of the log exists."""
    with Case(rig, label, "standard", PACED) as case:
        run = case.add()
        log = case.library / (library.DATABASE + "-wal")
        wait_for(log, 200_000)
        run.kill()
        run.end()
        log.unlink()
        before = library.tree(case.library)
        for arguments in (["list"], ["retry"], ["add", case.source]):
            words = refused(case.start(*arguments), "damaged.*-wal")
        check_same(before, library.tree(case.library), all_of_it=True)
        return {"said": words}


def run_read_only(rig, label, kind):
    """Uses a library on a read-only mount, or, without root, one without write permission. Commands
    that only read must work, and all others must name the cause."""
    with Case(rig, label) as case:
        finished(case)
        if os.getuid() != 0:
            for path in (case.library / ".imgdl", case.library / library.DATABASE):
                path.chmod(0o555)
        else:
            mounts.need_mounts(rig)
            mounts.command("mount", "--bind", case.library, case.library)
            mounts.command("mount", "-o", "remount,ro,bind", case.library)
        try:
            words = refused(case.add(), "is read-only")
            for arguments in (["list"], ["show", "1"], ["verify", "--dry-run"]):
                look = case.start(*arguments)
                require(look.end() == 0, f"{arguments}: exit {look.code}: {look.last_words}")
        finally:
            if os.getuid() == 0:
                mounts.unmount(case.library)
            else:
                (case.library / ".imgdl").chmod(0o700)
                (case.library / library.DATABASE).chmod(0o600)
        case.is_done = True
        case.finish()
        return {"said": words}


def run_two(rig, label, kind):
    """Starts a second program on the same library. It must name the process that uses the library,
    or become its client."""
    with Case(rig, label, "standard", PACED) as case:
        first = case.add()
        wait_for(case.library / library.DATABASE)
        second = case.start("retry")
        second.end()
        require(second.code in (0, IN_USE), f"exit {second.code}: {second.last_words}")
        if second.code == IN_USE:
            oracle.check_words(second, f"process {first.pid}")
        require(first.end() == 0, f"the first one ends with {first.code}: {first.last_words}")
        case.stopped(first, first.ended)
        case.finish()
        return {"second": second.code}


def wait_for(path, size=0):
    """Waits until a file exists and has more than `size` bytes."""
    deadline = time.monotonic() + 60
    while not path.exists() or path.stat().st_size <= size:
        require(time.monotonic() < deadline, f"I7: {path.name} does not come")
        time.sleep(0.005)


def run_held(rig, label, kind):
    """Locks the database from another connection. The program must refuse after a while, and name
    the cause."""
    with Case(rig, label) as case:
        finished(case)
        connection = sqlite3.connect(case.library / library.DATABASE, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            words = refused(case.add(), "(?i)locked", (REFUSED, IN_USE))
        finally:
            connection.close()
        case.is_done = True
        case.finish()
        return {"said": words}


RUNS = {
    "flips": run_flips, "no-log": run_no_log, "read-only": run_read_only, "two-engines": run_two,
    "held": run_held,
}
TESTS = {"D5": ("a database that is damaged or in use", plan_database, run_database)}
