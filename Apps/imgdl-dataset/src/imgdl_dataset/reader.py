"""The input: lists of URLs as shards with the numbers that img2dataset gives them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pyarrow as pa

from . import inputs, storage
from .errors import UsageError, naming
from .options import Options
from .rows import with_texts


class Reader:
    """Iterates over the shards of the input, as pairs of the number and the rows.

    A shard has rows of one file only, so the last shard of each file may be short. `wanted` tells for the number of a
    shard whether it is yielded. After an iteration, `end_shard_id` is the number after the last shard.
    """

    def __init__(self, options: Options, start_shard_id: int, wanted: Callable[[int], bool]) -> None:
        self._options = options
        self._start = start_shard_id
        self._wanted = wanted
        self._names = column_names(options)
        self.column_list = list(self._names.values())
        self.files = input_files(options.url_list, options.input_format)
        self.end_shard_id = start_shard_id

    def __iter__(self) -> Iterator[tuple[int, pa.Table]]:
        self.end_shard_id = self._start
        for path in self.files:
            yield from self._shards(path, self.end_shard_id)

    def count_shards(self) -> int | None:
        """Returns the number of all shards if it can be known quickly: for parquet files on a local disk."""
        if self._options.input_format != "parquet" or storage.is_remote(self._options.url_list):
            return None
        size = self._options.number_sample_per_shard
        return sum(-(-inputs.parquet_rows(path) // size) for path in self.files)

    def _shards(self, path: str, first: int) -> Iterator[tuple[int, pa.Table]]:
        """Yields the shards of a file, of which the first one has the number `first`."""
        size = self._options.number_sample_per_shard
        position = 0
        parts: list[pa.RecordBatch] = []

        def needed(start: int, end: int) -> bool:
            return any(self._wanted(first + shard) for shard in range(start // size, -(-end // size)))

        for count, batch in inputs.batches(self._options.input_format, path, list(self._names), needed):
            end = position + count
            while position < end:
                shard = position // size
                taken = min(end, (shard + 1) * size) - position
                if batch is not None and self._wanted(first + shard):
                    parts.append(batch.slice(count - (end - position), taken))
                position += taken
                if parts and position % size == 0:
                    yield first + shard, self._table(path, parts)
                    parts = []
        if parts:
            yield first + position // size, self._table(path, parts)
        self.end_shard_id = first + -(-position // size)

    def _table(self, path: str, parts: list[pa.RecordBatch]) -> pa.Table:
        table = pa.Table.from_batches(parts).select(list(self._names))
        try:
            return with_texts(table.rename_columns(self.column_list), self._options.verify_hash_type)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error


def column_names(options: Options) -> dict[str, str]:
    """Returns the columns of the input that are needed, in order, and what they are named in the output."""
    if options.input_format in ("txt", "txt.gz"):
        return {"url": "url"}
    names = {name: name for name in options.save_additional_columns or []}
    if options.caption_col is not None:
        names[options.caption_col] = "caption"
    if options.verify_hash is not None:
        names[options.verify_hash[0]] = options.verify_hash[1]
    names[options.url_col] = "url"
    return names


def input_files(url_list: str, input_format: str) -> list[str]:
    """Returns the input files: `url_list` itself, or the files in this folder with the extension, sorted.

    The files ._NAME do not count, which macOS writes beside others where the file system has no attributes.
    """
    with naming("url_list", url_list, "read"):
        return _input_files(url_list, input_format)


def _input_files(url_list: str, input_format: str) -> list[str]:
    if not storage.is_folder(url_list):
        if not storage.exists(url_list):
            raise UsageError(f"url_list is {url_list}, which does not exist")
        if not storage.is_remote(url_list) and not os.path.isfile(storage.local_path(url_list)):
            raise UsageError(f"url_list is {url_list}, which is no regular file, and lists are read more than once")
        return [url_list]
    suffix = f".{input_format}"
    found = storage.list_folder(url_list)
    names = sorted(name for name in found if name.endswith(suffix) and not name.startswith("._"))
    if not names:
        raise UsageError(f"url_list is {url_list}, which has no file with the extension {suffix}")
    return [storage.join(url_list, name) for name in names]
