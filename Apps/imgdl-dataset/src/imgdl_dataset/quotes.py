"""Quotation marks in CSV and TSV files that open a value and do not close it.

The reader of pyarrow takes everything up to the next quotation mark for the value, which may be many rows. A mark that
does this is an error in a CSV file. In a TSV file, where programs write values that begin with such a mark without any
quoting, it belongs to the value.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from .errors import UsageError

QUOTE = ord('"')
URL = re.compile(r'\s*"?https?://\S+\s*', re.IGNORECASE)

LINE_END = re.compile(rb"[\r\n]")
LOOKED_AT = 100
"""The lines of a value that are compared with rows."""


@dataclass(frozen=True)
class Layout:
    """The rows of a CSV or TSV file."""

    delimiter: str
    columns: int
    """The number of the columns."""

    url: int
    """The position of the column of the URLs."""

    @property
    def is_tsv(self) -> bool:
        """Whether a quotation mark that is not closed belongs to its value."""
        return self.delimiter == "\t"

    def is_row(self, line: bytes) -> bool:
        """Returns whether a line has the columns of a row, and a URL in that of the URLs."""
        return self._is_row(self._fields(line))

    def is_row_without_quotes(self, line: bytes, start: int) -> bool:
        """Returns the same for a line in which the quotation mark at a position belongs to its value."""
        before = self._fields(line[:start]) or [""]
        return self._is_row(before[:-1] + line[start:].decode("utf-8", "replace").split(self.delimiter))

    def _fields(self, line: bytes) -> list[str]:
        text = line.decode("utf-8", "replace")
        if self.is_tsv:
            return text.split("\t")
        try:
            return next(csv.reader([text], delimiter=self.delimiter), [])
        except csv.Error:  # A value is longer than this reader allows.
            return []

    def _is_row(self, fields: list[str]) -> bool:
        return len(fields) == self.columns and URL.fullmatch(fields[self.url]) is not None


class QuoteRepair:
    """Yields the bytes of a CSV or TSV file, so that no quotation mark swallows rows.

    A mark opens a value that is not quoted if there is no other one up to the end of the file, or if its line and half
    or more of the other lines of the value are rows; and in a TSV file also if text follows the mark that closes the
    value. In a TSV file, such a value is quoted as a whole. In a CSV file it is an error, which names the line.
    """

    def __init__(self, path: str, layout: Layout, block_bytes: int) -> None:
        self._path = path
        self._layout = layout
        self._block_bytes = block_bytes
        ends = rb"[\r\n%b]" % re.escape(layout.delimiter.encode())
        self._opening = re.compile(rb'(?<=%b)"' % ends)
        self._end = re.compile(rb"%b|\Z" % ends)
        # Text, values that are quoted on one line, and marks within values. The number bounds the memory of a match.
        quoted = rb'(?<=%b)"[^"\r\n]*(?:""[^"\r\n]*)*"(?=%b)' % (ends, ends)
        self._simple = re.compile(rb'(?:[^"]+|%b|(?<!%b)"){0,1000}' % (quoted, ends))
        # The bytes before `_sent` were yielded; they tell whether a value begins behind them, and how its line begins.
        self._data = b"\n"
        self._sent = 1
        self._line = 1
        self._is_ended = False

    def pieces(self, file: IO[bytes]) -> Iterator[bytes]:
        """Yields the content of a file that is open at its beginning. Raises `UsageError`."""
        rest = b""
        while not self._is_ended:
            read = file.read(self._block_bytes)
            self._is_ended = not read
            rest += read
            # Whole lines are looked at, so that they can be compared with rows, unless a line is very long.
            is_whole = self._is_ended or len(rest) > 2 * self._block_bytes
            # LF may follow a CR at the end.
            end = len(rest) if is_whole else _line_start(rest, len(rest) - rest.endswith(b"\r"))
            self._data += rest[:end]
            rest = rest[end:]
            yield from self._take()

    def _take(self) -> Iterator[bytes]:
        """Yields what is known to be right, and keeps the rest."""
        data, sent = self._data, self._sent
        position = sent
        while found := self._opening.search(data, self._behind_simple(position)):
            start = found.start()
            end = _closing(data, start)
            is_quoted = self._is_quoted(start, end)
            if is_quoted is None:
                break
            if is_quoted:
                position = end
                continue
            if not self._layout.is_tsv:
                raise self._error(start, "opens a value that no quotation mark closes in its row")
            position = self._end.search(data, start).start()  # type: ignore[union-attr]
            yield data[sent:start]
            yield b'"%b"' % data[start:position].replace(b'"', b'""')
            sent = position
        known = len(data) if found is None else found.start()
        yield data[sent:known]
        kept = known - 1 if found is None else max(0, _line_start(data, known) - 1)
        self._line += _line_ends(data, 1, kept + 1)
        self._data, self._sent = data[kept:], known - kept

    def _behind_simple(self, position: int) -> int:
        """Returns the position from a given one on where the first quotation mark is that has to be looked at."""
        while (end := self._simple.match(self._data, position).end()) > position:  # type: ignore[union-attr]
            position = end
        return position

    def _is_quoted(self, start: int, end: int) -> bool | None:
        """Returns whether the value that begins with a mark is quoted, or None if more of the file decides that.

        `end` is the position behind the mark that closes the value, or -1 if there is none so far.
        """
        data, is_closed = self._data, end > 0
        if is_closed and self._layout.is_tsv and not self._end.match(data, end):
            return False
        if is_closed and b"\n" not in data[start:end] and b"\r" not in data[start:end]:
            return True
        is_long = len(data) - start > self._block_bytes
        if (is_closed or is_long or _line_ends(data, start, len(data)) > LOOKED_AT) and self._swallows_rows(start, end):
            return False
        if is_closed:
            return True
        if self._is_ended:
            return False
        if is_long:
            raise self._error(start, f"opens a value of more than {self._block_bytes} bytes")
        return None

    def _swallows_rows(self, start: int, end: int) -> bool:
        """Returns whether the line of a mark is a row without it, and half or more of the lines of its value are."""
        data, layout = self._data, self._layout
        line_start, line_end = _line_start(data, start), _line_end(data, start)
        if not layout.is_row_without_quotes(data[line_start:line_end], start - line_start):
            return False
        count = rows = 0
        while line_end < (end if end > 0 else len(data) - 1) and count < LOOKED_AT:
            line_start, line_end = line_end + 1, _line_end(data, line_end + 1)
            line = data[line_start:line_end]
            if not line.strip():
                continue
            count += 1
            if line_start < end <= line_end:  # The line has the mark that closes the value.
                rows += layout.is_row_without_quotes(line, end - 1 - line_start)
            else:
                rows += layout.is_row(line)
        return count > 0 and 2 * rows >= count

    def _error(self, start: int, reason: str) -> UsageError:
        line = self._line + _line_ends(self._data, 1, start)
        return UsageError(f"{self._path}: line {line}: a quotation mark {reason}")


def _closing(data: bytes, start: int) -> int:
    """Returns the position behind the mark that closes the value which another one opens, or -1. Two are one mark."""
    end = data.find(b'"', start + 1)
    while end >= 0 and data[end + 1 : end + 2] == b'"':
        end = data.find(b'"', end + 2)
    return end + 1 if end >= 0 else -1


def _line_start(data: bytes, position: int) -> int:
    """Returns where the line of a position begins."""
    return max(data.rfind(b"\n", 0, position), data.rfind(b"\r", 0, position)) + 1


def _line_end(data: bytes, position: int) -> int:
    """Returns where the line of a position ends: at LF, CR LF or CR, or at the end of the data."""
    found = LINE_END.search(data, position)
    return found.start() if found is not None else len(data)


def _line_ends(data: bytes, start: int, end: int) -> int:
    """Returns how many lines end between two positions."""
    return max(data.count(b"\n", start, end), data.count(b"\r", start, end))
