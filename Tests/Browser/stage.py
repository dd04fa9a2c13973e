"""A library with its imgdld, and a server with pictures, for tests in a browser."""

import contextlib
import http.server
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Tools/interop"))

from ports import free_port  # noqa: E402

PROGRAMS = pathlib.Path(os.environ["IMGDL_PROGRAMS"])
SAMPLE = pathlib.Path(__file__).parents[2] / "Apps/imgdl-cli/Sample"


def wait_until(condition, seconds=20):
    """Returns the first true value of the condition."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise TimeoutError(f"still false after {seconds} s")


class Origin:
    """A server with the files of a folder."""

    def __init__(self, folder, *options):
        self.port_file = tempfile.mktemp()
        self.process = subprocess.Popen(
            [PROGRAMS / "imgdl-origin", "--port", "0", "--port-file", self.port_file, *options, folder],
            stdout=subprocess.DEVNULL)
        port = wait_until(self._port)
        self.url = f"http://127.0.0.1:{port}/"

    def _port(self):
        with contextlib.suppress(FileNotFoundError):
            return pathlib.Path(self.port_file).read_text().strip()

    def close(self):
        self.process.kill()
        self.process.wait()
        pathlib.Path(self.port_file).unlink(missing_ok=True)


def png(side, shade):
    """A square grey PNG with a lighter disc, whose size tells slices apart."""
    rows = []
    for y in range(side):
        # One byte for the filter of the row, then a byte for each pixel.
        half = int(max(0, (side * shade / 2) ** 2 - (y - side / 2) ** 2) ** 0.5)
        middle = side // 2
        rows.append(b"\0" + bytes([30]) * (middle - half) + bytes([200]) * (2 * half)
                    + bytes([30]) * (side - middle - half))

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(b"".join(rows), 1)) + chunk(b"IEND", b""))


class Series:
    """A server with one series of slices."""

    def __init__(self, count, side=64, delay=0, broken=()):
        self.requests = []
        # What is added to the widths of the discs, as a part of the side.
        self.growth = 0
        series = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                series.requests.append(self.path)
                number = self.path.rsplit("/", 1)[-1]
                if self.path == "/ct/series":
                    body = json.dumps({"id": "head", "slices": [f"{each}" for each in range(count)]}).encode()
                    self.answer(200, "application/json", body)
                elif not number.isdigit() or int(number) in broken:
                    self.answer(404, "text/plain", b"gone")
                else:
                    time.sleep(delay)
                    self.answer(200, "image/png", png(side, 0.1 + series.growth + 0.8 * int(number) / count))

            def answer(self, status, kind, body):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/ct"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()


class Stage:
    """A library in a folder of its own, and the programs that work on it."""

    def __init__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="imgdl-browser-"))
        self.library = self.home / "library"
        self.origins = []
        self.port = free_port()

    def close(self):
        self.cli("daemon", "stop", check=False)
        for origin in self.origins:
            origin.close()
        shutil.rmtree(self.home)

    def cli(self, *arguments, check=True):
        """Runs imgdl-cli, and returns what it printed on standard output."""
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home),
            "LANG": "C.UTF-8"}
        done = subprocess.run(
            [PROGRAMS / "imgdl-cli", "--library", self.library, *arguments],
            env=environment, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise AssertionError(f"imgdl-cli {arguments}: {done.returncode}: {done.stderr}")
        return done.stdout

    def origin(self, *options, folder=SAMPLE):
        origin = Origin(folder, *options)
        self.origins.append(origin)
        return origin

    def series(self, count, **options):
        series = Series(count, **options)
        self.origins.append(series)
        return series

    def list_of(self, name, urls):
        """Writes a list with URLs, which becomes a record with that title, and returns its path."""
        path = self.home / f"{name}.json"
        path.write_text(json.dumps(urls))
        return path

    def link(self):
        """A link that logs a browser in."""
        return self.cli("web", "--no-open", "--port", str(self.port)).strip()

    def process_id(self):
        return int((self.library / ".imgdl/lock").read_text().splitlines()[0])

    def kill(self):
        """Kills imgdld as the kernel does when memory is exhausted."""
        process = self.process_id()
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: not pathlib.Path(f"/proc/{process}").exists())

    def connections(self):
        """The number of established TCP connections to the port of the page."""
        count = 0
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            for line in pathlib.Path(table).read_text().splitlines()[1:]:
                _, local, _, state = line.split()[:4]
                count += state == "01" and int(local.split(":")[1], 16) == self.port
        return count
