"""The temporary files of a shard, and how they become a shard of the output folder."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from . import parts, storage
from .folder import read_stats, stats_path
from .options import Options

_scratch_folders: set[str] = set()
"""The folders that this process has cleared."""


class Staging:
    """The temporary files of a shard. They are removed at the end of a `with` block, unless they were committed.

    In a local output folder, they are beside the final files, so that renaming them is atomic. What belongs in a remote
    folder is in `scratch_folder` until it is uploaded.
    """

    def __init__(self, options: Options, shard_id: int) -> None:
        self._options = options
        self._shard_id = shard_id
        self._name = options.shard_name(shard_id)
        self._remote = storage.is_remote(options.output_folder)
        self._output = options.output_folder if self._remote else storage.local_path(options.output_folder)
        scratch = parts.scratch_folder(options) or self._output
        output = scratch if self._remote else self._output
        storage.make_folder(options.output_folder)
        if scratch != self._output:
            _clear_scratch(scratch)
        # The tar is only a part of the output if it is an output at all.
        self._tar_folder = output if options.output_format == "webdataset" else scratch
        self._owner = parts.PartOwner(self._name, [output, self._tar_folder])
        self.tar = self._owner.path(self._tar_folder, ".tar")
        self.parquet = self._owner.path(output, ".parquet")
        self.files = self._owner.path(output, ".files")
        self._stats = self._owner.path(output, "_stats.json")
        self._extra: list[str] = []

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            for path in (self.tar, self.parquet, self._stats, *self._extra):
                storage.remove_file(path)
            shutil.rmtree(self.files, ignore_errors=True)
        finally:
            self._owner.release()

    def extra(self, name: str) -> str:
        """Returns the path of another temporary file, beside the tar file."""
        self._extra.append(self._owner.path(self._tar_folder, f".{name}"))
        return self._extra[-1]

    def commit(self, stats: dict[str, Any], replace: bool = False) -> dict[str, Any] | None:
        """Makes the shard a part of the output folder: tar or files, parquet, and last the stats file.

        If another process committed the same shard in the meantime, nothing is changed and its stats are returned,
        unless `replace` is true.
        """
        with storage.open_new(self._stats) as file:
            file.write(json.dumps(stats, indent=4).encode())
        if self._remote:
            return self._upload(replace)
        if self._options.output_format == "webdataset":
            sync(self.tar)
        elif self._options.output_format == "files":
            sync_filesystem(self.files)
        sync(self.parquet)
        sync(self._stats)
        with locked_folder(self._output):
            existing = None if replace else read_stats(self._options, self._shard_id)
            if existing is not None:
                return existing
            if not replace:
                self._withdraw()
            self._rename(replace)
        return None

    def _rename(self, replace: bool) -> None:
        target = os.path.join(self._output, self._name)
        if self._options.output_format == "webdataset":
            os.replace(self.tar, f"{target}.tar")
        elif self._options.output_format == "files":
            self._rename_files(target, replace)
        os.replace(self.parquet, f"{target}.parquet")
        sync(self._output)
        os.replace(self._stats, storage.local_path(stats_path(self._options, self._shard_id)))
        sync(self._output)

    def _rename_files(self, target: str, replace: bool) -> None:
        if not replace:
            # A folder without a stats file is a part of an unfinished shard.
            shutil.rmtree(target, ignore_errors=True)
            os.replace(self.files, target)
            return
        os.makedirs(target, exist_ok=True)
        for name in sorted(os.listdir(self.files)):
            os.replace(os.path.join(self.files, name), os.path.join(target, name))
        sync(target)

    def _upload(self, replace: bool) -> dict[str, Any] | None:
        existing = None if replace else read_stats(self._options, self._shard_id)
        if existing is not None:
            return existing
        if not replace:
            self._withdraw()
        system, output = storage.filesystem(self._output)
        target = storage.join(output, self._name)
        if self._options.output_format == "webdataset":
            system.put_file(self.tar, f"{target}.tar")
        elif self._options.output_format == "files":
            system.makedirs(target, exist_ok=True)
            for name in sorted(os.listdir(self.files)):
                system.put_file(os.path.join(self.files, name), storage.join(target, name))
        system.put_file(self.parquet, f"{target}.parquet")
        system.put_file(self._stats, f"{target}_stats.json")
        return None

    def _withdraw(self) -> None:
        """Removes a stats file that does not belong to a whole shard, before the other files are replaced."""
        path = stats_path(self._options, self._shard_id)
        if storage.exists(path):
            storage.remove_file(path)


def _clear_scratch(folder: str) -> None:
    """Removes what killed processes left behind in a folder, once in the life of this process."""
    if folder not in _scratch_folders:
        _scratch_folders.add(folder)
        parts.remove_abandoned(folder)


@contextmanager
def locked_folder(path: str) -> Iterator[None]:
    """Keeps other processes from committing to a local folder, where the file system can lock folders."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        # Some network file systems lock no folders. The driver still sends a shard to one process.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def sync(path: str) -> None:
    """Waits until a file or the names in a folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_filesystem(path: str) -> None:
    """Waits until all files of a file system are on the disk, which is faster than to wait for each of many files."""
    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        os.sync()
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        if syncfs(descriptor) != 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error), path)
    finally:
        os.close(descriptor)
