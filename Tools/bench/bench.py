"""Compares imgdl with similar programs on the loopback interface: many small files, also over TLS and HTTP/2,
thumbnails, and one large file.

The server is nginx (one worker, keep-alive). Each program uses sixteen connections and writes to memory (a tmpfs).
The programs run alternately in changing order, and medians are compared. Absolute times depend on the machine; quote
the ratios.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure
import pictures

sys.path.append(str(Path(__file__).parent.parent / "interop"))
from certificates import Certificates  # noqa: E402

CONNECTIONS = 16


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--files", type=int, default=10_000, help="number of small files (10000)")
    parser.add_argument("--photos", type=int, default=60, help="number of 12-megapixel photos (60)")
    parser.add_argument("--large", type=int, default=1024, help="size of the large file in MiB (1024)")
    parser.add_argument("--repeat", type=int, default=5, help="number of runs of each program (5)")
    parser.add_argument(
        "--only", choices=["small", "tls", "http2", "thumbnails", "photos", "large"],
        action="append",
        help="run only this comparison; repeatable (default: all)",
    )
    parser.add_argument("--tmpfs", type=Path, default=Path("/dev/shm"), help="folder on a tmpfs to write to (/dev/shm)")
    return parser.parse_args()


def have(program):
    return shutil.which(program) is not None


class Bench:
    def __init__(self, options):
        self.options = options
        self.imgdl = options.root / ".build/release/imgdl-cli"
        self.data = options.root / ".build/bench/pictures"
        self.results = {}

    def add(self, source, *more):
        """Our command; the library goes into the output folder."""
        return lambda folder: [
            self.imgdl, "add", source, "--library", folder / "library", "-j", CONNECTIONS,
            "--quiet", *more,
        ]

    # Peers that download a list of URLs.

    def peers(self, urls, scratch, authority=None, version=1):
        """`version` of HTTP; `authority` signs the server's certificate."""
        curl, wget, aria = [], [], []
        if authority:
            curl = ["--cacert", authority, "--http2" if version == 2 else "--http1.1"]
            wget = [f"--ca-certificate={authority}", f"--http2={'on' if version == 2 else 'off'}"]
            aria = [f"--ca-certificate={authority}"]
        plain = scratch / "urls.txt"
        plain.write_text("\n".join(urls) + "\n")
        named = scratch / "curl.txt"
        named.write_text(
            "".join(f'url = "{url}"\noutput = "{i:06d}.bin"\n' for i, url in enumerate(urls))
        )
        peers = {}
        if have("curl"):
            peers["curl -Z"] = lambda folder: [
                "curl", "-Z", "--parallel-immediate", "--parallel-max", CONNECTIONS, "--no-progress-meter",
                "--fail", "--output-dir", folder, *curl, "-K", named,
            ]
        if have("wget2"):
            peers["wget2"] = lambda folder: [
                "wget2", "--quiet", "--no-config", f"--max-threads={CONNECTIONS}", "--no-robots",
                "--force-directories", "--directory-prefix", folder, *wget, "--input-file", plain,
            ]
        if have("aria2c") and version == 1:  # it speaks no HTTP/2
            peers["aria2c"] = lambda folder: [
                "aria2c", "--quiet", "--no-conf", f"--max-concurrent-downloads={CONNECTIONS}",
                "--max-connection-per-server=1", "--file-allocation=none", *aria, "--dir", folder,
                "--input-file", plain,
            ]
        return peers

    def floor(self, flags, scratch):
        """A C program without a line too many, for the list of the peers; see download_floor.c."""
        program = self.options.root / ".build/bench/download_floor"
        return lambda folder: [program, scratch / "urls.txt", folder, flags]

    def compare(self, name, programs, ours, check, scratch, unit=None):
        print(f"{name}:", file=sys.stderr)
        medians, failures = measure.alternate(programs, self.options.repeat, scratch, check)
        others = [cost["wall"] for key, cost in medians.items() if key not in ours]
        self.results[name] = {
            "programs": medians, "failures": failures, "ours": ours, "unit": unit,
            "fastest_peer": min(others) if others else None,
        }

    def small(self, nginx, scratch):
        count = self.options.files
        names = pictures.pictures(self.data / "small", count, 480, 360, 26_000)
        urls = [f"{nginx.base}/small/{name}" for name in names]
        pictures.manifest(self.data / "manifest.zip", urls)
        expected = sum((self.data / "small" / name).stat().st_size for name in names)
        source = f"{nginx.base}/manifest.zip"
        peers = self.peers(urls, scratch)
        floors = {
            "floor: kernel alone": "-", "floor: with SHA-256, renaming, rows": "hrs",
        }
        programs = {"imgdl": self.add(source, "--no-thumbnails")} | peers | {
            name: self.floor(flags, scratch) for name, flags in floors.items()
        }
        title = f"{count:,} JPEGs of 26 KB"
        self.compare(title, programs, ["imgdl", *floors], holds(count, expected), scratch, count)
        self.verify(source, names, scratch)

    def tls(self, nginx, scratch, version=1):
        """The small files once more, encrypted."""
        count = self.options.files
        names = pictures.pictures(self.data / "small", count, 480, 360, 26_000)
        urls = [f"{nginx.secure_base(version)}/small/{name}" for name in names]
        source = self.data / f"manifest-tls{version}.zip"
        pictures.manifest(source, urls)
        expected = sum((self.data / "small" / name).stat().st_size for name in names)
        authority = nginx.certificates.authority
        ours = self.add(
            source, "--no-thumbnails", "--cacert", authority, "--set",
            f"network.http2={'auto' if version == 2 else 'off'}")
        programs = {"imgdl": ours} | self.peers(urls, scratch, authority, version)
        title = f"{count:,} JPEGs, TLS, HTTP/{'2' if version == 2 else '1.1'}"
        self.compare(title, programs, ["imgdl"], holds(count, expected), scratch, count)

    def http2(self, nginx, scratch):
        self.tls(nginx, scratch, version=2)

    def verify(self, source, names, scratch):
        """Once, outside the timing: our files are the origin's, byte for byte."""
        folder = scratch / "verify"
        measure.run(self.add(source, "--no-thumbnails")(folder), 900)
        mine = sorted(digest(path) for path in originals(folder))
        theirs = sorted(digest(self.data / "small" / name) for name in names)
        shutil.rmtree(folder)
        if mine != theirs:
            raise measure.Failure("the library's files differ from the server's")

    def thumbnails(self, nginx, scratch, kind="small"):
        if kind == "small":
            count, width, height, size = self.options.files, 480, 360, 26_000
        else:
            count, width, height, size = self.options.photos, 4000, 3000, 1_400_000
        names = pictures.pictures(
            self.data / kind, count, width, height, size, kinds=16 if kind == "small" else 6
        )
        urls = [f"{nginx.base}/{kind}/{name}" for name in names]
        pictures.manifest(self.data / f"{kind}.zip", urls)
        listing = scratch / "files.txt"
        listing.write_text("".join(f"{self.data / kind / name}\n" for name in names))
        source = f"{nginx.base}/{kind}.zip"
        programs = {"imgdl: download + thumbnails": self.add(source)}
        for processes in (1, 2) if have("vipsthumbnail") else ():
            programs[f"vipsthumbnail alone ×{processes}"] = vipsthumbnail(listing, processes, count)
        if have("curl") and have("vipsthumbnail"):
            programs["curl -Z, vipsthumbnail ×2"] = self.curl_and_vips(urls, scratch, count)
        if dataset := img2dataset(self.options.root):
            programs["img2dataset: download + resize"] = self.resized(dataset, urls, scratch)
        programs["imgdl: thumbnails alone"] = lambda folder: [
            "sh", "-ec",
            f"mkdir {folder}/t; exec env IMGDL_HELPERS={self.imgdl.parent}"
            f" {self.options.root}/.build/bench/adapters/release/thumbnails {listing} {folder}/t",
        ]
        programs["floor: libjpeg-turbo alone ×2"] = lambda folder: [
            "sh", "-ec",
            f"mkdir {folder}/t; exec {sys.executable} -B"
            f" {Path(__file__).parent}/floor.py {listing} {folder}/t 2",
        ]
        ours = [
            "imgdl: download + thumbnails", "imgdl: thumbnails alone",
            "floor: libjpeg-turbo alone ×2",
        ]
        title = f"thumbnails of {count:,} JPEGs, {width}×{height}"
        self.compare(title, programs, ours, thumbnails_made(count), scratch, count)

    def curl_and_vips(self, urls, scratch, count):
        """What a script of today does: download everything, then shrink on both cores."""
        download = self.peers(urls, scratch)["curl -Z"]
        each = batch(count, 2)

        def command(folder):
            (folder / "t").mkdir()
            line = " ".join(map(str, download(folder)))
            shrink = (
                f"find {folder} -maxdepth 1 -name '*.bin' | xargs -P 2 -n {each}"
                f" vipsthumbnail --size 256 -o {folder}/t/%s.jpg"
            )
            return ["sh", "-ec", f"{line}; {shrink}"]

        return command

    def resized(self, program, urls, scratch):
        """The tool of the data teams: a process a core, pictures of 256 pixels in one folder."""
        plain = scratch / "dataset.txt"
        plain.write_text("\n".join(urls) + "\n")
        share = -(-len(urls) // 2)
        return lambda folder: [
            program, "--url_list", plain, "--output_folder", folder / "t", "--processes_count", 2,
            "--thread_count", 2 * CONNECTIONS, "--number_sample_per_shard", share,
            "--image_size", 256, "--resize_mode", "keep_ratio_largest", "--encode_quality", 80,
        ]

    def large(self, nginx, scratch):
        size = self.options.large << 20
        pictures.large_file(self.data / "large/large.bin", size)
        url = f"{nginx.base}/large/large.bin"
        source = scratch / "large.json"
        source.write_text(json.dumps([url]))
        programs = {"imgdl": self.add(source, "--no-thumbnails")} | self.peers([url], scratch)
        title = f"one file of {self.options.large} MiB"
        self.compare(title, programs, ["imgdl"], holds(1, size), scratch)

    def run(self):
        chosen = self.options.only or ["small", "tls", "http2", "thumbnails", "photos", "large"]
        self.data.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix="imgdl-bench-", dir=self.options.tmpfs))
        try:
            certificates = Certificates(scratch / "certificates")
            with measure.Nginx(self.data, scratch, certificates) as nginx:
                for name in chosen:
                    if name == "photos":
                        self.thumbnails(nginx, scratch, kind="photos")
                    else:
                        getattr(self, name)(nginx, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    # Output.

    def table(self):
        lines = []
        for title, result in self.results.items():
            head = f"{title:38} {'wall s':>8} {'spread':>13} {'CPU s':>7} {'RSS MB':>7} {'ratio':>6}"
            lines += ["", head + (f" {'per s':>7}" if result["unit"] else "")]
            for name, cost in result["programs"].items():
                peer = result["fastest_peer"]
                ratio = f"{cost['wall'] / peer:6.2f}" if peer else "     -"
                spread = f"{cost['fastest']:.2f}-{cost['slowest']:.2f}"
                line = (
                    f"  {name:36} {cost['wall']:8.2f} {spread:>13} {cost['cpu']:7.2f}"
                    f" {cost['rss']:7.0f} {ratio}"
                )
                lines.append(line + (f" {result['unit'] / cost['wall']:7.0f}" if result["unit"] else ""))
            lines += [f"  {name:36} failed: {why}" for name, why in result["failures"].items()]
        return "\n".join(lines + ["", "ratio: wall time to that of the fastest peer; below 1 is faster."])

    def save(self):
        folder = self.options.root / ".build/bench"
        now = time.strftime("%Y%m%dT%H%M%S")
        versions = {
            name: first_line([name, flag])
            for name, flag in (
                ("curl", "--version"), ("wget2", "--version"), ("aria2c", "--version"),
                ("nginx", "-v"), ("vips", "--version"), ("swift", "--version"),
            )
            if have(name)
        }
        record = {
            "time": now, "machine": measure.machine(), "versions": versions, "connections": CONNECTIONS,
            "commit": first_line(["git", "-C", self.options.root, "describe", "--always", "--dirty"]),
            "results": self.results,
        }
        path = folder / f"{now}.json"
        path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n")
        return path


def originals(folder):
    """The downloaded files, without a library's own folder."""
    return [
        path for path in folder.rglob("*") if path.is_file() and ".imgdl" not in path.parts
    ]


def holds(count, size):
    def check(folder):
        sizes = [path.stat().st_size for path in originals(folder)]
        if len(sizes) != count or sum(sizes) != size:
            raise measure.Failure(f"left {len(sizes)} files of {sum(sizes)} bytes")

    return check


def thumbnails_made(count):
    def check(folder):
        renditions = folder / "library/.imgdl/renditions"
        made = renditions if renditions.exists() else folder / "t"
        found = sum(1 for path in made.rglob("*") if path.is_file() and path.suffix != ".json")
        if found < count:
            raise measure.Failure(f"left {found} thumbnails of {count}")

    return check


def batch(count, processes):
    """How many files each start of vipsthumbnail gets: an equal share, 500 at most."""
    return max(1, min(500, -(-count // processes)))


def vipsthumbnail(listing, processes, count):
    def command(folder):
        (folder / "t").mkdir()
        shrink = f"vipsthumbnail --size 256 -o {folder}/t/%s.jpg"
        return ["sh", "-ec", f"xargs -P {processes} -n {batch(count, processes)} {shrink} < {listing}"]

    return command


def img2dataset(root):
    """The program, from PyPI into a folder of its own below .build; None where that fails."""
    home = root / ".build/tools/img2dataset"
    program = home / "bin/img2dataset"
    if not program.exists():
        steps = (
            [sys.executable, "-m", "venv", home],
            [home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "img2dataset==1.47.0"],
        )
        for step in steps:
            if subprocess.run(list(map(str, step)), check=False).returncode != 0:
                print("  img2dataset cannot be installed and is left out", file=sys.stderr)
                shutil.rmtree(home, ignore_errors=True)
                return None
    return program


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def first_line(command):
    result = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return result.stdout.decode(errors="replace").split("\n")[0]


def main():
    bench = Bench(arguments())
    if not have("nginx") or not have("vips"):
        sys.exit("The benchmark needs nginx and vips; Tools/setup bench installs them.")
    try:
        bench.run()
    except measure.Failure as error:
        sys.exit(f"The benchmark stopped: {error}")
    path = bench.save()
    print(bench.table())
    print(f"Figures: {path.relative_to(bench.options.root)}")


main()
