"""One test case: a scratch folder, a server, a library, and the runs of imgdl-cli on the library.
"""

import json
import os
import random
import shutil
import time

import library
import oracle
import program
import shim
from origin import Origin
from violation import Violation, require

# The options of a server that is slow enough for faults to hit transfers: 300 files take about two
# seconds.
PACED = ("--latency", "40ms", "--rate", "2M")
QUICK = ("--rate", "8M")


def is_quarantined(row):
    """Whether the resource failed because two runs were killed while they processed its file."""
    return (row.reason or "").startswith("imgdl ended twice")


def finished_events(run):
    """Returns the ids of the resources that a run with --json reported as finished. The last line
    of the output may be incomplete."""
    text = run.output
    lines = [line for line in text[: text.rfind("\n") + 1].splitlines() if line.startswith("{")]
    return {event["resource"] for event in map(json.loads, lines) if event.get("event") == "finished"}


class Case:
    """A context manager that removes the scratch folder at the end, after keeping a copy if the
    case failed."""

    def __init__(self, rig, label, job="small", pace=QUICK, at=None):
        self.rig, self.label = rig, label
        self.job = rig.jobs[job]
        self.chance = random.Random(f"{rig.seed} {label}")
        self.folder = rig.scratch / label.replace("/", "-")
        self.outside = self.folder / "outside"
        self.notes = self.folder / "rig"
        self.notes.mkdir(parents=True)
        self.library = (at or self.folder) / "library"
        self.stops, self.runs, self.refetched = [], 0, 0
        self.is_done, self.allowance, self.options = False, 0, []
        # The ids of the resources that runs with --json have reported as finished.
        self.reported_finished = set()
        self.user_file_name = None
        # Whether the case asks for pages of archives that are not downloaded.
        self.reads_remote_pages = False
        self.create_surroundings()
        self.origin = Origin(rig.origin, rig.served, self.notes, pace)

    def create_surroundings(self):
        """Creates the folders and files that the program could touch and must not change."""
        self.places = {
            "HOME": "home", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
            "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run",
            "TMPDIR": "temporary", "PWD": "here",
        }
        for name in self.places.values():
            folder = self.outside / name
            folder.mkdir(parents=True, mode=0o700)
            (folder / "canary").write_text(f"canary of {name}\n")
        (self.folder / "library.txt").write_text("beside the library\n")
        self.outside_before = library.tree(self.outside)
        self.canaries = {"notes of mine.txt": b"mine\n", "mine/0001-kept.png": b"mine, too\n"}
        self.foreign = set(self.canaries)
        for name, content in self.canaries.items():
            (self.library / name).parent.mkdir(parents=True, exist_ok=True)
            (self.library / name).write_bytes(content)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        self.origin.stop()
        if isinstance(error, Violation):
            self.keep(error)
        if not self.rig.keeps:
            shutil.rmtree(self.folder, ignore_errors=True)

    def keep(self, error):
        """Copies the scratch folder of a failed case to the folder of failed cases, for inspection.
        """
        kept = self.rig.failed / self.label.replace("/", "-")
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copytree(self.folder, kept, symlinks=True, ignore=ignore_special)
        except (OSError, shutil.Error):
            pass  # the disk of the case may fail, so a part of the files is enough
        (kept / "violation.txt").write_text(f"{error}\n")

    @property
    def source(self):
        return self.origin.base + self.job.manifest

    # The runs of imgdl-cli.

    def start(self, *arguments, plan=None, trace=False, boot_id=None, limits=()):
        """Starts imgdl-cli on the library, with the shim if there is a plan, a trace or a boot id.
        """
        self.runs += 1
        folder = self.notes / f"run-{self.runs:02d}"
        folder.mkdir()
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb"}
        environment |= {key: str(self.outside / name) for key, name in self.places.items()}
        if plan is not None or trace or boot_id:
            boot_file = folder / "boot_id" if boot_id else None
            if boot_file:
                boot_file.write_text(boot_id + "\n")
            environment |= shim.environment(
                self.rig.shim, self.library, folder / "report", plan,
                folder if trace else None, boot_file)
        command = [self.rig.program, *arguments, *self.options, "--library", self.library]
        running = program.Program(command, environment, folder, limits)
        running.folder = folder
        return running

    def add(self, *more, **how):
        return self.start(
            "add", self.source, "-j", str(oracle.CONNECTIONS), "--retry-delay", "50ms",
            "--no-progress", *more, **how)

    def go_on(self, *more, **how):
        """Repeats the command that adds the source. If no resource is left, `retry` is run instead,
        since `add` would append the source again."""
        if self.is_done:
            return self.start("retry", *more, **how)
        return self.add(*more, **how)

    def report(self, run):
        return shim.Report(run.folder / "report")

    def snapshot(self):
        return library.Snapshot(self.library, self.notes / "copy")

    def stopped(self, run, killed=None, states=library.COMMITTED, reported=None):
        """Checks the library after the end of a run, and records which resources must not be
        fetched again. `reported` contains the resources that the run reported as finished while its
        disk worked, if that is not the whole output. Returns the snapshot."""
        snapshot = self.snapshot()
        self.allowance += oracle.unread(self, run)
        self.is_done = self.holds_all(snapshot)
        oracle.crashed(snapshot, self.library, self.job)
        self.reported_finished |= finished_events(run) if reported is None else reported
        oracle.remembered(snapshot, self.reported_finished)
        self.stops.append(
            oracle.Stop(snapshot.targets(states), run.started, killed, time.monotonic()))
        return snapshot

    def holds_all(self, snapshot):
        """Whether every resource is finished or has failed."""
        total = self.job.entries.total()
        return len(snapshot.rows) >= total == snapshot.count(library.SETTLED)

    def finish(self, retries=False, **how):
        """Completes the library in one run without faults, and checks all invariants. With
        `retries`, resources may have failed for a reason, and `retry` fetches them. Resources that
        were being processed when two runs were killed are always retried, which makes no request.
        """
        run = self.go_on(**how)
        run.end()
        if run.code == 1 and (retries or self.has_only_quarantined()):
            failed = [row for row in self.snapshot().rows if row.state == library.FAILED]
            require(failed and all(row.reason for row in failed), "I1: failed without a reason")
            run = self.start("retry", **how)
            run.end()
        snapshot = self.snapshot()
        if run.code != 0:
            oracle.crashed(snapshot, self.library, self.job)  # reports the cause before the exit code
        require(run.code == 0, f"I1: the clean run ends with {run.code}: {run.last_words}")
        self.is_done = self.holds_all(snapshot)
        oracle.settled(self, snapshot)
        self.check_commands()
        return snapshot

    def has_only_quarantined(self):
        """Whether all failed resources failed because imgdl was killed twice while it processed
        them."""
        failed = [row for row in self.snapshot().rows if row.state == library.FAILED]
        return all(is_quarantined(row) for row in failed)

    def check_commands(self):
        """Checks that `verify`, `list` and `show` report the expected state of the library."""
        self.check_sound()
        records = self.lines("list", "--json")
        total = self.job.entries.total()
        require(sum(one["finished"] for one in records) == total, f"I1: list says {records}")
        number = self.chance.choice(records)["number"]
        for one in self.lines(self.chance.choice(["show", "details"]), str(number), "--json"):
            target = one["url"].removeprefix(self.origin.base)
            require(one["sha256"] == self.job.digest(target), f"I2: show says {one}")

    def check_sound(self):
        self.text("verify", "--read-data", "--dry-run")

    def lines(self, *arguments):
        return [json.loads(line) for line in self.text(*arguments).splitlines()]

    def text(self, *arguments):
        run = self.start(*arguments)
        run.end()
        require(run.code == 0, f"{arguments[0]} ends with {run.code}: {run.last_words}")
        return run.output


def ignore_special(folder, names):
    """Returns the names of pipes and sockets, which cannot be copied."""
    return [
        name for name in names
        if not (os.path.islink(path := os.path.join(folder, name)) or os.path.isfile(path)
                or os.path.isdir(path))
    ]
