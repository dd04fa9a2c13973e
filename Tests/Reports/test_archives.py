"""Archives of books and comics: the order of their pages, the encodings of their names, and rare forms."""

import struct
from urllib.parse import quote

import pytest

from containers import rar_volume, seven_zip, v7_tar, zip_file, zstd
from pictures import SQUARES, distance, plain

PAGES = [plain(colour) for colour in SQUARES]


def pages_of(library, name, content):
    """Adds an archive, which has to be finished, and returns the colours of its pages, by their numbers from 0."""
    library.add(library.write(name, content))
    [row] = library.resources()
    assert row["status"] == "finished"
    assert "reason" not in row
    colours = [library.page(row, page).getpixel((24, 24)) for page in range(1, row["pages"] + 1)]
    return [next(index for index, colour in enumerate(SQUARES) if distance(colour, found) <= 6) for found in colours]


def test_a_byte_of_a_character_is_no_separator(library):
    """In Shift JIS, the second byte of the first character of 表紙 is a backslash."""
    names = ["表紙.png", "第1話_01.png", "第1話_10.png", "第1話_02.png"]
    content = zip_file([(name.encode("shift_jis"), page) for name, page in zip(names, PAGES, strict=True)])
    # In the order of Unicode, 第 is before 表.
    assert b"\\" in names[0].encode("shift_jis")
    assert pages_of(library, "book.cbz", content) == [1, 3, 2, 0]


def test_names_of_other_encodings_are_ordered_by_their_characters(library):
    names = ["功能10.png", "功能2.png", "功能1.png", "許可.png"]
    content = zip_file([(name.encode("big5"), page) for name, page in zip(names, PAGES, strict=True)])
    assert b"\\" in names[3].encode("big5")
    assert pages_of(library, "book.cbz", content) == [2, 1, 0, 3]


ORDERS = {
    "numbers": (["p10.png", "p2.png", "P1.png", "p11.png"], "ascii", [2, 1, 0, 3]),
    "leading zeros": (["p002.png", "p10.png", "p01.png", "p0003.png"], "ascii", [2, 0, 3, 1]),
    "folders of Windows": (["b\\2.png", "b\\10.png", "a\\1.png", "a\\2.png"], "ascii", [2, 3, 0, 1]),
    "half-width kana": (["ﾊﾟｰﾄ10.png", "ﾊﾟｰﾄ2.png", "ﾊﾟｰﾄ1.png", "ﾊﾟｰﾄ11.png"], "shift_jis", [2, 1, 0, 3]),
    "a backslash in GBK": (["乗10.png", "乗2.png", "乗1.png", "乗11.png"], "gbk", [2, 1, 0, 3]),
    "more digits than a number has": ([f"p{'9' * 40}.png", f"p{'9' * 39}8.png", "p1.png", "p2.png"], "ascii",
                                      [2, 3, 1, 0]),
}


@pytest.mark.parametrize(("names", "encoding", "order"), ORDERS.values(), ids=ORDERS)
def test_pages_are_in_the_order_of_readers(library, names, encoding, order):
    content = zip_file([(name.encode(encoding), page) for name, page in zip(names, PAGES, strict=True)])
    assert pages_of(library, "book.cbz", content) == order


def test_digits_of_all_scripts_are_numbers(library):
    names = ["p١٠.png", "p٢.png", "p１.png", "p11.png"]
    content = zip_file([(name.encode(), page) for name, page in zip(names, PAGES, strict=True)])
    assert pages_of(library, "book.cbz", content) == [2, 1, 0, 3]


CONTAINER = """<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles></container>"""
PACKAGE = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">
<metadata/><manifest>{items}</manifest><spine>{spine}</spine></package>"""


def book(order, folder="OEBPS/", image="images/{}.png", element='<img src="{}"/>'):
    """An EPUB whose spine has pages in an order that their names do not have."""
    package = f"{folder}book.opf"
    files = {"mimetype": b"application/epub+zip", "META-INF/container.xml": CONTAINER.format(package).encode()}
    items = ""
    for number, content in enumerate(PAGES):
        name, text = image.format("dbca"[number]), f"page{number}.xhtml"
        body = element.format(quote(name))
        files[folder + name] = content
        files[folder + text] = f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'.encode()
        items += f'<item id="i{number}" href="{quote(name)}" media-type="image/png"/>'
        items += f'<item id="p{number}" href="{text}" media-type="application/xhtml+xml"/>'
    spine = "".join(f'<itemref idref="p{number}"/>' for number in order)
    files[package] = PACKAGE.format(items=items, spine=spine).encode()
    return zip_file([(name.encode(), data) for name, data in files.items()])


BOOKS = {
    "a folder": {},
    "the root": {"folder": ""},
    "a blank in the names": {"image": "all images/{} 1.png"},
    "images within SVG": {
        "element": '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
                   '<image xlink:href="{}"/></svg>'},
}


@pytest.mark.parametrize("options", BOOKS.values(), ids=BOOKS)
def test_pages_of_a_book_are_in_the_order_of_its_spine(library, options):
    order = [2, 0, 3, 1]
    assert pages_of(library, "book.epub", book(order, **options)) == order


HIDDEN = [
    "Book/__MACOSX/._0.png", "__MACOSX/Book/._0.png", "Book/@eaDir/0.png/SYNOPHOTO_THUMB_M.png",
    "Book/.thumbnails/1.png", ".comments/x.png", "Book/Thumbs.db"]


def test_hidden_folders_and_those_of_systems_are_no_pages(library):
    entries = [("Book/1.png", PAGES[0]), *((name, PAGES[3]) for name in HIDDEN), ("Book/2.png", PAGES[1])]
    content = zip_file([(name.encode(), data) for name, data in entries])
    assert pages_of(library, "book.cbz", content) == [0, 1]


def test_a_tar_without_a_magic_number_is_recognised_by_its_checksum(library):
    entries = [(f"{number}.png".encode(), page) for number, page in enumerate(PAGES)]
    assert pages_of(library, "book.cbt", v7_tar(entries)) == [0, 1, 2, 3]


SCRIPT = b"#!/bin/sh\nexec unzip -q \"$0\"\n"


@pytest.mark.parametrize(
    ("prefix", "is_large"), [(b"", False), (SCRIPT, False), (bytes(70_000), False), (b"", True), (SCRIPT, True),
                             (bytes(70_000), True)],
    ids=["nothing", "a script", "70 kB", "nothing, of ZIP64", "a script, of ZIP64", "70 kB, of ZIP64"])
def test_a_zip_is_read_behind_other_data(library, prefix, is_large):
    entries = [(f"{number}.png".encode(), page) for number, page in enumerate(PAGES)]
    content = zip_file(entries, prefix, is_large)
    assert pages_of(library, "book.cbz", content) == [0, 1, 2, 3]


PACKED = seven_zip("1.png", PAGES[0], bytes([4, 0xF7, 0x11, 1]), zstd(PAGES[0]))
UNREAD = {
    "a 7z with Zstandard": (PACKED, "Zstandard"),
    "the first volume of a RAR": (rar_volume(b"1.png", PAGES[0], is_first=True), "several volumes"),
    "the second volume of a RAR": (rar_volume(b"1.png", PAGES[0], is_first=False), "several volumes"),
    "the first part of a zip": (b"PK\7\x08" + zip_file([(b"1.png", PAGES[0])])[:-40], "split into several files"),
    "the last part of a zip": (zip_file([(b"1.png", PAGES[0])], disk=1), "split into several files"),
}


@pytest.mark.parametrize(("content", "reason"), UNREAD.values(), ids=UNREAD)
def test_a_sound_archive_of_an_unread_kind_is_kept_and_its_kind_named(library, content, reason):
    library.add(library.write("book.cbr", content))
    [row] = library.resources()
    assert row["status"] == "finished"
    assert list(library.files().values()) == [content]
    assert reason in row["reason"]
    assert "damaged" not in row["reason"]


def test_a_damaged_archive_of_an_unread_kind_is_an_error(library, serve):
    server = serve(lambda _: [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + PACKED[:-40]])
    library.add(library.list_of([f"{server.url}/book.cb7"]), code=1)
    [row] = library.resources()
    assert row["status"] == "failed"


def test_an_entry_of_an_unread_kind_is_named_and_missing_in_an_export(library):
    content = zip_file([(b"1.png", PAGES[0]), (b"2.png", PAGES[1])])
    # The compression method of the second entry becomes that of WavPack, in both of its headers.
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        place += content.rindex(mark)
        content = content[:place] + b"\x61\0" + content[place + 2:]
    library.add(library.write("book.cbz", content))
    [row] = library.resources()
    assert (row["status"], row["pages"]) == ("finished", 1)
    assert row["reason"].startswith("1 entry is not read: 2.png: ")
    done = library.run("export", 1, "--format", "cbz", "-o", library.home / "out.cbz", code=1)
    assert "2.png" in done.errors


def test_an_image_of_an_unread_kind_within_an_archive_is_no_error(library):
    apple = PAGES[1][:8] + struct.pack(">I", 4) + b"CgBIP\0 \6" + bytes(4) + PAGES[1][8:]
    library.add(library.write("book.cbz", zip_file([(b"1.png", PAGES[0]), (b"2.png", apple)])))
    [row] = library.resources()
    assert row["status"] == "finished"
    assert row["reason"].startswith("page 2 (2.png): the PNG file is of a variant for Apple's devices")
