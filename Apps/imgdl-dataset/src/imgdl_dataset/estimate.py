"""How many shards a list of URLs will have, estimated from the lines of its files while the run goes on."""

from __future__ import annotations

import codecs
import threading
from collections.abc import Callable

from . import storage
from .options import Options
from .reader import input_files

FORMATS = ("txt", "csv", "tsv", "jsonl")
BLOCK_BYTES = 1 << 20


class ShardEstimate:
    """Counts the lines of local text files on a thread of its own.

    The estimate differs from the number of shards where a value of a CSV file has several lines.
    """

    def __init__(self, options: Options) -> None:
        """Starts the thread, if the input is a local file or folder of text that is not compressed."""
        self._options = options
        self._stopped = threading.Event()
        self._shards: int | None = None
        self._thread: threading.Thread | None = None
        if options.input_format in FORMATS and not storage.is_remote(options.url_list):
            self._thread = threading.Thread(target=self._count, name="shard-estimate", daemon=True)
            self._thread.start()

    def shards(self) -> int | None:
        """Returns the estimated number of shards, or None as long as or if there is no estimate."""
        return self._shards

    def join(self) -> None:
        """Waits for the estimate."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopped.set()
        self.join()

    def _count(self) -> None:
        options, shards = self._options, 0
        headers = 1 if options.input_format in ("csv", "tsv") else 0
        try:
            for path in input_files(options.url_list, options.input_format):
                lines = count_lines(path, self._stopped.is_set)
                shards += -(-max(0, lines - headers) // options.number_sample_per_shard)
        except Exception:  # The reader of the input reports what is wrong with it.
            return
        if not self._stopped.is_set():
            self._shards = shards


def count_lines(path: str, is_stopped: Callable[[], bool] = lambda: False) -> int:
    """Returns the number of lines of a local file that are not empty, or fewer if it is stopped."""
    lines, last = 0, b"\n"
    with open(storage.local_path(path), "rb") as file:
        if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
            file.seek(0)
        while not is_stopped() and (block := file.read(BLOCK_BYTES)):
            # CR belongs to the end of a line. The character before the block tells whether its first line is empty.
            block = last + block.replace(b"\r", b"")
            last = block[-1:]
            lines += block.count(b"\n", 1)
            if b"\n\n" in block:
                lines -= block.split(b"\n")[1:-1].count(b"")
    return lines + (last != b"\n")
