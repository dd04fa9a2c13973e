"""PDF files that other programs draw wrongly, blank or not at all."""

import zlib

import pytest

from pictures import BLUE, GREEN, distance

WHITE = (255, 255, 255)


def pdf(*objects, trailer="", prefix=b""):
    """A PDF of objects, numbered from 1, of which the first one is the catalogue; its offsets count from the header."""
    output = b"%PDF-1.7\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(output))
        output += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count, start = len(objects) + 1, len(output)
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<</Size {count} /Root 1 0 R {trailer}>>\n"
    return prefix + output + f"{end}startxref\n{start}\n%%EOF\n".encode()


def stream(dictionary, data):
    return f"<<{dictionary} /Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"


def one_page(content, *others, resources="", **options):
    """A page of 200 × 100 points, whose content is object 4; the others follow it."""
    page = f"<</Type/Page /Parent 2 0 R /MediaBox [0 0 200 100] /Resources <<{resources}>> /Contents 4 0 R>>"
    return pdf(
        b"<</Type/Catalog /Pages 2 0 R>>", b"<</Type/Pages /Kids [3 0 R] /Count 1>>", page.encode(),
        stream("", content.encode()), *others, **options)


def draw(colour, x):
    return f"{' '.join(f'{value / 255:.4f}' for value in colour)} rg {x} 20 60 60 re f "


def shown(library, content, code=0):
    library.add(library.write("a.pdf", content), code=code)
    [row] = library.resources()
    return row


def assert_two_squares(image, left=GREEN, right=BLUE, tolerance=6):
    width, height = image.size
    for place, colour in ((0.25, left), (0.75, right), (0.02, WHITE), (0.5, WHITE)):
        found = image.getpixel((int(width * place), height // 2))
        assert distance(found, colour) <= tolerance, (place, found, colour)


@pytest.mark.parametrize("length", [0, 1, 300, 600, 1000, 1015])
def test_a_header_within_the_first_1024_bytes_is_found(library, length):
    prefix = (b"x" * 79 + b"\n") * 13
    row = shown(library, one_page(draw(GREEN, 20) + draw(BLUE, 120), prefix=prefix[:length]))
    assert (row["status"], row["format"]) == ("finished", "pdf")
    assert_two_squares(library.page(row))


def test_a_knockout_group_with_a_soft_mask_has_a_white_ground(library):
    frame = "/Type/XObject /Subtype/Form /BBox [0 0 200 100]"
    group = stream(
        f"{frame} /Resources <</ExtGState <</S 6 0 R>>>> /Group <</S/Transparency /CS/DeviceRGB /I true /K true>>",
        (draw(GREEN, 20) + "/S gs " + draw(BLUE, 120)).encode())
    state = b"<</Type/ExtGState /SMask <</S/Luminosity /G 7 0 R /BC [0]>>>>"
    mask = stream(f"{frame} /Group <</S/Transparency /CS/DeviceGray>>", b"0.5 g 0 0 200 100 re f")
    row = shown(library, one_page("/G Do", group, state, mask, resources="/XObject <</G 5 0 R>>"))
    half = tuple((255 + value) // 2 for value in BLUE)
    assert_two_squares(library.page(row), right=half, tolerance=8)


@pytest.mark.parametrize("width", [30_000, 40_000])
def test_a_wide_image_is_drawn(library, width):
    line = bytes(GREEN) * (width // 4) + bytes(WHITE) * (width // 2) + bytes(BLUE) * (width // 4)
    image = stream(
        f"/Type/XObject /Subtype/Image /Width {width} /Height 4 /ColorSpace/DeviceRGB /BitsPerComponent 8 "
        "/Filter/FlateDecode", zlib.compress(line * 4))
    row = shown(library, one_page("200 0 0 100 0 0 cm /I Do", image, resources="/XObject <</I 5 0 R>>"))
    assert "reason" not in row
    page = library.page(row)
    assert distance(page.getpixel((page.width // 8, page.height // 2)), GREEN) <= 12
    assert distance(page.getpixel((page.width * 7 // 8, page.height // 2)), BLUE) <= 12


WIDE = 40_000
WIDE_LINE = zlib.compress(bytes(GREEN) * WIDE)
IMAGE = "/Type/XObject /Subtype/Image /BitsPerComponent 8"
WIDE_IMAGE = stream(f"{IMAGE} /Width {WIDE} /Height 1 /ColorSpace/DeviceRGB /Filter/FlateDecode", WIDE_LINE)
WIDE_MASK = stream(
    f"{IMAGE} /Width {WIDE} /Height 1 /ColorSpace/DeviceGray /Filter/FlateDecode", zlib.compress(b"\xff" * WIDE))
PATTERN = stream(
    "/Type/Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 200 100] /XStep 200 /YStep 100 "
    "/Resources <</XObject <</I 6 0 R>>>>", b"200 0 0 100 0 0 cm /I Do")
PLACES = {
    "a soft mask": one_page(
        "200 0 0 100 0 0 cm /I Do", stream(f"{IMAGE} /Width 1 /Height 1 /ColorSpace/DeviceRGB /SMask 6 0 R",
                                           bytes(GREEN)), WIDE_MASK, resources="/XObject <</I 5 0 R>>"),
    "a pattern": one_page(
        "/Pattern cs /P scn 0 0 200 100 re f", PATTERN, WIDE_IMAGE, resources="/Pattern <</P 5 0 R>>"),
    "the content": one_page(
        f"200 0 0 100 0 0 cm BI /W {WIDE} /H 1 /CS /G /BPC 1 /F /AHx ID {'00' * (WIDE // 8)}> EI"),
    "a size below the limit": one_page(
        "200 0 0 100 0 0 cm /I Do", stream(
            f"{IMAGE} /Width 32767 /Height 1 /ColorSpace/DeviceRGB /Filter/FlateDecode",
            zlib.compress(bytes(GREEN) * 32_767)), resources="/XObject <</I 5 0 R>>"),
}


@pytest.mark.parametrize("content", PLACES.values(), ids=PLACES)
def test_a_wide_image_is_drawn_or_named_also_in(library, content):
    row = shown(library, content)
    assert row["status"] == "finished"
    page = library.page(row)
    assert " missing: cairo draws" in row.get("reason", "") or page.getpixel((page.width // 2, page.height // 2)) != WHITE


def test_a_file_for_the_owner_of_a_certificate_asks_for_no_password(library):
    encryption = (
        b"<</Filter/Adobe.PubSec /SubFilter/adbe.pkcs7.s5 /V 4 /StmF/DefaultCryptFilter /StrF/DefaultCryptFilter "
        b"/CF <</DefaultCryptFilter <</CFM/AESV2 /Length 128 /Recipients [<30>]>>>>>>")
    content = one_page(draw(GREEN, 20), encryption, trailer="/Encrypt 5 0 R /ID [<00><00>]")
    row = shown(library, content)
    assert row["status"] == "finished"
    assert "certificate" in row["reason"]
    assert "no password" in row["reason"]
