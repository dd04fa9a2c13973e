"""Zips with many entries for the experiments; made once, the same every time."""

import random
import struct
import zipfile
import zlib

import pictures

# Archives, pictures in each.
SHAPES = {"stored": (10, 1_000), "deflated": (10, 100), "tiny": (8, 5_000)}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side, number, level):
    """Stripes with a little noise, and a number in them; level 0 leaves them to the archive."""
    noise = random.Random(number)
    rows = b"".join(
        b"\0" + bytes((x * 3 + y + noise.getrandbits(1)) & 255 for x in range(3 * side))
        for y in range(side)
    )
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", b"Title\0%d" % number)
        + chunk(b"IDAT", zlib.compress(rows, level)) + chunk(b"IEND", b"")
    )


def entries(folder, kind):
    """Name and bytes of each picture of an archive."""
    if kind == "stored":
        source = folder.parent / "archived"
        names = pictures.pictures(source, 64, 480, 360, 26_000)
        return lambda i: (source / names[i % len(names)]).read_bytes()
    if kind == "deflated":
        bases = [png(400, number, 0) for number in range(4)]
        return lambda i: bases[i % 4]
    base = png(8, 1, 6)
    return lambda i: base


def make(folder, kind, share):
    """The archives' names below `folder`."""
    archives, count = SHAPES[kind]
    count = max(10, int(count * share))
    method = zipfile.ZIP_DEFLATED if kind == "deflated" else zipfile.ZIP_STORED
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for number in range(archives):
        name = f"{kind}-{count}-{number}.zip"
        names.append(name)
        if (folder / name).exists():
            continue
        picture = entries(folder, kind)
        draft = folder / f"{name}.new"
        with zipfile.ZipFile(draft, "w", method) as file:
            for i in range(count):
                # The name alone makes the archives differ.
                file.writestr(f"{number:02d}/{i:05d}.{'jpg' if kind == 'stored' else 'png'}", picture(i))
        draft.rename(folder / name)
    return names
