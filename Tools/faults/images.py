"""Crash images of a database: what a power cut may leave of it and of its log. What was synced is
there; of what was written since, any part may be."""

import os
import struct
from collections import namedtuple
from pathlib import Path

from violation import require

# What is left of the writes that no sync has followed.
WAYS = ["whole", "dropped", "torn", "scattered"]
# What disks write as one, and what kernels do.
SECTOR, PAGE = 512, 4_096

# struct change of the shim.
HEAD = struct.Struct("<4Q")
WRITE, TRUNCATION, SYNC, SYNC_OF_ALL, FAILED_SYNC, FAILED_SYNC_OF_ALL = b"wtsSfF"
Change = namedtuple("Change", "kind at data")


class Image:
    """One file: what is on the disk for sure, and the changes that may be there as well."""

    def __init__(self, durable=b""):
        self.durable, self.tail = bytearray(durable), []

    def sync(self):
        self.durable, self.tail = self.left("whole", None), []

    def fail(self):
        """A failed sync: the kernel takes what it could not write for clean, and never writes it."""
        self.tail = []

    def left(self, way, chance):
        """Its content after a power cut."""
        content = bytearray(self.durable)
        for change in survivors(self.tail, way, chance):
            apply(change, content)
        if way == "scattered" and chance.random() < 0.5:
            # The length of a file may come to the disk before what is in it.
            length = len(self.left("whole", None))
            content.extend(bytes(max(0, length - len(content))))
        return content


def apply(change, content):
    if change.kind == WRITE:
        content.extend(bytes(max(0, change.at - len(content))))
        content[change.at : change.at + len(change.data)] = change.data
    else:
        content.extend(bytes(max(0, change.at - len(content))))
        del content[change.at :]


def survivors(tail, way, chance):
    """The changes that came to the disk, in order."""
    if way == "whole":
        return tail
    if way == "dropped":
        return []
    if way == "torn":
        # In the order in which they were made, up to somewhere in the middle of one.
        sectors = pieces(tail, SECTOR)
        return sectors[: chance.randrange(len(sectors) + 1)]
    share = chance.choice([0.1, 0.5, 0.9])
    return [piece for piece in pieces(tail, PAGE) if chance.random() < share]


def pieces(tail, size):
    """The same changes, none of them across a boundary of so many bytes."""
    result = []
    for change in tail:
        at, data = change.at, change.data
        while len(data) > size - at % size:
            length = size - at % size
            result.append(Change(change.kind, at, data[:length]))
            at, data = at + length, data[length:]
        result.append(Change(change.kind, at, data))
    return result


def databases(library):
    """The files of databases in a library, logs and drafts among them, by inode."""
    return {path.stat().st_ino: path for path in Path(library, ".imgdl").glob("*.sqlite*")
            if not path.name.endswith("-shm")}


def durable(library):
    """Images of them, all of it on the disk."""
    return {inode: Image(path.read_bytes()) for inode, path in databases(library).items()}


def read(log, images):
    """Brings the images, by inode, to the end of a run that the shim has watched."""
    data, at = log.read_bytes(), 0
    while at + HEAD.size <= len(data):
        kind, inode, place, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        if at + size > len(data):
            break  # the program was killed while this was noted
        if kind in (SYNC_OF_ALL, FAILED_SYNC_OF_ALL):
            for image in images.values():
                image.sync() if kind == SYNC_OF_ALL else image.fail()
        elif kind in (SYNC, FAILED_SYNC):
            image = images.setdefault(inode, Image())
            image.sync() if kind == SYNC else image.fail()
        else:
            images.setdefault(inode, Image()).tail.append(Change(kind, place, data[at : at + size]))
        at += size
    return images


def leave(library, images, way, chance):
    """Makes the files what a power cut leaves of them. Returns how many bytes of changes were not
    synced."""
    unsynced = 0
    for inode, path in databases(library).items():
        image = images.get(inode)
        require(image or path.stat().st_size == 0, f"the shim has seen no write to {path.name}")
        if image:
            unsynced += sum(len(change.data) for change in image.tail)
            # In place: what it is to others, an inode, it stays.
            with open(path, "r+b") as file:
                file.write(image.left(way, chance))
                file.truncate()
    return unsynced
