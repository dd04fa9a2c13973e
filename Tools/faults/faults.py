"""Injects faults into imgdl-cli and checks its invariants: kills, power cuts, full and failing disks,
signals, damaged files. The invariants are in oracle.py, the jobs in jobs.py.

To repeat a failed case, pass its name: Tools/faults/run nightly K2/small/137. The files that it left
behind are in .build/faults/failed.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import calls
import corpus
import daemon
import damage
import database
import decoders
import errors
import interrupts
import kills
import limits
import mutants
import power
import program
import remains
import selftest
import simulated
import space
import witness
from rig import Rig, run_cases
from violation import Skipped

TESTS = {}
for module in (
    witness, selftest, kills, calls, power, remains, simulated, space, errors, limits, database,
    damage, interrupts, daemon, corpus, decoders, mutants,
):
    TESTS |= module.TESTS


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/faults/run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="tests:\n" + "\n".join(f"  {name}  {test[0]}" for name, test in TESTS.items()))
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--mounts", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=Path,
                        help="folder of imgdl-cli and its helpers (default .build/release)")
    parser.add_argument("tier", choices=["commit", "nightly"], help="commit runs some of the cases, nightly all")
    parser.add_argument("names", nargs="*", metavar="NAME", help="tests (K1) or cases (K1/3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random times (default 1)")
    parser.add_argument("--width", type=int, default=max(2, min(4, os.cpu_count() or 2)),
                        help="number of simultaneous cases")
    parser.add_argument("--keep", action="store_true", help="keep the scratch folders")
    parser.add_argument("--verbose", action="store_true", help="print a line for each case")
    return parser.parse_args()


class Session:
    def __init__(self, options, rig):
        self.options, self.rig = options, rig
        self.results, self.failures = {}, []

    def wanted(self, name):
        """Returns the names on the command line that select this test or cases of it."""
        return [one for one in self.options.names if one.split("/")[0] == name]

    def run(self, name):
        title, plan, run = TESTS[name]
        start = time.monotonic()
        wanted = self.wanted(name)
        if self.options.names and not wanted:
            return
        try:
            cases = plan(self.rig)
        except Skipped as error:
            print(f"{name}  {title}: left out: {error}", flush=True)
            return
        if wanted and name not in wanted:
            cases = [one for one in cases if one["label"] in wanted]
        results = run_cases(self.rig, run, cases, self.options.width, self.tell)
        self.results[name] = results
        self.sum_up(name, title, results, time.monotonic() - start)

    def tell(self, result):
        label, outcome, text, figures, seconds = result
        if outcome == "failed":
            self.failures.append(label)
            print(f"FAILED {label}: {text}", flush=True)
        elif self.options.verbose:
            print(f"  {label} {outcome} {seconds} s {text or figures}", flush=True)

    def sum_up(self, name, title, results, seconds):
        counts = {}
        for _, outcome, _, figures, _ in results:
            counts[outcome] = counts.get(outcome, 0) + 1
        kills = sum(figures.get("kills", 0) for *_, figures, _ in results)
        parts = [f"{number} {outcome}" for outcome, number in counts.items()]
        if kills:
            parts.append(f"{kills} kills")
        reasons = {text for _, outcome, text, _, _ in results if outcome == "skipped"}
        note = f" ({'; '.join(sorted(reasons))})" if reasons else ""
        print(f"{name}  {title}: {', '.join(parts)} in {seconds:.0f} s{note}", flush=True)

    def write(self):
        path = self.rig.data / f"{self.options.tier}.json"
        path.write_text(json.dumps(
            {"tier": self.options.tier, "seed": self.options.seed, "results": self.results},
            indent=1))


def main():
    options = arguments()
    program.adopt_orphans()
    rig = Rig(options)
    session = Session(options, rig)
    unknown = [one for one in options.names if one.split("/")[0] not in TESTS]
    if unknown:
        sys.exit(f"Tools/faults: no such test: {', '.join(unknown)}")
    start = time.monotonic()
    try:
        for name in TESTS:
            session.run(name)
        session.write()
    finally:
        if options.keep:
            print(f"kept: {rig.scratch}")
        else:
            rig.close()
    print(f"{time.monotonic() - start:.0f} s in all, seed {options.seed}")
    if session.failures:
        again = " ".join(session.failures[:10])
        print(f"Failed: {len(session.failures)}. Again: "
              f"Tools/faults/run {options.tier} {again} --seed {options.seed}")
        sys.exit(1)


if __name__ == "__main__":
    main()
