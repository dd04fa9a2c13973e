"""K5: a power cut, on an ext4 that drops what was not synced. K7 in remains.py simulates a power
cut on machines where nothing can be mounted."""

import os

import library
import mounts
from case import Case, finished_events
from violation import Violation, require

OTHER_BOOT = "0b007000-0000-4000-8000-00000000000f"
# Mount options that determine how early, and in which order, the kernel writes data without a sync.
OPTIONS = ["commit=1", "commit=5", "commit=1,data=writeback", "commit=30,nodelalloc"]
PACE = ("--latency", "20ms", "--rate", "3M")


def plan_cuts(rig):
    mounts.need_loop(rig)
    chance = rig.chance("K5")
    return [
        {"label": f"K5/{i}", "options": OPTIONS[i % len(OPTIONS)],
         "moment": chance.uniform(0.1, 1.6), "dies_at_once": chance.random() < 0.5}
        for i in range(rig.choose(commit=5, nightly=30))
    ]


def run_cut(rig, label, options, moment, dies_at_once):
    disk = mounts.Disk(rig.scratch / label.replace("/", "-") / "disk")
    try:
        disk.mount(options)
        with Case(rig, label, "standard", PACE, at=disk.folder) as case:
            os.sync()  # the folder must survive the power cut
            try:
                run = case.add("--json")
                reported = cut(disk, run, moment, dies_at_once)
                disk.unmount()
                disk.mount(options)
                return recover(case, run, reported)
            except Violation as error:
                raise Violation(f"power cut after {moment:.2f} s, {options}: {error}") from error
    finally:
        disk.remove()


def cut(disk, run, moment, dies_at_once):
    """Cuts the power. The program is killed at once, or continues on a disk that fails every call.
    Returns the ids of the resources that were reported as finished before the cut: an fdatasync that
    is running while ext4 is shut down may return 0 although its data is lost (in 7 of 190 runs of a
    program that does nothing else), so that later reports prove nothing about imgdl."""
    run.wait(moment)
    reported = finished_events(run)
    disk.cut_power()
    if not dies_at_once and run.wait(30) is not None:
        require(run.code in (0, 6), f"I9: exit code {run.code}: {run.last_words}")
    run.kill()
    run.end()
    return reported


def recover(case, run, reported):
    total = case.job.entries.total()
    snapshot = case.stopped(run, states=library.DURABLE, reported=reported)
    if run.code == 0 and len(reported) == total:
        kept = snapshot.count(library.DURABLE)
        require(kept == total, f"I1: success, but {snapshot.tally()}")
    # The large body is synced every 64 MiB only, and small files wait about half a second for their
    # batch, so that both may be fetched again.
    case.allowance += max(size for size, _ in case.job.ledger.values()) + (2 << 20)
    case.finish(boot_id=OTHER_BOOT)
    return {"cuts": 1, "exit": run.code, "before": snapshot.tally(), "bytes": case.refetched}


TESTS = {"K5": ("power cuts", plan_cuts, run_cut)}
