"""K1: SIGKILL at random moments, again and again until the job is done. K4: a crash loop."""

import os
import shutil
import time

import library
from case import PACED, Case
from violation import require

KILLS_EACH = 10


def plan_random(rig):
    """K1: so many kills on as many libraries as it takes, ten kills a library."""
    total = rig.choose(commit=30, nightly=500)
    return [{"label": f"K1/{i}", "kills": KILLS_EACH} for i in range(total // KILLS_EACH)]


def run_random(rig, label, kills):
    with Case(rig, label, "standard", PACED) as case:
        done = 0
        while done < kills:
            done += kill_until_done(case, kills - done)
            snapshot = case.finish()
            if done < kills:  # the job was faster than the kills: once more from the beginning
                start_over(case)
        return {"kills": done, "bytes": case.refetched, "end": snapshot.tally()}


def kill_until_done(case, wanted):
    """Kills up to `wanted` runs; fewer if one comes to its end."""
    for done in range(wanted):
        if case.is_done:
            return done
        run = case.go_on()
        if run.wait(case.chance.uniform(0.01, 0.6)) is not None:
            run.end()
            require(run.code == 0, f"I1: ends with {run.code}: {run.last_words}")
            case.stopped(run.ended)
            return done
        killed = time.monotonic()
        # Now and then only the program: its helpers must notice.
        run.kill(only_this=case.chance.random() < 0.3)
        run.end()
        case.stopped(killed)
    return wanted


def start_over(case):
    shutil.rmtree(case.library / ".imgdl")
    for folder in case.library.iterdir():
        if folder.is_dir() and folder.name != "mine":
            shutil.rmtree(folder)
    os.truncate(case.origin.log_file, 0)
    case.stops.clear()
    case.is_done = False


def plan_loop(rig):
    """K4: 50 kills in a row soon after the start."""
    return [{"label": f"K4/{i}", "kills": 50} for i in range(rig.choose(commit=1, nightly=5))]


def run_loop(rig, label, kills):
    with Case(rig, label, "standard", ("--latency", "150ms", "--rate", "2M")) as case:
        start_time = min(time_to_start(case) for _ in range(3))
        progress, sizes = [], []
        for _ in range(kills):
            run = case.go_on()
            # At least one round trip beyond the start, at most half a second on an idle machine.
            if run.wait(start_time + case.chance.uniform(0.2, 0.45)) is None:
                killed = time.monotonic()
                run.kill()
                run.end()
            else:
                killed = None
                require(run.end() == 0, f"I1: ends with {run.code}: {run.last_words}")
            snapshot = case.stopped(killed)
            progress.append(snapshot.count(library.COMMITTED))
            sizes.append(inner_size(case))
            check_progress(case, progress)
        check_growth(sizes)
        case.finish()
        return {"kills": kills, "start": round(start_time, 3), "done": progress[-1]}


def time_to_start(case):
    """What an empty command takes now, on this machine with this load."""
    run = case.start("list")
    run.end()
    return run.ended - run.started


def check_progress(case, progress):
    """Nothing committed is lost, and three starts bring at least one more."""
    require(progress == sorted(progress), f"I1: fewer committed than before: {progress}")
    total = len(case.job.ledger)
    if len(progress) > 3 and progress[-1] < total:
        require(progress[-1] > progress[-4], f"three starts brought nothing: {progress}")


def inner_size(case):
    """Bytes of database, log and partial files: what could grow with each crash."""
    inner = case.library / ".imgdl"
    files = [*inner.glob("library.sqlite*"), *inner.glob("incoming/*")]
    return sum(path.stat().st_size for path in files)


def check_growth(sizes):
    """A log of the whole job is fine; one more of it with each crash is not."""
    limit = 24 << 20
    require(max(sizes) < limit, f"I7: database, log and partial files: {max(sizes):,} bytes")


TESTS = {
    "K1": ("SIGKILL at random moments", plan_random, run_random),
    "K4": ("50 kills soon after the start", plan_loop, run_loop),
}
