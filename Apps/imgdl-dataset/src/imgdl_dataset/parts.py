"""The names of temporary files, their owners, and the removal of those that no living process owns."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Callable

from . import storage
from .errors import naming
from .options import Options

# The number of the shard, what the file holds, and the token of its owner.
PART = re.compile(r"(\d+)(?:\.[a-z.]+|_stats\.json)\.([0-9a-f]{12})\.part")
LOCK_KIND = "lock"


class PartOwner:
    """Owns the temporary files of one shard in some folders, all with the same token.

    In each of the folders, there is a lock file with this token, which the kernel unlocks when the process ends. It is
    made before the temporary files and removed after them, so a file without a locked one has no owner.
    """

    def __init__(self, name: str, folders: list[str]) -> None:
        self._name = name
        self._token = uuid.uuid4().hex[:12]
        self._locks: dict[str, int] = {}
        try:
            for folder in dict.fromkeys(folders):
                path = self.path(folder, f".{LOCK_KIND}")
                self._locks[path] = _create_locked(path)
        except BaseException:
            self.release()
            raise

    def path(self, folder: str, kind: str) -> str:
        """Returns the path of a temporary file; `kind` follows the name of the shard, for example .tar."""
        return os.path.join(folder, f"{self._name}{kind}.{self._token}.part")

    def release(self) -> None:
        """Gives up the files, which must have been removed or renamed."""
        while self._locks:
            path, descriptor = self._locks.popitem()
            storage.remove_file(path)
            os.close(descriptor)


def scratch_folder(options: Options) -> str | None:
    """Returns the local folder of the temporary files that are not beside the output, or None.

    The folder exists, and only this user can create files in it.
    """
    if options.scratch_folder is not None:
        with naming("scratch_folder", options.scratch_folder, "written"):
            return storage.private_folder(storage.local_path(options.scratch_folder))
    return storage.private_folder(tempfile.gettempdir()) if storage.is_remote(options.output_folder) else None


def remove_abandoned(folder: str, wanted: Callable[[int], bool] = lambda shard_id: True) -> None:
    """Removes the temporary files in a local folder that no living process owns, of the shards that are wanted."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:  # There is no such folder, or it is not this user's.
        return
    owners: dict[str, list[str]] = {}
    locks: dict[str, str] = {}
    for name in names:
        found = PART.fullmatch(name)
        if found is None or not wanted(int(found[1])):
            continue
        path, token = os.path.join(folder, name), found[2]
        owners.setdefault(token, []).append(path)
        if name.removeprefix(found[1]).startswith(f".{LOCK_KIND}."):
            locks[token] = path
    for token, paths in owners.items():
        _remove_owned(paths, locks.get(token))


def _remove_owned(paths: list[str], lock: str | None) -> None:
    """Removes the files of one owner, and its lock file last, unless it lives."""
    try:
        descriptor = None if lock is None else os.open(lock, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # The owner has just removed its files, or is another user.
        return
    try:
        if descriptor is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for path in sorted(paths, key=lambda path: path == lock):
            remove(path)
    except OSError:  # The owner lives, or the files belong to another user.
        return
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _create_locked(path: str) -> int:
    """Creates a file, whose name must be free, and locks it. Returns its descriptor."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        try:
            with contextlib.suppress(OSError):  # Where files cannot be locked, they are not removed either.
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_same_file(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # Another process removed the file before it was locked.


def _is_same_file(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def remove(path: str) -> None:
    """Removes a file, or a folder with its content; one that does not exist is no error."""
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)
    except FileNotFoundError:
        pass
