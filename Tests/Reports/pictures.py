"""Pictures of plain colours in squares, which show at a look whether a decoder has understood a file."""

import functools
import io
import itertools
import random
import struct
import zlib

from PIL import Image

RED, GREEN, BLUE = (200, 30, 20), (20, 150, 40), (10, 60, 180)
SQUARES = (RED, GREEN, BLUE, (240, 200, 30))
SIDE = 48


def squares(colours=SQUARES, mode="RGB", side=SIDE):
    """A row of squares."""
    image = Image.new(mode, (side * len(colours), side))
    for index, colour in enumerate(colours):
        image.paste(colour, (index * side, 0, (index + 1) * side, side))
    return image


def encoded(image, form, **options):
    output = io.BytesIO()
    image.save(output, form, **options)
    return output.getvalue()


def plain(colour, width=SIDE, height=SIDE, form="PNG", **options):
    return encoded(Image.new("RGB", (width, height), colour), form, **options)


@functools.cache
def noise(seed, width=64, height=48):
    """A PNG that cannot be compressed, of other pixels for each seed."""
    return encoded(Image.frombytes("RGB", (width, height), random.Random(seed).randbytes(3 * width * height)), "PNG")


def chunk(kind, data):
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def colours_of(image, count):
    """The colours in the middles of a row of squares."""
    width, height = image.size
    return [image.getpixel(((2 * index + 1) * width // (2 * count), height // 2)) for index in range(count)]


def distance(one, other):
    """The largest difference of two colours."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def assert_squares(image, colours=SQUARES, tolerance=6):
    found = colours_of(image, len(colours))
    assert all(distance(*pair) <= tolerance for pair in zip(found, colours, strict=True)), f"{found}, not {colours}"


def grey_profile():
    """A colour profile for grey, whose curve has gamma 2.2."""
    white = struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D)
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", 2) + b"g\0" + bytes(78), b"wtpt": b"XYZ " + bytes(4) + white,
        b"kTRC": b"curv" + bytes(4) + struct.pack(">IH", 1, 0x0233) + bytes(2)}
    table, data, start = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, value in tags.items():
        value += bytes(-len(value) % 4)
        table += name + struct.pack(">2I", start + len(data), len(value))
        data += value
    size = start + len(data)
    head = struct.pack(">I4xI", size, 0x02400000) + b"mntrGRAYXYZ " + bytes(12) + b"acsp" + bytes(28) + white
    return head + bytes(128 - len(head)) + table + data


def tiff(*pages):
    """A TIFF file of uncompressed pages in little endian: pairs of the fields and the data of each strip.

    A field is a pair of its type (3: 16 bits, 4: 32 bits) and its values, or a value of 16 bits.
    """
    output = bytearray(b"II*\0" + bytes(4))
    link = 4
    for fields, strips in pages:
        starts = []
        for strip in strips:
            starts.append(len(output))
            output += strip + bytes(len(strip) % 2)
        fields = {**fields, 273: (4, starts), 279: (4, [len(strip) for strip in strips])}
        entries = b""
        for tag, field in sorted(fields.items()):
            kind, values = field if isinstance(field, tuple) else (3, [field])
            values = list(values)
            packed = struct.pack(f"<{len(values)}{'H' if kind == 3 else 'I'}", *values)
            if len(packed) > 4:
                place = len(output)
                output += packed
                packed = struct.pack("<I", place)
            entries += struct.pack("<HHI", tag, kind, len(values)) + packed.ljust(4, b"\0")
        struct.pack_into("<I", output, link, len(output))
        output += struct.pack("<H", len(fields)) + entries
        link = len(output)
        output += bytes(4)
    return bytes(output)


def tiff_fields(image, **changes):
    """The fields that every page has."""
    width, height = image
    fields = {256: width, 257: height, 258: (3, [8, 8, 8]), 259: 1, 262: 2, 277: 3, 278: height}
    return {**fields, **{int(tag[1:]): value for tag, value in changes.items()}}


def rows_of(colours, encode, side=SIDE):
    """The samples of a row of squares; the function encodes a colour."""
    row = b"".join(itertools.chain.from_iterable([encode(colour)] * side for colour in colours))
    return row * side
