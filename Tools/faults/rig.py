"""The data that all cases share, and the pool of processes that runs several cases at a time."""

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
    """The programs, the jobs and the scratch space of all cases."""

    def __init__(self, options):
        self.root, self.tier, self.seed = options.root.resolve(), options.tier, options.seed
        self.keeps, self.may_mount, self.names = options.keep, options.mounts, options.names
        self.data = self.root / ".build/faults"
        self.use(options.programs or self.root / ".build/release")
        self.shim = shim.built(self.data)
        self.served, self.jobs = jobs.load_or_create(self.root)
        self.failed = self.data / "failed"
        if not self.names:
            shutil.rmtree(self.failed, ignore_errors=True)
        self.call_counts = {}
        memory = Path("/dev/shm")
        place = memory if memory.is_dir() and shutil.disk_usage(memory).free > 2 << 30 else None
        self.scratch = Path(os.path.realpath(tempfile.mkdtemp(prefix="imgdl-faults-", dir=place)))

    def use(self, folder):
        """Sets the folder of the programs under test."""
        self.program, self.origin = folder / "imgdl-cli", folder / "imgdl-origin"

    def choose(self, commit, nightly):
        return nightly if self.tier == "nightly" else commit

    def chance(self, name):
        return random.Random(f"{self.seed} {name}")

    def asked(self, kind):
        """Returns the numbers of the cases of a kind, such as K2/small, that the command line
        names."""
        parts = [name.rpartition("/") for name in self.names]
        return {int(number) for name, _, number in parts if name == kind and number.isdigit()}

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)


def prepare():
    """Initializes a process of the pool before its first case."""
    program.adopt_orphans()
    program.hear_signals()


def run_case(rig, run, parameters):
    """Runs one case in a process of the pool. Returns label, outcome, text, figures and seconds."""
    start = time.monotonic()
    label = parameters["label"]
    try:
        outcome, text, figures = "ok", "", run(rig, **parameters)
    except Violation as error:
        outcome, text, figures = "failed", str(error), {}
    except Skipped as error:
        outcome, text, figures = "skipped", str(error), {}
    except Exception:  # an error in the test code fails only this case
        outcome, text, figures = "failed", traceback.format_exc()[-2_000:], {}
    return label, outcome, text, figures, round(time.monotonic() - start, 2)


def run_cases(rig, run, cases, width, tell):
    """Runs all cases, `width` at a time. `tell` receives each result, in the order of the cases."""
    with ProcessPoolExecutor(width, initializer=prepare) as pool:
        waiting = [pool.submit(run_case, rig, run, one) for one in cases]
        results = []
        for future in waiting:
            results.append(future.result())
            tell(results[-1])
        return results
