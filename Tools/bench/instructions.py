"""Counts the instructions of downloads, listings, dataset shards and API requests, and compares them with the budget.

The cost of one file, row or event is the difference between a long and a short run, divided by the difference of their
lengths; what is left is the start. The least of the repetitions counts: whatever else happens on the machine only adds.
Code of libcrypto is not counted. The budget is Tools/bench/budget.json; a count above 103 % of it fails, and one below
95 % asks for a lower number. A number is raised only together with the reason beside it.
"""

import argparse
import contextlib
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
from pathlib import Path

import callgrind
import measure
import pictures

BUDGET = Path(__file__).parent / "budget.json"
HIGHEST, LOWEST = 1.03, 0.95


class Workloads:
    """What is counted. Each method returns numbers of instructions by their names in the budget."""

    def __init__(self, programs, data, scratch):
        self.programs, self.data, self.scratch = programs, data, scratch
        self.environment = callgrind.environment(scratch)
        self.imgdl = programs / "imgdl-cli"

    def library(self):
        folder = self.scratch / "library"
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def listing(self, base, names):
        path = self.scratch / "list.txt"
        path.write_text("".join(f"{base}/{name}\n" for name in names))
        return path

    def serve(self, folder):
        return measure.Nginx(folder, Path(tempfile.mkdtemp(dir=self.scratch)))

    def small_files(self, count):
        """Files that begin as JPEG images do, with other bytes each; nothing decodes them."""
        folder = self.data / "unlike"
        names = [f"{i:05d}.jpg" for i in range(count)]
        source = random.Random(1)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = folder / name
            body = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b080168016801011100")
            if not path.exists():
                path.write_bytes(body + source.randbytes(26_000) + b"\xff\xd9")
        return folder, names

    def added(self, source, *more, children=False):
        profile = callgrind.run(
            [self.imgdl, "add", "-q", "-d", self.library(), *more, source], self.scratch, self.environment,
            children)
        return profile

    def download(self):
        """A download of small files."""
        short, long = 2_000, 4_000
        folder, names = self.small_files(long)
        with self.serve(folder) as nginx:
            a, b = (
                self.added(self.listing(nginx.base, names[:count]), "--no-thumbnails")["imgdl-cli"][0]
                for count in (short, long))
        each = (b.count() - a.count()) / (long - short)
        in_sqlite = (b.sqlite() - a.sqlite()) / (long - short)
        return {
            "a file": each, "a file, outside of SQLite": each - in_sqlite,
            "the start of add": a.count() - each * short,
        }

    def thumbnails(self):
        """The same with thumbnails, the engine and its workers apart."""
        short, long = 200, 400
        names = pictures.pictures(self.data / "small", long, 480, 360, 26_000)
        with self.serve(self.data / "small") as nginx:
            a, b = (
                self.added(
                    self.listing(nginx.base, names[:count]), "--set", "rendering.workers=1", children=True)
                for count in (short, long))

        def each(program):
            costs = [sum(profile.count() for profile in run.get(program, [])) for run in (a, b)]
            return (costs[1] - costs[0]) / (long - short)

        return {"a thumbnail, in the engine": each("imgdl-cli"), "a thumbnail, in the worker": each("imgdl-render")}

    def rows(self):
        """Commands on a record of 10,000 resources that were not downloaded, and the same list once more."""
        library = self.library()
        source = self.listing("http://127.0.0.1:9", [f"{i:05d}.jpg" for i in range(10_000)])
        subprocess.run(
            [self.imgdl, "add", "-q", "--lazy", "-d", library, source], env=self.environment, check=True,
            stdout=subprocess.DEVNULL)
        counts = {}
        for name, arguments in {
            "list": ["list"], "show of 10,000 rows": ["show", "1"],
            "show --json of 10,000 rows": ["show", "1", "--json"],
        }.items():
            run = callgrind.run([self.imgdl, *arguments, "-d", library], self.scratch, self.environment)
            counts[name] = run["imgdl-cli"][0].count()
        run = callgrind.run([self.imgdl, "--version"], self.scratch, self.environment)
        counts["--version"] = run["imgdl-cli"][0].count()
        return counts

    def shard(self):
        """A sample of a dataset, without and with the decoder."""
        short, long = 100, 200
        names = pictures.pictures(self.data / "small", long, 480, 360, 26_000)
        costs = {}
        with self.serve(self.data / "small") as nginx:
            for count in (short, long):
                head = {"shard": 1, "count": count, "tar": str(self.scratch / "shard.tar"), "allow_private": True}
                lines = [head] + [
                    {"i": i, "url": f"{nginx.base}/{name}", "txt": None, "meta": {}}
                    for i, name in enumerate(names[:count])]
                text = "".join(json.dumps(line) + "\n" for line in lines)
                run = callgrind.run(
                    [self.imgdl, "worker"], self.scratch, self.environment, input=text.encode())
                costs[count] = run["imgdl-cli"][0].count()
        return {"a sample of a shard, without the decoder": (costs[long] - costs[short]) / (long - short)}

    def api(self):
        """A request to imgdld, and an event that 20 clients receive."""
        return {
            "a request of the API": self.requests(200, 1_200, streams=0),
            "a request and its event to 20 streams": self.requests(50, 250, streams=20),
        }

    def requests(self, short, long, streams):
        costs = {count: self.daemon(count, streams) for count in (short, long)}
        return (costs[long] - costs[short]) / (long - short)

    def daemon(self, count, streams):
        library = self.library()
        for old in self.scratch.glob("profile.*"):
            old.unlink()
        address = str(self.scratch / "socket")
        process = subprocess.Popen(
            callgrind.command(self.scratch)
            + [self.programs / "imgdld", "-d", library, "--foreground", "--socket", address],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with contextlib.ExitStack() as open_streams:
                heard = [open_streams.enter_context(connected(address)) for _ in range(streams)]
                for stream in heard:
                    stream.sendall(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    stream.recv(65536)
                with connected(address) as connection:
                    for number in range(count):
                        self.request(connection, heard, number)
        finally:
            process.terminate()
            process.wait(60)
        return callgrind.profiles(self.scratch)["imgdld"][0].count()

    def request(self, connection, streams, number):
        if streams:
            body = b'{"limit":%d}' % (number % 7 + 1)
            head = (
                b"PUT /v1/settings/concurrency HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
        else:
            head, body = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n", b""
        connection.sendall(head + body)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        answer.read()
        if answer.status >= 300:
            sys.exit(f"imgdld answered with {answer.status}")
        for stream in streams:
            if not stream.recv(65536):
                sys.exit("imgdld closed a stream of events")


def connected(path):
    """A connection to imgdld, as soon as it listens."""
    for _ in range(600):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        with contextlib.suppress(OSError):
            connection.connect(path)
            return connection
        connection.close()
        time.sleep(0.1)
    sys.exit("imgdld does not listen")


GROUPS = ["download", "thumbnails", "rows", "shard", "api"]
# The groups that each change is held to; the others take minutes.
COMMIT = ["download", "rows"]


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/instructions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=GROUPS, action="append", help="count only this; repeatable (default: all)")
    parser.add_argument("--commit", action="store_true", help=f"count what each change is held to: {', '.join(COMMIT)}")
    parser.add_argument("--repeat", type=int, default=1, help="number of repetitions, whose spread is printed (1)")
    parser.add_argument("--programs", type=Path, help="folder of other programs than .build/release")
    return parser.parse_args()


def stripped(source, target):
    """Copies of the programs without debug information, which valgrind would read at each start."""
    target.mkdir()
    for path in source.iterdir():
        if path.name.startswith("imgdl") and path.is_file() and os.access(path, os.X_OK):
            shutil.copy(path, target)
            subprocess.run(["strip", "-g", target / path.name], check=False, stderr=subprocess.DEVNULL)
    return target


def count(options, scratch):
    """The counts of all repetitions by name."""
    programs = stripped(options.programs or options.root / ".build/release", scratch / "programs")
    workloads = Workloads(programs, options.root / ".build/bench/pictures", scratch)
    counts = {}
    for group in options.only or (COMMIT if options.commit else GROUPS):
        for _ in range(options.repeat):
            for name, number in getattr(workloads, group)().items():
                counts.setdefault(name, []).append(round(number))
    return counts


def verdicts(counts, budget):
    """Prints the table; returns what is wrong."""
    problems = []
    print(f"{'instructions':<44}{'least':>14}{'spread':>9}{'budget':>14}{'share':>8}")
    for name, numbers in counts.items():
        least, spread = min(numbers), (max(numbers) - min(numbers)) / max(1, min(numbers))
        entry = budget.get(name)
        if not entry:
            print(f"{name:<44}{least:>14,}{spread:>9.1%}{'none':>14}")
            problems.append(f"{name}: the budget has no number")
            continue
        share = least / entry["instructions"]
        print(f"{name:<44}{least:>14,}{spread:>9.1%}{entry['instructions']:>14,}{share:>8.1%}")
        if share > HIGHEST:
            problems.append(f"{name}: {least:,} instructions are {share:.1%} of the budget")
        elif share < LOWEST:
            problems.append(f"{name}: {least:,} instructions are only {share:.1%} of the budget, which can be lowered")
    problems += [f"{name}: no reason for its number" for name, entry in budget.items() if not entry.get("why")]
    return problems


def main():
    options = arguments()
    os.environ["PATH"] += os.pathsep + "/usr/sbin"
    budget = json.loads(BUDGET.read_text())
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as scratch:
        Path(scratch).chmod(0o755)
        problems = verdicts(count(options, Path(scratch)), budget)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
