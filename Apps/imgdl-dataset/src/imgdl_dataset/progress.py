"""A progress line over shards: on a terminal it is rewritten in place, elsewhere lines follow each other."""

from __future__ import annotations

import logging
import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import TextIO

from .summary import Summary

TERMINAL_INTERVAL = 0.2
PLAIN_INTERVAL = 10.0
"""Least seconds between two lines."""

FIRST_LINE = 1.0
"""Seconds before the first line elsewhere than on a terminal, so that a run which is refused has no line."""


class Progress:
    """Shows a summary on a stream, by default standard error, while a thread of its own looks at it.

    Messages are shown between its lines, also if `is_shown` is false, and there are no lines.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        is_shown: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.is_shown = is_shown
        self._clock = clock
        self._summary = Summary()
        self._phase: str | None = None
        self._start = clock()
        self._is_terminal = self._stream.isatty()
        self._next = 0.0
        self._has_line = False
        self._lock = threading.RLock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, summary: Summary, phase: str) -> None:
        """Starts the clock and the thread. A phase, such as the reading of a long list, is shown instead of sums."""
        self.begin(summary, phase)
        if self.is_shown:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._look, name="progress", daemon=True)
            self._thread.start()

    def begin(self, summary: Summary, phase: str | None = None) -> None:
        """Starts the clock. Without the thread, `update` has to be called regularly."""
        self._summary = summary
        self._phase = phase
        self._start = self._clock()
        self._next = self._start + (TERMINAL_INTERVAL if self._is_terminal else FIRST_LINE)

    def end_phase(self) -> None:
        """Shows the sums from now on."""
        self._phase = None

    def update(self) -> None:
        """Shows the state, unless it was shown a moment ago."""
        with self._lock:
            now = self._clock()
            if self.is_shown and now >= self._next:
                self._next = now + (TERMINAL_INTERVAL if self._is_terminal else PLAIN_INTERVAL)
                self._show()

    def say(self, text: str) -> None:
        """Writes a message, which may have several lines, without damaging the progress line."""
        with self._lock:
            if self._has_line:
                self._stream.write("\r\x1b[K")
                self._has_line = False
            self._stream.write("".join(printable(line) + "\n" for line in text.splitlines()))
            self._stream.flush()

    def close(self) -> None:
        """Ends the thread and the line. The last state is shown, unless the run ended before its first shard."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._lock:
            has_begun = bool(self._summary.shards_done or self._summary.failed_shards)
            if self.is_shown and has_begun:
                self._show()
            if self._has_line:
                self._stream.write("\n" if has_begun else "\r\x1b[K")
                self._stream.flush()
                self._has_line = False

    def line(self) -> str:
        """The state as one line of text."""
        elapsed = max(self._clock() - self._start, 1e-3)
        phase = self._phase
        if phase is not None:
            return f"{phase}  time {duration(elapsed)}"
        with self._summary.lock:
            return self._sums(elapsed)

    def _sums(self, elapsed: float) -> str:
        summary = self._summary
        total = "?" if summary.estimated_shards is None else f"~{summary.estimated_shards:,}"
        if summary.total_shards is not None:
            total = f"{summary.total_shards:,}"
        parts = [f"shards {summary.shards_done:,}/{total}"]
        if summary.failed_shards:
            parts.append(f"failed {len(summary.failed_shards):,}")
        running, successes = summary.running.totals()
        count = summary.count + running
        parts += [f"images {count:,}", f"{count / elapsed:,.1f}/s"]
        if count:
            parts.append(f"success {100 * (summary.successes + successes) / count:.1f} %")
        remaining = self._remaining(elapsed)
        parts.append(f"time {duration(elapsed)}" if remaining is None else f"ETA {duration(remaining)}")
        reasons = [
            f"{printable(text)[:60]} {100 * number / summary.count:.1f} %"
            for text, number in summary.top_reasons(3)
            if summary.count
        ]
        return "  ".join(parts) + ("  | " + ", ".join(reasons) if reasons else "")

    def _remaining(self, elapsed: float) -> float | None:
        """Seconds until all shards are there, if that can be known."""
        summary = self._summary
        total = summary.estimated_shards if summary.total_shards is None else summary.total_shards
        if total is None or not summary.shards:
            return None
        missing = max(0, total - summary.shards_done)
        return missing * elapsed / len(summary.shards) if missing else None

    def _show(self) -> None:
        if not self._is_terminal:
            self._stream.write(self.line() + "\n")
        else:
            width = shutil.get_terminal_size().columns
            self._stream.write("\r" + self.line()[: width - 1] + "\x1b[K")
            self._has_line = True
        self._stream.flush()

    def _look(self) -> None:
        while not self._stopped.wait(TERMINAL_INTERVAL):
            self.update()


class ProgressHandler(logging.Handler):
    """Shows the messages of a logger between the lines of a progress."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress

    def emit(self, record: logging.LogRecord) -> None:
        """Shows a message."""
        self._progress.say(self.format(record))


def duration(seconds: float) -> str:
    """Seconds as h:mm:ss."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def printable(text: str) -> str:
    """The text with control characters escaped: servers write some of these messages."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape", "backslashreplace").decode("ascii")
        for character in text
    )
