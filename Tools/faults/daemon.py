"""D8: SIGKILL of imgdld at random moments, while clients make random calls of its API."""

import http.client
import json
import random
import socket
import threading
import time

import oracle
import program
from case import PACED, Case
from violation import require

KILLS_EACH = 10
CLIENTS = 3
# The time in seconds within which a started daemon must listen.
PATIENCE = 60


class Connection(http.client.HTTPConnection):
    """An HTTP connection to the Unix socket of a library's daemon."""

    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(path, method, target, body=None, timeout=60):
    """Sends one request. Returns the status and the text of the response."""
    connection = Connection(path, timeout)
    fields = {"Content-Type": "application/json"} if body is not None else {}
    try:
        connection.request(method, target, None if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


def plan_kills(rig):
    """Plans the kills, ten in each case. In every other case the clients also make calls that
    discard work, after which only the state on the disk is checked."""
    total = rig.choose(commit=20, nightly=100)
    return [
        {"label": f"D8/{i}", "kills": KILLS_EACH, "is_gentle": i % 2 == 0}
        for i in range(total // KILLS_EACH)
    ]


def run_kills(rig, label, kills, is_gentle):
    done, libraries, calls = 0, 0, 0
    while done < kills:
        with Case(rig, f"{label}-{libraries}", "standard", PACED) as case:
            case.reads_remote_pages = True
            killed, made = kill_until_done(case, kills - done, is_gentle)
            done, calls, libraries = done + killed, calls + made, libraries + 1
            if is_gentle:
                lift_pauses(case)
                case.finish()
            else:
                check_reset(case)
    return {"kills": done, "libraries": libraries, "calls": calls}


def start(case):
    """Starts imgdld for the library of a case. Returns the run and the path of the socket."""
    case.runs += 1
    folder = case.notes / f"run-{case.runs:02d}"
    folder.mkdir()
    lock = case.library / ".imgdl/lock"
    lock.unlink(missing_ok=True)
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    environment |= {key: str(case.outside / name) for key, name in case.places.items()}
    command = [
        case.rig.program.with_name("imgdld"), "--foreground", "--library", case.library, "--set",
        f"network.maxConcurrentDownloads={oracle.CONNECTIONS}", "--set", "network.retryDelay=50ms",
    ]
    run = program.Program(command, environment, folder)
    run.folder = folder
    deadline = time.monotonic() + PATIENCE
    while run.wait(0.01) is None:
        try:
            path = lock.read_text().splitlines()[1]
            ask(path, "GET", "/v1")
            return run, path
        except (OSError, IndexError, http.client.HTTPException):
            require(time.monotonic() < deadline, "I7: imgdld does not listen")
    require(False, f"I1: imgdld ends with {run.code}: {run.errors[-300:]}")


def kill_until_done(case, wanted, is_gentle):
    """Kills up to `wanted` daemons, fewer if the job is done before. Returns the number of kills
    and the number of answered calls."""
    answered = 0
    for done in range(wanted):
        if case.is_done:
            return done, answered
        run, path = start(case)
        clients = [
            Client(case, path, is_gentle, number) for number in range(CLIENTS)
        ]
        if not case.snapshot().rows:
            clients.append(Adder(case, path))
        for client in clients:
            client.start()
        time.sleep(case.chance.uniform(0.02, 0.8))
        killed = time.monotonic()
        run.kill(only_this=case.chance.random() < 0.3)
        run.end()
        for client in clients:
            client.join()
            answered += client.answered
            # A pause, like a kill, loses data that a server has sent and imgdl has not read. A segment
            # for each pause is enough, because most of many pauses meet transfers that have hardly
            # begun.
            case.allowance += client.pauses * oracle.SEGMENT
            require(not client.problem, client.problem)
        if is_gentle:
            case.stopped(run, killed)
        else:
            snapshot = case.snapshot()
            oracle.crashed(snapshot, case.library, case.job)
    return wanted, answered


class Client(threading.Thread):
    """A thread that makes random API calls until the daemon is gone."""

    READS = [
        "/v1", "/v1/health", "/v1/status", "/v1/hosts", "/v1/settings", "/v1/records?limit=2",
        "/v1/records/{r}", "/v1/records/{r}/resources?limit=20", "/v1/resources/{x}",
        "/v1/resources/{x}/pages", "/v1/resources/{x}/file", "/v1/resources/{x}/pages/1/image",
        "/v1/resources/{x}/pages/1/thumbnail", "/v1/none", "/v1/records/0",
    ]
    GENTLE = [
        ("POST", "/v1/pause", None), ("POST", "/v1/resume", None), ("POST", "/v1/retry", None),
        ("POST", "/v1/records/{r}/pause", None), ("POST", "/v1/records/{r}/resume", None),
        ("PUT", "/v1/records/{r}/priority", {"priority": "high"}),
        ("PUT", "/v1/settings/concurrency", {"limit": 4}),
        ("PUT", "/v1/settings/per-host", {"limit": oracle.CONNECTIONS}),
        ("PUT", "/v1/viewers/7/records/{r}", {"from": 3, "to": 9}),
        ("DELETE", "/v1/viewers/7", None),
        ("POST", "/v1/batch", {"calls": [{"path": "/v1/status"},
                                         {"method": "POST", "path": "/v1/resume"}]}),
        ("POST", "/v1/batch", {"calls": 5}),
    ]
    HARSH = [
        ("POST", "/v1/records/{r}/cancel", None), ("POST", "/v1/records/{r}/reload", None),
        ("POST", "/v1/requeue", {"resources": [1, 2, 3], "reason": "for a test"}),
        ("POST", "/v1/records/{r}/refresh", None), ("DELETE", "/v1/records/{r}", None),
        ("POST", "/v1/reset", None),
    ]

    def __init__(self, case, path, is_gentle, number):
        super().__init__()
        self.socket_path, self.answered, self.problem = path, 0, None
        self.pauses = 0
        self.chance = random.Random(f"{case.rig.seed} {case.label} {case.runs} {number}")
        self.calls = self.GENTLE + ([] if is_gentle else self.HARSH)

    def run(self):
        while not self.problem:
            method, target, body = "GET", self.chance.choice(self.READS), None
            if self.chance.random() < 0.4:
                method, target, body = self.chance.choice(self.calls)
            target = target.format(r=self.chance.randint(1, 3), x=self.chance.randint(1, 310))
            try:
                status, text = ask(self.socket_path, method, target, body)
            except (OSError, http.client.HTTPException):
                return  # the daemon was killed
            self.answered += 1
            if target.endswith("/pause") and status == 200:
                self.pauses += 1
            if status >= 500 and status != 503:
                self.problem = f"I9: {method} {target}: {status} {text[:200]}"


class Adder(threading.Thread):
    """A thread that adds the source of the job."""

    def __init__(self, case, path):
        super().__init__()
        self.case, self.socket_path, self.answered, self.problem = case, path, 0, None
        self.pauses = 0

    def run(self):
        try:
            ask(self.socket_path, "POST", "/v1/sources", {"url": self.case.source})
            self.answered += 1
        except (OSError, http.client.HTTPException):
            pass


def lift_pauses(case):
    """Resumes all records that the clients have paused; the `resume` command also downloads the
    resources that are left."""
    if not case.snapshot().rows:
        return
    run = case.start("resume", "--no-progress")
    run.end()
    require(run.code in (0, 1), f"I1: resume ends with {run.code}: {run.last_words}")
    case.stopped(run)


def check_reset(case):
    """Checks, after calls that discarded work, that `reset` empties the library and leaves no other
    files behind."""
    run = case.start("reset", "--yes")
    run.end()
    require(run.code in (0, 2), f"I1: reset ends with {run.code}: {run.last_words}")
    snapshot = case.snapshot()
    require(not snapshot.rows, f"I1: reset leaves {snapshot.tally()}")
    oracle.check_leftovers(case)
    oracle.check_surroundings(case)


TESTS = {
    "D8": ("SIGKILL of imgdld during random calls", plan_kills, run_kills),
}
