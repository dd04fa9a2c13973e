"""The client of the program `imgdl-cli worker`, which downloads the images of one shard after another."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .answers import AnswerChecker
from .errors import UsageError
from .process import Process

PROGRAM = "imgdl-cli"
EXIT_BAD_INPUT = 64
BLOCK_BYTES = 1 << 16
LINE_LIMIT_BYTES = 16 << 20
SAMPLE_LIMIT_BYTES = 1 << 20
"""The maximum length of a line that the worker reads."""
VERSION_SECONDS = 30
LOG_LINES = 20
LOG_LINE_CHARACTERS = 500


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


def program_version() -> str:
    """Returns the name and the version that the worker program states. Raises `WorkerFailed` if it does not start."""
    program = find_program()
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, timeout=VERSION_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise WorkerFailed(f"{program} cannot be started: {error}") from error
    return answer.stdout.decode("utf-8", "replace").strip()


class Worker:
    """A worker process, started when the first shard is run and used for all later ones.

    It is used by one thread at a time, except for `terminate`. The process ends with the thread that ran the first
    shard.
    """

    SHARD_MARGIN_SECONDS = 30.0
    SILENCE_MARGIN_SECONDS = 60.0
    EXIT_SECONDS = 5.0

    def __init__(self, program: str | None = None) -> None:
        self._program = program
        # Guards the two fields after it, because `terminate` is called by another thread.
        self._guard = threading.Lock()
        self._process: Process | None = None
        self._is_terminated = False
        self._log: deque[str] = deque(maxlen=LOG_LINES)

    def run(
        self, shard_line: dict[str, Any], samples: Iterable[dict[str, Any]], settings: Sequence[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """Runs one shard: yields the answer to each sample in the order of their indexes, and last the totals.

        A sample with the member `refused`, and one whose line is longer than the worker reads, is sent without a URL,
        so that it fails alone; its answer has the reason. A process that was started with other settings is replaced.

        Every answer is checked. Raises `WorkerFailed` if the worker fails, is silent or late, or breaks the protocol.
        When the caller stops early, the process is killed, because it is in the middle of a shard.
        """
        process = self._start(settings)
        whole = False
        try:
            checker = AnswerChecker(shard_line)
            refused: dict[int, str] = {}
            for line in self._exchange(process, _blocks(shard_line, samples, refused), shard_line):
                try:
                    answer = checker.check(line)
                except ValueError as error:
                    raise self._failure(f"the worker violated the protocol: {error}") from error
                if answer.get("failed") is True:
                    raise self._failure(f"the worker failed: {answer.get('error')}")
                if not checker.done and answer["i"] in refused and answer["status"] != "success":
                    answer["error_message"] = refused[answer["i"]]
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
        process = self._take_process()
        if process is not None:
            process.close_input()
            process.wait(self.EXIT_SECONDS)
            process.discard()

    def terminate(self) -> None:
        """Ends the process at once, and every later shard before it starts. Any thread may call this.

        A thread that is in the middle of a shard gets `WorkerFailed`.
        """
        with self._guard:
            self._is_terminated = True
            if self._process is not None:
                self._process.kill()

    def check(self) -> None:
        """Raises `WorkerFailed` if `terminate` was called, so that nothing is committed any more."""
        if self._is_terminated:
            raise self._failure("the run was stopped")

    def _start(self, settings: Sequence[str]) -> Process:
        if self._process is not None and self._process.settings != list(settings):
            self.close()
        if self._process is None or not self._process.is_running():
            self._kill()
            self._log.clear()
            program = self._program or find_program()
            with self._guard:
                self.check()
                self._process = Process(program, settings)
        return self._process

    def _exchange(self, process: Process, blocks: Iterator[bytes], shard_line: dict[str, Any]) -> Iterator[bytes]:
        """Sends the lines of a shard and yields the lines of the answer, until the worker closes its output."""
        unsent = memoryview(next(blocks))
        received = bytearray()
        late = time.monotonic() + (shard_line.get("shard_deadline") or float("inf")) + self.SHARD_MARGIN_SECONDS
        silence = 2 * shard_line["sample_deadline"] + self.SILENCE_MARGIN_SECONDS
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
                        raise self._failure("the worker violated the protocol: a line is too long")
                elif now >= silent:
                    raise self._failure(f"the worker was killed: it was silent for {silence:g} s")

    def _read_log(self, process: Process) -> bool:
        """Keeps the last lines that the worker wrote to its log; returns False at the end of the log."""
        block = os.read(process.stderr.fileno(), BLOCK_BYTES)
        for line in block.decode("utf-8", "replace").splitlines():
            if line.strip():
                printable = "".join(c if c.isprintable() else "?" for c in line[:LOG_LINE_CHARACTERS])
                self._log.append(printable)
        return bool(block)

    def _failure(self, reason: str, retryable: bool = True) -> WorkerFailed:
        return WorkerFailed(reason, self._log, retryable)

    def _ended(self, process: Process) -> WorkerFailed:
        """Returns the error for a worker that closed its output in the middle of a shard."""
        code = process.wait(self.EXIT_SECONDS)
        if code is None:
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
        process = self._take_process()
        if process is not None:
            process.discard()

    def _take_process(self) -> Process | None:
        """Returns the process, which is then no longer that of this worker."""
        with self._guard:
            process, self._process = self._process, None
            return process


def _blocks(shard_line: dict[str, Any], samples: Iterable[dict[str, Any]], refused: dict[int, str]) -> Iterator[bytes]:
    """Yields the lines of a shard in blocks, and adds the reasons of the samples that are not sent as they are."""
    block = bytearray(_encode(shard_line))
    for sample in samples:
        line = b"" if "refused" in sample else _encode(sample)
        if not 0 < len(line) <= SAMPLE_LIMIT_BYTES:
            refused[sample["i"]] = sample.get("refused") or _too_long(sample, len(line))
            line = _encode({"i": sample["i"], "url": None, "hash": "", "meta": {}})
        block += line
        if len(block) >= BLOCK_BYTES:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


def _too_long(sample: dict[str, Any], size: int) -> str:
    """Returns the reason why a sample is not sent, with the name of its longest part."""
    parts = {"the URL": sample.get("url"), "the caption": sample.get("txt")}
    parts |= {f"the column {name}": item for name, item in sample.get("meta", {}).items() if name != "url"}
    longest = max(parts, key=lambda name: len(json.dumps(parts[name])))
    return f"the sample has {size} bytes as JSON, more than {SAMPLE_LIMIT_BYTES}; {longest} is the longest part"


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


_threads = threading.local()


def thread_worker() -> Worker:
    """Returns the worker of this thread. A process that was made by a fork does not use the workers of its parent."""
    if getattr(_threads, "process_id", None) != os.getpid():
        _threads.process_id = os.getpid()
        _threads.worker = Worker()
    worker: Worker = _threads.worker
    return worker


def close_thread_worker() -> None:
    """Ends the worker process of this thread, if there is one."""
    if getattr(_threads, "process_id", None) == os.getpid():
        _threads.worker.close()
