"""Starts a program in a session of its own, waits for it, and finds the processes that it leaves
running."""

import ctypes
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from violation import Violation

# The time limit of a run in seconds, which is sufficient on a loaded machine.
WATCHDOG = 180
# The time in seconds within which helpers must end after their program.
CHILD_PATIENCE = 20
MEMORY_LIMIT = 400 << 20
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Makes this process the parent of all descendants whose own parent ends
    (PR_SET_CHILD_SUBREAPER)."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def hear_signals():
    """Restores the signals that a shell has set to ignored for a background job, because programs
    inherit ignored signals. A signal with a handler has its default action in the programs that are
    started."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def children():
    """Returns the process ids of the children of this process, including those that were not reaped
    yet."""
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return {int(number) for number in path.read_text().split()}


def has_ended(process):
    """Whether a child has ended: it is a zombie, or was reaped."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Program:
    """One run of imgdl-cli or imgdld."""

    def __init__(self, command, environment, folder, limits=()):
        self.command = [str(part) for part in command]
        self.error_file = folder / "stderr"
        self.output_file = folder / "stdout"
        self.code = None
        self.peak = 0
        self.before = children()
        self.started = time.monotonic()
        with open(self.error_file, "wb") as errors, open(self.output_file, "wb") as output:
            self.process = subprocess.Popen(
                [*limits, *self.command], env=environment, cwd=environment["PWD"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True,
            )
        self.pid = self.process.pid
        self.handle = os.pidfd_open(self.pid)

    def wait(self, limit=WATCHDOG):
        """Returns the exit code, negative for a signal; None if the program has not ended after
        `limit` seconds."""
        if self.code is None:
            if not select.select([self.handle], [], [], max(0, limit))[0]:
                return None
            _, status, usage = os.wait4(self.pid, 0)
            self.ended = time.monotonic()
            os.close(self.handle)
            self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
            self.peak = usage.ru_maxrss << 10
        return self.code

    def end(self, limit=WATCHDOG, memory=MEMORY_LIMIT):
        """Waits for the end of the program and of its helpers. A program that hangs or exceeds the
        memory limit is a violation; the limit applies to the largest of its processes."""
        if self.wait(limit) is None:
            self.kill()
            self.wait()
            raise Violation(f"I7: no end within {limit} s: {' '.join(self.command)}")
        self.check_children()
        if self.peak > memory:
            raise Violation(f"I7: {self.peak >> 20} MiB resident")
        return self.code

    def signal(self, number):
        if self.code is None:
            os.kill(self.pid, number)

    def kill(self, only_this=False):
        """Sends SIGKILL to the process group, or to the program alone, as the kernel does if memory
        runs out."""
        if self.code is None:
            (os.kill if only_this else os.killpg)(self.pid, signal.SIGKILL)

    def check_children(self):
        """Checks that the helpers end after their program, however the program has ended."""
        deadline = time.monotonic() + CHILD_PATIENCE
        while left := self.orphans():
            if time.monotonic() > deadline:
                names = [self.name(process) for process in left]
                for process in left:
                    os.kill(process, signal.SIGKILL)
                raise Violation(f"I4: processes left running: {', '.join(names)}")
            time.sleep(0.005)

    def orphans(self):
        left = children() - self.before - {self.pid}
        for process in [process for process in left if has_ended(process)]:
            try:
                os.waitpid(process, 0)
            except ChildProcessError:
                pass
            left.discard(process)
        return left

    @staticmethod
    def name(process):
        try:
            return Path(f"/proc/{process}/comm").read_text().strip()
        except FileNotFoundError:
            return str(process)

    @property
    def errors(self):
        return self.error_file.read_text(errors="replace")

    @property
    def output(self):
        return self.output_file.read_text(errors="replace")

    @property
    def last_words(self):
        lines = self.errors.strip().splitlines()
        return lines[-1] if lines else "(nothing said)"
