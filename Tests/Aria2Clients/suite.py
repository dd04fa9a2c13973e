"""Runs aria2p's own tests with imgdld in place of aria2c, and with aria2c itself.

Usage: suite.py SOURCES --program IMGDLD [--only imgdld|aria2c] [pytest options...]

SOURCES is the unpacked source distribution of aria2p. Every test that passes with aria2c must pass with imgdld,
except for those that KNOWN names.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

# The tests that need a function which imgdld does not have, with the reason.
KNOWN = {
    "test_api.test_add_torrent_method": "BitTorrent",
    "test_cli.test_add_torrent_subcommand": "BitTorrent",
    "test_client.TestClientClass.test_add_torrent_method": "BitTorrent",
    # The test expects its own failure, which aria2p calls sporadic.
    "test_interface.test_add_downloads_torrents_and_metalinks": "BitTorrent",
}

# The number of tests that must have run; version 0.12.3 has 617 of them.
LEAST = 600

SHIM = """#!/bin/bash
exec -a aria2c "$IMGDLD" --aria2 --aria2-no-secret "$@" 2>>"$IMGDLD_LOG"
"""


def results(sources, folder, name, path, options, tests=("tests",)):
    """Runs the tests; returns a dictionary of their names and results."""
    report = f"{folder}/{name}.xml"
    environment = {
        **os.environ, "PATH": path + os.pathsep + os.environ["PATH"], "IMGDLD_LOG": f"{folder}/imgdld.log", "TMPDIR": folder}
    subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short",
         f"--junitxml={report}", "--timeout=120", "--basetemp", f"{folder}/{name}", *options, *tests],
        cwd=sources, env=environment, stdout=open(f"{folder}/{name}.log", "w"), stderr=subprocess.STDOUT)
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        result = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found[f"{case.get('classname').removeprefix('tests.')}.{case.get('name')}"] = result
    return found


def node(name):
    """The argument with which pytest runs a single test."""
    file, *rest = name.split(".", 2 if ".Test" in name else 1)
    return "::".join([f"tests/{file}.py", *rest])


def count(found, file, result):
    return sum(1 for name, value in found.items() if name.split(".")[0] == file and value == result)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources")
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", choices=["imgdld", "aria2c"])
    arguments, options = parser.parse_known_args()
    os.environ["IMGDLD"] = os.path.abspath(arguments.program)
    all_results = {}
    # The path of a socket may have 108 bytes at most.
    with tempfile.TemporaryDirectory(prefix="aria2p-") as folder:
        shim = pathlib.Path(folder, "bin", "aria2c")
        shim.parent.mkdir()
        shim.write_text(SHIM)
        shim.chmod(0o755)
        for name, path in [("imgdld", str(shim.parent)), ("aria2c", "/usr/bin")]:
            if arguments.only in (None, name):
                all_results[name] = results(arguments.sources, folder, name, path, options)
                if len(all_results[name]) < LEAST:
                    print(pathlib.Path(folder, f"{name}.log").read_text()[-3_000:])
                # Some tests depend on time: the window reads the lists of downloads one after another.
                again = [test for test, result in all_results[name].items() if result == "failed" and test not in KNOWN]
                if again:
                    print(f"second attempt with {name}: {', '.join(again)}")
                    all_results[name] |= results(
                        arguments.sources, folder, name, path, options, [node(test) for test in again])
        files = sorted({name.split(".")[0] for found in all_results.values() for name in found})
        print("passed / failed / skipped".rjust(36) + "".join(f"{name:>16}" for name in all_results))
        for file in files:
            print(file.rjust(36) + "".join(
                f"{count(found, file, 'passed'):>6}/{count(found, file, 'failed')}/{count(found, file, 'skipped')}".rjust(16)
                for found in all_results.values()))
        wrong = 0
        for name, result in sorted(all_results.get("imgdld", {}).items()):
            beside = all_results.get("aria2c", {}).get(name, "passed")
            if result != "passed" and beside == "passed" and (result == "failed" or "aria2c" in all_results):
                reason = KNOWN.get(name)
                print(f"{name}: {reason or 'FAILED'}")
                wrong += reason is None
            elif result == "failed":
                print(f"{name}: fails with aria2c as well")
            elif name in KNOWN and result == "passed":
                print(f"{name}: passes, and should not be named any more")
                wrong += 1
        if wrong:
            print(pathlib.Path(folder, "imgdld.log").read_text()[-3_000:])
    # A module that cannot be imported counts as one failed test, which would hide all others.
    is_incomplete = any(len(found) < LEAST for found in all_results.values())
    if is_incomplete:
        print(f"fewer than {LEAST} tests ran")
    return 1 if wrong or is_incomplete else 0


if __name__ == "__main__":
    sys.exit(main())
