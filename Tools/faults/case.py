"""One case: a scratch folder, a server, a library, and the runs of imgdl-cli on it."""

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

# Slow enough for faults to hit the middle: 300 files take about two seconds.
PACED = ("--latency", "40ms", "--rate", "2M")
QUICK = ("--rate", "8M")


def is_quarantined(row):
    """Whether two runs were killed while they processed the file."""
    return (row.reason or "").startswith("imgdl ended twice")


def finished_events(run):
    """Resources that a run with --json said were finished; its last line may be cut."""
    text = run.output
    lines = [line for line in text[: text.rfind("\n") + 1].splitlines() if line.startswith("{")]
    return {event["resource"] for event in map(json.loads, lines) if event.get("event") == "finished"}


class Case:
    """Use as a context; the scratch folder goes with it, unless the case failed."""

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
        # Resources that a run with --json said were finished.
        self.told = set()
        self.somebodys_name = None
        self.furnish()
        self.origin = Origin(rig.origin, rig.served, self.notes, pace)

    def furnish(self):
        """Everything that the program might touch and must not."""
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
        """What a failed case looked like, for the one who looks into it."""
        kept = self.rig.failed / self.label.replace("/", "-")
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copytree(self.folder, kept, symlinks=True, ignore=ignore_special)
        except (OSError, shutil.Error):
            pass  # what can be read is there: the disk may be one that fails
        (kept / "violation.txt").write_text(f"{error}\n")

    @property
    def source(self):
        return self.origin.base + self.job.manifest

    # Runs.

    def start(self, *arguments, plan=None, trace=False, boot_id=None, limits=()):
        """Starts imgdl-cli on the library; with a plan, below the shim."""
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
        """The same command again; `retry` where nothing is left, since `add` would append then."""
        if self.is_done:
            return self.start("retry", *more, **how)
        return self.add(*more, **how)

    def report(self, run):
        return shim.Report(run.folder / "report")

    def snapshot(self):
        return library.Snapshot(self.library, self.notes / "copy")

    def stopped(self, run, killed=None, states=library.COMMITTED):
        """After the end of a run: what must hold now, and what must not be fetched from now on."""
        snapshot = self.snapshot()
        self.allowance += oracle.unread(self, run)
        self.is_done = self.holds_all(snapshot)
        oracle.crashed(snapshot, self.library, self.job)
        self.told |= finished_events(run)
        oracle.remembered(snapshot, self.told)
        self.stops.append(
            oracle.Stop(snapshot.targets(states), run.started, killed, time.monotonic()))
        return snapshot

    def holds_all(self, snapshot):
        """Whether no resource is left to do."""
        total = self.job.entries.total()
        return len(snapshot.rows) >= total == snapshot.count(library.SETTLED)

    def finish(self, retries=False, **how):
        """One clean run, and the whole oracle. With `retries`, resources may have failed for a
        reason, and `retry` brings them. It always brings those that were being processed when two
        runs were killed, and asks no server for them."""
        run = self.go_on(**how)
        run.end()
        if run.code == 1 and (retries or self.has_only_quarantined()):
            failed = [row for row in self.snapshot().rows if row.state == library.FAILED]
            require(failed and all(row.reason for row in failed), "I1: failed without a reason")
            run = self.start("retry", **how)
            run.end()
        snapshot = self.snapshot()
        if run.code != 0:
            oracle.crashed(snapshot, self.library, self.job)  # what is wrong, before what it led to
        require(run.code == 0, f"I1: the clean run ends with {run.code}: {run.last_words}")
        self.is_done = self.holds_all(snapshot)
        oracle.settled(self, snapshot)
        self.ask()
        return snapshot

    def has_only_quarantined(self):
        """Whether all that failed did so since imgdl was killed twice in the middle of it."""
        failed = [row for row in self.snapshot().rows if row.state == library.FAILED]
        return all(is_quarantined(row) for row in failed)

    def ask(self):
        """What the program itself says about the library."""
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
    """Pipes and sockets cannot be copied."""
    return [
        name for name in names
        if not (os.path.islink(path := os.path.join(folder, name)) or os.path.isfile(path)
                or os.path.isdir(path))
    ]
