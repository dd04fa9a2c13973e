"""Runs programs and says what they cost; runs nginx to feed them."""

import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "interop"))
from ports import free_port  # noqa: E402


class Failure(Exception):
    """A run that did not do its work; it ends the benchmark of that program."""


def run(command, limit, cwd=None):
    """Wall and CPU seconds and peak resident megabytes of a command, its children included.

    `time` starts the command: a child of this interpreter would begin with the interpreter's peak.
    """
    report = Path(cwd or ".") / f".time-{os.getpid()}"
    wrapper = ["time", "-f", "%M", "-o", str(report.absolute())]
    wrapper[0] = shutil.which("time") or sys.exit("the program 'time' is missing")
    before = os.times()
    start = time.perf_counter()
    try:
        result = subprocess.run(
            wrapper + [str(part) for part in command], cwd=cwd, timeout=limit,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"did not end within {limit} s") from error
    wall = time.perf_counter() - start
    after = os.times()
    peak = int(report.read_text().split()[-1]) / 1024
    report.unlink()
    if result.returncode != 0:
        text = result.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise Failure(f"exit {result.returncode} {' '.join(text)}")
    cpu = (
        after.children_user - before.children_user + after.children_system - before.children_system
    )
    return {"wall": wall, "cpu": cpu, "rss": peak}


def median_of(runs):
    """The medians, and the fastest and slowest wall time."""
    walls = [one["wall"] for one in runs]
    medians = {key: statistics.median(one[key] for one in runs) for key in runs[0]}
    return medians | {"fastest": min(walls), "slowest": max(walls), "runs": runs}


def alternate(programs, repetitions, scratch, check, limit=900):
    """Runs all programs in turn, each time in another order, each into an empty folder.

    `programs` maps a name to a function from the output folder to a command. `check` looks at the
    folder after a run and raises Failure. Returns medians by name, and failures by name.
    """
    runs, failures = {name: [] for name in programs}, {}
    for turn in range(repetitions):
        names = [name for name in programs if name not in failures]
        shift = turn % len(names) if names else 0
        for name in names[shift:] + names[:shift]:
            folder = scratch / f"out-{name.replace(' ', '-')}"
            folder.mkdir(parents=True)
            try:
                cost = run(programs[name](folder), limit, cwd=scratch)
                check(folder)
                runs[name].append(cost)
                print(f"  {name:28} {cost['wall']:7.2f} s", file=sys.stderr)
            except Failure as error:
                failures[name] = str(error)
                print(f"  {name:28} failed: {error}", file=sys.stderr)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    return {name: median_of(costs) for name, costs in runs.items() if costs}, failures


def machine():
    """Describes the machine without its name and its users."""
    info = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = next((line.split(":")[1].strip() for line in info.splitlines() if "model name" in line), "")
    return {"cpus": os.cpu_count(), "model": model, "kernel": platform.release()}


class Nginx:
    """nginx with one worker on free loopback ports, serving a folder; it ends with the block.

    With certificates it speaks TLS, too: HTTP/1.1 at `secure_base(1)`, HTTP/2 at `secure_base(2)`.
    """

    def __init__(self, served, scratch, certificates=None):
        self.port = free_port()
        self.secure_ports = {1: free_port(), 2: free_port()} if certificates else {}
        self.certificates = certificates
        self.folder = scratch / "nginx"
        self.served = served

    def __enter__(self):
        self.folder.mkdir(parents=True)
        user = "user root;" if os.getuid() == 0 else ""
        secure = "" if not self.certificates else (
            f"listen 127.0.0.1:{self.secure_ports[1]} ssl;"
            f" listen 127.0.0.1:{self.secure_ports[2]} ssl http2;"
            f" ssl_certificate {self.certificates.certificate};"
            f" ssl_certificate_key {self.certificates.key};"
        )
        config = self.folder / "nginx.conf"
        temporary = "\n".join(
            f"{kind}_temp_path {self.folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        config.write_text(f"""
{user}
worker_processes 1;
daemon off;
pid {self.folder}/pid;
error_log {self.folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_timeout 60;
  keepalive_requests 10000000;
  open_file_cache max=20000 inactive=600s;
  open_file_cache_valid 600s;
  types {{ image/jpeg jpg; application/zip zip; application/octet-stream bin; }}
  {temporary}
  http2_max_concurrent_streams 128;
  server {{ listen 127.0.0.1:{self.port}; {secure} root {self.served}; }}
}}
""")
        self.process = subprocess.Popen(
            ["nginx", "-c", config, "-e", self.folder / "error.log", "-p", self.folder],
            stderr=subprocess.DEVNULL,
        )
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                time.sleep(0.05)
        self.__exit__()
        raise Failure("nginx does not answer: " + (self.folder / "error.log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    def secure_base(self, version):
        return f"https://localhost:{self.secure_ports[version]}"
