"""Checks the effect of limits by the server's log, and fails if a limit is not observed.

hosts        One of twenty hosts (addresses of the loopback interface) answers every tenth request with
             429 and Retry-After. It must get no request before that time has passed, and the other
             nineteen must be as fast as without it.
concurrency  The limit changes from 32 to 2 to 16 while transfers run. The number of transfers at the
             server must follow within the time of one transfer.
pauses       imgdld is paused and resumed a hundred times while it downloads small files as fast as it
             can. No request may be sent between a pause and the resume. Prints the durations of a
             pause, of `status`, and of the turns of the engine.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

RETRY_AFTER = 3
# A request that began so soon after an answer was on its way before the answer had come (seconds).
FLIGHT = 0.03
# Slower than this times the run without a bad host is not "as fast".
SLACK = 1.15


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/steering", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=Path,
                        help="folder of imgdl-cli and its helpers (default .build/release)")
    parser.add_argument("--only", choices=["hosts", "concurrency", "pauses"])
    parser.add_argument("--transport", default="socket", choices=["socket", "url-session"])
    parser.add_argument("--repeat", type=int, default=3, help="number of alternating runs of `hosts` (3)")
    return parser.parse_args()


def picture(chance, size):
    """A PNG of a few pixels and about `size` bytes."""
    def chunk(kind, data):
        return (len(data).to_bytes(4, "big") + kind + data
                + zlib.crc32(kind + data).to_bytes(4, "big"))

    header = (8).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    rows = b"".join(b"\0" + chance.randbytes(24) for _ in range(8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"prVt", chance.randbytes(size))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Server:
    """imgdl-origin at some addresses; it ends with the block."""

    def __init__(self, lab, addresses, *options):
        self.log = lab.scratch / f"log-{lab.next_number()}"
        binds = [word for address in addresses for word in ("--bind", address)]
        self.process = subprocess.Popen(
            [lab.programs / "imgdl-origin", lab.served, "--log", self.log, "--exit-with-stdin",
             *binds, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = self.process.stdout.readline().strip().rstrip("/").rpartition(":")[2]
        self.bases = [f"http://{address}:{port}" for address in addresses]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def requests(self):
        """What was asked, by the server's own clock, in seconds, which is this script's, too."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [(one["monotonicStart"] / 1e3, one["monotonicEnd"] / 1e3, one["status"])
                for one in sorted(lines, key=lambda one: one["monotonicStart"])]


class Lab:
    """Files to serve and libraries, in memory where that is possible."""

    def __init__(self, options):
        self.options = options
        self.programs = options.programs or options.root / ".build/release"
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.scratch = Path(tempfile.mkdtemp(prefix="imgdl-steering-", dir=memory))
        self.served = self.scratch / "served"
        self.served.mkdir()
        self.number = 0

    def next_number(self):
        self.number += 1
        return self.number

    def serve(self, count, smallest, largest):
        chance = random.Random(count)
        for i in range(count):
            content = picture(chance, chance.randrange(smallest, largest))
            (self.served / f"{i:04d}.png").write_bytes(content)

    def add(self, urls, *words):
        """Starts `add` on a new library; the source is a list of the URLs."""
        folder = self.scratch / f"run-{self.next_number()}"
        folder.mkdir()
        source = folder / "list.txt"
        source.write_text("\n".join(urls) + "\n")
        self.library = folder / "library"
        return self.start(
            "add", source, "--no-thumbnails", "--no-progress",
            "--set", f"adapters.transport={self.options.transport}", *words)

    def start(self, *words):
        return subprocess.Popen(
            [self.programs / "imgdl-cli", *words, "--library", self.library],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# One host of twenty answers 429.

def run_hosts(lab, each, is_bad):
    """Seconds until the nineteen were done, and what the twentieth was asked."""
    good_addresses = [f"127.0.0.{i}" for i in range(1, 20)]
    faults = ("--fault", "429:10", "--retry-after", str(RETRY_AFTER)) if is_bad else ()
    with Server(lab, good_addresses, "--latency", "50ms") as good, \
            Server(lab, ["127.0.0.20"], "--latency", "50ms", *faults) as twentieth:
        bases = good.bases + twentieth.bases
        urls = [f"{base}/{i * len(bases) + j:04d}.png"
                for i in range(each) for j, base in enumerate(bases)]
        program = lab.add(urls, "-j", "40", "--max-per-host", "2")
        code = program.wait(timeout=600)
        assert code == 0, f"add ends with {code}"
        requests, asked = good.requests(), twentieth.requests()
    start = min(requests[0][0], asked[0][0])
    assert len(requests) == 19 * each, f"{len(requests)} requests for {19 * each} files"
    return max(end for _, end, _ in requests) - start, asked, start


def pauses(asked):
    """From each 429 to the next request that knew of it, in seconds."""
    gaps = []
    for _, end, status in asked:
        later = [begin for begin, _, _ in asked if begin > end + FLIGHT]
        if status == 429 and later:
            gaps.append(min(later) - end)
    return gaps


def hosts(lab):
    each = 40
    lab.serve(20 * each, 1_000, 3_000)
    print(f"\n20 hosts with {each} files each, 50 ms an answer, -j 40 --max-per-host 2")
    print(f"\n| the twentieth host | 19 hosts done s | requests/s of the 19 | asked | 429 | done s |"
          "\n|---|---|---|---|---|---|")
    times = {False: [], True: []}
    shortest = None
    for turn in range(2 * lab.options.repeat):
        is_bad = turn % 2 == 1
        seconds, asked, start = run_hosts(lab, each, is_bad)
        times[is_bad].append(seconds)
        refused = sum(status == 429 for *_, status in asked)
        what = f"429 for every tenth request, Retry-After {RETRY_AFTER}" if is_bad else "well"
        print(f"| {what} | {seconds:.2f} | {19 * each / seconds:,.0f} | {len(asked)} | {refused} "
              f"| {max(end for _, end, _ in asked) - start:.2f} |")
        if is_bad:
            shortest = min(pauses(asked) + ([] if shortest is None else [shortest]))
    print(f"\nShortest pause of the twentieth host after a 429: {shortest:.2f} s")
    well, bad = min(times[False]), min(times[True])
    require(shortest >= RETRY_AFTER - 0.05, "Retry-After was not obeyed")
    require(bad <= well * SLACK, f"the others took {bad:.2f} s in place of {well:.2f} s")


# The limit changes while transfers run.

def concurrency(lab):
    lab.serve(600, 128 << 10, 384 << 10)
    with Server(lab, ["127.0.0.1"], "--rate", "256K") as server:
        urls = [f"{server.bases[0]}/{i:04d}.png" for i in range(600)]
        program = lab.add(urls, "-j", "32", "--max-per-host", "64")
        start = time.monotonic()
        # When a limit was asked for and when the command had returned, and the limit.
        changes = [(0.0, 0.0, 32)]
        for wait, limit in ((5, 2), (6, 16), (6, None)):
            time.sleep(wait)
            asked = time.monotonic() - start
            if limit is None:
                break
            assert lab.start("concurrency", str(limit)).wait(timeout=30) == 0
            changes.append((asked, time.monotonic() - start, limit))
        program.send_signal(2)
        stopped = time.monotonic() - start
        assert program.wait(timeout=30) == 7
    spans = [(begin - start, end - start) for begin, end, _ in server.requests()]
    report(spans, changes, stopped)


def report(spans, changes, stopped):
    whole = [end - begin for begin, end in spans if end < stopped - 0.1]
    transfer = max(whole)
    print(f"\n{len(whole)} transfers of {min(whole):.2f} to {transfer:.2f} s; the limit was changed "
          + ", ".join(f"to {limit} at {told:.2f} s" for _, told, limit in changes[1:]))
    print("\n| s | limit | at work at the server |\n|---|---|---|")
    for step in range(2, int(stopped * 4)):
        moment = step / 4
        limit = [limit for _, told, limit in changes if told <= moment][-1]
        print(f"| {moment:.2f} | {limit} | {active(spans, moment)} |")
    print()
    for _, told, limit in changes[1:]:
        reached = first_moment(spans, told, limit) - told
        print(f"{limit} at work {reached:.2f} s after the change to {limit}")
        require(reached <= transfer, f"later than a transfer takes ({transfer:.2f} s)")
    ends = [asked for asked, _, _ in changes[1:]] + [stopped]
    for (_, told, limit), end in zip(changes, ends):
        moments = [begin for begin, _ in spans if told + transfer < begin < end]
        peak = max((active(spans, moment) for moment in moments), default=0)
        print(f"at most {peak} at work under the limit {limit}")
        require(peak == limit, "another number than the limit says")


# Pauses under full load.

class Connection(http.client.HTTPConnection):
    """One to a socket of the file system."""

    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))

    def ask(self, method, path):
        """The answer and the milliseconds until it was there."""
        start = time.monotonic()
        self.request(method, path)
        answer = self.getresponse()
        body = answer.read()
        require(answer.status == 200, f"{method} {path}: {answer.status} {body[:200]}")
        return json.loads(body), (time.monotonic() - start) * 1e3


def pauses(lab):
    files, resources, wanted = 2_000, 100_000, 100
    lab.serve(files, 24_000, 28_000)
    with Server(lab, ["127.0.0.1"]) as server:
        folder = lab.scratch / "pauses"
        folder.mkdir(mode=0o700)
        source, lab.library, path = folder / "list.txt", folder / "library", folder / "socket"
        source.write_text("".join(
            f"{server.bases[0]}/{i % files:04d}.png?{i}\n" for i in range(resources)))
        daemon = subprocess.Popen(
            [lab.programs / "imgdld", "--foreground", "--library", lab.library, "--socket", path,
             "--set", "rendering.thumbnails=false",
             "--set", "network.maxConcurrentDownloads=16", "--set", "network.maxPerHost=16",
             "--set", f"adapters.transport={lab.options.transport}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not path.exists():
                require(daemon.poll() is None, "imgdld has ended")
                time.sleep(0.01)
            require(lab.start("add", "--detach", source).wait(timeout=120) == 0, "add failed")
            taken, answered, spans, status = pause_often(Connection(path), wanted)
        finally:
            daemon.terminate()
            daemon.wait(timeout=60)
    begun = [begin for begin, _, _ in server.requests()]
    late = sum(any(paused + FLIGHT < begin < resumed for begin in begun) for paused, resumed in spans)
    print(f"\n{len(taken)} pauses beside 16 transfers of files of 26 KB, {len(begun):,} requests")
    print("\n| | p50 ms | p99 ms | longest ms |\n|---|---|---|---|")
    for name, times in (("pause", taken), ("status", answered)):
        times.sort()
        print(f"| {name} | {times[len(times) // 2]:.1f} | {times[int(len(times) * 0.99)]:.1f} "
              f"| {times[-1]:.1f} |")
    turns = status["turns"]
    print(f"| {turns['count']:,} turns | {turns['median']} | {turns['percentile99']} "
          f"| {turns['longest']:.1f} |")
    require(len(taken) == wanted, "the downloads were done too early")
    require(late == 0, f"something was asked for during {late} of the pauses")


def pause_often(connection, wanted):
    """Milliseconds of each pause and of each status, when each pause held, and the last status."""
    chance = random.Random(1)
    taken, answered, spans = [], [], []
    while len(taken) < wanted:
        time.sleep(chance.uniform(0.02, 0.08))
        status, milliseconds = connection.ask("GET", "/v1/status")
        if status["isIdle"]:
            break
        answered.append(milliseconds)
        _, milliseconds = connection.ask("POST", "/v1/pause")
        taken.append(milliseconds)
        paused = time.monotonic()
        time.sleep(0.05)
        spans.append((paused, time.monotonic()))
        connection.ask("POST", "/v1/resume")
    return taken, answered, spans, connection.ask("GET", "/v1/status")[0]


def active(spans, moment):
    return sum(begin <= moment < end for begin, end in spans)


def first_moment(spans, after, limit):
    """When as many as the limit says were at work for the first time."""
    edges = sorted({after} | {edge for span in spans for edge in span if edge > after})
    return next((edge for edge in edges if active(spans, edge) == limit), float("inf"))


def require(condition, text):
    if not condition:
        sys.exit(f"FAILED: {text}")


def main():
    options = arguments()
    for name, run in (("hosts", hosts), ("concurrency", concurrency), ("pauses", pauses)):
        if options.only in (None, name):
            lab = Lab(options)
            try:
                run(lab)
            finally:
                shutil.rmtree(lab.scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
