"""Archives whose every byte is chosen: names in any encoding, other data in front, and rare compressions."""

import struct
import zlib

DATE = 33


def zip_file(entries, prefix=b"", is_large=False, disk=0):
    """A zip of stored entries, with names in bytes.

    - prefix: what precedes the first entry; offsets count from its end, as in a zip that was put behind a script.
    - disk: the number of this file, if it is the last one of an archive that was split.
    - is_large: sizes, offsets and numbers of entries are those of ZIP64.
    """
    body, directory, version = b"", b"", 45 if is_large else 20
    for name, data in entries:
        check, place, size = zlib.crc32(data), len(body), len(data)
        short = 0xFFFFFFFF if is_large else size
        sizes = struct.pack("<HHQQ", 1, 16, size, size) if is_large else b""
        fields = struct.pack("<HHHHHI", version, 0, 0, 0, DATE, check)
        body += b"PK\3\4" + fields + struct.pack("<IIHH", short, short, len(name), len(sizes)) + name + sizes
        body += data
        more = struct.pack("<HHQQQ", 1, 24, size, size, place) if is_large else b""
        directory += b"PK\1\2" + struct.pack("<H", version) + fields + struct.pack(
            "<IIHHHHHII", short, short, len(name), len(more), 0, 0, 0, 0, 0xFFFFFFFF if is_large else place)
        directory += name + more
    count, size, start = len(entries), len(directory), len(body)
    end = b""
    if is_large:
        end += b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, version, version, 0, 0, count, count, size, start)
        end += b"PK\6\7" + struct.pack("<IQI", 0, start + size, 1)
        count, start = 0xFFFF, 0xFFFFFFFF
        size = 0xFFFFFFFF
    end += b"PK\5\6" + struct.pack("<HHHHIIH", disk, disk, count, count, size, start, 0)
    return prefix + body + directory + end


def v7_tar(entries):
    """A tar without a magic number, as Unix V7 wrote it."""
    output = b""
    for name, data in entries:
        head = bytearray(512)
        head[: len(name)] = name
        for place, text in ((100, "000644 \0"), (108, "000000 \0"), (116, "000000 \0"), (124, f"{len(data):011o} "),
                            (136, "00000000000 "), (148, " " * 8)):
            head[place : place + len(text)] = text.encode()
        head[148:156] = f"{sum(head):06o}\0 ".encode()
        output += head + data + bytes(-len(data) % 512)
    return output + bytes(1024)


def zstd(data):
    """A frame of Zstandard with a block of bytes as they are."""
    size = len(data)
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", size) + (1 | size << 3).to_bytes(3, "little") + data


def seven_zip(name, data, codec, packed):
    """A 7z with one file, which is packed by the given codec."""
    assert max(len(data), len(packed)) < 1 << 14, "longer numbers have another form"

    def number(value):
        return bytes([value]) if value < 128 else bytes([128 | value >> 8, value & 255])

    streams = b"\4\6\0\1\x09" + number(len(packed)) + b"\0"
    folder = b"\7\x0b\1\0" + b"\1" + bytes([len(codec)]) + codec + b"\x0c" + number(len(data))
    streams += folder + b"\x0a\1" + struct.pack("<I", zlib.crc32(data)) + b"\0" + b"\x08\0" + b"\0"
    names = b"\0" + name.encode("utf-16-le") + b"\0\0"
    header = b"\1" + streams + b"\5\1" + b"\x11" + number(len(names)) + names + b"\0\0"
    start = struct.pack("<QQI", len(packed), len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + packed + header


def rar_volume(name, data, is_first):
    """One of two volumes of a RAR 5, with a half of its only file, which is stored."""
    def number(value):
        return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + number(value >> 7)

    def block(content):
        content = number(len(content)) + content
        return struct.pack("<I", zlib.crc32(content)) + content

    half = len(data) // 2
    part = data[:half] if is_first else data[half:]
    flags = 2 | (16 if is_first else 8)
    check = struct.pack("<I", zlib.crc32(part if is_first else data))
    file = b"\2" + number(flags) + number(len(part)) + b"\4" + number(len(data)) + number(0o100644) + check + b"\0\1"
    main = b"\1\0\1" if is_first else b"\1\0\3\1"
    return (b"Rar!\x1a\7\1\0" + block(main) + block(file + number(len(name)) + name) + part
            + block(b"\5\0\1" if is_first else b"\5\0\0"))
