"""The client of the program `imgdl-cli worker`, which downloads the images of one shard after another."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Optional

from .options import UsageError

PROGRAM = "imgdl-cli"
STATUSES = ("success", "failed_to_download", "failed_to_resize")
EXIT_BAD_INPUT = 64
BLOCK_BYTES = 1 << 16
LINE_LIMIT_BYTES = 16 << 20
LOG_LINES = 20
LOG_LINE_CHARACTERS = 500

# Makes the kernel kill the worker when its parent ends (PR_SET_PDEATHSIG is 1), and then becomes the worker. This is a
# program of its own because code that runs between fork and exec may deadlock in a process with threads.
LAUNCHER = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class WorkerFailed(Exception):
    """A shard that the worker did not complete; nothing of it was committed."""

    def __init__(self, reason: str, log: Iterable[str] = (), retryable: bool = True) -> None:
        lines = list(log)
        super().__init__("\n  ".join([reason, *lines]))
        self.reason = reason
        self.log = lines
        self.retryable = retryable


def find_program() -> str:
    """Returns the path of the worker program: IMGDL_BINARY, or beside this package, or on PATH."""
    given = os.environ.get("IMGDL_BINARY")
    if given:
        if not os.access(given, os.X_OK):
            raise UsageError(f"IMGDL_BINARY is {given}, which is not a program")
        return given
    packaged = Path(__file__).parent / "bin" / PROGRAM
    if os.access(packaged, os.X_OK):
        return str(packaged)
    found = shutil.which(PROGRAM)
    if found is None:
        raise UsageError(f"{PROGRAM} was not found: set IMGDL_BINARY to its path")
    return found


def sample_key(shard_line: dict[str, Any], index: int) -> str:
    """Returns the key of the sample with this index in a shard."""
    digits = shard_line["oom_sample_per_shard"]
    return f"{10**digits * shard_line['shard'] + index:0{digits + shard_line['oom_shard_count']}d}"


class Worker:
    """A worker process, started when the first shard is run and used for all later ones.

    It is used by one thread at a time. The process ends with the thread that ran the first shard.
    """

    SHARD_MARGIN_SECONDS = 30.0
    SILENCE_MARGIN_SECONDS = 60.0
    EXIT_SECONDS = 5.0

    def __init__(self, program: Optional[str] = None) -> None:
        self._program = program
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._log: deque[str] = deque(maxlen=LOG_LINES)

    def run(self, shard_line: dict[str, Any], samples: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Runs one shard: yields the answer to each sample in the order of their indexes, and last the totals.

        Every answer is checked. Raises `WorkerFailed` if the worker fails, is silent or late, or breaks the protocol.
        When the caller stops early, the process is killed, because it is in the middle of a shard.
        """
        process = self._start()
        whole = False
        try:
            checker = AnswerChecker(shard_line)
            for line in self._exchange(process, shard_line, samples):
                try:
                    answer = checker.check(line)
                except ValueError as error:
                    raise self._failure(f"the worker broke the protocol: {error}") from error
                if answer.get("failed") is True:
                    raise self._failure(f"the worker failed: {answer.get('error')}")
                # The process is ready for the next shard before the caller sees the end of this one.
                whole = checker.done
                yield answer
                if checker.done:
                    return
            raise self._ended(process)
        finally:
            if not whole:
                self._kill()

    def close(self) -> None:
        """Ends the process: by the end of its input, and by a signal when it does not end in time."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(self.EXIT_SECONDS)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            pass
        _discard(process)

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._kill()
        self._log.clear()
        command = [self._program or find_program(), "worker"]
        if sys.platform == "linux":
            command = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), *command]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            os.set_blocking(stream.fileno(), False)
        return self._process

    def _exchange(
        self, process: subprocess.Popen[bytes], shard_line: dict[str, Any], samples: Iterable[dict[str, Any]]
    ) -> Iterator[bytes]:
        """Sends the lines of a shard and yields the lines of the answer, until the worker closes its output."""
        blocks = _blocks(shard_line, samples)
        unsent = memoryview(next(blocks))
        received = bytearray()
        late = time.monotonic() + (shard_line.get("shard_deadline") or float("inf")) + self.SHARD_MARGIN_SECONDS
        silence = shard_line["sample_deadline"] + self.SILENCE_MARGIN_SECONDS
        silent = time.monotonic() + silence
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select(max(0.0, min(late, silent) - time.monotonic()))}
                now = time.monotonic()
                if now >= late:
                    raise self._failure("the worker was killed: the shard was not done at its deadline")
                if process.stderr in ready and not self._read_log(process):
                    selector.unregister(process.stderr)
                if process.stdin in ready:
                    unsent = _send(process.stdin.fileno(), unsent) or memoryview(next(blocks, b""))
                    if not unsent:
                        selector.unregister(process.stdin)
                if process.stdout in ready:
                    block = os.read(process.stdout.fileno(), BLOCK_BYTES)
                    if not block:
                        return
                    *lines, rest = block.split(b"\n")
                    if lines:
                        yield bytes(received) + lines[0]
                        yield from lines[1:]
                        received.clear()
                        silent = time.monotonic() + silence
                    received += rest
                    if len(received) > LINE_LIMIT_BYTES:
                        raise self._failure("the worker broke the protocol: a line is too long")
                elif now >= silent:
                    raise self._failure(f"the worker was killed: it was silent for {silence:g} s")

    def _read_log(self, process: subprocess.Popen[bytes]) -> bool:
        """Keeps the last lines that the worker wrote to its log; returns False at the end of the log."""
        block = os.read(process.stderr.fileno(), BLOCK_BYTES)
        for line in block.decode("utf-8", "replace").splitlines():
            if line.strip():
                printable = "".join(c if c.isprintable() else "?" for c in line[:LOG_LINE_CHARACTERS])
                self._log.append(printable)
        return bool(block)

    def _failure(self, reason: str, retryable: bool = True) -> WorkerFailed:
        return WorkerFailed(reason, self._log, retryable)

    def _ended(self, process: subprocess.Popen[bytes]) -> WorkerFailed:
        """Returns the error for a worker that closed its output in the middle of a shard."""
        try:
            code = process.wait(self.EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return self._failure("the worker closed its output in the middle of a shard")
        try:
            while self._read_log(process):
                pass
        except BlockingIOError:
            pass
        if code == EXIT_BAD_INPUT:
            return self._failure("the worker refused its input", retryable=False)
        if code < 0:
            return self._failure(f"the worker was ended by signal {-code} in the middle of a shard")
        return self._failure(f"the worker ended with exit code {code} in the middle of a shard")

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _discard(process)


class AnswerChecker:
    """Checks the lines that answer one shard. After the last one, `done` is True."""

    def __init__(self, shard_line: dict[str, Any]) -> None:
        self.done = False
        self._shard_line = shard_line
        self._counts: Counter[str] = Counter()
        self._next = 0

    def check(self, line: bytes) -> dict[str, Any]:
        """Returns the answer in a line, or raises `ValueError`."""
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise ValueError(f"this line is not JSON: {line[:80]!r}") from error
        if not isinstance(answer, dict):
            raise ValueError(f"this line is not an object: {line[:80]!r}")
        if "failed" in answer:
            return answer
        if "done" in answer:
            self._check_totals(answer)
            self.done = True
            return answer
        self._check_sample(answer)
        self._counts[answer["status"]] += 1
        self._next += 1
        return answer

    def _check_sample(self, answer: dict[str, Any]) -> None:
        if self._next >= self._shard_line["count"]:
            raise ValueError("more answers than samples")
        if answer.get("i") != self._next:
            raise ValueError(f"an answer for sample {answer.get('i')!r} instead of {self._next}")
        if answer.get("status") not in STATUSES:
            raise ValueError(f"the unknown status {answer.get('status')!r}")
        key = sample_key(self._shard_line, self._next)
        if answer.get("key") != key:
            raise ValueError(f"the key {answer.get('key')!r} instead of {key}")
        if answer["status"] != "success" and not isinstance(answer.get("error_message"), str):
            raise ValueError(f"no reason for the failure of sample {self._next}")

    def _check_totals(self, totals: dict[str, Any]) -> None:
        expected = {
            "done": True,
            "shard": self._shard_line["shard"],
            "count": self._shard_line["count"],
            "successes": self._counts["success"],
            "failed_to_download": self._counts["failed_to_download"],
            "failed_to_resize": self._counts["failed_to_resize"],
        }
        if self._next != expected["count"]:
            raise ValueError(f"the end after {self._next} of {expected['count']} answers")
        for name, value in expected.items():
            if totals.get(name) != value:
                raise ValueError(f"the total {name} is {totals.get(name)!r} instead of {value!r}")


def _blocks(shard_line: dict[str, Any], samples: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yields the lines of a shard in blocks."""
    block = bytearray(_encode(shard_line))
    for sample in samples:
        block += _encode(sample)
        if len(block) >= BLOCK_BYTES:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


def _encode(line: dict[str, Any]) -> bytes:
    return json.dumps(line, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _send(descriptor: int, block: memoryview) -> memoryview:
    """Sends what the pipe takes and returns the rest. When the worker is gone, its output tells why."""
    try:
        return block[os.write(descriptor, block) :]
    except BlockingIOError:
        return block
    except BrokenPipeError:
        return block[:0]


def _discard(process: subprocess.Popen[bytes]) -> None:
    """Kills a process with its children, and closes its pipes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


_threads = threading.local()


def thread_worker() -> Worker:
    """Returns the worker of this thread. A process that was made by a fork does not use the workers of its parent."""
    if getattr(_threads, "process_id", None) != os.getpid():
        _threads.process_id = os.getpid()
        _threads.worker = Worker()
    return _threads.worker


def close_thread_worker() -> None:
    """Ends the worker process of this thread, if there is one."""
    if getattr(_threads, "process_id", None) == os.getpid():
        _threads.worker.close()
