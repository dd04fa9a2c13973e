"""D1: a disk that is too small, by bytes or by inodes. The program must name the cause and end, and
must complete the library once the disk has space. D9: the folder `.imgdl` of a library is a mount,
so that no file can be moved from it to a record."""

import mounts
import oracle
from case import Case
from violation import Violation, require

# A complete library of the small job takes about 2 MB and 90 inodes.
SMALLEST, LARGEST = 64 << 10, 2048 << 10
FEWEST, MOST = 12, 95
CAUSES = "(?i)no space left|disk is full|disk full"


def plan_sizes(rig):
    """Plans sizes from almost nothing to nearly enough; every fifth case limits the inodes instead.
    """
    mounts.need_mounts(rig)
    count = rig.choose(commit=3, nightly=60)
    chance = rig.chance("D1")
    cases = []
    for i in range(count):
        share = (i + chance.random()) / count
        if i % 5 == 1:
            options = f"size=64m,nr_inodes={int(FEWEST + share * (MOST - FEWEST))}"
        else:
            size = int(SMALLEST + share * (LARGEST - SMALLEST)) >> 12 << 12
            options = f"size={size >> 10}k,nr_inodes=10000"
        cases.append({"label": f"D1/{i}", "options": options})
    return cases


def run_size(rig, label, options):
    disk = mounts.Memory(rig.scratch / label.replace("/", "-") / "disk", options)
    try:
        with Case(rig, label, at=disk.folder) as case:
            run = case.add()
            run.end()
            try:
                judge(case, run)
                disk.resize("size=64m,nr_inodes=10000")
                case.finish(retries=True)
            except Violation as error:
                raise Violation(f"{options}, exit {run.code}: {error}") from error
            return {"options": options, "exit": run.code}
    finally:
        disk.unmount()


def judge(case, run):
    require(run.code in (0, 1, 6), f"I9: exit code {run.code}: {run.last_words}")
    oracle.check_words(run, CAUSES)
    count = len(case.origin.requests())
    require(count <= 2 * len(case.job.ledger) + 2, f"I7: {count} requests")
    case.stopped(run)


def plan_mount(rig):
    mounts.need_mounts(rig)
    return [{"label": "D9/mount"}]


def run_mount(rig, label):
    """Checks that downloads end with the cause, and that the verbs work on what they leave."""
    with Case(rig, label) as case:
        disk = mounts.Memory(case.library / ".imgdl", "size=64m")
        try:
            for _ in range(2):
                run = case.add()
                require(run.end() == 6, f"exit code {run.code}: {run.last_words}")
                oracle.check_words(run, "on different file systems")
            for verb in (["verify"], ["remove", "1", "--yes"], ["reset", "--yes"]):
                run = case.start(*verb)
                require(run.end() == 0, f"{verb[0]}, exit code {run.code}: {run.last_words}")
        finally:
            disk.unmount()
    return {}


TESTS = {
    "D1": ("a disk that is too small", plan_sizes, run_size),
    "D9": ("a library on two file systems", plan_mount, run_mount),
}
