"""The output folder: the shards that it has, and its state before a run."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

from . import storage
from .options import Options

PART = re.compile(r"(\d+)[._].*\.part")
LOCK = re.compile(r"_imgdl\..*lock")


@dataclass(frozen=True)
class Start:
    """Where a run begins."""

    start_shard_id: int
    """The number of the first shard of the input."""

    done: frozenset[int]
    """The shards that need no work."""


def prepare(options: Options) -> Start:
    """Brings the output folder into its state before a run, as `incremental_mode` says. The folder must be locked.

    `incremental` keeps the shards that are whole, `overwrite` removes everything, and `extend` numbers the shards of
    the input after those that are there.
    """
    if options.incremental_mode == "overwrite" and not options.retry_failed:
        _empty(options.output_folder)
        return Start(0, frozenset())
    _remove_parts(options)
    done = done_shards(options.output_folder)
    if options.incremental_mode == "extend" and not options.retry_failed:
        return Start(max(done, default=-1) + 1, frozenset())
    return Start(0, frozenset(done))


def share(options: Options) -> Callable[[int], bool]:
    """Returns a function that tells whether a shard belongs to the part of this driver."""
    return lambda shard_id: shard_id % options.shard_count == options.shard_index


def stats_path(options: Options, shard_id: int) -> str:
    """Returns the path of the stats file of a shard, which exists only if the shard is whole."""
    return storage.join(options.output_folder, f"{options.shard_name(shard_id)}_stats.json")


def read_stats(options: Options, shard_id: int) -> Optional[dict[str, Any]]:
    """Returns the content of the stats file of a shard, or None if the shard is not whole."""
    try:
        stats = json.loads(storage.read(stats_path(options, shard_id)))
    except (FileNotFoundError, ValueError):  # A program that was stopped may have left half of a stats file.
        return None
    return stats if isinstance(stats, dict) else None


def done_shards(output_folder: str) -> set[int]:
    """Returns the numbers of the shards that have a stats file, as img2dataset sees them."""
    names = storage.list_folder(output_folder).items()
    return {int(name.split("_")[0]) for name, size in names if re.fullmatch(r"\d+(_.*)?\.json", name) and size > 0}


def _remove_parts(options: Options) -> None:
    """Removes the temporary files of a run that was killed, in a local folder, for the shards of this driver."""
    if storage.is_remote(options.output_folder):
        return
    folder, mine = storage.local_path(options.output_folder), share(options)
    for name in os.listdir(folder):
        found = PART.fullmatch(name)
        if found and mine(int(found[1])):
            _remove(os.path.join(folder, name))


def _empty(output_folder: str) -> None:
    """Removes everything but the locks."""
    if not storage.is_remote(output_folder):
        folder = storage.local_path(output_folder)
        for name in os.listdir(folder):
            if not LOCK.fullmatch(name):
                _remove(os.path.join(folder, name))
        return
    system, inner = storage.filesystem(output_folder)
    for path in system.ls(inner, detail=False):
        if not LOCK.fullmatch(path.rstrip("/").rsplit("/", 1)[-1]):
            system.rm(path, recursive=True)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.remove(path)
