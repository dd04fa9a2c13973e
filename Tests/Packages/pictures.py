"""Makes a small file of each format that imgdl decodes, and a list of them.

Usage: pictures.py SAMPLE FOLDER     SAMPLE: the folder Apps/imgdl-cli/Sample
"""

import gzip
import io
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

WRITTEN_BY_VIPS = "jpg png webp gif tif avif heic jxl jp2 ppm pfm hdr bmp".split()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30"/></svg>'
SIDE = 16


def tga() -> bytes:
    """Colours without compression, 24 bits."""
    header = struct.pack("<3B5x4H2B", 0, 0, 2, 0, 0, SIDE, SIDE, 24, 0)
    return header + bytes(range(256)) * 3


def icon(kind: int, png: bytes) -> bytes:
    """An ICO (1) or CUR (2) with one PNG."""
    return struct.pack("<3H4B2H2I", 0, kind, 1, 64, 64, 0, 0, 1, 32, len(png), 22) + png


def tiff_of_12_bits() -> bytes:
    """Grey samples of a depth that libvips leaves to libtiff."""
    pixels = bytes(range(256)) + bytes(128)
    tags = [
        (256, SIDE), (257, SIDE), (258, 12), (259, 1), (262, 1), (273, 8), (277, 1), (278, SIDE), (279, len(pixels)),
    ]
    directory = struct.pack("<H", len(tags)) + b"".join(struct.pack("<2HII", tag, 4, 1, value) for tag, value in tags)
    return struct.pack("<2sHI", b"II", 42, 8 + len(pixels)) + pixels + directory + bytes(4)


def archived(png: bytes) -> dict[str, bytes]:
    zipped, packed = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("page.png", png)
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("page.png")
        entry.size = len(png)
        archive.addfile(entry, io.BytesIO(png))
    return {"picture.cbz": zipped.getvalue(), "picture.tar": packed.getvalue()}


def main() -> None:
    sample, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    small = folder / "small.png"
    subprocess.run(["vips", "resize", sample / "patterns/quilt.png", small, "0.1"], check=True)
    for extension in WRITTEN_BY_VIPS:
        subprocess.run(["vips", "copy", small, folder / f"picture.{extension}"], check=True)
    png = small.read_bytes()
    small.unlink()
    files = {
        "picture.tga": tga(), "picture.ico": icon(1, png), "picture.cur": icon(2, png), "picture.svg": SVG,
        "picture.svgz": gzip.compress(SVG, mtime=0), "twelve.tif": tiff_of_12_bits(), **archived(png),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    shutil.copy(sample / "patterns/atlas.pdf", folder / "picture.pdf")
    names = sorted(path.name for path in folder.iterdir() if path.suffix != ".txt")
    (folder / "pictures.txt").write_text("".join(f"{name}\n" for name in names))


main()
