"""M8, P7, Z11, M10: thousands of damaged files, and workers that die, hang and send false replies a
thousand times each. The tests are those of the package with more rounds; Tools/test runs them with
few rounds for every change.

The seed determines the damage. A file that made a worker crash is kept in .build/faults/mutants.
"""

import os
import subprocess

from violation import Skipped, require

SECONDS = 4 * 3600
# For each name the filter for `swift test`, and a title.
NIGHTLY = {
    "M8": ("MutationTests/pictures", "damaged pictures, 50 of each"),
    "P7": ("MutationTests/documents", "damaged PDFs, 20 of each"),
    "Z11": ("ArchiveTests.CorpusTests/mutations", "damaged archives, 200 of each"),
    "M10": ("ManyBadWorkersTests", "workers that go wrong, 1,000 times in each way"),
}


def plan_of(name):
    def plan(rig):
        if rig.tier != "nightly":
            raise Skipped("the commit tier of it is in Tools/test")
        return [{"label": f"{name}/long"}]

    return plan


def run(rig, label):
    test = NIGHTLY[label.split("/")[0]][0]
    mutants = rig.data / "mutants"
    mutants.mkdir(parents=True, exist_ok=True)
    more = {"IMGDL_LONG": "1", "IMGDL_SEED": str(rig.seed), "IMGDL_MUTANTS": str(mutants)}
    done = subprocess.run(
        ["swift", "test", "--package-path", str(rig.root), "--filter", test],
        env=os.environ | more, timeout=SECONDS, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = done.stdout.splitlines()
    wrong = [line for line in lines if "recorded an issue" in line or "error:" in line]
    require(done.returncode == 0, "; ".join(wrong[:5]) or "\n".join(lines[-20:]))
    told = [line.removeprefix("figures: ") for line in lines if line.startswith("figures: ")]
    require(told, f"no test is called {test}")
    for line in told:
        print(f"  {line}", flush=True)
    return {"told": told}


TESTS = {name: (title, plan_of(name), run) for name, (_, title) in NIGHTLY.items()}
