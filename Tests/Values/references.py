"""Images of files as other programs make them. Each function returns None if its program does not read the file."""

import io
import subprocess
import tempfile
from pathlib import Path

import numpy
from PIL import Image, ImageCms, ImageOps

SRGB = ImageCms.createProfile("sRGB")
TIMEOUT = 600


def run(*command):
    try:
        done = subprocess.run([str(part) for part in command], timeout=TIMEOUT, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def in_eight_bits(image):
    """Images of 16 bits with their highest byte; None for numbers whose range Pillow does not know."""
    if image.mode.startswith("I;16"):
        return Image.fromarray((numpy.asarray(image) / 257).round().astype(numpy.uint8))
    return None if image.mode in ("I", "F") else image


def in_srgb(image):
    """The image in RGB or RGBA, with its colour profile applied if it has one for its components."""
    profile = image.info.get("icc_profile")
    if image.mode in ("P", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
    if image.mode == "CMYK" and not profile:
        return None  # Pillow inverts the components, without any colour management.
    if profile:
        alpha = image.getchannel("A") if "A" in image.getbands() else None
        plain = image.convert({"LA": "L", "RGBA": "RGB"}.get(image.mode, image.mode))
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            image = ImageCms.profileToProfile(plain, source, SRGB, renderingIntent=1, outputMode="RGB")
            if alpha:
                image.putalpha(alpha)
        except (ImageCms.PyCMSError, OSError, ValueError):
            pass
    return image.convert("RGBA" if "A" in image.getbands() else "RGB")


def with_gamma(image, gamma):
    """The image of a PNG whose samples are amounts of light to the power of the gamma."""
    table = [round(255 * (value / 255) ** (1 / (2.2 * gamma))) for value in range(256)]
    return image.point(table * 3 + list(range(256)) * (len(image.getbands()) - 3))


def pillow(path, size):
    """A thumbnail of the size as Pillow makes it."""
    try:
        with Image.open(path) as image:
            image.load()
            image = ImageOps.exif_transpose(image)
            profile = image.info.get("icc_profile")
            gamma = None if profile or "srgb" in image.info else image.info.get("gamma")
            if image.mode.startswith("I;16") and "transparency" in image.info:
                return None
            image = in_eight_bits(image)
            if image is None:
                return None
            if profile:
                image.info["icc_profile"] = profile
            image = in_srgb(image)
            if image is not None and gamma:
                image = with_gamma(image, gamma)
    except Exception:  # Decoders raise errors of any type.
        return None
    if image is None:
        return None
    return image.resize(fit(image.size, max(size)), Image.Resampling.LANCZOS, reducing_gap=3.0)


def fit(size, side):
    """The size that an image has within a square; never a larger one than its own."""
    scale = min(1, side / max(size))
    return tuple(max(1, round(length * scale)) for length in size)


def libvips(path, size):
    """A thumbnail of the size as libvips makes it, in a process of its own, because libvips may end it."""
    fields = header(path)
    loader = fields.get("vips-loader")
    # ImageMagick, to which libvips leaves other formats, is no reference: it mirrors grey TGA files.
    if loader is None or loader.startswith("magick"):
        return None
    if loader.startswith("png") and b"gAMA" in Path(path).read_bytes()[:4_096]:
        return None  # libvips ignores the gamma.
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "thumbnail.png")
        side = max(size)
        if loader.startswith("jp2k"):
            # The thumbnails of JPEG 2000 that libvips 8.14 makes of its reduced resolutions are too small.
            is_made = run("vips", "copy", path, result)
        else:
            # Without a profile in the file, libvips would convert sRGB to sRGB with a loss.
            profile = ["--export-profile", "srgb"] if "icc-profile-data" in fields else []
            is_made = run("vips", "thumbnail", path, result, side, "--height", side, "--size", "down", *profile)
        if not is_made:
            return None
        with Image.open(result) as image:
            image.load()
            image = in_eight_bits(image)
            if image is None:
                return None
            image.info.pop("icc_profile", None)
            image = in_srgb(image)
            return image.resize(fit(image.size, side), Image.Resampling.LANCZOS)


def header(path):
    """The fields of the header as libvips reads it; none of a file that it does not read."""
    done = subprocess.run(["vipsheader", "-a", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=TIMEOUT, check=False)
    lines = done.stdout.decode(errors="replace").splitlines() if done.returncode == 0 else []
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def page(result):
    try:
        with Image.open(result) as image:
            return image.convert("RGB")
    except OSError:
        return None


def mupdf(path, number, side, folder):
    """The image of a page whose longest side has so many pixels, as MuPDF draws it. All pages are drawn at once."""
    result = folder / f"mupdf-{side}-{number}.png"
    if not result.exists() and not (folder / f"mupdf-{side}").exists():
        (folder / f"mupdf-{side}").mkdir()
        run("mutool", "draw", "-q", "-F", "png", "-o", folder / f"mupdf-{side}-%d.png", "-w", side, "-h", side, path)
    return page(result)


def poppler(path, number, side, folder):
    """The image of a page whose longest side has so many pixels, as Poppler's pdftocairo draws it."""
    result = folder / f"poppler-{number}"
    run("pdftocairo", "-q", "-cropbox", "-png", "-singlefile", "-f", number, "-l", number, "-scale-to", side, path, result)
    return page(f"{result}.png")
