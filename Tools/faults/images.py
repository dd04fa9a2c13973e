"""Crash images of a database: the contents that its file and its log may have after a power cut.
Synced changes are present; of the changes since then, any part may be present."""

import os
import struct
from collections import namedtuple
from pathlib import Path

from violation import require

# The ways in which a power cut treats the writes that no sync has followed.
WAYS = ["whole", "dropped", "torn", "scattered"]
# The sizes in bytes of the units that disks write atomically, and of the units that kernels write.
SECTOR, PAGE = 512, 4_096

# The layout of `struct change` in the shim.
HEAD = struct.Struct("<4Q")
WRITE, TRUNCATION, SYNC, SYNC_OF_ALL, FAILED_SYNC, FAILED_SYNC_OF_ALL = b"wtsSfF"
Change = namedtuple("Change", "kind at data")


class Image:
    """One file: its durable content, and the changes that no sync has followed."""

    def __init__(self, durable=b""):
        self.durable, self.tail = bytearray(durable), []

    def sync(self):
        self.durable, self.tail = self.content_after_power_cut("whole", None), []

    def fail(self):
        """Handles a failed sync: the kernel treats the pages that it could not write as clean, and
        never writes them."""
        self.tail = []

    def content_after_power_cut(self, way, chance):
        """Returns the content of the file after a power cut."""
        content = bytearray(self.durable)
        for change in survivors(self.tail, way, chance):
            apply(change, content)
        if way == "scattered" and chance.random() < 0.5:
            # The new length of a file may become durable before its new content.
            length = len(self.content_after_power_cut("whole", None))
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
    """Returns the changes that become durable, in order."""
    if way == "whole":
        return tail
    if way == "dropped":
        return []
    if way == "torn":
        # The changes become durable in the order in which they were made, up to a random sector.
        sectors = pieces(tail, SECTOR)
        return sectors[: chance.randrange(len(sectors) + 1)]
    share = chance.choice([0.1, 0.5, 0.9])
    return [piece for piece in pieces(tail, PAGE) if chance.random() < share]


def pieces(tail, size):
    """Returns the changes, split at all multiples of `size` bytes."""
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
    """Returns the database files of a library by inode, including logs and drafts."""
    return {path.stat().st_ino: path for path in Path(library, ".imgdl").glob("*.sqlite*")
            if not path.name.endswith("-shm")}


def durable(library):
    """Returns images of the database files, with all content durable."""
    return {inode: Image(path.read_bytes()) for inode, path in databases(library).items()}


def read(log, images):
    """Applies the changes of a run, which the shim has recorded in `log`, to the images, which have
    inodes as keys."""
    data, at = log.read_bytes(), 0
    while at + HEAD.size <= len(data):
        kind, inode, place, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        if at + size > len(data):
            break  # the program was killed while the shim recorded this change
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


def apply_power_cut(library, images, way, chance):
    """Replaces the contents of the database files with those after a power cut. Returns how many
    bytes of changes were not synced."""
    unsynced = 0
    for inode, path in databases(library).items():
        image = images.get(inode)
        require(image or path.stat().st_size == 0, f"the shim has seen no write to {path.name}")
        if image:
            unsynced += sum(len(change.data) for change in image.tail)
            # The file is written in place, so that it keeps its inode.
            with open(path, "r+b") as file:
                file.write(image.content_after_power_cut(way, chance))
                file.truncate()
    return unsynced
