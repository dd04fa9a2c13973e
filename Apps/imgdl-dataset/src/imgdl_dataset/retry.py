"""Downloads the failed rows of a shard again, and writes the shard with what came of it."""

from __future__ import annotations

import os
import shutil
import tarfile
import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import storage
from .commit import Staging
from .folder import read_stats
from .options import Options
from .rows import join, result_fields, values
from .shard import Download, OnSample, shard_stats, tar_images, write_output
from .worker import Worker


class ShardDiffers(Exception):
    """The shard in the output folder was not made from the rows of the input."""


def retry_shard(
    options: Options, worker: Worker, shard_id: int, table: pa.Table, on_sample: OnSample | None = None
) -> dict[str, Any]:
    """Downloads the rows again that have no success in the shard, and commits the shard. Returns its stats.

    The table has the rows of the input. The order of the new shard is that of the input, also if another program made
    the old one. The old stats file is kept until the new one is written, and remains correct: every row that the old
    parquet file reports as a success is also in the new tar file.
    """
    before = read_stats(options, shard_id)
    if before is None:
        raise ShardDiffers(f"shard {shard_id} is not whole")
    start = time.time()
    with Staging(options, shard_id) as staging:
        old = OldShard(options, shard_id, staging)
        old.compare(table)
        download = Download(options, table, on_sample)
        download.run(worker, shard_id, staging.tar, skipped=frozenset(old.successes))
        rows = join(options, table, old.merge(download.results.table()))
        images = old.merge_images(tar_images(options, staging.tar), rows)
        write_output(options, staging, rows, images)
        if options.output_format == "webdataset":
            old.merge_tar(rows)
        stats = shard_stats(rows, start, time.time())
        stats["start_time"] = before.get("start_time", start)
        stats["duration"] += before.get("duration", 0.0)
        worker.check()
        staging.commit(stats, replace=True)
        return {**stats, **download.measurements()}


class OldShard:
    """A shard of the output folder; that of a remote folder is copied to the temporary files of the new one."""

    def __init__(self, options: Options, shard_id: int, staging: Staging) -> None:
        self._options = options
        self._shard_id = shard_id
        self._staging = staging
        self._file = pq.ParquetFile(self._copy("parquet"))
        columns = [field.name for field in result_fields(options)]
        missing = set(columns) - set(self._file.schema_arrow.names)
        if missing:
            raise ShardDiffers(f"shard {shard_id} has no column {', '.join(sorted(missing))}")
        self._rows = self._file.read(columns=[*columns, "url"])
        self._columns = columns
        self._image_group = -1
        self._images: pa.ChunkedArray[Any] = pa.chunked_array([], pa.binary())
        self.successes = self._find_successes()

    def compare(self, table: pa.Table) -> None:
        """Raises `ShardDiffers` if the rows of the input have other URLs than the successes of the shard."""
        old, new = values(self._rows.column("url")), values(table.column("url"))
        for index, row in self.successes.items():
            if index >= len(new) or old[row] != new[index]:
                raise ShardDiffers(f"shard {self._shard_id} has other URLs than the input")

    def merge(self, results: pa.Table) -> pa.Table:
        """Returns new results, with the old ones in the rows that were successes."""
        both = pa.concat_tables([results, self._rows.select(self._columns).cast(results.schema)])
        taken = list(range(results.num_rows))
        for index, row in self.successes.items():
            taken[index] = results.num_rows + row
        return both.take(taken)

    def merge_images(self, new: Iterator[tuple[str, bytes]], rows: pa.Table) -> Iterator[tuple[str, bytes]]:
        """Yields the images of all successes for a parquet file, in the order of the rows."""
        for index, (key, status) in enumerate(_keys(rows)):
            if status != "success":
                continue
            row = self.successes.get(index)
            yield next(new, ("", b"")) if row is None else (key, self._old_image(row))

    def merge_tar(self, rows: pa.Table) -> None:
        """Replaces the new tar file by one that has the members of all successes, in the order of the rows."""
        merged = self._staging.extra("merged.tar")
        with (
            tarfile.open(self._copy("tar")) as old,
            tarfile.open(self._staging.tar) as new,
            tarfile.open(merged, "x", format=tarfile.USTAR_FORMAT) as target,
        ):
            self._copy_members(rows, old, new, target)
        os.replace(merged, self._staging.tar)

    def _copy_members(
        self, rows: pa.Table, old: tarfile.TarFile, new: tarfile.TarFile, target: tarfile.TarFile
    ) -> None:
        old_members, new_members = _members_by_key(old), _members_by_key(new)
        for index, (key, status) in enumerate(_keys(rows)):
            if status != "success":
                continue
            source, members = (old, old_members) if index in self.successes else (new, new_members)
            if key not in members:
                raise ShardDiffers(f"shard {self._shard_id} has no image {key} in its tar file")
            for member in members[key]:
                target.addfile(member, source.extractfile(member))

    def _find_successes(self) -> dict[int, int]:
        """Returns the rows of the successes in the old parquet file, by the index in the shard that their keys hold."""
        size = 10**self._options.oom_sample_per_shard
        found = {}
        for row, (key, status) in enumerate(_keys(self._rows)):
            if status == "success":
                if int(key) // size != self._shard_id:
                    raise ShardDiffers(f"shard {self._shard_id} has the key {key}: number_sample_per_shard differs")
                found[int(key) % size] = row
        return found

    def _old_image(self, row: int) -> bytes:
        group = 0
        while row >= self._file.metadata.row_group(group).num_rows:
            row -= self._file.metadata.row_group(group).num_rows
            group += 1
        if group != self._image_group:  # The last group is kept, because most rows are read in order.
            name = self._options.encode_format
            self._images = self._file.read_row_group(group, columns=[name]).column(name)
            self._image_group = group
        content: bytes = self._images[row].as_py()
        return content

    def _copy(self, extension: str) -> str:
        """Returns the path of a file of the shard on a local disk."""
        path = storage.join(self._options.output_folder, f"{self._options.shard_name(self._shard_id)}.{extension}")
        if not storage.is_remote(path):
            return storage.local_path(path)
        target = self._staging.extra(f"old.{extension}")
        with storage.open_file(path, "rb") as source, storage.open_new(target) as copy:
            shutil.copyfileobj(source, copy)
        return target


def _keys(rows: pa.Table) -> Iterator[tuple[str, str | None]]:
    keys: list[Any] = rows.column("key").to_pylist()
    return zip(keys, rows.column("status").to_pylist(), strict=True)


def _members_by_key(tar: tarfile.TarFile) -> dict[str, list[tarfile.TarInfo]]:
    members: dict[str, list[tarfile.TarInfo]] = {}
    for member in tar:
        members.setdefault(member.name.split(".", 1)[0], []).append(member)
    return members
