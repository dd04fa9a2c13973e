"""Runs `imgdl-origin` and reads its log: the witness of what was fetched, and when."""

import json
import subprocess
import time
from collections import namedtuple

from violation import Violation

# Times are seconds of the monotonic clock; bytes are those of bodies that the kernel took.
Request = namedtuple("Request", "path range status bytes completed start end")


class Origin:
    """A server for one case; it ends with the block."""

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

    def requests(self):
        """All requests that have ended, in the order of their beginning."""
        if not self.log_file.exists():
            return []
        # Cut at the last whole line: one may be on its way.
        text = self.log_file.read_text()
        entries = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
        return [
            Request(
                entry["target"], entry["range"], entry["status"], entry["bytes"],
                entry["completed"], entry["monotonicStart"] / 1000, entry["monotonicEnd"] / 1000)
            for entry in sorted(entries, key=lambda entry: entry["seq"])
        ]
