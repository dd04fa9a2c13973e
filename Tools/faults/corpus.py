"""M7: the whole program processes every file of the corpus, intact and damaged. It must neither
crash nor hang nor write outside the library, and must keep each file as served. A resource that is
not finished must have failed with a reason.

The corpus is in ../shared/corpus beside the project, or in the folder that IMGDL_CORPUS names.
"""

import copy
import hashlib
import os
import random
from collections import Counter
from pathlib import Path

import library
import oracle
from case import Case
from violation import Skipped, require

# The time limit for all files in seconds; a single page may take 30.
WATCHDOG = 900
# The memory limit of a process in bytes. A worker that never finishes a page grows until its
# deadline.
MEMORY = 1 << 30
ROUNDS = 20


def corpus(rig):
    places = [os.environ.get("IMGDL_CORPUS"), rig.root / "../shared/corpus",
              rig.root / "../../shared/corpus"]
    for place in places:
        if place and Path(place).is_dir():
            return Path(place).resolve()
    raise Skipped("the corpus is neither in ../shared/corpus nor in IMGDL_CORPUS")


def plan(rig):
    corpus(rig)
    return [{"label": f"M7/{number}"} for number in range(rig.choose(1, ROUNDS + 1))]


class Files:
    """The files to serve, under numbered names: unchanged copies without `chance`, otherwise
    damaged copies."""

    manifest = "/corpus/manifest.txt"

    def __init__(self, source, folder, chance):
        target = folder / "corpus"
        target.mkdir(parents=True)
        self.names, self.ledger = {}, {}
        for number, path in enumerate(sorted(one for one in source.rglob("*") if one.is_file())):
            content = path.read_bytes()
            if chance:
                content = damaged(content, chance)
            if not content:
                continue
            name = f"{number:04d}{path.suffix if path.suffix[1:].isalnum() else ''}"
            (target / name).write_bytes(content)
            self.names[f"/corpus/{name}"] = str(path.relative_to(source))
            self.ledger[f"/corpus/{name}"] = (len(content), hashlib.sha256(content).hexdigest())
        names = [entry.rpartition("/")[2] for entry in self.ledger]
        (target / "manifest.txt").write_text("\n".join(names) + "\n")
        self.entries = Counter(dict.fromkeys(self.ledger, 1))

    def digest(self, target):
        return self.ledger[target][1]


def damaged(content, chance):
    """Returns a copy in which at most one byte in a hundred is replaced by a random one."""
    content = bytearray(content)
    for _ in range(max(1, chance.randint(0, len(content) // 100)) if content else 0):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


def run(rig, label):
    number = int(label.split("/")[1])
    chance = random.Random(f"{rig.seed} {label}") if number else None
    served = rig.scratch / f"served-{number}"
    files = Files(corpus(rig), served, chance)
    rig = copy.copy(rig)
    rig.served, rig.jobs = served, {"corpus": files}
    with Case(rig, label, "corpus", ()) as case:
        run = case.add("--format", "text", "--quiet")
        run.end(WATCHDOG, MEMORY)
        require(run.code in (0, 1), f"exit code {run.code}: {run.last_words}")
        snapshot = case.snapshot()
        oracle.crashed(snapshot, case.library, files)
        check_rows(snapshot, files)
        oracle.check_surroundings(case)
        oracle.check_disk(case, snapshot)
        oracle.check_leftovers(case)
        return {"files": len(snapshot.rows), "seconds": round(run.ended - run.started, 1),
                "MiB": run.peak >> 20} | reasons(snapshot)


def check_rows(snapshot, files):
    found = Counter(row.target for row in snapshot.rows)
    require(found == files.entries, f"I1: {sum(found.values())} of {len(files.ledger)} rows")
    for row in snapshot.rows:
        name = files.names[row.target]
        require(row.state in library.SETTLED, f"I1: {name} is {library.STATES[row.state]}")
        require(row.state == library.FINISHED or row.reason, f"I9: {name} failed without a reason")
        printable = (row.reason or "").isprintable()
        require(printable, f"I9: the reason of {name} is {row.reason!r}")


def reasons(snapshot):
    """Returns the number of files with images, the reasons of files whose worker died, and the
    number of files whose worker was stopped."""
    texts = [row.reason or "" for row in snapshot.rows]
    return {
        "pictures": sum(row.state == library.FINISHED and row.pages > 0 for row in snapshot.rows),
        "died": [text for text in texts if "killed by signal" in text or "exited with" in text],
        "stopped": sum("not decoded within" in text for text in texts),
    }


TESTS = {"M7": ("all files of the corpus, sound and damaged", plan, run)}
