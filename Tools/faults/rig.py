"""What all cases share, and how they are run: several at a time, each in a process that may die."""

import os
import random
import shutil
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import jobs
import program
import shim
from violation import Skipped, Violation


class Rig:
    """Programs, jobs and scratch space."""

    def __init__(self, options):
        self.root, self.tier, self.seed = options.root.resolve(), options.tier, options.seed
        self.keeps, self.may_mount, self.names = options.keep, options.mounts, options.names
        self.data = self.root / ".build/faults"
        self.use(options.programs or self.root / ".build/release")
        self.shim = shim.built(self.data)
        self.served, self.jobs = jobs.made(self.root)
        self.failed = self.data / "failed"
        if not self.names:
            shutil.rmtree(self.failed, ignore_errors=True)
        self.call_counts = {}
        memory = Path("/dev/shm")
        place = memory if memory.is_dir() and shutil.disk_usage(memory).free > 2 << 30 else None
        self.scratch = Path(os.path.realpath(tempfile.mkdtemp(prefix="imgdl-faults-", dir=place)))

    def use(self, folder):
        """Takes the programs from this folder."""
        self.program, self.origin = folder / "imgdl-cli", folder / "imgdl-origin"

    def choose(self, commit, nightly):
        return nightly if self.tier == "nightly" else commit

    def chance(self, name):
        return random.Random(f"{self.seed} {name}")

    def asked(self, kind):
        """The numbers of the cases of a kind, such as K2/small, that were asked for by name."""
        parts = [name.rpartition("/") for name in self.names]
        return {int(number) for name, _, number in parts if name == kind and number.isdigit()}

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)


def prepare():
    """In each process that runs cases."""
    program.adopt_orphans()
    program.hear_signals()


def run_case(rig, run, parameters):
    """Outcome, text, figures and seconds of one case. Runs in a process of the pool."""
    start = time.monotonic()
    label = parameters["label"]
    try:
        outcome, text, figures = "ok", "", run(rig, **parameters)
    except Violation as error:
        outcome, text, figures = "failed", str(error), {}
    except Skipped as error:
        outcome, text, figures = "skipped", str(error), {}
    except Exception:  # a fault of the rig ends the case, not the rig
        outcome, text, figures = "failed", traceback.format_exc()[-2_000:], {}
    return label, outcome, text, figures, round(time.monotonic() - start, 2)


def run_cases(rig, run, cases, width, tell):
    """Runs all cases, `width` at a time; `tell` gets each result as it comes."""
    with ProcessPoolExecutor(width, initializer=prepare) as pool:
        waiting = [pool.submit(run_case, rig, run, one) for one in cases]
        results = []
        for future in waiting:
            results.append(future.result())
            tell(results[-1])
        return results
