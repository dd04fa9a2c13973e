"""Reads remote zip archives with imgdl-cli and with remotezip, and compares requests, bytes and contents.

Fails if contents differ, if an expected error is missing, if imgdl receives more bytes than remotezip, or if the list
of an archive of 1 GiB takes more than two requests or 64 KiB besides its directory.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import generate
import remotezip


class Server(ThreadingHTTPServer):
    """Serves the files of a folder with ranges and entity tags, and counts requests and bytes of bodies."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.lock = folder, threading.Lock()
        self.counts()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """A client that closes its connection is no error."""

    def counts(self):
        """Returns the requests and bytes since the last call."""
        found = (getattr(self, "requests", 0), getattr(self, "bytes", 0))
        self.requests = self.bytes = 0
        return found


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = os.path.join(self.server.folder, self.path.strip("/"))
        size = os.path.getsize(path)
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        first, last = 0, size - 1
        if wanted and wanted[1]:
            first, last = int(wanted[1]), min(last, int(wanted[2] or last))
        elif wanted:
            first = max(0, size - int(wanted[2]))
        count = last - first + 1
        with self.server.lock:
            self.server.requests += 1
            self.server.bytes += count
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Content-Length", str(count))
        self.send_header("ETag", f'"{size}"')
        self.end_headers()
        try:
            with open(path, "rb") as file:
                file.seek(first)
                while count:
                    count -= self.wfile.write(file.read(min(count, 1 << 16)))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


class Comparison:
    def __init__(self, program, server, scratch):
        self.program, self.server, self.scratch = program, server, scratch
        self.failures = []
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": scratch, "IMGDL_LIBRARY": scratch + "/library", "LANG": "C.UTF-8",
        }

    def url(self, name):
        return f"http://127.0.0.1:{self.server.server_port}/{name}"

    def imgdl(self, *arguments):
        self.server.counts()
        ended = subprocess.run(
            [self.program, "archive", *arguments], capture_output=True, env=self.environment, cwd=self.scratch)
        return ended, self.server.counts()

    def peer(self, name, page=None):
        self.server.counts()
        data = None
        try:
            with remotezip.RemoteZip(self.url(name)) as archive:
                names = archive.namelist()
                if page is not None:
                    data = archive.read(names[page])
        except Exception as error:  # The peer may fail in any way; only its traffic counts then.
            data = type(error).__name__
        return data, self.server.counts()

    def check(self, is_true, sentence):
        if not is_true:
            self.failures.append(sentence)

    def listed(self, file, archive):
        ended, own = self.imgdl("list", "--json", self.url(file))
        if archive.error:
            self.check(archive.error in ended.stderr.decode(), f"{archive.name}: {ended.stderr.decode()}")
        else:
            names = {json.loads(line)["name"] for line in ended.stdout.splitlines()}
            encoding = lambda entry: "utf-8" if entry.flags & 0x800 else "cp437"
            expected = {entry.name.decode(encoding(entry)) for entry in archive.entries}
            self.check(names == expected, f"{archive.name}: other names: {names ^ expected}")
        return own

    def fetched(self, file, archive):
        ended, own = self.imgdl("get", self.url(file), str(archive.page + 1), "-o", "-")
        if archive.page_error:
            self.check(archive.page_error in ended.stderr.decode(), f"{archive.name}: {ended.stderr.decode()}")
        else:
            same = ended.stdout == archive.entries[archive.page].data
            self.check(same, f"{archive.name}: the page differs: {ended.stderr.decode()}")
        return own

    def run(self, archive):
        file = "archive.zip"
        bytes_ = archive.build()
        with open(os.path.join(self.server.folder, file), "wb") as out:
            out.write(bytes_)
        archive.page = len(archive.entries) // 2
        lists = self.listed(file, archive), self.peer(file)[1]
        rows = [("list", *lists)]
        if not archive.error and archive.entries:
            rows.append(("page", self.fetched(file, archive), self.peer(file, archive.page)[1]))
        for task, own, other in rows:
            self.check(own[1] < other[1], f"{archive.name}, {task}: {own[1]} bytes, remotezip {other[1]}")
            print(f"{archive.name:26}{len(bytes_):>10} {task:5}{own[0]:>3}{own[1]:>10}{other[0]:>6}{other[1]:>10}")
        if len(rows) == 2:
            entry = archive.entries[archive.page]
            page = rows[1][1][1] - rows[0][1][1]
            allowed = len(generate.pack(entry)) + 1024
            self.check(page <= allowed, f"{archive.name}: the page took {page} bytes, allowed {allowed}")

    def run_large(self):
        file = "large.zip"
        path = os.path.join(self.server.folder, file)
        generate.sparse(path)
        size = os.path.getsize(path)
        ended, own = self.imgdl("list", "--json", self.url(file))
        self.check(len(ended.stdout.splitlines()) == 1000, f"1 GiB: {ended.stderr.decode()}")
        page, single = self.imgdl("get", self.url(file), "777", "-o", "-")
        self.check(page.stdout == bytes(1 << 20), f"1 GiB: {page.stderr.decode()}")
        rows = [("list", own, self.peer(file)[1]), ("page", single, self.peer(file, 776)[1])]
        for task, mine, other in rows:
            print(f"{'1 GiB, 1,000 pages':26}{size:>10} {task:5}{mine[0]:>3}{mine[1]:>10}{other[0]:>6}{other[1]:>10}")
            self.check(mine[1] < other[1], f"1 GiB, {task}: {mine[1]} bytes, remotezip {other[1]}")
        directory = size - 1000 * (1 << 20) - sum(30 + len(f"{n}.png") for n in range(1, 1001))
        self.check(own[0] <= 2 and own[1] <= 65_536 + directory, f"1 GiB: {own[0]} requests, {own[1]} bytes")
        self.check(single[1] - own[1] <= (1 << 20) + 1024, f"1 GiB: a page took {single[1] - own[1]} bytes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the path of imgdl-cli")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.mkdir(scratch + "/served")
        comparison = Comparison(os.path.abspath(arguments.program), Server(scratch + "/served"), scratch)
        print(f"{'':36} {'':5}{'imgdl':>13}{'remotezip':>16}")
        print(f"{'archive':26}{'size':>10} {'task':5}{'':3}{'bytes':>10}{'':>6}{'bytes':>10}")
        for archive in generate.archives():
            comparison.run(archive)
        comparison.run_large()
    for failure in comparison.failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
