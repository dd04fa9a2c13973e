"""Reads a library on the disk: the tables of its database, its folders and its files.

The database is copied before it is opened, so that reading does not change it.
"""

import hashlib
import os
import shutil
import sqlite3
import stat
from collections import namedtuple
from pathlib import Path
from urllib.parse import urlsplit

QUEUED, STORED, FETCHED, FINISHED, FAILED = range(5)
STATES = ["queued", "stored", "fetched", "finished", "failed"]
# The states that survive a kill, the states that also survive a power cut, and the final states.
COMMITTED = {STORED, FETCHED, FINISHED}
DURABLE = {FETCHED, FINISHED}
SETTLED = {FINISHED, FAILED}
DATABASE = ".imgdl/library.sqlite"

Row = namedtuple("Row", "id target state name bytes digest reason pages")


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def is_regular(path):
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False


def copy_database(library, folder):
    """Copies the database and its log without the index of the log, which SQLite creates again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for suffix in ("", "-wal", "-journal"):
        source = library / (DATABASE + suffix)
        if source.exists():
            shutil.copyfile(source, folder / ("copy.sqlite" + suffix))
    return folder / "copy.sqlite"


class Snapshot:
    """The rows of a library at one moment, read while no program runs."""

    def __init__(self, library, scratch):
        self.library = library
        self.rows, self.renditions, self.problems = [], set(), []
        # The names of the renditions that the cache may evict.
        self.cached = set()
        self.partials = self.removed = 0
        path = copy_database(library, scratch)
        self.exists = path.exists()
        if self.exists:
            try:
                self.read(path)
            except sqlite3.DatabaseError as error:
                self.problems.append(f"I5: {error}")

    def read(self, path):
        connection = sqlite3.connect(path)
        connection.row_factory = sqlite3.Row
        try:
            for check in ("integrity_check", "quick_check"):
                found = [row[0] for row in connection.execute(f"PRAGMA {check}")]
                if found != ["ok"]:
                    self.problems.append(f"I5: {check}: {'; '.join(found[:3])}")
            if connection.execute("PRAGMA foreign_key_check").fetchall():
                self.problems.append("I5: foreign_key_check finds rows without their parents")
            self.read_rows(connection)
        finally:
            connection.close()

    def read_rows(self, connection):
        def table(name):
            return [dict(row) for row in connection.execute(f"SELECT * FROM {name}")]

        folders = {row["id"]: row["folder"] for row in table("record") if not row["removed"]}
        self.removed = sum(row["removed"] for row in table("record"))
        files = {row["resource"]: row for row in table("file")}
        stored = {row["resource"] for row in table("stored")}
        counts = {}
        left = {row["id"] for row in table("resource") if row["record"] in folders}
        for page in table("page"):
            if page["resource"] not in left:
                continue
            counts[page["resource"]] = counts.get(page["resource"], 0) + 1
            if page["width"] == 0 and not page["reason"]:
                continue  # a page that was never rendered: its files need not exist
            self.renditions |= {name for name in (page["file"], page["thumbnail"]) if name}
        for row in table("resource"):
            if row["record"] not in folders:
                continue  # the record is marked as removed
            file = files.get(row["id"])
            name = f"{folders[row['record']]}/{file['name']}" if file else None
            self.rows.append(Row(
                row["id"], urlsplit(row["url"]).path,
                STORED if row["id"] in stored else row["state"], name,
                file["bytes"] if file else None, file["digest"].hex() if file else None,
                row["reason"], counts.get(row["id"], 0)))
        self.partials = len(table("partial"))
        self.cached = {row["name"] for row in table("cache_entry") if row["cache"] == 0}

    def targets(self, states):
        return {row.target for row in self.rows if row.state in states}

    def count(self, states):
        return sum(row.state in states for row in self.rows)

    def tally(self):
        parts = [f"{self.count({i})} {name}" for i, name in enumerate(STATES) if self.count({i})]
        return ", ".join(parts) or "no rows"


def originals(library):
    """Returns the relative paths of all files of the library outside `.imgdl`."""
    found = set()
    for folder, folders, files in os.walk(library):
        if Path(folder) == library:
            folders[:] = [name for name in folders if name != ".imgdl"]
        found |= {os.path.relpath(os.path.join(folder, name), library) for name in files}
        # `os.walk` lists a symbolic link to a folder among the folders, and does not enter it.
        found |= {
            os.path.relpath(os.path.join(folder, name), library) for name in folders
            if os.path.islink(os.path.join(folder, name))
        }
    return found


def tree(folder):
    """Returns kind, permissions, size, inode, time and hash of everything below a folder, for
    comparison."""
    state = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            entry = [stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode)]
            if stat.S_ISREG(status.st_mode):
                entry += [status.st_size, status.st_ino, status.st_mtime_ns, digest(path)]
            elif stat.S_ISLNK(status.st_mode):
                entry.append(os.readlink(path))
            state[os.path.relpath(path, folder)] = entry
    return state


def changes(before, after):
    """Returns the differences between two trees as a text; empty if there are none."""
    parts = [f"+{name}" for name in sorted(after.keys() - before.keys())]
    parts += [f"-{name}" for name in sorted(before.keys() - after.keys())]
    parts += [f"~{name}" for name in sorted(before.keys() & after.keys())
              if before[name] != after[name]]
    return " ".join(parts[:8])
