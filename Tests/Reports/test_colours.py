"""Pictures that many programs show in wrong colours without an error: a wrong picture that says Finished is worse than
an error."""

import struct

import pytest
from PIL import Image, ImageCms

import pictures
from pictures import (
    BLUE,
    RED,
    SQUARES,
    assert_squares,
    distance,
    encoded,
    grey_profile,
    rows_of,
    squares,
    tiff,
    tiff_fields,
)

GREY_PROFILE = grey_profile()
WIDTH, HEIGHT = squares().size


def finished(library, name, content):
    """Adds a file, which has to be finished, and returns its row."""
    library.add(library.write(name, content))
    [row] = library.resources()
    assert row["status"] == "finished"
    assert "reason" not in row
    return row


@pytest.mark.parametrize(("form", "options"), [
    ("JPEG", {"quality": 95}), ("WEBP", {"lossless": True}), ("PNG", {}), ("TIFF", {}), ("AVIF", {"quality": 95})])
def test_a_grey_profile_does_not_change_colours(library, form, options):
    row = finished(library, f"a.{form.lower()}", encoded(squares(), form, icc_profile=GREY_PROFILE, **options))
    assert_squares(library.thumbnail(row), tolerance=10)


def test_a_profile_of_colours_is_still_applied(library):
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    row = finished(library, "a.jpg", encoded(squares(), "JPEG", quality=95, icc_profile=srgb))
    assert_squares(library.thumbnail(row), tolerance=10)


@pytest.mark.parametrize("is_premultiplied", [False, True])
def test_alpha_of_avif_is_as_it_is_meant(library, is_premultiplied):
    """The encoder multiplies the colours if it is told to, and says so in the file."""
    alpha = 128
    image = squares()
    image.putalpha(alpha)
    content = encoded(image, "AVIF", quality=100, subsampling="4:4:4", alpha_premultiplied=is_premultiplied)
    assert (b"prem" in content) == is_premultiplied
    row = finished(library, "a.avif", content)
    expected = [tuple(255 - (255 - value) * alpha // 255 for value in colour) for colour in SQUARES]
    assert_squares(library.thumbnail(row), expected, tolerance=10)


@pytest.mark.parametrize("extent", ["limited", "full"])
def test_black_and_white_of_a_grey_avif_stay_black_and_white(library, extent):
    shades = [(shade,) * 3 for shade in (0, 64, 128, 255)]
    content = encoded(squares(shades), "AVIF", quality=95, subsampling="4:0:0", range=extent)
    assert_squares(library.thumbnail(finished(library, "a.avif", content)), shades)


SHADES = [(shade,) * 3 for shade in (0, 85, 170, 255)]
GREY = {"t258": (3, [32]), "t262": 1, "t277": 1}


@pytest.mark.parametrize(("fields", "encode"), [
    ({**GREY, "t339": 3}, lambda shade: struct.pack("<f", shade / 255)),
    ({**GREY, "t339": 3}, lambda shade: struct.pack("<f", shade)),
    ({**GREY, "t339": 3, "t258": (3, [16])}, lambda shade: struct.pack("<e", shade / 255)),
    ({**GREY, "t339": 3, "t258": (3, [64])}, lambda shade: struct.pack("<d", shade / 255)),
    ({**GREY, "t339": 2, "t258": (3, [16])}, lambda shade: struct.pack("<h", shade * 257 - 32768)),
], ids=["0 to 1", "0 to 255", "half precision", "double precision", "signed"])
def test_grey_numbers_of_other_kinds_are_scaled(library, fields, encode):
    strip = rows_of(SHADES, lambda colour: encode(colour[0]))
    content = tiff((tiff_fields((WIDTH, HEIGHT), **fields), [strip]))
    assert_squares(library.thumbnail(finished(library, "a.tif", content)), SHADES, tolerance=10)


def grey(encode, **changes):
    return tiff((tiff_fields((WIDTH, HEIGHT), **{"t258": (3, [8]), "t262": 1, "t277": 1, **changes}),
                 [rows_of(SHADES, lambda colour: encode(colour[0]))]))


def coloured(encode, **changes):
    return tiff((tiff_fields((WIDTH, HEIGHT), **changes), [rows_of(SQUARES, encode)]))


PLANES = [plane.tobytes() for plane in squares().split()]
GREY_FILES = {
    "8 bits": grey(lambda shade: bytes([shade])),
    "8 bits with a sign": grey(lambda shade: struct.pack("b", shade - 128), t339=2),
    "16 bits": grey(lambda shade: struct.pack("<H", shade * 257), t258=(3, [16])),
    "16 bits, white is zero": grey(lambda shade: struct.pack("<H", 65535 - shade * 257), t258=(3, [16]), t262=0),
    "32 bits": grey(lambda shade: struct.pack("<I", shade * 0x01010101), t258=(3, [32])),
    "32 bits with a sign": grey(lambda shade: struct.pack("<i", (shade - 128) << 24), t258=(3, [32]), t339=2),
    "real, white is zero": grey(lambda shade: struct.pack("<f", 1 - shade / 255), t258=(3, [32]), t339=3, t262=0),
    "real up to 65535": grey(lambda shade: struct.pack("<f", shade * 257), t258=(3, [32]), t339=3),
    "an unspecified sample": grey(lambda shade: bytes([shade, 0]), t258=(3, [8, 8]), t277=2, t338=0),
    "real, an unspecified sample": grey(
        lambda shade: struct.pack("<2f", shade / 255, 0), t258=(3, [32, 32]), t277=2, t338=0, t339=(3, [3, 3])),
}
COLOUR_FILES = {
    "16 bits": coloured(lambda colour: struct.pack("<3H", *(each * 257 for each in colour)), t258=(3, [16] * 3)),
    "32 bits": coloured(lambda colour: struct.pack("<3I", *(each * 0x01010101 for each in colour)), t258=(3, [32] * 3)),
    "real": coloured(
        lambda colour: struct.pack("<3f", *(each / 255 for each in colour)), t258=(3, [32] * 3), t339=(3, [3] * 3)),
    "two unspecified samples": coloured(
        lambda colour: bytes((*colour, 0, 9)), t258=(3, [8] * 5), t277=5, t338=(3, [0, 0])),
    "alpha": coloured(lambda colour: bytes((*colour, 255)), t258=(3, [8] * 4), t277=4, t338=1),
    "planes": tiff((tiff_fields((WIDTH, HEIGHT), t284=2), PLANES)),
    "planes, an unspecified one": tiff((
        tiff_fields((WIDTH, HEIGHT), t284=2, t258=(3, [8] * 4), t277=4, t338=0), [*PLANES, bytes(WIDTH * HEIGHT)])),
}


@pytest.mark.parametrize(("contents", "colours"), [(GREY_FILES, SHADES), (COLOUR_FILES, SQUARES)], ids=["grey", "RGB"])
def test_the_kind_of_the_samples_does_not_change_the_picture(library, contents, colours):
    rows = library.add_files({f"{name}.tif": content for name, content in contents.items()})
    for name, row in zip(contents, rows, strict=True):
        assert "reason" not in row, name
        assert_squares(library.thumbnail(row), colours, tolerance=10)


def test_half_precision_in_colours_is_shown_or_named(library):
    strip = rows_of(SQUARES, lambda colour: struct.pack("<3e", *(value / 255 for value in colour)))
    content = tiff((tiff_fields((WIDTH, HEIGHT), t258=(3, [16] * 3), t339=(3, [3] * 3)), [strip]))
    library.add(library.write("a.tif", content))
    [row] = library.resources()
    assert row["status"] == "finished"
    if "reason" in row:
        assert "damaged" not in row["reason"]
    else:
        thumbnail = library.thumbnail(row)
        assert len(set(pictures.colours_of(thumbnail, 4))) == 4


def test_a_sample_of_no_stated_meaning_beside_four_inks_is_no_transparency(library):
    def ink(colour):
        return bytes((*(255 - each for each in colour), 0))

    fields = {"t262": 5, "t258": (3, [8] * 4), "t277": 4}
    more = {"t262": 5, "t258": (3, [8] * 5), "t277": 5, "t338": 0}
    rows = library.add_files({
        "a.tif": coloured(ink, **fields), "b.tif": coloured(lambda colour: ink(colour) + b"\0", **more)})
    expected = pictures.colours_of(library.thumbnail(rows[0]), len(SQUARES))
    assert_squares(library.thumbnail(rows[1]), expected)


def test_colours_of_lab_with_alpha_are_not_blank(library):
    image = squares()
    srgb, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    converted = ImageCms.profileToProfile(image, srgb, lab, outputMode="LAB")
    # Pillow stores a and b from 0 to 255, and the file from -128 to 127.
    pixels = {colour: converted.getpixel((index * pictures.SIDE, 0)) for index, colour in enumerate(SQUARES)}
    strip = rows_of(SQUARES, lambda colour: bytes(
        [pixels[colour][0], pixels[colour][1] ^ 128, pixels[colour][2] ^ 128, 255]))
    fields = tiff_fields((WIDTH, HEIGHT), t258=(3, [8] * 4), t262=8, t277=4, t338=2)
    # Decoders differ in the white point of these colours.
    assert_squares(library.thumbnail(finished(library, "a.tif", tiff((fields, [strip])))), tolerance=30)


@pytest.mark.parametrize("colours", [SQUARES, SHADES], ids=["three samples", "one sample"])
def test_the_meaning_of_samples_is_guessed_where_no_tag_states_it(library, colours):
    """Three samples are RGB; one is grey whose zero is white, as other programs read it."""
    is_grey = colours is SHADES
    fields = tiff_fields((WIDTH, HEIGHT), **({"t258": (3, [8]), "t277": 1} if is_grey else {}))
    del fields[262]
    strip = rows_of(colours, lambda colour: bytes([255 - colour[0]] if is_grey else colour))
    assert_squares(library.thumbnail(finished(library, "a.tif", tiff((fields, [strip])))), colours)


@pytest.mark.parametrize("is_planar", [False, True])
def test_luminance_and_difference_are_the_same_picture_in_planes(library, is_planar):
    samples = squares().convert("YCbCr")
    planes = [plane.tobytes() for plane in samples.split()]
    changes = {"t262": 6, "t284": 2 if is_planar else 1, "t530": (3, [1, 1])}
    strips = planes if is_planar else [samples.tobytes()]
    row = finished(library, "a.tif", tiff((tiff_fields((WIDTH, HEIGHT), **changes), strips)))
    assert_squares(library.thumbnail(row), tolerance=10)


def test_a_sample_of_no_stated_meaning_is_no_transparency(library):
    strip = rows_of(SQUARES, lambda colour: bytes((*colour, 0)))
    fields = tiff_fields((WIDTH, HEIGHT), t258=(3, [8] * 4), t277=4, t338=0)
    assert_squares(library.thumbnail(finished(library, "a.tif", tiff((fields, [strip])))))


def half_page(side, colour, **changes):
    fields = tiff_fields((side, side), **changes)
    return fields, [bytes(colour) * side * side]


@pytest.mark.parametrize(("changes", "colour"), [({}, RED), ({"t254": (4, [1])}, BLUE)], ids=["a page", "a version"])
def test_a_smaller_second_page_is_a_reduced_version_only_if_it_says_so(library, changes, colour):
    """The thumbnail is made of the smallest version that is large enough."""
    row = finished(library, "a.tif", tiff(half_page(1024, RED), half_page(512, BLUE, **changes)))
    assert distance(library.thumbnail(row).getpixel((10, 10)), colour) <= 6


def test_tiny_pictures_keep_the_colours_of_their_pixels(library):
    colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255), (255, 0, 255)]
    image = Image.new("RGB", (6, 6))
    for index in range(36):
        image.putpixel((index % 6, index // 6), colours[(index % 6 + 2 * (index // 6)) % 6])
    thumbnail = library.thumbnail(finished(library, "a.png", encoded(image, "PNG")))
    scale = thumbnail.width // 6
    for index in range(36):
        place = (index % 6 * scale + scale // 2, index // 6 * scale + scale // 2)
        assert distance(thumbnail.getpixel(place), image.getpixel((index % 6, index // 6))) <= 8
