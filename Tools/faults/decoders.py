"""M8, P7, Z11, M10: damaged files in thousands, and workers that die, hang and lie a thousand times.
The tests are the package's own, with more rounds; what every change runs of them is in Tools/test."""

import os
import subprocess

from violation import Skipped, require

TESTS_RUN = "MutationTests|ManyBadWorkersTests|ArchiveTests.CorpusTests"
SECONDS = 4 * 3600


def plan(rig):
    if rig.tier != "nightly":
        raise Skipped("the commit tier of it is in Tools/test")
    return [{"label": "M8/long"}]


def run(rig, label):
    command = ["swift", "test", "--package-path", str(rig.root), "--filter", TESTS_RUN]
    done = subprocess.run(
        command, env=os.environ | {"IMGDL_LONG": "1"}, timeout=SECONDS, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = done.stdout.splitlines()
    wrong = [line for line in lines if "recorded an issue" in line or "error:" in line]
    require(done.returncode == 0, "; ".join(wrong[:5]) or "\n".join(lines[-20:]))
    told = [line for line in lines if "workers died" in line]
    return {"told": told}


TESTS = {"M8": ("damaged files and workers that go wrong", plan, run)}
