"""A progress line over shards: on a terminal it is rewritten in place, elsewhere lines follow each other."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

from .summary import Summary

TERMINAL_INTERVAL = 0.2
PLAIN_INTERVAL = 10.0
"""Least seconds between two lines."""


class Progress:
    """Shows a summary on a stream, by default standard error."""

    def __init__(self, summary: Summary, stream: TextIO | None = None, *,
                 clock: Callable[[], float] = time.monotonic) -> None:
        """Starts the clock, and subscribes to the summary's changes."""
        self._summary = summary
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._start = clock()
        self._shown_at: float | None = None
        self._is_terminal = self._stream.isatty()
        self._has_line = False
        summary.on_change = self.update

    def update(self) -> None:
        """Shows the state, unless it was shown a moment ago."""
        interval = TERMINAL_INTERVAL if self._is_terminal else PLAIN_INTERVAL
        now = self._clock()
        if self._shown_at is None or now - self._shown_at >= interval:
            self._shown_at = now
            self._show()

    def say(self, text: str) -> None:
        """Prints a message, which may have several lines, without damaging the progress line."""
        if self._has_line:
            self._stream.write("\r\x1b[K")
            self._has_line = False
        self._stream.write("".join(printable(line) + "\n" for line in text.splitlines()))
        self._stream.flush()

    def close(self) -> None:
        """Shows the last state, and ends the line."""
        self._show()
        if self._has_line:
            self._stream.write("\n")
            self._stream.flush()
            self._has_line = False
        self._summary.on_change = None

    def line(self) -> str:
        """The state as one line of text."""
        summary, elapsed = self._summary, max(self._clock() - self._start, 1e-3)
        total = "?" if summary.estimated_shards is None else f"~{summary.estimated_shards:,}"
        if summary.total_shards is not None:
            total = f"{summary.total_shards:,}"
        parts = [f"shards {summary.shards_done:,}/{total}"]
        if summary.failed_shards:
            parts.append(f"failed {len(summary.failed_shards):,}")
        parts += [f"images {summary.count:,}", f"{summary.count / elapsed:,.1f}/s"]
        if summary.count:
            parts.append(f"success {100 * summary.success_rate:.1f} %")
        remaining = self._remaining(elapsed)
        parts.append(f"time {duration(elapsed)}" if remaining is None else f"ETA {duration(remaining)}")
        reasons = [f"{printable(text)[:60]} {100 * number / summary.count:.1f} %"
                   for text, number in summary.top_reasons(3) if summary.count]
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
            self._stream.write("\r" + self.line()[:width - 1] + "\x1b[K")
            self._has_line = True
        self._stream.flush()


def duration(seconds: float) -> str:
    """Seconds as h:mm:ss."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def printable(text: str) -> str:
    """The text with control characters escaped: servers write some of these messages."""
    return "".join(character if character.isprintable() else
                   character.encode("unicode_escape", "backslashreplace").decode("ascii")
                   for character in text)
