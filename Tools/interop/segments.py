"""Downloads large files over several connections from nginx and from servers that misbehave.

Each case downloads a file of random bytes with imgdl-cli and network.segments=4, and compares it with every
version that the server had: the file must be identical to one of them. nginx serves the file, limits connections
with 503, and gets another version during the download. A server of this script ignores ranges, refuses them, or
answers with other versions, totals and lengths. imgdl-cli is killed with SIGKILL at random times and started again,
with and without the list of received ranges, and fills a small disk (only as root).

Prints a line for each case, with the number of requests, the bytes sent and the size of the file. Fails if a file is
wrong or missing.
"""

import argparse
import hashlib
import http.server
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SIZE = 24 << 20
SEGMENT = 256 << 10


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/interop/segments", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=Path, help="folder of imgdl-cli (default .build/release)")
    parser.add_argument("--only", action="append", help="only the cases whose name contains this text")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random times (1)")
    parser.add_argument("--rounds", type=int, default=5, help="repetitions of the random cases (5)")
    return parser.parse_args()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the versions of `server.versions` in the way that the first part of the path names."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        mode = self.path.split("/")[1]
        with self.server.lock:
            number = self.server.count
            self.server.count += 1
        body, tag = self.server.versions[0], '"v1"'
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        fields = {"ETag": tag, "Accept-Ranges": "bytes"}
        if mode == "change" and number >= self.server.change_at:
            body, tag = self.server.versions[1], '"v2"'
            fields["ETag"] = tag
        if mode == "weak" and wanted:
            fields["ETag"] = "W/" + tag
        if mode == "untagged" and wanted:
            del fields["ETag"]
        if mode == "silent":
            del fields["Accept-Ranges"]
        if mode == "coded" and wanted:
            fields["Content-Encoding"] = "br"
        if mode == "ignore" or not wanted or self.headers.get("If-Range", tag) != tag:
            return self.answer(200, fields, body, mode)
        first, last = int(wanted[1]), int(wanted[2] or len(body) - 1)
        if first >= len(body):
            fields["Content-Range"] = f"bytes */{len(body)}"
            return self.answer(416, fields, b"", mode)
        if mode == "416" and wanted[2]:
            fields["Content-Range"] = f"bytes */{len(body)}"
            return self.answer(416, fields, b"", mode)
        if mode == "503" and wanted[2]:
            return self.answer(503, {"Retry-After": "1"}, b"", mode)
        if mode == "403" and wanted[2] and number > 3:
            return self.answer(403, {}, b"", mode)
        if mode == "shifted" and wanted[2]:
            first += 1
        total = len(body) + 1 if mode == "total" and wanted[2] else len(body)
        fields["Content-Range"] = f"bytes {first}-{last}/{total}"
        self.answer(206, fields, body[first:last + 1], mode)

    def answer(self, status, fields, body, mode):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        length = len(body)
        if mode == "short" and status == 206:
            body = body[:max(length * 2 // 3, 65536)]
            self.close_connection = len(body) < length
        if mode == "long" and status == 206:
            body = body + b"x" * 1000
            length = len(body)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        try:
            for start in range(0, len(body), 65536):
                self.wfile.write(body[start:start + 65536])
                with self.server.lock:
                    self.server.sent += len(body[start:start + 65536])
                if self.server.delay:
                    time.sleep(self.server.delay)
        except OSError:
            self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, versions, change_at=0, delay=0.002):
        super().__init__(("127.0.0.1", 0), Handler)
        self.versions, self.change_at, self.delay = versions, change_at, delay
        self.lock = threading.Lock()
        self.count = self.sent = 0
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, *_):
        pass

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def figures(self):
        return self.count, self.sent

    def end(self):
        self.shutdown()
        self.server_close()


class Nginx:
    def __init__(self, folder, limits=""):
        self.folder, self.log = folder, folder / "access.log"
        (folder / "served").mkdir(parents=True)
        with socket_port() as port:
            self.port = port
        configuration = folder / "nginx.conf"
        configuration.write_text(f"""
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  limit_conn_zone $server_name zone=all:1m;
  log_format bytes '$status $body_bytes_sent $http_range $http_if_range';
  access_log {self.log} bytes;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{self.port}; server_name all; root {folder}/served; {limits}
    location = /moved {{ return 302 http://localhost:{self.port}/large.bin; }} }}
}}""")
        self.process = subprocess.Popen(["nginx", "-c", configuration, "-p", folder],
                                        stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{self.port}"
        time.sleep(0.3)

    def serve(self, body):
        new = self.folder / "new"
        new.write_bytes(body)
        # nginx derives the tag from the time in seconds and the length.
        self.age = getattr(self, "age", 1_700_000_000) + 10
        os.utime(new, (self.age, self.age))
        new.rename(self.folder / "served/large.bin")

    def figures(self):
        lines = [line.split() for line in self.log.read_text().splitlines()]
        return len(lines), sum(int(line[1]) for line in lines)

    def statuses(self):
        return [line.split()[0] for line in self.log.read_text().splitlines()]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class socket_port:
    def __enter__(self):
        import socket
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        return self.socket.getsockname()[1]

    def __exit__(self, *_):
        self.socket.close()


class Cases:
    def __init__(self, options):
        self.options = options
        self.program = (options.programs or options.root / ".build/release") / "imgdl-cli"
        self.random = random.Random(options.seed)
        self.versions = [self.random.randbytes(SIZE), self.random.randbytes(SIZE)]
        self.scratch = Path(tempfile.mkdtemp(prefix="imgdl-segments-", dir="/var/tmp"))
        self.failed = []

    # Running the program

    def command(self, url, folder, resume=False):
        source = folder / "list.txt"
        source.write_text(url + "\n")
        words = [self.program, "resume"] if resume else [self.program, "add", source]
        return words + [
            "--library", folder / "library", "--no-progress",
            "--set", "network.segments=4", "--set", f"network.segmentBytes={SEGMENT}",
            "--set", "network.segmentSeconds=0",
            "--set", "network.retryDelay=0.05", "--set", "network.retryCeiling=1"]

    def run(self, url, folder, resume=False):
        return subprocess.run(self.command(url, folder, resume), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300)

    def check(self, name, server, folder, versions=None, note="", complete=True):
        known = {hashlib.sha256(version).digest() for version in versions or self.versions}
        files = [path for path in (folder / "library").rglob("*")
                 if path.is_file() and not path.is_symlink() and ".imgdl" not in path.parts]
        good = [path for path in files if hashlib.sha256(path.read_bytes()).digest() in known]
        requests, sent = server.figures()
        is_right = len(good) == len(files) and len(good) == (1 if complete else 0)
        if not is_right:
            self.failed.append(name)
        print(f"{'ok    ' if is_right else 'WRONG '} {name:28} {requests:4} requests, "
              f"{sent / SIZE:5.2f} times the bytes{note}", flush=True)
        return is_right

    def folder(self, name):
        folder = self.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def wanted(self, name):
        return not self.options.only or any(part in name for part in self.options.only)

    # Cases

    def misbehaving(self):
        modes = ["good", "silent", "ignore", "416", "503", "403", "total", "weak", "untagged", "shifted",
                 "coded", "short", "long"]
        for mode in modes:
            name = f"server: {mode}"
            if not self.wanted(name):
                continue
            server, folder = Server(self.versions), self.folder("run")
            result = self.run(f"{server.address}/{mode}/large.bin", folder)
            self.check(name, server, folder, self.versions[:1], f", exit {result.returncode}")
            server.end()

    def changing(self):
        for count in range(1, 13):
            name = f"server: changed at {count}"
            if not self.wanted(name):
                continue
            server, folder = Server(self.versions, change_at=count), self.folder("run")
            self.run(f"{server.address}/change/large.bin", folder)
            self.check(name, server, folder)
            server.end()

    def nginx(self):
        limits = {"nginx": "limit_rate 20m;", "nginx: limit_conn 2": "limit_conn all 2; limit_rate 4m;",
                  "nginx: redirect": "limit_rate 20m;"}
        for name, limit in limits.items():
            if not self.wanted(name):
                continue
            folder = self.folder("run")
            server = Nginx(folder / "nginx", limit)
            server.serve(self.versions[0])
            path = "moved" if "redirect" in name else "large.bin"
            self.run(f"{server.address}/{path}", folder)
            refused = server.statuses().count("503")
            self.check(name, server, folder, self.versions[:1], f", {refused} times 503")
            server.end()
        for number in range(self.options.rounds):
            name = f"nginx: replaced, round {number}"
            if not self.wanted(name):
                continue
            folder = self.folder("run")
            server = Nginx(folder / "nginx", "limit_rate 2m;")
            server.serve(self.versions[0])
            process = subprocess.Popen(self.command(f"{server.address}/large.bin", folder),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(self.random.uniform(0.2, 1.5))
            server.serve(self.versions[1])
            process.wait(timeout=300)
            self.check(name, server, folder)
            server.end()

    def kills(self):
        for number in range(self.options.rounds):
            for damage in ["list", "no list"]:
                name = f"SIGKILL, {damage}, round {number}"
                if not self.wanted(name):
                    continue
                server, folder = Server(self.versions, delay=0.03), self.folder("run")
                url, kills = f"{server.address}/good/large.bin", 0
                while True:
                    process = subprocess.Popen(
                        self.command(url, folder, resume=kills > 0), stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    while server.count == 0 and process.poll() is None:
                        time.sleep(0.01)
                    try:
                        process.wait(timeout=60 if kills >= 6 else self.random.uniform(0.4, 0.9))
                        break
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.wait()
                        kills += 1
                    if damage == "no list" and kills == 2:
                        for path in (folder / "library").rglob("*.part"):
                            if path.stat().st_size > SIZE:
                                with path.open("r+b") as file:
                                    file.seek(SIZE)
                                    file.write(b"\xff" * (path.stat().st_size - SIZE))
                self.check(name, server, folder, self.versions[:1], f", {kills} kills")
                server.end()

    def full_disk(self):
        name = "full disk"
        if not self.wanted(name) or os.geteuid() != 0:
            return
        server, folder = Server(self.versions), self.folder("run")
        library = folder / "library"
        library.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", library]).returncode:
            return
        try:
            url = f"{server.address}/good/large.bin"
            first = self.run(url, folder)
            before = server.figures()[1]
            subprocess.run(["mount", "-o", "remount,size=200m", library], check=True)
            second = self.run(url, folder, resume=True)
            if before < SIZE // 4 or first.returncode == 0:
                self.failed.append("full disk: the first run")
            self.check(name, server, folder, self.versions[:1],
                       f", exit {first.returncode}, then {second.returncode}")
        finally:
            subprocess.run(["umount", library])
            server.end()


def main():
    cases = Cases(arguments())
    try:
        cases.misbehaving()
        cases.changing()
        cases.nginx()
        cases.kills()
        cases.full_disk()
    finally:
        shutil.rmtree(cases.scratch, ignore_errors=True)
    if cases.failed:
        sys.exit("failed: " + ", ".join(cases.failed))


if __name__ == "__main__":
    main()
