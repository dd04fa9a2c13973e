"""Downloads one shard: runs the worker, joins its answers with the rows, and writes the files of the shard."""

from __future__ import annotations

import os
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from . import storage
from .commit import Staging
from .options import Options
from .rows import Results, join, sample_lines
from .worker import Worker, WorkerFailed

ROW_GROUP_ROWS = 100
STATUS_LIMIT = 10**5
HOST_LIMIT = 100

OnSample = Callable[[int, str], None]
"""Is told the number of the shard and the status of each sample that ended."""


def process_shard(
    options: Options, worker: Worker, shard_id: int, table: pa.Table, on_sample: OnSample | None = None
) -> dict[str, Any]:
    """Downloads the rows of a table and commits the shard. Returns its stats, as `task.Result` describes them.

    The table has the columns of the input, and among them `url`. Raises `WorkerFailed`, or what the file systems raise;
    then nothing was committed.
    """
    start = time.time()
    with Staging(options, shard_id) as staging:
        download = Download(options, table, on_sample)
        download.run(worker, shard_id, staging.tar)
        rows = join(options, table, download.results.table())
        write_output(options, staging, rows, tar_images(options, staging.tar))
        stats = shard_stats(rows, start, time.time())
        worker.check()
        existing = staging.commit(stats)
        return existing if existing is not None else {**stats, **download.measurements()}


class Download:
    """One pass of the worker over the rows of a shard."""

    def __init__(self, options: Options, table: pa.Table, on_sample: OnSample | None = None) -> None:
        self.results = Results(options)
        self._on_sample = on_sample
        self._options = options
        self._table = table
        self._totals: dict[str, Any] = {}
        self._hosts: dict[str, dict[str, int]] = {}

    def run(self, worker: Worker, shard_id: int, tar: str, skipped: frozenset[int] = frozenset()) -> None:
        """Writes the tar of the shard and collects the answers. Rows in `skipped` are not downloaded."""
        line = self._options.shard_line(shard_id, self._table.num_rows, os.path.abspath(tar))
        urls = iter(self._table.column("url"))
        samples = sample_lines(self._options, self._table, skipped)
        for answer in worker.run(line, samples, self._options.worker_settings()):
            if "done" in answer:
                self._totals = answer
                break
            self.results.add(answer)
            url = next(urls)
            if answer["i"] not in skipped:
                self._count_host(url, answer)
                if self._on_sample is not None:
                    self._on_sample(shard_id, answer["status"])
        if self._totals.get("tar_bytes", os.path.getsize(tar)) != os.path.getsize(tar):
            raise WorkerFailed("the size of the tar file differs from the one that the worker reported")

    def measurements(self) -> dict[str, Any]:
        """Returns what the stats file of img2dataset has no place for."""
        slowest = sorted(self._hosts.items(), key=lambda item: item[1]["ms"], reverse=True)
        return {
            "downloaded_bytes": self._totals.get("downloaded_bytes", 0),
            "tar_bytes": self._totals.get("tar_bytes", 0),
            "hosts": dict(slowest[:HOST_LIMIT]),
        }

    def _count_host(self, url: pa.Scalar[Any], answer: dict[str, Any]) -> None:
        try:
            name = urlsplit(str(url.as_py())).hostname or ""
        except ValueError:  # The URL has no valid host, or is not UTF-8.
            name = ""
        host = self._hosts.setdefault(name, {"count": 0, "failed": 0, "ms": 0})
        host["count"] += 1
        host["failed"] += answer["status"] != "success"
        host["ms"] += answer.get("ms", 0)


def shard_stats(rows: pa.Table, start: float, end: float) -> dict[str, Any]:
    """Returns the content of the stats file, as img2dataset writes it."""
    statuses = Counter(rows.column("status").to_pylist())
    messages = rows.column("error_message").to_pylist()
    reasons = Counter("success" if message is None else message for message in messages)
    if len(reasons) > STATUS_LIMIT:
        reasons = Counter(dict(reasons.most_common(STATUS_LIMIT)))
    return {
        "count": rows.num_rows,
        "successes": statuses["success"],
        "failed_to_download": statuses["failed_to_download"],
        "failed_to_resize": statuses["failed_to_resize"],
        "duration": end - start,
        "start_time": start,
        "end_time": end,
        "status_dict": dict(reasons),
    }


def write_output(options: Options, staging: Staging, rows: pa.Table, images: Iterable[tuple[str, bytes]]) -> None:
    """Writes the parquet file, and what the output format wants besides the tar file.

    `images` gives the key and the content of each successful row, in the order of the rows.
    """
    if options.output_format == "parquet":
        write_parquet(staging.parquet, rows, options.encode_format, images)
        return
    if options.output_format == "files":
        os.makedirs(staging.files)
        for name, content in tar_members(staging.tar):
            with storage.open_new(os.path.join(staging.files, name)) as file:
                file.write(content)
    write_parquet(staging.parquet, rows)


def write_parquet(
    path: str, rows: pa.Table, image_column: str | None = None, images: Iterable[tuple[str, bytes]] = ()
) -> None:
    """Writes rows in groups of 100, with the image of each successful row if there is a column for it."""
    schema, images = rows.schema, iter(images)
    if image_column is not None:
        schema = schema.append(pa.field(image_column, pa.binary()))
    with storage.open_new(path) as file, pq.ParquetWriter(file, schema) as writer:
        for start in range(0, rows.num_rows, ROW_GROUP_ROWS):
            group = rows.slice(start, ROW_GROUP_ROWS)
            if image_column is not None:
                column = pa.array(_group_images(group, images), pa.binary())
                group = group.append_column(schema.field(image_column), column)
            writer.write_table(group, ROW_GROUP_ROWS)


def _group_images(group: pa.Table, images: Iterator[tuple[str, bytes]]) -> list[bytes | None]:
    contents: list[bytes | None] = []
    for key, status in zip(group.column("key").to_pylist(), group.column("status").to_pylist(), strict=True):
        if status != "success":
            contents.append(None)
            continue
        found, content = next(images, (None, b""))
        if found != key:
            raise WorkerFailed(f"the tar file has the image {found} instead of {key}")
        contents.append(content)
    return contents


def tar_members(path: str) -> Iterator[tuple[str, bytes]]:
    """Yields the name and the content of each member of a tar file."""
    with tarfile.open(path, "r|") as tar:
        for member in tar:
            content = tar.extractfile(member)
            if content is None or os.path.basename(member.name) != member.name:
                raise WorkerFailed(f"the tar file has the member {member.name!r}, which is not a file of a sample")
            yield member.name, content.read()
            # Otherwise, the object keeps every member that was read.
            tar.members.clear()  # type: ignore[attr-defined]


def tar_images(options: Options, path: str) -> Iterator[tuple[str, bytes]]:
    """Yields the key and the content of each image in a tar file."""
    suffix = f".{options.encode_format}"
    for name, content in tar_members(path):
        if name.endswith(suffix):
            yield name.removesuffix(suffix), content
