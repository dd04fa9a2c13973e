"""K2: SIGKILL before the Nth call on a file. K3: a second SIGKILL while the library recovers."""

import shim
from case import Case
from violation import Violation, require

# The number of runs that may end before the Nth call. Runs differ in length, because threads commit
# in batches of different sizes; calls beyond REACHABLE_SHARE of the shortest run may not be reached.
ATTEMPTS = 4
REACHABLE_SHARE = 0.75


def moments(rig, test, first, commit):
    """Returns the cases that stop a job at a numbered call: in the nightly tier at each call of the
    small job and at every fourth call of the job whose resources share URLs and content, in the
    commit tier at a sample of both."""
    cases = []
    for job, share in (("small", 1), ("twins", 4)):
        least, most = call_counts(rig, job)
        if rig.tier == "nightly":
            numbers = range(1, most + 1, share)
        else:
            chance = rig.chance(f"{test} {job}")
            sample = chance.sample(range(first, int(REACHABLE_SHARE * least)),
                                   commit // (1 + (share > 1)))
            numbers = sorted({*sample, *rig.asked(f"{test}/{job}")})
        cases += [
            {"label": f"{test}/{job}/{n}", "job": job, "call": "*", "nth": n, "least": least}
            for n in numbers
        ]
    return cases


def call_counts(rig, job):
    """Returns the smallest and the largest number of calls in three complete runs of a job."""
    if job not in rig.call_counts:
        counts = []
        for i in range(3):
            with Case(rig, f"count/{job}/{i}", job) as case:
                run = case.add(plan="")
                require(run.end() == 0, f"ends with {run.code}: {run.last_words}")
                counts.append(case.report(run).changing)
        require(min(counts) > 100, f"the shim sees no calls: {counts}")
        rig.call_counts[job] = min(counts), max(counts)
    return rig.call_counts[job]


def run_until(case, nth, call="*", **how):
    """Runs imgdl-cli and kills it before its nth call of a class, if it makes that many. Returns
    the run and the shim's report."""
    told = () if case.is_done else ("--json",)
    run = case.go_on(*told, plan=shim.plan("kill", call, nth), trace=True, **how)
    run.end()
    report = case.report(run)
    wanted = -9 if report.fired else 0
    require(run.code == wanted, f"exit {run.code} in place of {wanted}: {run.last_words}")
    return run, report


def strike(rig, label, job, call, nth, least, what, judge):
    """Kills a run before a call, and returns what `judge` finds in the library. A run that ends
    before the call is repeated."""
    for _ in range(ATTEMPTS):
        with Case(rig, label, job) as case:
            run, report = run_until(case, nth, call)
            if not report.fired:
                continue
            try:
                return judge(case, run) | {"before": report.place}
            except Violation as error:
                raise Violation(f"{what} before {call} {nth} ({report.place}): {error}") from error
    require(nth > REACHABLE_SHARE * least, f"{ATTEMPTS} runs ended before call {call} {nth}")
    return {"beyond the end": 1}


def plan_calls(rig):
    # Dangerous moments: before a file is renamed into place, and before a sync begins.
    return moments(rig, "K2", 1, 30) + [
        {"label": f"K2/{job}/{call}-{n}", "job": job, "call": call, "nth": n, "least": 0}
        for job in ("small", "twins") for call, last in (("rename", 5), ("syncfs", 2))
        for n in range(1, last + 1)
    ]


def run_call(rig, label, job, call, nth, least):
    return strike(rig, label, job, call, nth, least, "killed", judge_kill)


def judge_kill(case, run):
    case.stopped(run, run.ended)
    case.finish()
    return {"kills": 1}


def plan_recovery(rig):
    """K3: plans a kill at one call of a run, and a second kill at a call of the next run."""
    chance = rig.chance("K3")
    cases = []
    for i in range(rig.choose(commit=8, nightly=200)):
        job = "twins" if i % 4 == 3 else "small"
        last = int(REACHABLE_SHARE * call_counts(rig, job)[0])
        # Most second kills come early, during the recovery: a start makes about forty calls.
        second = 1 + int(chance.random() * chance.choice([40, 40, 40, 150]))
        cases.append({"label": f"K3/{i}", "job": job, "first": 1 + int(chance.random() * last),
                      "second": second})
    return cases


def run_recovery(rig, label, job, first, second):
    with Case(rig, label, job) as case:
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
        # A run with little left to do may end before the second kill.
        return {"kills": 1 + report.fired, "before": report.place}


TESTS = {
    "K2": ("SIGKILL before the Nth call on a file", plan_calls, run_call),
    "K3": ("SIGKILL while a killed library recovers", plan_recovery, run_recovery),
}
