"""K1: SIGKILL at random moments, until the job is done. K4: a crash loop."""

import time

import library
from case import PACED, Case, is_quarantined
from violation import require

KILLS_EACH = 10


def plan_random(rig):
    """K1: plans the kills, ten for each library. Every fifth case uses the transport with a helper
    process, which must notice the end of the program."""
    total = rig.choose(commit=30, nightly=500)
    return [
        {"label": f"K1/{i}", "kills": KILLS_EACH,
         "transport": "url-session" if i % 5 == 4 else "socket"}
        for i in range(total // KILLS_EACH)
    ]


def run_random(rig, label, kills, transport):
    """Kills runs until the planned number is reached. If a job ends before that, the next kills hit
    another library."""
    done, libraries, refetched = 0, 0, 0
    while done < kills:
        with Case(rig, f"{label}-{libraries}", "standard", PACED) as case:
            case.options = ["--set", f"adapters.transport={transport}"]
            done += kill_until_done(case, kills - done)
            case.finish()
            libraries, refetched = libraries + 1, refetched + case.refetched
    return {"kills": done, "libraries": libraries, "bytes": refetched}


def kill_until_done(case, wanted):
    """Kills up to `wanted` runs, fewer if a run completes the job. Returns the number of kills."""
    for done in range(wanted):
        if case.is_done:
            return done
        run = case.go_on()
        if run.wait(case.chance.uniform(0.01, 0.6)) is not None:
            run.end()
            # A file that was being processed at two kills has failed, and waits for `retry` in
            # `finish`.
            has_ended_well = run.code == 0 or (run.code == 1 and case.has_only_quarantined())
            require(has_ended_well, f"I1: ends with {run.code}: {run.last_words}")
            case.stopped(run, run.ended)
            return done
        killed = time.monotonic()
        # Some kills hit only the program, whose helpers must notice that it is gone.
        run.kill(only_this=case.chance.random() < 0.3)
        run.end()
        case.stopped(run, killed)
    return wanted


def plan_loop(rig):
    """K4: plans 50 consecutive kills, each soon after the start."""
    return [{"label": f"K4/{i}", "kills": 50} for i in range(rig.choose(commit=1, nightly=5))]


def run_loop(rig, label, kills):
    with Case(rig, label, "standard", ("--latency", "150ms", "--rate", "2M")) as case:
        start_time = min(time_to_start(case) for _ in range(3))
        # The number of committed resources after each kill. Starts that had no time to fetch are
        # not counted.
        progress, sizes = [0], []
        for _ in range(kills):
            run = case.go_on()
            # The kill comes at least one round trip after the start-up, and at most half a second
            # on an idle machine.
            run.wait(start_time + case.chance.uniform(0.2, 0.45))
            killed = time.monotonic()
            run.kill()
            has_ended_well = run.end() in (0, -9) or (
                run.code == 1 and case.has_only_quarantined())
            require(has_ended_well, f"ends with {run.code}: {run.last_words}")
            snapshot = case.stopped(run, killed)
            # A file that was being processed at two kills is kept, although its resource has failed.
            count = snapshot.count(library.COMMITTED) + sum(map(is_quarantined, snapshot.rows))
            require(count >= progress[-1], f"I1: {count} committed, {progress[-1]} before")
            if was_fed(case.origin.requests(since=run.started), killed):
                progress.append(count)
            sizes.append(inner_size(case))
            check_progress(case, progress)
        check_growth(sizes)
        case.finish()
        return {"kills": kills, "start": round(start_time, 3), "done": progress[-1]}


def time_to_start(case):
    """Returns the duration in seconds of a command without work, under the current load of the
    machine."""
    run = case.start("list")
    run.end()
    return run.ended - run.started


def was_fed(requests, killed):
    """Whether a body was received completely, at least 0.1 s before the kill."""
    return any(one.completed and one.end < killed - 0.1 for one in requests)


def check_progress(case, progress):
    """Checks that three starts commit at least one more resource."""
    if len(progress) > 3 and progress[-1] < case.job.entries.total():
        require(progress[-1] > progress[-4], f"three starts brought nothing: {progress}")


def inner_size(case):
    """Returns the size in bytes of the database, its log and the partial files, which could grow
    with each crash."""
    inner = case.library / ".imgdl"
    files = [*inner.glob("library.sqlite*"), *inner.glob("incoming/*")]
    return sum(path.stat().st_size for path in files)


def check_growth(sizes):
    """Checks that the size does not grow with each crash. The limit has room for one log of the
    whole job."""
    limit = 24 << 20
    require(max(sizes) < limit, f"I7: database, log and partial files: {max(sizes):,} bytes")


TESTS = {
    "K1": ("SIGKILL at random moments", plan_random, run_random),
    "K4": ("50 kills soon after the start", plan_loop, run_loop),
}
