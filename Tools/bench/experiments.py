"""Runs the experiments of Documentation/Experiments on this machine.

The server is nginx (one worker, keep-alive), which reads from the page cache, or imgdl-origin where the server
must be slow. Libraries are in memory (a tmpfs), and sixteen connections are used. No other load should run on
the machine.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import archives
import measure
import pictures

CONNECTIONS = 16


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/bench/experiments", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--repeat", type=int, default=9, help="number of runs of each combination (9)")
    parser.add_argument("--scale", type=float, default=1, help="share of the data; less than 1 for a trial run (1)")
    parser.add_argument("--only", choices=["transport", "archive", "progress"], action="append")
    parser.add_argument("--tmpfs", type=Path, default=Path("/dev/shm"), help="folder on a tmpfs to write to (/dev/shm)")
    return parser.parse_args()


class Experiments:
    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.programs = options.root / ".build/release"
        self.data = options.root / ".build/bench/pictures"
        self.results = options.root / ".build/bench/experiments"
        self.environment = dict(
            os.environ, TMPDIR=str(scratch), IMGDL_HELPERS=str(self.programs),
            XDG_CONFIG_HOME=str(scratch / "none"),
        )

    def scaled(self, count):
        return max(CONNECTIONS, int(count * self.options.scale))

    # One experiment of the program.

    def run(self, name, question, source, vary, *more):
        self.results.mkdir(parents=True, exist_ok=True)
        path = self.results / f"{name}.json"
        command = [
            self.programs / "imgdl-cli", "experiment", source, "--vary", vary, "--repeat",
            self.options.repeat, *more, "--json", path, "--html", path.with_suffix(".html"),
        ]
        print(f"{name}: {question}", file=sys.stderr)
        done = subprocess.run(
            list(map(str, command)), env=self.environment, stdout=subprocess.DEVNULL, check=False
        )
        if done.returncode != 0:
            raise measure.Failure(f"{name}: exit {done.returncode}")
        self.print_table(question, json.loads(path.read_text()))

    def print_table(self, question, result):
        print(f"\n{question}\n")
        print("| | wall s | CPU s | peak RSS MB | bytes | requests | failures |")
        print("|---|---|---|---|---|---|---|")
        first = None
        for index, combination in enumerate(result["combinations"]):
            runs = [
                run for run in result["runs"]
                if run["combination"] == index and run["repetition"] > 0
            ]
            columns = [
                [run["wallSeconds"] for run in runs],
                [run["userSeconds"] + run["systemSeconds"] for run in runs],
                [run["peakMemory"] / 1e6 for run in runs],
            ]
            first = first or [statistics.median(column) for column in columns]
            cells = [cell(column, base) for column, base in zip(columns, first)]
            totals = [runs[0][key] for key in ("bytes", "requests", "failures")]
            cells += [f"{totals[0] / 1e6:,.1f} MB"] + [f"{total:,}" for total in totals[1:]]
            print(f"| {combination['label']} | " + " | ".join(cells) + " |")
        sys.stdout.flush()

    # The data.

    def listing(self, name, urls):
        path = self.scratch / f"{name}.json"
        path.write_text(json.dumps(urls))
        return path

    def small(self, nginx):
        """Many small pictures: a zip of lists."""
        count = self.scaled(10_000)
        names = pictures.pictures(self.data / "small", count, 480, 360, 26_000)
        urls = [f"{nginx.base}/small/{name}" for name in names]
        pictures.manifest(self.data / "small.zip", urls)
        return f"{nginx.base}/small.zip"

    def tiny(self, nginx):
        """Many files of hardly any bytes: the cost of a file alone."""
        count = self.scaled(20_000)
        folder = self.data / "tiny"
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            path = folder / f"{number:06d}.bin"
            if not path.exists():
                path.write_text(f"tiny file {number}\n")
        urls = [f"{nginx.base}/tiny/{number:06d}.bin" for number in range(count)]
        return self.listing("tiny", urls)

    def large(self, nginx):
        """A few large files."""
        size = max(1, int(512 * self.options.scale)) << 20
        urls = []
        for number in range(4):
            # Each begins elsewhere in the same bytes, so that no two are equal.
            pictures.large_file(self.data / f"large/{number}-{size}.bin", size + number)
            urls.append(f"{nginx.base}/large/{number}-{size}.bin")
        return self.listing("large", urls)

    # The questions.

    def transport(self, nginx):
        vary = "adapters.transport=socket,url-session"
        common = ("-j", CONNECTIONS, "--no-thumbnails")
        self.run("transport-small", "Small pictures, 26 KB each", self.small(nginx), vary, *common)
        self.run("transport-tiny", "Tiny files, a few bytes each", self.tiny(nginx), vary, *common)
        self.run("transport-large", "Four large files", self.large(nginx), vary, *common)
        one = self.listing("one", [f"{nginx.base}/tiny/000000.bin"])
        self.run("transport-one", "One tiny file: startup and shutdown", one, vary, *common)
        self.slow(vary, common)
        self.alone(nginx)

    def slow(self, vary, common):
        """Eight files from a server that sends them over seconds: what does waiting cost?"""
        folder = self.data / "slow"
        size = max(1, int(1024 * self.options.scale)) << 10
        for number in range(8):
            pictures.large_file(folder / f"{number}-{size}.bin", size + number)
        origin = subprocess.Popen(
            [self.programs / "imgdl-origin", folder, "--rate", "256K", "--exit-with-stdin"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        try:
            base = origin.stdout.readline().strip()
            source = self.listing("slow", [f"{base}{number}-{size}.bin" for number in range(8)])
            self.run("transport-slow", "A slow server, 256 KiB/s per file", source, vary, *common)
        finally:
            origin.stdin.close()
            origin.wait()

    def alone(self, nginx):
        """The same request below the engine, and by URLSession without a helper program."""
        program = self.options.root / ".build/bench/adapters/release/transports"
        count, url = self.scaled(5_000), f"{nginx.base}/tiny/000000.bin"
        ways = ["socket", "url-session", "alone"]
        rows = {way: [] for way in ways}
        for turn in range(self.options.repeat):
            for way in ways if turn % 2 == 0 else reversed(ways):
                done = subprocess.run(
                    [program, way, url, str(count)], env=self.environment, check=True,
                    stdout=subprocess.PIPE, text=True,
                )
                rows[way].append(json.loads(done.stdout))
        (self.results / "transport-alone.json").write_text(json.dumps(rows, indent=2) + "\n")
        print(f"\nOne tiny file {count} times, without the engine\n")
        print(
            "| | first request, ms | further requests, µs | requests/s, 16 at a time"
            " | CPU per request, µs | peak RSS MB |"
        )
        print("|---|---|---|---|---|---|")
        keys = [
            "firstMilliseconds", "medianMicroseconds", "crowdPerSecond", "processorMicroseconds",
            "peakMegabytes",
        ]
        for way in ways:
            cells = [cell([row[key] for row in rows[way]]) for key in keys]
            print(f"| {way} | " + " | ".join(cells) + " |")

    def archive(self, nginx):
        vary = "adapters.archive=minizip,libarchive"
        common = ("-j", CONNECTIONS, "--no-thumbnails")
        share = self.options.scale
        for kind, title in [
            ("stored", "Archives of stored JPEGs"), ("deflated", "Archives of deflated pictures"),
            ("tiny", "Archives of thousands of tiny pictures"),
        ]:
            names = archives.make(self.data / "archives", kind, share)
            source = self.listing(kind, [f"{nginx.base}/archives/{name}" for name in names])
            self.run(f"archive-{kind}", title, source, vary, *common)
        self.run("archive-manifest", "A zip of lists", self.small(nginx), vary, *common)

    def progress(self, nginx):
        vary = "adapters.progress=foundation,counters"
        common = ("-j", CONNECTIONS, "--no-thumbnails")
        self.run("progress-small", "Small pictures, 26 KB each", self.small(nginx), vary, *common)
        self.run("progress-tiny", "Tiny files, a few bytes each", self.tiny(nginx), vary, *common)
        self.run("progress-large", "Four large files", self.large(nginx), vary, *common)


def cell(values, base=None):
    """Median, (smallest - largest), and the ratio to a base if there is one."""
    text = f"{figure(statistics.median(values))} ({figure(min(values))}-{figure(max(values))})"
    return text if base is None else f"{text}, × {statistics.median(values) / base:.2f}"


def figure(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def main():
    options = arguments()
    machine = measure.machine()
    print(f"{machine['cpus']} processors ({machine['model']}), Linux {machine['kernel']}")
    scratch = Path(tempfile.mkdtemp(prefix="imgdl-experiments-", dir=options.tmpfs))
    try:
        experiments = Experiments(options, scratch)
        experiments.data.mkdir(parents=True, exist_ok=True)
        with measure.Nginx(experiments.data, scratch) as nginx:
            for name in options.only or ["transport", "archive", "progress"]:
                getattr(experiments, name)(nginx)
    except measure.Failure as error:
        sys.exit(f"The experiments stopped: {error}")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


main()
