"""The jobs: reproducible files of every kind, and the ledger of their expected sizes and hashes.

A job is a folder that `imgdl-origin` serves: files, and a manifest that names them relative to
itself. The ledger, which imgdl never sees, contains the size and the SHA-256 of every file.
"""

import hashlib
import io
import json
import random
import zipfile
import zlib
from collections import Counter
from pathlib import Path

VERSION = 4
# The numbers of PNG, JPEG, PDF and ZIP files, the bytes of the large image in the last archive, and
# the number of lists that name all files. "twins" has each URL twice, and some content under two
# URLs.
SHAPES = {
    "standard": {"png": 200, "jpg": 60, "pdf": 20, "zip": 20, "large": 3 << 20, "lists": 1},
    "small": {"png": 11, "jpg": 4, "pdf": 2, "zip": 3, "large": 300 << 10, "lists": 1},
    "long": {"png": 1, "jpg": 1, "pdf": 0, "zip": 1, "large": 8 << 20, "lists": 1},
    "twins": {"png": 12, "jpg": 4, "pdf": 2, "zip": 2, "large": 200 << 10, "lists": 2, "equal": 3},
}
EPOCH = (2020, 1, 1, 0, 0, 0)


class Job:
    """The served files of a job and their expected properties."""

    def __init__(self, name, folder):
        self.name = name
        self.manifest = f"/{name}/manifest.zip"
        self.ledger = {}
        with zipfile.ZipFile(folder / "manifest.zip") as file:
            lists = [json.loads(file.read(name)) for name in file.namelist()]
        # The number of resources that each target becomes.
        self.entries = Counter(f"/{name}/{entry}" for entries in lists for entry in entries)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != "manifest.zip":
                content = path.read_bytes()
                target = f"/{name}/{path.relative_to(folder)}"
                self.ledger[target] = (len(content), hashlib.sha256(content).hexdigest())

    def size(self, target):
        return self.ledger[target][0]

    def digest(self, target):
        return self.ledger[target][1]


def chunk(kind, data):
    check = zlib.crc32(kind + data)
    return len(data).to_bytes(4, "big") + kind + data + check.to_bytes(4, "big")


def png(width, height, pixels, level=6):
    """Returns an RGB image as PNG; `pixels` are rows of bytes without filters."""
    stride = 3 * width
    rows = b"".join(b"\0" + pixels[i * stride : (i + 1) * stride] for i in range(height))
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    data = zlib.compress(rows, level)
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", data), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def flag(chance):
    """Returns a small PNG of three stripes with some noise."""
    width, height = 48, 32
    stripes = [chance.randbytes(3) for _ in range(3)]
    pixels = bytearray(b"".join(stripes[y * 3 // height] * width for y in range(height)))
    for _ in range(60):
        at = chance.randrange(len(pixels))
        pixels[at] = chance.randrange(256)
    return png(width, height, bytes(pixels))


def noise(chance, size):
    """Returns a PNG of about `size` bytes that does not compress."""
    side = max(8, int((size / 3) ** 0.5))
    return png(side, side, chance.randbytes(3 * side * side), 1)


def numbered(jpeg, number):
    """Returns the same JPEG image with other bytes: a comment with the number after the first
    marker."""
    text = f"fault {number:06d}".encode()
    return jpeg[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


def pdf(chance, pages):
    """Returns a PDF whose pages have coloured rectangles and no text."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join(f"{3 + 2 * i} 0 R" for i in range(pages))
    objects.append(f"<</Type/Pages/Count {pages}/Kids[{kids}]>>".encode())
    for i in range(pages):
        drawing = "".join(
            "%.2f %.2f %.2f rg %d %d %d %d re f\n" % (
                chance.random(), chance.random(), chance.random(), chance.randrange(150),
                chance.randrange(150), chance.randrange(20, 90), chance.randrange(20, 90))
            for _ in range(12))
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents {4 + 2 * i} 0 R>>".encode())
        objects.append(f"<</Length {len(drawing)}>>stream\n{drawing}endstream".encode())
    output, places = io.BytesIO(), []
    output.write(b"%PDF-1.4\n")
    for number, body in enumerate(objects, 1):
        places.append(output.tell())
        output.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = output.tell()
    output.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    output.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    output.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
                 % (len(objects) + 1, start))
    return output.getvalue()


def archive(entries, method=zipfile.ZIP_STORED):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", method) as file:
        for name, content in entries:
            file.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return output.getvalue()


def make(folder, shape, photos):
    """Writes the files of a job and its manifest, a zip with one list for each kind of file."""
    chance = random.Random(f"{folder.name} {VERSION}")
    files = {}
    for i in range(shape["png"]):
        files[f"png/{i:03d}.png"] = flag(chance)
    for i in range(shape["jpg"]):
        files[f"jpg/{i:03d}.jpg"] = numbered(photos[i % len(photos)], i)
    for i in range(shape["pdf"]):
        files[f"pdf/{i:03d}.pdf"] = pdf(chance, 1 + i % 2)
    for i in range(shape["zip"]):
        pictures = [(f"{j}.png", flag(chance)) for j in range(2)]
        if i == shape["zip"] - 1:
            pictures.append(("large.png", noise(chance, shape["large"])))
        files[f"zip/{i:03d}.zip"] = archive(pictures)
    for i in range(shape.get("equal", 0)):
        files[f"png/{shape['png'] - 1 - i:03d}.png"] = files[f"png/{i:03d}.png"]
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    kinds = ["zip", "pdf", "png", "jpg"]  # slow kinds come first, so that they are in flight for long
    lists = {kind: [name for name in files if name.startswith(kind)] for kind in kinds}
    if shape["lists"] > 1:
        ordered = [name for kind in kinds for name in lists[kind]]
        lists = {f"list-{i}": ordered[i:] + ordered[:i] for i in range(shape["lists"])}
    entries = [(f"{name}.json", json.dumps(names)) for name, names in lists.items() if names]
    (folder / "manifest.zip").write_bytes(archive(entries, zipfile.ZIP_DEFLATED))


def load_or_create(root):
    """Returns the folder and the jobs by name. Files that are missing or of another version are
    created."""
    data = root / ".build/faults/jobs"
    stamp = data / "made.json"
    wanted = {"version": VERSION, "shapes": SHAPES}
    if not stamp.exists() or json.loads(stamp.read_text()) != wanted:
        scenes = sorted((root / "Apps/imgdl-cli/Sample/scenes").glob("*.jpg"))
        photos = [path.read_bytes() for path in scenes]
        for name, shape in SHAPES.items():
            make(data / name, shape, photos)
        stamp.write_text(json.dumps(wanted))
    return data, {name: Job(name, data / name) for name in SHAPES}


if __name__ == "__main__":
    folder, jobs = load_or_create(Path(__file__).resolve().parents[2])
    for job in jobs.values():
        print(job.name, len(job.ledger), sum(size for size, _ in job.ledger.values()))
