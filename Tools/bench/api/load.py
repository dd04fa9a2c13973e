"""Measures how much clients slow down a daemon that downloads: event streams and requests during downloads.

Runs imgdl-origin, whose limited rate simulates the network, and imgdld; first downloads alone, then the same
downloads with the load. Prints latencies of each request, download rates, and memory and descriptors over time.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/bench/api/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--streams", type=int, default=100, help="number of event streams (100)")
    parser.add_argument("--rate", type=int, default=500, help="requests per second (500)")
    parser.add_argument("--downloads", type=int, default=32, help="number of simultaneous downloads (32)")
    parser.add_argument("--minutes", type=float, default=0.5, help="duration of the load in minutes (0.5)")
    parser.add_argument("--records", type=int, default=100, help="number of records in the list (100)")
    parser.add_argument("--size", type=int, default=1 << 20, help="size of a file in bytes (1 MiB)")
    parser.add_argument("--each", default="2M", help="bytes per second of each download (2M)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


class Daemon:
    """imgdld with a library that has work for a long time."""

    def __init__(self, options, scratch):
        self.scratch, programs = scratch, options.root / ".build/release"
        served = scratch / "served"
        served.mkdir()
        self.fill(served, options)
        self.origin = subprocess.Popen(
            [programs / "imgdl-origin", "--port", "0", "--port-file", scratch / "port", "--rate",
             options.each, served], stdout=subprocess.DEVNULL)
        (scratch / "run").mkdir(mode=0o700)
        self.socket = str(scratch / "run/socket")
        self.log = open(scratch / "log", "wb")
        self.daemon = subprocess.Popen(
            [programs / "imgdld", "--foreground", "--library", scratch / "library", "--socket",
             self.socket, "--set", f"network.maxConcurrentDownloads={options.downloads}", "--set",
             f"network.maxPerHost={options.downloads}"],
            env={"PATH": os.environ["PATH"], "HOME": str(scratch)}, stderr=self.log)
        while not ((scratch / "port").exists() and os.path.exists(self.socket)):
            if self.daemon.poll() is not None:
                sys.exit("imgdld does not start: " + (scratch / "log").read_text())
            time.sleep(0.02)
        self.url = f"http://127.0.0.1:{int((scratch / 'port').read_text())}/"

    def fill(self, served, options):
        """Few files under many URLs: the query makes each another one."""
        for number in range(8):
            (served / f"{number}.bin").write_bytes(os.urandom(options.size))

    def stop(self):
        self.daemon.send_signal(signal.SIGTERM)
        start = time.monotonic()
        self.daemon.wait(20)
        self.origin.kill()
        return time.monotonic() - start

    def resident(self):
        """Megabytes and descriptors of imgdld."""
        status = Path(f"/proc/{self.daemon.pid}/status").read_text()
        kilobytes = next(int(line.split()[1]) for line in status.splitlines()
                         if line.startswith("VmRSS"))
        return kilobytes / 1024, len(os.listdir(f"/proc/{self.daemon.pid}/fd"))


async def ask(daemon, method, target, body=None):
    """Status and body, on a connection of its own."""
    reader, writer = await asyncio.open_unix_connection(daemon.socket)
    try:
        return await exchange(reader, writer, method, target, body)
    finally:
        writer.close()


async def exchange(reader, writer, method, target, body=None):
    text = "" if body is None else json.dumps(body)
    fields = f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n" if text else ""
    writer.write(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n{text}".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                   if line.lower().startswith(b"content-length")), 0)
    return int(head.split()[1]), await reader.readexactly(length)


class Load:
    def __init__(self, daemon, options):
        self.daemon, self.options = daemon, options
        self.times, self.failures, self.events, self.ends = {}, 0, 0, 0
        self.samples = []

    async def run(self, seconds):
        end = time.monotonic() + seconds
        streams = [asyncio.create_task(self.listen(end)) for _ in range(self.options.streams)]
        width = 16
        askers = [asyncio.create_task(self.keep_asking(n, width, end)) for n in range(width)]
        sampler = asyncio.create_task(self.sample(end))
        await asyncio.gather(*askers, sampler)
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)

    async def listen(self, end):
        """One reader of events, which looks at one record."""
        while time.monotonic() < end:
            reader, writer = await asyncio.open_unix_connection(
                self.daemon.socket, limit=4 << 20)
            writer.write(b"GET /v1/events?progress=1&records=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try:
                while data := await reader.read(65536):
                    self.events += data.count(b"\n\n")
                self.ends += 1
            finally:
                writer.close()

    async def keep_asking(self, number, width, end):
        """Sends a share of the requests at fixed times, independent of the duration of the responses."""
        targets = ["/v1/records", "/v1/records", "/v1/records", "/v1/status", "/v1/records/1",
                   "/v1/records/1/resources?limit=20", "/v1/health"]
        reader, writer = await asyncio.open_unix_connection(self.daemon.socket, limit=4 << 20)
        interval, turn = width / self.options.rate, 0
        due = time.monotonic() + interval * number / width
        while due < end:
            await asyncio.sleep(max(0, due - time.monotonic()))
            target = targets[turn % len(targets)]
            start = time.monotonic()
            status, _ = await exchange(reader, writer, "GET", target)
            self.times.setdefault(target, []).append((time.monotonic() - start) * 1000)
            self.failures += status != 200
            turn, due = turn + 1, due + interval
        writer.close()

    async def sample(self, end):
        while time.monotonic() < end:
            self.samples.append(self.daemon.resident())
            await asyncio.sleep(min(5, max(0.1, end - time.monotonic())))


async def downloaded(daemon):
    _, body = await ask(daemon, "GET", "/v1/status")
    return json.loads(body)["progress"]["bytes"]


async def rate_of(daemon, seconds, load=None):
    """Megabytes a second that come in meanwhile."""
    before, start = await downloaded(daemon), time.monotonic()
    if load:
        await load.run(seconds)
    else:
        await asyncio.sleep(seconds)
    return (await downloaded(daemon) - before) / (time.monotonic() - start) / 1e6


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


async def measure(daemon, options):
    seconds = options.minutes * 60
    per_second = 64e6 / options.size * 1.5
    count = int(per_second * (seconds + 60)) + 2_000
    for number in range(options.records):
        share = range(number, count, options.records)
        (daemon.scratch / f"list-{number}.txt").write_text(
            "".join(f"{daemon.url}{i % 8}.bin?{i}\n" for i in share))
        status, body = await ask(daemon, "POST", "/v1/sources",
                                 {"file": str(daemon.scratch / f"list-{number}.txt")})
        if status != 200:
            sys.exit(body.decode())
    await asyncio.sleep(3)
    quiet = [await rate_of(daemon, 10)]
    load = Load(daemon, options)
    busy = await rate_of(daemon, seconds, load)
    quiet.append(await rate_of(daemon, 10))
    return load, busy, statistics.mean(quiet)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="imgdl-load-") as scratch:
        daemon = Daemon(options, Path(scratch))
        try:
            load, busy, quiet = asyncio.run(measure(daemon, options))
        finally:
            stopped = daemon.stop()
    figures = report(options, load, busy, quiet, stopped)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


def report(options, load, busy, quiet, stopped):
    figures = {"downloads alone MB/s": quiet, "with load MB/s": busy,
               "lost %": 100 * (1 - busy / quiet), "failures": load.failures,
               "events": load.events, "dropped streams": load.ends, "stop s": stopped}
    print(f"{options.streams} streams, {options.rate} requests/s, {options.downloads} downloads, "
          f"{options.minutes} minutes, {os.cpu_count()} processors")
    for target, times in sorted(load.times.items()):
        figures[f"p99 {target}"] = percentile(times, 0.99)
        print(f"  {target:36} {len(times):8} answers  median {statistics.median(times):6.2f}  "
              f"p99 {percentile(times, 0.99):6.2f}  max {max(times):7.2f} ms")
    print(f"  failures {load.failures}, events {load.events}, dropped streams {load.ends}")
    print(f"  downloads {quiet:.1f} MB/s alone, {busy:.1f} MB/s with load: "
          f"{figures['lost %']:.1f} % lost")
    steps = max(1, len(load.samples) // 12)
    print("  RSS MB/descriptors: " + ", ".join(
        f"{memory:.0f}/{count}" for memory, count in load.samples[::steps]))
    figures["samples"] = load.samples
    print(f"  ended {stopped:.2f} s after SIGTERM")
    return figures


if __name__ == "__main__":
    main()
