"""What the tests of clusters share: a server that holds responses, a Spark cluster, and the moment of a kill."""

import contextlib
import http.server
import os
import pathlib
import re
import select
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SAMPLE = ROOT / "Apps/imgdl-cli/Sample"
IMAGES = sorted(path for path in SAMPLE.rglob("*") if path.suffix in (".jpg", ".png", ".webp"))

# Every cluster has two nodes with one processor each.
NODES = 2
# So many responses are not held, so that some shards are whole before a node is killed.
RESPONSES_BEFORE = 2
# How long an event may take on a busy machine. No test waits for this time to pass.
EVENT_SECONDS = 90


class Origin(http.server.ThreadingHTTPServer):
    """Serves the sample's images. Responses below /gate wait until they are released, except for the first ones."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self):
        self.requests = []
        self.lost = []
        self._first = threading.Semaphore(RESPONSES_BEFORE)
        self.held = threading.Semaphore(0)
        self.losses = threading.Semaphore(0)
        # The reading end becomes readable, for every response that is held, when the writing end is closed.
        self._gate, self._latch = os.pipe()
        self._is_released = False
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_port}/"

    def hold(self, path, connection):
        """Waits until responses are released; returns False if the client is gone before."""
        if self._first.acquire(blocking=False):
            return True
        self.held.release()
        ready, _, _ = select.select([connection, self._gate], [], [])
        if self._gate in ready:
            return True
        self.lost.append(path)
        self.losses.release()
        return False

    def release(self):
        """Lets the responses go on that are held, and all later ones."""
        if not self._is_released:
            self._is_released = True
            os.close(self._latch)

    def handle_error(self, request, client_address):
        """A client that was killed is no error."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path[1:]
        self.server.requests.append(path)
        kind, _, number = path.partition("/")
        if kind == "gate" and not self.server.hold(path, self.connection):
            self.close_connection = True
            return
        body = b"" if kind == "missing" else image(int(number))
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def image(number):
    return IMAGES[number % len(IMAGES)].read_bytes()


class StandaloneSpark:
    """A standalone master and its workers, each in a process group of its own."""

    def __init__(self, folder):
        pyspark = pytest.importorskip("pyspark")
        self._program = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-class")
        self._folder = folder
        self._processes = []
        self._workers = []
        self.url = ""

    def start(self):
        """Starts the processes, and returns when the master has a URL."""
        master = self._start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.url = self._wait_for_url(master)
        self._workers = [
            self._start(
                "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "600m", "--webui-port", "0",
                "--work-dir", str(self._folder / f"worker-{number}"), self.url)
            for number in range(NODES)
        ]  # fmt: skip

    def kill_worker(self):
        """Kills a worker and its executor."""
        self._kill(self._workers[0])

    def close(self):
        for process in self._processes:
            self._kill(process)
            process.stdout.close()

    def _start(self, name, *arguments):
        process = subprocess.Popen(
            [self._program, f"org.apache.spark.deploy.{name}", *arguments], cwd=self._folder, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
        self._processes.append(process)
        if name.startswith("worker"):
            threading.Thread(target=_drain, args=(process.stdout,), daemon=True).start()
        return process

    def _wait_for_url(self, master):
        """Reads the log of the master up to the line with its URL."""
        lines = []
        for line in master.stdout:
            lines.append(line)
            found = re.search(r"Starting Spark master at (spark://[\w.:]+)", line)
            if found is not None:
                threading.Thread(target=_drain, args=(master.stdout,), daemon=True).start()
                return found[1]
        pytest.fail("".join(["the master ended:\n", *lines]))

    def _kill(self, process):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _drain(stream):
    """Reads a log, so that the process that writes it is not blocked."""
    with contextlib.suppress(ValueError):  # The log was closed.
        for _ in stream:
            pass


def remove_node(cluster):
    """Kills the processes of the node that is not the driver's."""
    (node,) = cluster.worker_nodes
    cluster.remove_node(node, allow_graceful=False)


@contextlib.contextmanager
def killed_in_the_middle(origin, folder, kill):
    """Kills a node during a `with` block, at a moment in which each node is in the middle of a shard.

    The result is a set, to which the numbers of the shards are added that are whole before.
    """
    whole = set()

    def run():
        try:
            wait_until_all_nodes_are_busy(origin)
            whole.update(shards_with_stats(folder))
            kill()
            # The worker on the killed node must have ended before it can complete its shard.
            assert origin.losses.acquire(timeout=EVENT_SECONDS), "the worker outlived its node"
        finally:
            origin.release()

    with ThreadPoolExecutor(1) as pool:
        killer = pool.submit(run)
        yield whole
        killer.result()


def wait_until_all_nodes_are_busy(origin):
    """Waits for a response that is held for each node: a node has one processor, and so one shard at a time."""
    for _ in range(NODES):
        assert origin.held.acquire(timeout=EVENT_SECONDS), "a node had no shard"


def shards_with_stats(folder):
    return {int(path.name.split("_")[0]) for path in folder.glob("*_stats.json")}
