"""The output folder: the shards that it has, and its state before a run."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import parts, storage
from .options import Options

STATS = re.compile(r"(\d+)_stats\.json")
REMOTE_READS = 32
"""Stats files that are read at a time from a remote folder."""

LOCK = re.compile(r"_imgdl\..*lock")


class Rows(NamedTuple):
    """How many rows a shard has, and how many of them succeeded."""

    total: int
    successes: int


@dataclass(frozen=True)
class Start:
    """Where a run begins."""

    start_shard_id: int
    """The number of the first shard of the input."""

    done: Mapping[int, Rows]
    """The shards that need no work, with their rows."""

    damaged: frozenset[int] = frozenset()
    """The shards that have a stats file and are not whole all the same; they are missing."""

    end: int | None = None
    """The number of the first shard that belongs to another list, which was appended, or None."""


def prepare(options: Options) -> Start:
    """Brings the output folder into its state before a run, as `incremental_mode` says. The folder must be locked.

    `incremental` keeps the shards that are whole, `overwrite` removes everything, and `extend` numbers the shards of
    the input after those that are there.
    """
    remove_parts(options)
    if options.incremental_mode == "overwrite" and not options.retry_failed:
        _empty(options.output_folder)
        return Start(0, {})
    files = storage.list_folder(options.output_folder)
    if options.incremental_mode == "extend" and not options.retry_failed:
        return Start(max(_stats_names(files), default=-1) + 1, {})
    mine = share(options)
    names = {shard_id: name for shard_id, name in _stats_names(files).items() if mine(shard_id)}
    done = _whole_shards(options, names, files)
    return Start(0, done, frozenset(names.keys() - done.keys()))


def shard_numbers(options: Options) -> set[int]:
    """Returns the numbers of the shards with a stats file, also of those that belong to the parts of other drivers."""
    return set(_stats_names(storage.list_folder(options.output_folder)))


def share(options: Options) -> Callable[[int], bool]:
    """Returns a function that tells whether a shard belongs to the part of this driver."""
    return lambda shard_id: shard_id % options.shard_count == options.shard_index


def stats_path(options: Options, shard_id: int) -> str:
    """Returns the path of the stats file of a shard."""
    return storage.join(options.output_folder, f"{options.shard_name(shard_id)}_stats.json")


def read_stats(options: Options, shard_id: int) -> dict[str, Any] | None:
    """Returns the content of the stats file of a shard, or None if the shard is not whole."""
    stats = _read_valid(stats_path(options, shard_id))
    if stats is None:
        return None
    files = (f"{options.shard_name(shard_id)}{extension}" for extension in _extensions(options))
    return stats if all(storage.exists(storage.join(options.output_folder, name)) for name in files) else None


def remove_parts(options: Options) -> None:
    """Removes the temporary files that killed processes left behind on this machine.

    In the output folder, those of the shards of this driver are removed.
    """
    if not storage.is_remote(options.output_folder):
        parts.remove_abandoned(storage.local_path(options.output_folder), share(options))
    scratch = parts.scratch_folder(options)
    if scratch is not None:
        parts.remove_abandoned(scratch)


def _stats_names(files: Iterable[str]) -> dict[int, str]:
    """Returns the names of the stats files by the numbers of their shards."""
    found = (STATS.fullmatch(name) for name in files)
    return {int(match[1]): match[0] for match in found if match is not None}


def _whole_shards(options: Options, names: dict[int, str], files: Iterable[str]) -> dict[int, Rows]:
    """Returns the shards whose stats file can be read and whose other files are there, with their rows.

    A program that was killed may have left behind a part of a stats file, because img2dataset writes it in place.
    """
    extensions, present = _extensions(options), set(files)

    def rows(name: str) -> Rows | None:
        shard = name.removesuffix("_stats.json")
        if not all(f"{shard}{extension}" in present for extension in extensions):
            return None
        stats = _read_valid(storage.join(options.output_folder, name))
        return None if stats is None else Rows(stats["count"], successes(stats))

    if not storage.is_remote(options.output_folder):
        found = list(map(rows, names.values()))
    else:
        with ThreadPoolExecutor(REMOTE_READS, "stats") as pool:
            found = list(pool.map(rows, names.values()))
    return {shard_id: item for shard_id, item in zip(names, found, strict=True) if item is not None}


def successes(stats: Mapping[str, Any]) -> int:
    """Returns how many rows succeeded, as a stats file says; none if it does not say so."""
    value = stats.get("successes")
    return value if isinstance(value, int) else 0


def _read_valid(path: str) -> dict[str, Any] | None:
    """Returns the content of a stats file, or None if there is none or it is only a part of one."""
    try:
        stats = json.loads(storage.read(path))
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    count = stats.get("count") if isinstance(stats, dict) else None
    return stats if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def _extensions(options: Options) -> tuple[str, ...]:
    """Returns the extensions of the files that a whole shard has besides its stats file."""
    return (".tar", ".parquet") if options.output_format == "webdataset" else (".parquet",)


def _empty(output_folder: str) -> None:
    """Removes everything but the locks."""
    if not storage.is_remote(output_folder):
        folder = storage.local_path(output_folder)
        for name in os.listdir(folder):
            if not LOCK.fullmatch(name):
                parts.remove(os.path.join(folder, name))
        return
    system, inner = storage.filesystem(output_folder)
    for path in system.ls(inner, detail=False):
        if not LOCK.fullmatch(path.rstrip("/").rsplit("/", 1)[-1]):
            system.rm(path, recursive=True)
