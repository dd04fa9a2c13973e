"""K6: negative controls. Each mutant is a patch that breaks one promise, and a test of this folder
must catch it. Every patch must apply; mutants are built and run nightly."""

import contextlib
import copy
import fcntl
import os
import re
import shutil
import subprocess
from pathlib import Path

import calls
import power
import remains
import simulated
from violation import Skipped, Violation, require

PATCHES = Path(__file__).with_name("mutants")
# The oracle's findings about an original that is not complete. Other findings do not prove that the
# mutant was caught.
BROKEN = r"I[26]: /small/.*(no such file|bytes where|other content)"
# For each mutant the test that catches it, the parameters that select cases of the test, and the
# finding.
MUTANTS = {
    "finished-before-log": ("K8", None, "I1: said to be finished, and lost"),
    "unsynced-add": ("K8", {"call": "syncfs"}, "I6: files without a row"),
    "unsynced-removal": ("K10", {"verb": "remove"}, r"I6: /small/.*no such file"),
    "no-sync": ("K8", None, BROKEN),
    "finished-before-sync": ("K8", {"call": "syncfs"}, BROKEN),
    "commit-before-file": ("K2", {"call": "rename"}, BROKEN),
    "no-hash-check": ("K7", {"what": "stored", "kind": "zeros"}, BROKEN),
    "trusted-partial": ("K7", {"what": "partial", "kind": "zeros"}, r"I[26]: /long/"),
}
TESTS_BY_NAME = calls.TESTS | power.TESTS | remains.TESTS | simulated.TESTS
# The maximum number of cases that are run until one catches the mutant.
CASES = 120


def plan_mutants(rig):
    return [{"label": f"K6/{name}", "name": name} for name in MUTANTS]


def run_mutant(rig, label, name):
    require(set(MUTANTS) == {path.stem for path in PATCHES.glob("*.patch")},
            "patches and the table of mutants differ")
    check_patch(rig.root, name)
    if rig.tier != "nightly":
        return {"applies": 1}
    other = copy.copy(rig)
    with one_at_a_time(rig):
        other.use(built(rig, name))
    other.call_counts = {}
    test, wanted, finding = MUTANTS[name]
    _, plan, run = TESTS_BY_NAME[test]
    cases = [one for one in plan(other)
             if wanted is None or all(one[key] == value for key, value in wanted.items())]
    if wanted is None:
        cases = other.chance(label).sample(cases, min(CASES, len(cases)))
    for count, one in enumerate(cases, 1):
        one["label"] = f"{label}-{one['label'].replace('/', '-')}"
        try:
            run(other, **one)
        except Violation as error:
            if re.search(finding, str(error)):
                shutil.rmtree(rig.failed / one["label"].replace("/", "-"), ignore_errors=True)
                return {"caught by": test, "after": count, "finding": str(error)[:200]}
    raise Violation(f"the mutant {name} was not caught by {len(cases)} cases of {test}")


def patch(folder, *options):
    return subprocess.run(["git", "apply", *options], cwd=folder, capture_output=True, text=True)


def check_patch(folder, name):
    if not shutil.which("git"):
        raise Skipped("needs git")
    result = patch(folder, "--check", PATCHES / f"{name}.patch")
    require(result.returncode == 0,
            f"mutants/{name}.patch does not apply; bring it up to date: {result.stderr.strip()}")


@contextlib.contextmanager
def one_at_a_time(rig):
    """Holds a lock, because all processes share one copy of the checkout."""
    folder = rig.data / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def built(rig, name):
    """Builds the programs of a mutant in the shared copy of the checkout. Returns the folder of the
    programs."""
    folder = rig.data / "mutants" / name
    checkout = rig.data / "mutants/checkout"
    synchronize(rig.root, checkout)
    applied = patch(checkout, PATCHES / f"{name}.patch")
    require(applied.returncode == 0, f"{name}.patch: {applied.stderr.strip()}")
    text = (PATCHES / f"{name}.patch").read_text()
    for file in re.findall(r"^\+\+\+ b/(.*)$", text, re.MULTILINE):
        same = (checkout / file).read_bytes() == (rig.root / file).read_bytes()
        require(not same, f"{name}.patch has changed nothing")
    result = subprocess.run(
        ["swift", "build", "--package-path", checkout, "-c", "release", "--product", "imgdl-cli"],
        capture_output=True, text=True)
    require(result.returncode == 0, f"{name} does not build: {result.stdout[-1_500:]}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    programs = checkout / ".build/release"
    for program in programs.glob("imgdl-*"):
        if program.is_file() and os.access(program, os.X_OK):
            shutil.copy2(program, folder / program.name)
    return folder


def synchronize(root, checkout):
    """Updates the copy of the checkout. Unchanged files keep their modification time, so that they
    are not compiled again."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
        capture_output=True, check=True).stdout.decode().split("\0")
    names = {name for name in listed if name and (root / name).is_file()}
    for name in names:
        source, target = root / name, checkout / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for path in checkout.rglob("*"):
        relative = path.relative_to(checkout)
        is_ours = relative.parts[0] in (".build", ".git")
        if not is_ours and path.is_file() and str(relative) not in names:
            path.unlink()
    if not (checkout / ".git/HEAD").exists():
        # Without a repository of its own, `git apply` would use the one of the surrounding
        # checkout.
        subprocess.run(["git", "init", "-q"], cwd=checkout, check=True)


TESTS = {"K6": ("mutants", plan_mutants, run_mutant)}
