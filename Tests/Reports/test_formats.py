"""Files that other programs refuse although all of the picture is there, and those that are sound, but of a kind that
imgdl does not read: they are kept, and not called damaged."""

import gzip
import io
import re
import struct
import zlib

import pillow_heif
import pytest
from PIL import Image

from pictures import BLUE, GREEN, RED, SQUARES, assert_squares, chunk, encoded, noise, plain, squares, tiff, tiff_fields

PICTURE = squares()


def add(library, name, content, code=0):
    library.add(library.write(name, content), code=code)
    [row] = library.resources()
    return row


JPEG = encoded(PICTURE, "JPEG", quality=95)
PNG = encoded(PICTURE, "PNG")
UNFINISHED = {
    "a JPEG without its end marker": ("a.jpg", JPEG[:-2]),
    "a JPEG with other data in place of its end marker": ("a.jpg", JPEG[:-2] + bytes(3000)),
    "a progressive JPEG without its end marker": (
        "a.jpg", encoded(PICTURE, "JPEG", quality=95, progressive=True)[:-2]),
    "a GIF without its trailer": ("a.gif", encoded(PICTURE, "GIF")[:-1]),
    "a PNG without its last chunk": ("a.png", PNG[: -len(chunk(b"IEND", b""))]),
}


@pytest.mark.parametrize(("name", "content"), UNFINISHED.values(), ids=UNFINISHED)
def test_a_file_with_all_pixels_is_finished_with_a_remark(library, name, content):
    row = add(library, name, content)
    assert row["status"] == "finished"
    assert "but all of its pixels" in row["reason"]
    assert_squares(library.thumbnail(row), tolerance=10)


@pytest.mark.parametrize("content", [JPEG[: len(JPEG) // 2], PNG[: len(PNG) // 2]], ids=["JPEG", "PNG"])
def test_a_file_without_all_pixels_is_an_error(library, content):
    assert add(library, "a.jpg", content, code=1)["status"] == "failed"


SVG = '<{0}svg xmlns{1}="http://www.w3.org/2000/svg" width="{2}" height="48">{3}</{0}svg>'


def svg(prefix, declaration="", comment=""):
    rectangles = "".join(
        f'<{prefix}rect x="{48 * index}" width="48" height="48" fill="rgb{colour}"/>'
        for index, colour in enumerate(SQUARES))
    name = f":{prefix[:-1]}" if prefix else ""
    return declaration + comment + SVG.format(prefix, name, 48 * len(SQUARES), rectangles)


DECLARATION = '<?xml version="1.0" encoding="{}"?>'
SVG_FILES = {
    "no prefix": svg("").encode(),
    "svg": svg("svg:").encode(),
    "ns0": svg("ns0:").encode(),
    "ns0 behind a declaration": svg("ns0:", '<?xml version="1.0"?>\n').encode(),
    "a comment": svg("p:", comment=f"<!-- {'drawn ' * 500} -->\n").encode(),
    "a document type": svg("", '<?xml version="1.0"?>\n<!DOCTYPE svg>\n').encode(),
    "an entity": svg("", '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>').replace(
        '="http://www.w3.org/2000/svg" width', '="&ns;" width').encode(),
    "a mark of UTF-8": b"\xef\xbb\xbf" + svg("").encode(),
    "UTF-16": svg("", DECLARATION.format("UTF-16")).encode("utf-16"),
    "Latin-1": svg("", DECLARATION.format("ISO-8859-1"), "<!-- é -->").encode("latin-1"),
    "compressed": gzip.compress(svg("").encode()),
    "an attribute of 11 MB": svg("").replace("<rect", f'<g id="{"x" * 11_000_000}"/><rect', 1).encode(),
}


def test_svg_is_drawn_however_it_begins(library):
    rows = library.add_files({f"{name}.svg": content for name, content in SVG_FILES.items()})
    for name, row in zip(SVG_FILES, rows, strict=True):
        assert (row["status"], "reason" in row) == ("finished", False), name
        assert_squares(library.thumbnail(row))


def tga(**changes):
    """A TGA file without a colour map, of lines from the bottom upwards."""
    width, height = PICTURE.size
    flags = {"entry": 24, "depth": 24, "descriptor": 0, **changes}
    head = struct.pack(
        "<3BHHB4HBB", 0, 0, 2, 0, 0, flags["entry"], 0, 0, width, height, flags["depth"], flags["descriptor"])
    lines = PICTURE if flags["descriptor"] & 32 else PICTURE.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return head + lines.tobytes("raw", "BGR")


@pytest.mark.parametrize("changes", [{}, {"entry": 0}, {"descriptor": 32}])
def test_tga_without_a_map_may_have_an_entry_size(library, changes):
    row = add(library, "a.tga", tga(**changes))
    assert (row["status"], row["format"]) == ("finished", "tga")
    assert_squares(library.thumbnail(row))


def test_an_animated_avif_shows_its_first_frame(library):
    frames = [squares(), Image.new("RGB", PICTURE.size, BLUE)]
    content = encoded(frames[0], "AVIF", save_all=True, append_images=frames[1:], duration=100, quality=95)
    assert content[8:12] == b"avis"
    row = add(library, "a.avif", content)
    assert (row["status"], row["format"]) == ("finished", "avif")
    assert_squares(library.thumbnail(row), tolerance=10)


@pytest.mark.parametrize("extent", [(200, 64), (0, 0), (65535, 65535)], ids=str)
def test_a_heic_whose_thumbnail_contradicts_itself_is_read_from_its_image(library, extent):
    image = squares(side=160)
    output = io.BytesIO()
    image_file = pillow_heif.from_pillow(image)
    image_file.info["thumbnails"] = [128]
    image_file.save(output, quality=95)
    content = output.getvalue()
    extents = re.findall(rb"ispe.{12}", content, re.DOTALL)
    assert len(extents) == 2
    row = add(library, "a.heic", content.replace(extents[1], struct.pack(">4s3I", b"ispe", 0, *extent)))
    assert (row["status"], row["format"], row["width"]) == ("finished", "heif", 640)
    assert_squares(library.thumbnail(row), tolerance=12)


def apple_png():
    """A PNG as Xcode makes it: with another first chunk, and compressed data without header and checksum."""
    header = struct.pack(">IIBBBBB", 48, 48, 8, 2, 0, 0, 0)
    pixels = zlib.compress((b"\0" + bytes(48 * 3)) * 48)[2:-4]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, data) for kind, data in (
            (b"CgBI", b"\x50\0\x20\6"), (b"IHDR", header), (b"IDAT", pixels), (b"IEND", b"")))


def lossless_jpeg():
    """A grey picture of 48 × 48, each sample of which is as its neighbour."""
    def segment(marker, data):
        return struct.pack(">BBH", 255, marker, len(data) + 2) + data

    table = segment(0xC4, bytes([0, 1, *bytes(15), 0]))
    frame = segment(0xC3, struct.pack(">BHHB3B", 8, 48, 48, 1, 1, 0x11, 0))
    scan = segment(0xDA, bytes([1, 1, 0, 1, 0, 0]))
    return b"\xff\xd8" + table + frame + scan + bytes(48 * 48 // 8) + b"\xff\xd9"


def box(kind, data):
    return struct.pack(">I4s", len(data) + 8, kind) + data


def palette_jp2():
    """A JPEG 2000 file whose only component is an index into a palette of three columns."""
    image = Image.new("L", (96, 48))
    image.paste(1, (48, 0, 96, 48))
    content = encoded(image, "JPEG2000", irreversible=False)
    start = content.index(b"jp2h") - 4
    size = int.from_bytes(content[start : start + 4], "big")
    palette = box(b"pclr", struct.pack(">HB3B", 2, 3, 7, 7, 7) + bytes(RED) + bytes(GREEN))
    mapping = box(b"cmap", b"".join(struct.pack(">HBB", 0, 1, column) for column in range(3)))
    inner = content[start + 8 : start + size].replace(struct.pack(">I", 17), struct.pack(">I", 16))
    return content[:start] + box(b"jp2h", inner + palette + mapping) + content[start + size :]


def tiff_of(sample, **changes):
    width, height = 48, 48
    fields = tiff_fields((width, height), t258=(3, [8 * len(sample)]), t262=1, t277=1, **changes)
    return tiff((fields, [sample * width * height]))


UNREAD = {
    "TIFF of complex numbers": ("a.tif", tiff_of(struct.pack("<2f", 1, 0), t339=6), ["complex"]),
    "PNG of Apple's devices": ("a.png", apple_png(), ["Apple", "CgBI"]),
    "lossless JPEG": ("a.jpg", lossless_jpeg(), ["lossless"]),
    "JPEG 2000 with a palette": ("a.jp2", palette_jp2(), ["palette"]),
}


@pytest.mark.parametrize(("name", "content", "words"), UNREAD.values(), ids=UNREAD)
def test_a_sound_file_of_another_kind_is_kept_and_named(library, name, content, words):
    row = add(library, name, content)
    assert row["status"] == "finished"
    assert list(library.files().values()) == [content]
    if "reason" in row:
        assert all(word in row["reason"] for word in words)
        assert "damaged" not in row["reason"]
    else:
        assert library.thumbnail(row)


def test_a_reason_is_about_its_own_file(library):
    """A decoder remembers its warnings, and one process of it reads many files."""
    contents = [noise("reason")[:2000], lossless_jpeg(), plain(RED), palette_jp2()]
    for number, content in enumerate(contents):
        library.write(f"{number}.bin", content)
    library.add(*(library.home / f"{number}.bin" for number in range(len(contents))), code=1)
    rows = [library.resources(number)[0] for number in range(1, len(contents) + 1)]
    assert "reason" not in rows[2]
    assert "PNG" not in rows[1]["reason"] + rows[3].get("reason", "")
    assert not any(word in row.get("reason", "") for row in rows for word in ("VIPS-WARNING", "(process:"))
