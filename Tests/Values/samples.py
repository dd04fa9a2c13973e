"""Writes a small set of images and documents for Tools/checks/values: each format that Pillow writes, in the kinds whose
colours, transparency and orientation decoders confuse."""

import zlib

import numpy
from PIL import Image, ImageCms

SIZE = (360, 240)


def scene(size=SIZE):
    """A picture with smooth areas and edges, whose halves and corners all have different colours."""
    x = numpy.linspace(0, 1, size[0])[None, :]
    y = numpy.linspace(0, 1, size[1])[:, None]
    planes = numpy.stack([40 + 180 * x + 0 * y, 30 + 190 * y + 0 * x, 220 - 90 * x - 90 * y], axis=-1)
    planes[: size[1] // 4, : size[0] // 4] = (250, 20, 30)
    planes[-size[1] // 4 :, : size[0] // 3] = (20, 200, 60)
    planes[size[1] // 3 : size[1] // 2, size[0] // 2 :] = (245, 240, 235)
    return Image.fromarray(planes.clip(0, 255).astype(numpy.uint8))


def transparent(image):
    """The image with a transparency that grows from left to right."""
    image = image.convert("RGBA")
    image.putalpha(Image.linear_gradient("L").rotate(90).resize(image.size))
    return image


def write(folder):
    folder.mkdir(parents=True)
    image = scene()
    grey, alpha = image.convert("L"), transparent(image)
    palette = image.quantize(64)
    for suffix, images in {
        "png": {"rgb": image, "rgba": alpha, "grey": grey, "grey-alpha": alpha.convert("LA"), "palette": palette,
                "bits": grey.convert("1")},
        "jpg": {"rgb": image, "grey": grey, "cmyk": image.convert("CMYK")},
        "webp": {"rgb": image, "rgba": alpha},
        "tif": {"rgb": image, "rgba": alpha, "grey": grey, "palette": palette, "bits": grey.convert("1"),
                "cmyk": image.convert("CMYK")},
        "gif": {"palette": palette}, "bmp": {"rgb": image, "grey": grey, "palette": palette},
        "tga": {"rgb": image, "rgba": alpha, "grey": grey}, "jp2": {"rgb": image, "rgba": alpha, "grey": grey},
        "ppm": {"rgb": image}, "pgm": {"grey": grey}, "pbm": {"bits": grey.convert("1")},
        "avif": {"rgb": image, "rgba": alpha}, "ico": {"rgba": alpha.resize((200, 200))},
    }.items():
        for name, picture in images.items():
            try:
                picture.save(folder / f"{name}.{suffix}")
            except (KeyError, OSError):
                print(f"left out: this Pillow writes no {name}.{suffix}")
    deep = Image.fromarray(numpy.asarray(grey).astype(numpy.uint16) * 257)
    deep.save(folder / "grey-16.png")
    deep.save(folder / "grey-16.tif")
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        image.save(folder / f"orientation-{orientation}.jpg", exif=exif, quality=90)
    for suffix in ("jpg", "png", "webp", "tif"):
        image.save(folder / f"profile.{suffix}", icc_profile=wide_profile())
    image.resize((9, 6)).save(folder / "tiny.png")
    scene((3_000, 40)).save(folder / "wide.png")
    scene((40, 3_000)).save(folder / "high.jpg")
    (folder / "shapes.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="150" height="200" fill="#c33"/>'
        '<circle cx="200" cy="100" r="80" fill="#36c" fill-opacity=".5"/></svg>')
    (folder / "shapes.pdf").write_bytes(document(image))


def wide_profile():
    """The profile of a device whose red and green are exchanged, so that a reader that ignores it shows other colours."""
    srgb = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    count = int.from_bytes(srgb[128:132], "big")
    entries = {bytes(srgb[at : at + 4]): at for at in range(132, 132 + 12 * count, 12)}
    red, green = entries[b"rXYZ"], entries[b"gXYZ"]
    srgb[red + 4 : red + 12], srgb[green + 4 : green + 12] = srgb[green + 4 : green + 12], srgb[red + 4 : red + 12]
    return bytes(srgb)


def document(image):
    """A PDF: shapes, an image, a page that is turned and cropped, and transparency. Letters would depend on the fonts."""
    pages = [
        "0.8 0.2 0.2 rg 20 20 160 260 re f 0 0.4 0.8 RG 12 w 40 40 m 180 260 l S",
        "q 160 0 0 240 20 60 cm /I Do Q",
        "0.1 0.6 0.3 rg 20 20 100 50 re f",
        "0.9 0.9 0.3 rg 0 0 200 360 re f /G gs 0.2 0.2 0.7 rg 20 40 160 280 re f",
    ]
    resources = b"<< /XObject << /I 4 0 R >> /ExtGState << /G << /ca 0.5 /CA 0.5 >> >> >>"
    pixels = zlib.compress(image.tobytes())
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        4: stream(pixels, f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} "
                          "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode"),
    }
    kids = []
    for index, content in enumerate(pages):
        number = 10 + 2 * index
        kids.append(f"{number} 0 R")
        more = " /Rotate 90 /CropBox [10 10 190 350]" if index == 2 else ""
        objects[number] = (f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 360]{more} "
                           f"/Contents {number + 1} 0 R /Resources ").encode() + resources + b" >>"
        objects[number + 1] = stream(content.encode(), "")
    objects[2] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()
    result, places = b"%PDF-1.7\n", {}
    for number, body in sorted(objects.items()):
        places[number] = len(result)
        result += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start, count = len(result), max(objects) + 1
    table = "".join(
        f"{places[number]:010} 00000 n \n" if number in places else "0000000000 65535 f \n" for number in range(count))
    return result + f"xref\n0 {count}\n{table}trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()


def stream(content, entries):
    return f"<< /Length {len(content)} {entries} >>\nstream\n".encode() + content + b"\nendstream"
