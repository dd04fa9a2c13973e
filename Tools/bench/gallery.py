"""Downloads a gallery of imgdl-origin with gallery-dl alone, and with imgdl-cli, which reads gallery-dl's list.

  gallery-dl -o output.private=true -J URL | imgdl-cli add -

The gallery is a thread of an image board (vichan) with 10,000 images of 12 kB. The server answers at once in some
runs, and after a delay in others. All names, their order and all bytes are checked after each run. Both goals are
shares of gallery-dl's wall time.

All files are written to memory (a tmpfs). On a disk, each run would follow the removal of the files of the previous
run, and ext4 avoids inodes that were deleted within the last minute, which takes 0.5 ms longer per file.
"""

import argparse
import hashlib
import http.client
import json
import random
import shlex
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import measure

SIDE = 64
# The time of the posts, with which names of gallery-dl begin, and the name of the first file.
FIRST = 1_700_000_000
WORDS = ["bird", "Überschrift", "two words", "日本", "a+b", "(1)", "x_y-z", "50%"]


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/gallery", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--gallery-dl", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=Path, help="folder of the programs (default: the release build)")
    parser.add_argument("--images", type=int, default=10_000, help="number of images of the gallery (10000)")
    parser.add_argument("--delay", type=int, action="append", help="delay of each response in milliseconds; repeatable (20 and 0)")
    parser.add_argument("--repeat", type=int, default=3, help="number of runs of each program (3)")
    parser.add_argument("--tmpfs", type=Path, default=Path("/dev/shm"), help="folder on a tmpfs to write to (/dev/shm)")
    parser.add_argument("--thumbnails", action="store_true", help="let imgdl create thumbnails as well")
    return parser.parse_args()


def image(number):
    """A PNG file of noise."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    noise = random.Random(number)
    rows = b"".join(b"\0" + noise.randbytes(3 * SIDE) for _ in range(SIDE))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class Gallery:
    """The folder that the server serves: the thread and its images, in the order of the thread."""

    page = "img/res/1.json"

    def __init__(self, folder, count):
        (folder / "img/src").mkdir(parents=True)
        (folder / "img/res").mkdir()
        order = list(range(count))
        # The order of the thread is not that of the names.
        random.Random(count).shuffle(order)
        self.names = [f"{WORDS[number % len(WORDS)]} {number}.png" for number in order]
        self.digests = {}
        posts = []
        for name, number in zip(self.names, order):
            content = image(number)
            self.digests[name] = hashlib.sha256(content).digest()
            (folder / f"img/src/{FIRST + number}.png").write_bytes(content)
            posts.append({"no": len(posts) + 1, "sub": "Gallery", "com": "", "time": FIRST, "tim": str(FIRST + number),
                          "filename": name.removesuffix(".png"), "ext": ".png", "fsize": len(content)})
        (folder / self.page).write_text(json.dumps({"posts": posts}))

    def check_bytes(self, files):
        """Raises Failure if the files, by name, are not exactly those of the gallery."""
        if missing := self.digests.keys() - files.keys():
            raise measure.Failure(f"{len(missing)} files are missing, such as {min(missing)}")
        if more := files.keys() - self.digests.keys():
            raise measure.Failure(f"{len(more)} files are not of the gallery, such as {min(more)}")
        for name, path in files.items():
            if hashlib.sha256(path.read_bytes()).digest() != self.digests[name]:
                raise measure.Failure(f"{name} has other bytes")

    def check_gallery_dl(self, folder):
        self.check_bytes({path.name.partition(" ")[2]: path for path in folder.rglob("*.png")})

    def check_imgdl(self, folder):
        """Raises Failure unless the numbers of the files follow the thread, and the rest of their names is the thread's."""
        paths = sorted((folder / "library").glob("*/*.png"), key=lambda path: int(path.name.partition("-")[0]))
        found = [path.name.partition("-")[2] for path in paths]
        if found != self.names:
            pair = next(((a, b) for a, b in zip(found, self.names) if a != b), (len(found), len(self.names)))
            raise measure.Failure(f"names or order differ: {pair[0]} instead of {pair[1]}")
        numbers = [int(path.name.partition("-")[0]) for path in paths]
        if numbers != list(range(1, len(self.names) + 1)):
            raise measure.Failure("the numbers have gaps")
        self.check_bytes(dict(zip(found, paths)))


class Origin:
    """imgdl-origin for a folder; it ends with the block."""

    def __init__(self, programs, folder, delay):
        self.process = subprocess.Popen(
            [programs / "imgdl-origin", folder, "--exit-with-stdin", "--latency", f"{delay}ms"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.base = self.process.stdout.readline().strip().rstrip("/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def rate(self, name):
        """Requests per second over one connection, which shows that the server is not the bottleneck."""
        connection = http.client.HTTPConnection(self.base.removeprefix("http://"))
        start = time.perf_counter()
        for _ in range(200):
            connection.request("GET", f"/img/src/{name}.png")
            connection.getresponse().read()
        return 200 / (time.perf_counter() - start)


def compare(options, gallery, base, scratch):
    """Runs both programs in turn; returns their medians and failures."""
    programs = (options.programs or options.root / ".build/release").resolve()
    page = f"{base}/img/res/1.html"
    settings = scratch / "gallery-dl.json"
    settings.write_text(json.dumps({"extractor": {"vichan": {"gallery": {"root": base}}}}))
    lister = [options.gallery_dl, "--config-ignore", "--config", settings, "--quiet"]
    add = [programs / "imgdl-cli", "add", "-", "--quiet", "--set", "background=off"]
    if not options.thumbnails:
        add.append("--no-thumbnails")

    def imgdl(folder):
        listing = shlex.join(map(str, lister + ["-o", "output.private=true", "-J", page]))
        return ["bash", "-c", f"set -o pipefail; {listing} | {shlex.join(map(str, [*add, '--library', folder / 'library']))}"]

    def check(folder):
        (gallery.check_imgdl if (folder / "library").exists() else gallery.check_gallery_dl)(folder)

    return measure.alternate(
        {"gallery-dl": lambda folder: lister + ["-d", folder, page], "imgdl": imgdl},
        options.repeat, scratch, check, limit=3_600)


def main():
    options = arguments()
    programs = (options.programs or options.root / ".build/release").resolve()
    report, is_met = {"machine": measure.machine(), "images": options.images, "delays": {}}, True
    with tempfile.TemporaryDirectory(prefix="imgdl-gallery-", dir=options.tmpfs) as name:
        scratch = Path(name)
        gallery = Gallery(scratch / "served", options.images)
        for delay in options.delay or [20, 0]:
            with Origin(programs, scratch / "served", delay) as origin:
                rate = origin.rate(FIRST)
                print(f"\n{options.images:,} images, {delay} ms each ({rate:,.0f} requests/s over one connection)",
                      file=sys.stderr)
                medians, failures = compare(options, gallery, origin.base, scratch)
            goal = 1 / 10 if delay else 1 / 4
            report["delays"][delay] = {"programs": medians, "failures": failures, "goal": goal}
            for program, cost in medians.items():
                print(f"{delay} ms: {program:12} {cost['wall']:8.2f} s  CPU {cost['cpu']:7.2f} s  {cost['rss']:6.1f} MB")
            if len(medians) == 2:
                share = medians["imgdl"]["wall"] / medians["gallery-dl"]["wall"]
                report["delays"][delay]["share"] = share
                is_met = is_met and share <= goal
                print(f"{delay} ms: imgdl takes {share:.3f} of gallery-dl's time (goal {goal})")
            for program, why in failures.items():
                is_met = False
                print(f"{delay} ms: {program} failed: {why}")
    results = options.root / ".build/bench"
    results.mkdir(parents=True, exist_ok=True)
    (results / "gallery.json").write_text(json.dumps(report, indent=2) + "\n")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
