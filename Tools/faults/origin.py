"""Runs `imgdl-origin` and reads its log, which shows what was fetched, and when."""

import json
import subprocess
import time
from collections import Counter, namedtuple

from violation import Violation

# The time in seconds by which the server's log may lag behind.
PATIENCE = 20

# One line of the log. Times are in seconds of the monotonic clock; `bytes` counts the bytes of the
# body that the kernel accepted.
Request = namedtuple("Request", "path range status bytes completed start end")


class Origin:
    """A server for one case, which runs until `stop`."""

    def __init__(self, program, served, folder, options=()):
        self.log_file = folder / "requests.jsonl"
        port_file = folder / "port"
        self.process = subprocess.Popen(
            [program, served, "--port-file", port_file, "--log", self.log_file,
             "--exit-with-stdin", *options],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
        )
        deadline = time.monotonic() + 60
        while not port_file.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Violation("imgdl-origin does not start")
            time.sleep(0.005)
        self.base = f"http://127.0.0.1:{int(port_file.read_text())}"

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def requests(self, since=0):
        """Returns all requests that have ended, in the order of their beginning; with `since`, only
        those that began then or later. Must be called while no program runs. The log may lag behind
        the client, so the method waits while a sequence number is missing."""
        deadline = time.monotonic() + PATIENCE
        while True:
            entries = self.entries()
            if len(entries) == max((entry["seq"] for entry in entries), default=0):
                break
            if time.monotonic() > deadline:
                raise Violation("a request has no end in the server's log")
            time.sleep(0.02)
        all_of_them = [
            Request(
                entry["target"], entry["range"], entry["status"], entry["bytes"],
                entry["completed"], entry["monotonicStart"] / 1000, entry["monotonicEnd"] / 1000)
            for entry in sorted(entries, key=lambda entry: entry["seq"])
        ]
        return [one for one in all_of_them if one.start >= since]

    def whole_requests(self, sizes):
        """Returns the requests, the number of sent bytes of each file, and whether every file of
        `sizes` was sent completely. Waits for that at most until the deadline."""
        deadline = time.monotonic() + PATIENCE
        while True:
            requests = [one for one in self.requests() if one.path in sizes]
            sent = Counter()
            for one in requests:
                sent[one.path] += one.bytes
            is_whole = all(sent[path] >= size for path, size in sizes.items())
            if is_whole or time.monotonic() > deadline:
                return requests, sent, is_whole
            time.sleep(0.02)

    def entries(self):
        if not self.log_file.exists():
            return []
        # The last line may be incomplete, so that only whole lines are parsed.
        text = self.log_file.read_text()
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
