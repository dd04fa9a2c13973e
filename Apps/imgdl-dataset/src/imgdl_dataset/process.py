"""A process of the worker program, its pipes, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

# Makes the kernel kill the worker when its parent ends (PR_SET_PDEATHSIG is 1), and then becomes the worker. This is a
# program of its own because code that runs between fork and exec may deadlock in a process with threads.
LAUNCHER = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


def command_line(program: str, settings: Sequence[str] = ()) -> list[str]:
    """Returns the words of the command that starts a worker with settings, each of which is NAME=VALUE.

    On Linux, the worker is started by a Python program, so that it ends with this process. An embedded Python may have
    no program of its own; there, and on other systems, the worker ends when its input is closed.
    """
    words = [program, "worker", *(word for setting in settings for word in ("--set", setting))]
    if sys.platform == "linux" and sys.executable:
        return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), *words]
    return words


class Process:
    """A worker that was started, in a process group of its own. Its pipes do not block."""

    def __init__(self, program: str, settings: Sequence[str] = ()) -> None:
        self.settings = list(settings)
        self._popen = subprocess.Popen(
            command_line(program, settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        for stream in (stdin, stdout, stderr):
            os.set_blocking(stream.fileno(), False)

    def is_running(self) -> bool:
        """Returns whether the process has not ended."""
        return self._popen.poll() is None

    def wait(self, seconds: float) -> int | None:
        """Returns the exit code, or the negative number of a signal, or None if the process runs longer than that."""
        try:
            return self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close_input(self) -> None:
        """Tells the worker that there are no more shards."""
        with contextlib.suppress(BrokenPipeError):
            self.stdin.close()

    def kill(self) -> None:
        """Kills the process, and may be called by any thread. The pipes stay open for the thread that reads them.

        The decoders are processes in groups of their own: each ends when the worker's end of its pipe is closed.
        """
        if not self.is_running():
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def discard(self) -> None:
        """Kills the process, waits for its end, and closes its pipes."""
        self.kill()
        self._popen.wait()
        self.close_input()
        self.stdout.close()
        self.stderr.close()
