"""Measures imgdl with slow, many and idle connections, by the log of imgdl-origin and by the kernel's counters.

latency   Each response takes 50 ms: 2,000 small files over 16 connections, compared with the lower bound
          requests x latency / connections, and with curl -Z.
hosts     100 hosts (addresses of the loopback interface) with 20 files each, 64 transfers and at most 2
          per host: simultaneous transfers and connections of each host, from the server's log.
idle      1,000 connections that are kept open and not used: processor time and wake-ups of the process.
slow      A fast server and a sink that accepts 32 MB/s: memory for a body, and for one four times as long.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import measure

LATENCY = 0.05
CONNECTIONS = 16
PER_HOST = 2


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/network", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument(
        "--only", choices=["latency", "hosts", "idle", "slow"], action="append",
        help="run only this load; repeatable (default: all)",
    )
    parser.add_argument("--files", type=int, default=2_000, help="number of files of `latency` (2000)")
    parser.add_argument("--connections", type=int, default=1_000, help="number of connections of `idle` (1000)")
    parser.add_argument("--seconds", type=int, default=10, help="seconds without requests of `idle` (10)")
    parser.add_argument("--megabytes", type=int, default=256, help="size of the body of `slow` in MB (256)")
    parser.add_argument("--repeat", type=int, default=3, help="number of runs of `latency` (3)")
    return parser.parse_args()


class Origin:
    """imgdl-origin for a folder; it ends with the block."""

    def __init__(self, programs, folder, scratch, *options):
        self.log = scratch / "requests.log"
        self.log.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            list(map(str, [programs / "imgdl-origin", folder, "--log", self.log,
                           "--exit-with-stdin", *options])),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.base = self.process.stdout.readline().strip().rstrip("/")
        self.port = int(self.base.rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def requests(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]


class Loads:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.programs = options.root / ".build/release"
        self.load = options.root / ".build/bench/adapters/release/loads"
        self.environment = dict(os.environ, IMGDL_HELPERS=str(self.programs))
        self.results = {}

    def folder(self, name, count, size):
        """Files of noise that are told apart."""
        folder = self.scratch / name
        folder.mkdir()
        chance = random.Random(count)
        for number in range(count):
            (folder / f"{number:05d}.bin").write_bytes(chance.randbytes(size))
        return folder

    def add(self, urls, name, *more):
        source = self.scratch / f"{name}.json"
        source.write_text(json.dumps(urls))
        return lambda folder: [
            self.programs / "imgdl-cli", "add", source, "--library", folder / "library", "--quiet",
            "--no-thumbnails", *more,
        ]

    def latency(self):
        count = self.options.files
        folder = self.folder("small", count, 2_000)
        ideal = count * LATENCY / CONNECTIONS
        with Origin(self.programs, folder, self.scratch, "--latency", "50ms") as origin:
            urls = [f"{origin.base}/{number:05d}.bin" for number in range(count)]
            programs = {"imgdl": self.add(urls, "latency", "-j", CONNECTIONS)}
            if shutil.which("curl"):
                named = self.scratch / "curl.txt"
                named.write_text("".join(
                    f'url = "{url}"\noutput = "{i}.bin"\n' for i, url in enumerate(urls)))
                programs["curl -Z"] = lambda out: [
                    "curl", "-Z", "--parallel-immediate", "--parallel-max", CONNECTIONS,
                    "--no-progress-meter", "--fail", "--output-dir", out, "-K", named,
                ]
            medians, failures = measure.alternate(
                programs, self.options.repeat, self.scratch, lambda _: None)
        print(f"\nlatency: {count:,} files, 50 ms each, {CONNECTIONS} connections; ideal {ideal:.2f} s")
        for name, cost in medians.items():
            print(f"  {name:10} {cost['wall']:6.2f} s  x {cost['wall'] / ideal:.3f} of ideal"
                  f"  CPU {cost['cpu']:.2f} s")
        for name, why in failures.items():
            print(f"  {name:10} failed: {why}")
        self.results["latency"] = {"ideal": ideal, "programs": medians, "failures": failures}

    def hosts(self):
        folder = self.folder("hosts", 20, 2_000)
        addresses = [f"127.0.0.{number}" for number in range(1, 101)]
        binds = [word for address in addresses for word in ("--bind", address)]
        with Origin(self.programs, folder, self.scratch, "--latency", "20ms", *binds) as origin:
            urls = [
                f"http://{address}:{origin.port}/{number:05d}.bin"
                for address in addresses for number in range(20)
            ]
            random.Random(1).shuffle(urls)
            command = self.add(
                urls, "hosts", "-j", 64, "--set", f"network.maxPerHost={PER_HOST}",
                "--set", "network.privateAddresses=allow")
            folder = self.scratch / "out-hosts"
            folder.mkdir()
            cost = measure.run(command(folder), 300, cwd=self.scratch)
        requests = origin.requests()
        by_host = {}
        for request in requests:
            by_host.setdefault(request["host"], []).append(request)
        most = {host: overlap(own) for host, own in by_host.items()}
        connections = {host: len({one["connection"] for one in own}) for host, own in by_host.items()}
        total = overlap(requests)
        print(f"\nhosts: {len(by_host)} hosts, {len(requests):,} requests in {cost['wall']:.2f} s")
        print(f"  at the same time: {max(most.values())} a host (allowed {PER_HOST}), {total} in all"
              f" (allowed 64)")
        print(f"  connections: {max(connections.values())} for the host with most,"
              f" {sum(connections.values())} in all")
        held = max(most.values()) <= PER_HOST and total <= 64 and len(requests) == len(urls)
        print(f"  the budget is {'held' if held else 'BROKEN'}")
        self.results["hosts"] = {
            "held": held, "mostPerHost": max(most.values()), "most": total,
            "connections": sum(connections.values()), "wall": cost["wall"],
        }

    def run_load(self, *words):
        result = subprocess.run(
            [str(self.load), *map(str, words)], stdout=subprocess.PIPE, check=True,
            env=self.environment,
        )
        return json.loads(result.stdout)

    def idle(self):
        folder = self.folder("idle", 1, 100)
        with Origin(self.programs, folder, self.scratch, "--latency", "1s") as origin:
            result = self.run_load(
                "idle", f"{origin.base}/00000.bin", self.options.connections, self.options.seconds)
        share = result["processorMilliseconds"] / result["seconds"] / 10
        print(f"\nidle: {result['connections']} connections for {result['seconds']} s"
              f" ({result['stillOpen']} at the end)")
        print(f"  processor {share:.3f} % ({result['processorMilliseconds']:.1f} ms),"
              f" {result['wakeUps']} wake-ups, {result['residentMegabytes']:.0f} MB resident")
        self.results["idle"] = result

    def slow(self):
        rate = 32_000_000
        results = []
        for size in (self.options.megabytes, 4 * self.options.megabytes):
            folder = self.scratch / f"slow-{size}"
            folder.mkdir()
            with (folder / "body.bin").open("wb") as file:
                file.truncate(size << 20)
            with Origin(self.programs, folder, self.scratch) as origin:
                results.append(self.run_load("slow", f"{origin.base}/body.bin", rate))
        print(f"\nslow: a sink of {rate / 1e6:.0f} MB/s")
        for result in results:
            print(f"  {result['megabytes']:6.0f} MB in {result['seconds']:6.2f} s: at most"
                  f" {result['largestMegabytes']:.1f} MB resident, {result['beginMegabytes']:.1f} before")
        self.results["slow"] = results


def overlap(requests):
    """How many requests were being answered at the same time, by the server's clock."""
    moments = sorted(
        [(one["monotonicStart"], 1) for one in requests]
        + [(one["monotonicEnd"], -1) for one in requests]
    )
    most = now = 0
    for _, step in moments:
        now += step
        most = max(most, now)
    return most


def main():
    options = arguments()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    scratch = Path(tempfile.mkdtemp(prefix="imgdl-network-", dir=memory))
    loads = Loads(options, scratch)
    try:
        for name in options.only or ["latency", "hosts", "idle", "slow"]:
            getattr(loads, name)()
    except measure.Failure as error:
        sys.exit(f"The load stopped: {error}")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    folder = options.root / ".build/bench"
    folder.mkdir(exist_ok=True)
    path = folder / "network.json"
    path.write_text(json.dumps({"machine": measure.machine(), "results": loads.results}, indent=2) + "\n")
    print(f"\nFigures: {path.relative_to(options.root)}")


main()
