"""D4: limits of the process: descriptors, size of files, memory. Resources may fail; the program
must not."""

import oracle
from case import Case
from violation import Violation, require

# For each name the option of prlimit, the acceptable exit codes, and the words that name the cause.
LIMITS = {
    "descriptors": ("--nofile=64", {0}, None),
    "few-descriptors": ("--nofile=24", {0, 1, 3, 4, 6}, "(?i)too many open files|descriptors"),
    "file-size": ("--fsize=200000", {6}, "(?i)file too large|disk is full|too large"),
    "memory": ("--as=1000000000", {0, 1}, "(?i)memory"),
    "little-memory": ("--as=600000000", {0, 1}, "(?i)memory"),
}


def plan_limits(rig):
    return [{"label": f"D4/{name}"} for name in LIMITS]


def run_limits(rig, label):
    option, codes, causes = LIMITS[label.split("/")[1]]
    with Case(rig, label) as case:
        run = case.add(limits=["prlimit", option])
        run.end()
        try:
            require(run.code in codes, f"exit code {run.code}: {run.last_words}")
            oracle.check_words(run, causes)
            case.stopped(run)
            case.finish(retries=True)
        except Violation as error:
            raise Violation(f"prlimit {option}, exit {run.code}: {error}") from error
        return {"exit": run.code}


TESTS = {"D4": ("limits of the process", plan_limits, run_limits)}
