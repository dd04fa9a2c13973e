"""K2: SIGKILL before the Nth call on a file. K3: the same again while the library recovers."""

import shim
from case import Case
from violation import Violation, require

# Threads make some runs shorter than others: commits gather in larger batches. A call that a run
# does not come to is tried again; the last few of the longest run may never be met again.
ATTEMPTS = 4
SURE = 0.75


def plan_calls(rig):
    """All calls of a small job nightly; a sample of them in the commit tier."""
    least, most = call_counts(rig)
    if rig.tier == "nightly":
        numbers = range(1, most + 1)
    else:
        sample = rig.chance("K2").sample(range(1, int(SURE * least)), 40)
        numbers = sorted({*sample, *rig.asked("K2")})
    cases = [{"label": f"K2/{n}", "call": "*", "nth": n, "least": least} for n in numbers]
    # Moments of danger: a file on its way into place, a sync that has not begun.
    return cases + [
        {"label": f"K2/{call}-{n}", "call": call, "nth": n, "least": 0}
        for call, last in (("rename", 5), ("syncfs", 2)) for n in range(1, last + 1)
    ]


def call_counts(rig):
    """The least and the most calls of a whole job in some runs."""
    if rig.call_counts is None:
        counts = []
        for i in range(3):
            with Case(rig, f"K2-count/{i}") as case:
                run = case.add(plan="")
                require(run.end() == 0, f"ends with {run.code}: {run.last_words}")
                counts.append(case.report(run).changing)
        require(min(counts) > 100, f"the shim sees no calls: {counts}")
        rig.call_counts = min(counts), max(counts)
    return rig.call_counts


def run_until(case, nth, call="*"):
    """A run that is killed before its nth call of a class, if it comes to that."""
    run = case.go_on(plan=shim.plan("kill", call, nth), trace=True)
    run.end()
    report = case.report(run)
    wanted = -9 if report.fired else 0
    require(run.code == wanted, f"exit {run.code} in place of {wanted}: {run.last_words}")
    return run, report


def run_call(rig, label, call, nth, least):
    for _ in range(ATTEMPTS):
        with Case(rig, label) as case:
            run, report = run_until(case, nth, call)
            if not report.fired:
                continue
            try:
                case.stopped(run, run.ended)
                case.finish()
            except Violation as error:
                place = f"call {call} {nth} ({report.place})"
                raise Violation(f"killed before {place}: {error}") from error
            return {"kills": 1, "before": report.place}
    require(nth > SURE * least, f"{ATTEMPTS} runs ended before call {call} {nth}")
    return {"beyond the end": 1}


def plan_recovery(rig):
    """K3: a kill at one call, then a kill at a call of the next start."""
    chance = rig.chance("K3")
    last = int(SURE * call_counts(rig)[0])
    return [
        # Most of the second kills early, where the recovery is: a start makes about forty calls.
        {"label": f"K3/{i}", "first": chance.randrange(1, last),
         "second": chance.randrange(1, chance.choice([40, 40, 40, 150]))}
        for i in range(rig.choose(commit=8, nightly=200))
    ]


def run_recovery(rig, label, first, second):
    with Case(rig, label) as case:
        run, before = run_until(case, first)
        require(before.fired, f"the run ended before call {first}")
        case.stopped(run, run.ended)
        try:
            run, report = run_until(case, second)
            case.stopped(run, run.ended)
            case.finish()
        except Violation as error:
            places = f"call {first} ({before.place}), then call {second}"
            raise Violation(f"killed before {places}: {error}") from error
        # A start with little left to do may end before.
        return {"kills": 1 + report.fired, "before": report.place}


TESTS = {
    "K2": ("SIGKILL before the Nth call on a file", plan_calls, run_call),
    "K3": ("SIGKILL while a killed library recovers", plan_recovery, run_recovery),
}
