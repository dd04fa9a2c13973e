"""Counts the instructions of downloads, listings and dataset shards, and compares them with the budget.

The cost of one file or sample is the difference between a long and a short run, divided by the difference of their lengths.
The least of the repetitions of each run counts: whatever else happens on the machine cuts work into smaller batches, and
only adds. Code of libcrypto is not counted. The budget is Tools/bench/budget.json; a count above 103 % of it fails, and one
below 95 % asks for a lower number. A number is raised only together with the reason beside it.
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

import callgrind
import measure
import pictures

BUDGET = Path(__file__).parent / "budget.json"
HIGHEST, LOWEST = 1.03, 0.95
# The bytes of a library of 4,000 files and of the programs, twice over.
ROOM = 1 << 30


class Workloads:
    """What is counted. Each method returns numbers of instructions by their names in the budget."""

    def __init__(self, programs, data, scratch, repeat):
        self.programs, self.data, self.scratch, self.repeat = programs, data, scratch, repeat
        self.spread = 0.0
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

    def least(self, run, size):
        """The result of a run with the least instructions; notes by how much the others had more."""
        results = sorted((run() for _ in range(self.repeat)), key=size)
        self.spread = max(self.spread, size(results[-1]) / max(1, size(results[0])) - 1)
        return results[0]

    def run(self, *arguments, **options):
        """The profiles of a program that runs to its end."""
        return self.least(
            lambda: callgrind.run([self.imgdl, *arguments], self.scratch, self.environment, **options),
            lambda found: sum(profile.count() for profile in found["imgdl-cli"]))

    def added(self, source, *more, **options):
        """The profiles of `add` into a new library."""
        return self.least(
            lambda: callgrind.run(
                [self.imgdl, "add", "-q", "-d", self.library(), *more, source], self.scratch, self.environment,
                **options),
            lambda found: sum(profile.count() for profile in found["imgdl-cli"]))

    def download(self):
        """A download of small files."""
        short, long = 2_000, 4_000
        folder, names = self.small_files(long)
        with self.serve(folder) as nginx:
            a, b = (
                self.added(self.listing(nginx.base, names[:count]), "--no-thumbnails")["imgdl-cli"][0]
                for count in (short, long))
            start = self.added(self.listing(nginx.base, names[:1]), "--no-thumbnails")["imgdl-cli"][0]
        each = (b.count() - a.count()) / (long - short)
        in_sqlite = (b.sqlite() - a.sqlite()) / (long - short)
        return {
            "a file": each, "a file, outside of SQLite": each - in_sqlite,
            "add of one file": start.count(),
        }

    def thumbnails(self):
        """The same with thumbnails, without the workers: callgrind cannot write its file in their confinement."""
        short, long = 300, 600
        names = pictures.pictures(self.data / "small", long, 480, 360, 26_000)
        with self.serve(self.data / "small") as nginx:
            a, b = (self.added(self.listing(nginx.base, names[:count]))["imgdl-cli"][0] for count in (short, long))
        return {"a file with a thumbnail, without the decoder": (b.count() - a.count()) / (long - short)}

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
            counts[name] = self.run(*arguments, "-d", library)["imgdl-cli"][0].count()
        counts["--version"] = self.run("--version")["imgdl-cli"][0].count()
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
                costs[count] = self.run("worker", input=text.encode())["imgdl-cli"][0].count()
        return {"a sample of a shard, without the decoder": (costs[long] - costs[short]) / (long - short)}


GROUPS = ["download", "thumbnails", "rows", "shard"]
# The groups that each change is held to; the others take minutes.
COMMIT = ["download", "rows"]


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/instructions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=GROUPS, action="append", help="count only this; repeatable (default: all)")
    parser.add_argument("--commit", action="store_true", help=f"count what each change is held to: {', '.join(COMMIT)}")
    parser.add_argument("--repeat", type=int, default=3, help="number of runs, of which the least counts (3)")
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
    """The counts by name, each with the largest difference between repetitions of its group."""
    programs = stripped(options.programs or options.root / ".build/release", scratch / "programs")
    counts = {}
    for group in options.only or (COMMIT if options.commit else GROUPS):
        workloads = Workloads(programs, options.root / ".build/bench/pictures", scratch, options.repeat)
        numbers = getattr(workloads, group)()
        counts |= {name: (round(number), workloads.spread) for name, number in numbers.items()}
    return counts


def verdicts(counts, budget):
    """Prints the table; returns what is wrong."""
    problems = []
    print(f"{'instructions':<44}{'least':>14}{'runs':>9}{'budget':>14}{'share':>8}")
    for name, (least, spread) in counts.items():
        entry = budget.get(name)
        if not entry:
            print(f"{name:<44}{least:>14,}{spread:>+9.1%}{'none':>14}")
            problems.append(f"{name}: the budget has no number")
            continue
        share = least / entry["instructions"]
        print(f"{name:<44}{least:>14,}{spread:>+9.1%}{entry['instructions']:>14,}{share:>8.1%}")
        if share > HIGHEST:
            problems.append(f"{name}: {least:,} instructions are {share:.1%} of the budget")
        elif share < LOWEST:
            print(f"{name}: the budget can be lowered to {least:,}")
    problems += [f"{name}: no reason for its number" for name, entry in budget.items() if not entry.get("why")]
    return problems


def main():
    options = arguments()
    os.environ["PATH"] += os.pathsep + "/usr/sbin"
    budget = json.loads(BUDGET.read_text())
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and shutil.disk_usage(memory).free > ROOM
    with tempfile.TemporaryDirectory(dir=memory if has_room else None) as scratch:
        Path(scratch).chmod(0o755)
        problems = verdicts(count(options, Path(scratch)), budget)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
