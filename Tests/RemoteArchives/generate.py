"""Zip archives of every form that a reader of remote archives meets, with the pages that are in them."""

import random
import struct
import zlib
from dataclasses import dataclass, field


@dataclass
class Entry:
    name: bytes
    data: bytes
    method: int = 8
    flags: int = 0
    local_extra: bytes = b""
    central_extra: bytes = b""
    zip64: bool = False
    # What the directory says of the size, if not the truth.
    declared: int | None = None
    # The index of the entry whose header the directory names.
    shares: int | None = None


@dataclass
class Archive:
    name: str
    entries: list[Entry]
    comment: bytes = b""
    prefix: bytes = b""
    counts_prefix: bool = False
    zip64: bool = False
    cut: int | None = None
    # The word that the error of imgdl must contain; None if the archive can be listed.
    error: str | None = None
    # The word that the error of the page must contain; None if the page can be read.
    page_error: str | None = None
    # The index of the page that is fetched.
    page: int = 0
    contents: dict[str, bytes] = field(default_factory=dict)

    def build(self) -> bytes:
        out = bytearray()
        base = len(self.prefix) if self.counts_prefix else 0
        offsets, directory = [], bytearray()
        for entry in self.entries:
            offsets.append(base + len(out))
            packed = pack(entry)
            wide = struct.pack("<HHQQ", 1, 16, len(entry.data), len(packed)) if entry.zip64 else b""
            streamed = entry.flags & 8
            sizes = (0xFFFFFFFF,) * 2 if entry.zip64 else (len(packed), len(entry.data))
            crc = zlib.crc32(entry.data)
            extra = wide + entry.local_extra
            out += struct.pack(
                "<IHHHHHIIIHH", 0x04034B50, 45 if entry.zip64 else 20, entry.flags, entry.method, 0, 0x21,
                *((0, 0, 0) if streamed else (crc, *sizes)), len(entry.name), len(extra))
            out += entry.name + extra + packed
            if streamed:
                out += struct.pack("<IIII", 0x08074B50, crc, len(packed), len(entry.data))
        for index, entry in enumerate(self.entries):
            offset = offsets[entry.shares if entry.shares is not None else index]
            packed, size = pack(entry), entry.declared or len(entry.data)
            wide = struct.pack("<HHQQQ", 1, 24, size, len(packed), offset) if entry.zip64 else b""
            sizes = (0xFFFFFFFF,) * 2 if entry.zip64 else (len(packed), size)
            extra = wide + entry.central_extra
            directory += struct.pack(
                "<IHHHHHHIIIHHHHHII", 0x02014B50, 3 << 8 | 45, 45 if entry.zip64 else 20, entry.flags,
                entry.method, 0, 0x21, zlib.crc32(entry.data), *sizes, len(entry.name), len(extra), 0, 0, 0,
                0o100644 << 16, 0xFFFFFFFF if entry.zip64 else offset)
            directory += entry.name + extra
        start, count = base + len(out), len(self.entries)
        out += directory
        if self.zip64:
            position = base + len(out)
            out += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, len(directory), start)
            out += struct.pack("<IIQI", 0x07064B50, 0, position, 1)
            count, size, start = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF
        else:
            size = len(directory)
        out += struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, len(self.comment))
        whole = self.prefix + bytes(out) + self.comment
        return whole[: self.cut] if self.cut else whole


def pack(entry: Entry) -> bytes:
    if entry.method == 0:
        return entry.data
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return compressor.compress(entry.data) + compressor.flush()


def pages(count: int, size: int = 20_000, **changes) -> list[Entry]:
    """Entries that look like PNG files and hardly compress."""
    generator = random.Random(count * size)
    return [
        Entry(
            f"page {number}.png".encode(),
            b"\x89PNG\r\n\x1a\n" + generator.randbytes(size) + bytes(size // 10), **changes)
        for number in range(1, count + 1)
    ]


def varied(entries: list[Entry]) -> list[Entry]:
    """The same with extra fields in the local header that the directory does not have, and the reverse."""
    for index, entry in enumerate(entries):
        entry.local_extra = struct.pack("<HH", 0x5455, 9 + index) + bytes(9 + index)
        entry.central_extra = struct.pack("<HH", 0x7875, index) + bytes(index)
    return entries


def archives() -> list[Archive]:
    overlapping = pages(3)
    overlapping[2].shares = 0
    bomb = [Entry(b"big.png", bytes(40 << 20))]
    latin = pages(5)
    for entry in latin:
        entry.name = b"\x81ber " + entry.name
    unicode = pages(5, flags=0x800)
    for entry in unicode:
        entry.name = "雪の本/".encode() + entry.name
    stub = b"#!/bin/sh\nexec unzip \"$0\"\n" + bytes(70_000)
    plain = Archive("truncated", pages(10)).build()
    return [
        Archive("deflated", pages(20)),
        Archive("stored", pages(20, method=0)),
        Archive("one page", pages(1, 400_000)),
        Archive("small pages", pages(100, 500)),
        Archive("200 pages", pages(200, 5_000)),
        Archive("2,000 pages", pages(2_000, 1_000)),
        Archive("zip64 entries", pages(20, zip64=True), zip64=True),
        Archive("zip64 record", pages(20), zip64=True),
        Archive("short comment", pages(20), comment=b"c" * 300),
        Archive("longest comment", pages(20), comment=b"c" * 65_535),
        Archive("prefix, offsets counted", pages(20), prefix=stub, counts_prefix=True),
        Archive("prefix, not counted", pages(20), prefix=stub),
        Archive("data descriptors", pages(20, flags=8)),
        Archive("other local extra", varied(pages(20))),
        Archive("CP437 names", latin),
        Archive("UTF-8 names", unicode),
        Archive("encrypted", pages(10, flags=1), page_error="password"),
        Archive("truncated", pages(10), cut=len(plain) - 300, error="ends before its directory"),
        Archive("overlapping", overlapping, error="overlap"),
        Archive("bomb", bomb, page_error="limits.archiveRatio"),
        Archive("empty", []),
    ]


def sparse(path: str, count: int = 1_000, size: int = 1 << 20) -> None:
    """Writes an archive of one GiB whose stored pages are zeros, which take no room on the disk."""
    crc, directory = zlib.crc32(bytes(size)), bytearray()
    with open(path, "wb") as out:
        for number in range(1, count + 1):
            name, offset = f"{number}.png".encode(), out.tell()
            common = struct.pack("<HHHHIIIHH", 0, 0, 0, 0x21, crc, size, size, len(name), 0)
            out.write(struct.pack("<IH", 0x04034B50, 20) + common + name)
            directory += struct.pack("<IHH", 0x02014B50, 20, 20) + common
            directory += struct.pack("<HHHII", 0, 0, 0, 0, offset) + name
            out.seek(size, 1)
        start = out.tell()
        out.write(directory)
        out.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(directory), start, 0))
