"""Starts imgdl-cli in a process group of its own, waits for it, and finds what it leaves behind."""

import ctypes
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from violation import Violation

# Nothing here takes this long; a loaded machine may be slow.
WATCHDOG = 180
# Helpers end by themselves when the program is gone.
CHILD_PATIENCE = 20
MEMORY_LIMIT = 400 << 20
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Makes this process the parent of everything below it whose own parent dies."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def hear_signals():
    """Takes back what a shell does to a job in the background, whose SIGINT it has ignored for it and
    for everything below. A handler of ours becomes the default in the programs."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def children():
    """Processes below this one, as numbers; those that have ended are collected first."""
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return {int(number) for number in path.read_text().split()}


def has_ended(process):
    """Whether only the exit code of a child is left."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Program:
    """One run of imgdl-cli."""

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
        """The exit code, negative for a signal; None when the time is over."""
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
        """Waits for the end, helpers included. A program that hangs or grows is a violation; the
        memory is that of the largest of its processes."""
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
        """SIGKILL to the process group, or to the program alone, as without memory."""
        if self.code is None:
            (os.kill if only_this else os.killpg)(self.pid, signal.SIGKILL)

    def check_children(self):
        """Helpers end when their program has, whatever way it ended."""
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
