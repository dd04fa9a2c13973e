"""A library in a folder of its own, and the programs that work on it."""

import contextlib
import http.client
import io
import json
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from urllib.parse import unquote

from PIL import Image

PROGRAMS = pathlib.Path(os.environ["IMGDL_PROGRAMS"])
# Long enough for a busy machine: only a program that hangs reaches it.
PATIENCE = 120
ADDRESS_SPACE = 6 << 30


def wait_until(condition, seconds=PATIENCE):
    """Returns the first true value of the condition."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise TimeoutError(f"still false after {seconds} s")


class Done:
    """What a program has printed, and its exit code."""

    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout.decode()
        self.errors = process.stderr.decode()

    def __repr__(self):
        return f"exit code {self.code}\n{self.out}{self.errors}"


class SocketConnection(http.client.HTTPConnection):
    """A connection to the Unix socket of imgdld."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Library:
    def __init__(self, folder=None):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="imgdl-reports-"))
        self.folder = folder or self.home / "library"
        self.runtime = self.home / "run"
        self.runtime.mkdir(mode=0o700)
        self.daemon = None

    def close(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    @property
    def view(self):
        """The folder as the tests see it."""
        return self.folder

    def environment(self, **changes):
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime),
            "LANG": "C.UTF-8", **changes}

    def command(self, program, *arguments):
        return [str(PROGRAMS / program), "--library", str(self.folder), *map(str, arguments)]

    def start(self, *arguments, program="imgdl-cli", environment=None, **options):
        """Starts a program whose address space is limited, so that endless memory use cannot harm the machine."""
        return subprocess.Popen(
            self.command(program, *arguments), env=self.environment(**environment or {}), stdin=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE)), **options)

    def run(self, *arguments, code=0, environment=None, patience=PATIENCE):
        """Runs imgdl-cli, which has to end with the exit code; None is any."""
        process = self.start(*arguments, environment=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.stdout_bytes, process.stderr_bytes = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        done = Done(subprocess.CompletedProcess(
            process.args, process.returncode, process.stdout_bytes, process.stderr_bytes))
        assert code is None or done.code == code, f"imgdl-cli {arguments}: {done}"
        return done

    def add(self, *arguments, code=0, **options):
        """Adds sources without a pause before retries."""
        return self.run("add", "--no-progress", "--retry-delay", "10ms", *arguments, code=code, **options)

    def write(self, name, content):
        """Writes a file beside the library, and returns its path."""
        path = self.home / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def add_files(self, contents, code=0):
        """Adds files in one command; their rows, in the order of the contents."""
        self.add(*(self.write(name, content) for name, content in contents.items()), code=code)
        rows = {unquote(row["url"]).rpartition("/")[2]: row for record in self.records()
                for row in self.resources(record["number"])}
        return [rows[name] for name in contents]

    def list_of(self, urls, name="list.txt"):
        """Writes a list with a URL a line, and returns its path."""
        return self.write(name, "".join(f"{url}\n" for url in urls))

    def lines(self, *arguments):
        return [json.loads(line) for line in self.run(*arguments, "--json").out.splitlines()]

    def records(self):
        return self.lines("list")

    def resources(self, record=1):
        return self.lines("show", record)

    def files(self):
        """The files of the records: their paths in the folder of the library, and their bytes."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and ".imgdl" not in path.relative_to(self.folder).parts}

    def names(self):
        return [path.rsplit("/", 1)[-1] for path in self.files()]

    def bytes_on_disk(self):
        """The blocks of all files below the home of the test, in bytes."""
        total = 0
        for path in self.home.rglob("*"):
            with contextlib.suppress(OSError):
                total += path.lstat().st_blocks * 512
        return total

    def thumbnail(self, row, page=1):
        return self._rendition(row, f"-p{page}-256")

    def page(self, row, page=1):
        return self._rendition(row, f"-p{page}")

    def _rendition(self, row, suffix):
        """An image that was made of a resource, as RGB on white, as it appears on a page."""
        folder = self.folder / ".imgdl/renditions" / row["sha256"][:2]
        [path] = [each for each in folder.iterdir() if each.stem == row["sha256"] + suffix]
        image = Image.open(io.BytesIO(path.read_bytes())).convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        ground.alpha_composite(image)
        return ground.convert("RGB")

    def start_daemon(self, *arguments):
        """Starts imgdld, which writes its messages to a file, and returns when it answers."""
        self.log = self.home / "imgdld.log"
        with self.log.open("ab") as log:
            self.daemon = self.start("--foreground", *arguments, program="imgdld", stdout=log, stderr=log)
        wait_until(self._is_answering)
        return self.daemon

    def _is_answering(self):
        assert self.daemon.poll() is None, self.log.read_text()
        with contextlib.suppress(OSError, ValueError, IndexError, http.client.HTTPException):
            return self.call("GET", "/v1/status")[0] == 200

    def call(self, method, path, body=None):
        """A call of the API of imgdld: the status and the object of the response."""
        address = (self.view / ".imgdl/lock").read_text().splitlines()[1]
        with contextlib.closing(SocketConnection(address)) as connection:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
            response = connection.getresponse()
            content = response.read()
        return response.status, json.loads(content) if content else None
