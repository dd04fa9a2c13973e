"""Downloads one large file from a server that limits the rate of each connection.

imgdl-origin serves a file of random bytes and sends at most 10 MB/s on each connection. The file is downloaded
by imgdl-cli over one connection and over several, and by aria2c -x8 -s8 -k1M, in alternating order. The time is
that of the whole program; "cpu" is its processor time, user and system, for each GiB. imgdl computes the SHA-256
of the file while it arrives; aria2 computes none. Every file is compared with the one that was served.

With --server nginx, nginx serves the file with limit_rate. It limits each response rather than each connection, and
lets each response begin with the bytes of up to one second, which favours clients with more requests.

Fails if the speed of imgdl over N connections is less than 0.95 x N times its speed over one connection, or if imgdl
is more than 2 % slower than aria2.
"""

import argparse
import hashlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/segments", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=Path,
                        help="folder of imgdl-cli and imgdl-origin (default .build/release)")
    parser.add_argument("--size", type=int, default=1024, help="size of the file in MiB (1024)")
    parser.add_argument("--rate", default="10M", help="bytes per second and connection (10M)")
    parser.add_argument("--segments", type=int, default=8, help="number of connections (8)")
    parser.add_argument("--repeat", type=int, default=3,
                        help="runs over several connections and of aria2, alternating (3)")
    parser.add_argument("--server", choices=["origin", "nginx"], default="origin",
                        help="the server (origin: imgdl-origin)")
    parser.add_argument("--segment-bytes", type=int, default=1 << 20,
                        help="network.segmentBytes, and -k of aria2 in whole MiB (1048576)")
    parser.add_argument("--skip-single", action="store_true",
                        help="omit the run over one connection, which takes the longest")
    return parser.parse_args()


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Bench:
    def __init__(self, options):
        self.options = options
        self.programs = options.programs or options.root / ".build/release"
        self.scratch = Path(tempfile.mkdtemp(prefix="imgdl-segments-", dir="/var/tmp"))
        self.served = self.scratch / "served"
        self.served.mkdir()
        self.file = self.served / "large.bin"
        with self.file.open("wb") as file:
            for _ in range(options.size):
                file.write(os.urandom(1 << 20))
        self.expected = digest(self.file)
        self.log = self.scratch / "log"
        self.cpu = {}

    def serve(self):
        self.log.unlink(missing_ok=True)
        if self.options.server == "nginx":
            return self.serve_nginx()
        self.server = subprocess.Popen(
            [self.programs / "imgdl-origin", self.served, "--rate", self.options.rate,
             "--log", self.log, "--exit-with-stdin"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.server.stdout.readline().strip().rstrip("/") + "/large.bin"

    def serve_nginx(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        folder = self.scratch
        temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in
                             ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        (folder / "nginx.conf").write_text(f"""
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log {self.log}; sendfile on; {temporary}
  server {{ listen 127.0.0.1:{port}; root {self.served}; limit_rate {self.options.rate.lower()}; }}
}}""")
        self.server = subprocess.Popen(
            ["nginx", "-c", folder / "nginx.conf", "-p", folder], stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        return f"http://127.0.0.1:{port}/large.bin"

    def end_server(self):
        self.server.stdin.close()
        if self.options.server == "nginx":
            self.server.terminate()
        self.server.wait()
        return len(self.log.read_text().splitlines())

    def imgdl(self, url, folder, segments):
        source = folder / "list.txt"
        source.write_text(url + "\n")
        return [self.programs / "imgdl-cli", "add", source, "--library", folder / "library",
                "--no-thumbnails", "--no-progress", "--set", f"network.segments={segments}",
                "--set", f"network.segmentBytes={self.options.segment_bytes}"]

    def aria2(self, url, folder):
        count = self.options.segments
        return ["aria2c", "--no-conf", "--quiet", f"-x{count}", f"-s{count}",
                f"-k{max(1, self.options.segment_bytes >> 20)}M",
                "--dir", folder / "library", url]

    def run(self, name, command):
        """Runs one download in a new folder, and returns its seconds."""
        folder = self.scratch / "run"
        folder.mkdir()
        url = self.serve()
        words = command(url, folder)
        began = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        if status != 0:
            sys.exit(f"{name}: wait status {status}")
        requests = self.end_server()
        found = [path for path in (folder / "library").rglob("*")
                 if path.is_file() and path.stat().st_size == self.file.stat().st_size]
        if len(found) != 1 or digest(found[0]) != self.expected:
            sys.exit(f"{name}: the file is not the one that was served")
        shutil.rmtree(folder)
        size = self.file.stat().st_size
        cpu = (usage.ru_utime + usage.ru_stime) / (size / (1 << 30))
        self.cpu.setdefault(name, []).append(round(cpu, 3))
        print(f"{name:28} {seconds:8.2f} s {size / seconds / 1e6:8.1f} MB/s {requests:4} requests "
              f"{cpu:6.2f} s cpu per GiB {usage.ru_maxrss >> 10:5} MiB", flush=True)
        return seconds


def main():
    options = arguments()
    bench = Bench(options)
    try:
        many, aria2 = [], []
        for _ in range(options.repeat):
            many.append(bench.run(
                f"imgdl, {options.segments} connections",
                lambda url, folder: bench.imgdl(url, folder, options.segments)))
            aria2.append(bench.run("aria2c", bench.aria2))
        result = {"segments": many, "aria2": aria2,
                  "slower than aria2": statistics.median(many) / statistics.median(aria2) - 1}
        if not options.skip_single:
            one = bench.run("imgdl, 1 connection",
                            lambda url, folder: bench.imgdl(url, folder, 1))
            result |= {"single": one, "times one connection": one / statistics.median(many)}
        print(json.dumps(result | {"cpu": bench.cpu}, indent=1))
        if result["slower than aria2"] > 0.02:
            sys.exit("slower than aria2")
        if result.get("times one connection", options.segments) < 0.95 * options.segments:
            sys.exit("the connections do not add up")
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
