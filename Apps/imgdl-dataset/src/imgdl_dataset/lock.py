"""The lock of an output folder, so that no two drivers write the same shards."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from . import storage
from .errors import UsageError, naming
from .options import Options

log = logging.getLogger(__name__)

NAME = "_imgdl.lock"
RENEWAL_SECONDS = 30
STALE_SECONDS = 150


class FolderLocked(UsageError):
    """Another driver writes to the output folder."""


class Lock(Protocol):
    """A lock that is held."""

    def lost(self) -> bool:
        """Returns whether another driver took the lock, because this one could not renew it."""

    def release(self) -> None:
        """Lets other drivers write to the folder."""


def acquire(options: Options) -> Lock:
    """Locks the output folder for one driver, or for the drivers that share its shards by `shard_index`.

    Raises `FolderLocked` if other drivers write there, and `UsageError` if this process may not write there.
    """
    with naming("output_folder", options.output_folder, "written"):
        storage.make_folder(options.output_folder)
        if storage.is_remote(options.output_folder):
            return ObjectLock(options)
        return FileLock(options)


def share_name(options: Options) -> str | None:
    """Returns the name of the lock for a part of the shards, or None for a driver of all shards."""
    if options.shard_count == 1:
        return None
    return f"_imgdl.{options.shard_index}-of-{options.shard_count}.lock"


class FileLock:
    """The lock of a local folder. The kernel releases it at the end of the process.

    A driver of all shards locks one file exclusively. A driver of a part shares this file with those of other parts,
    and locks the file of its part exclusively.
    """

    def __init__(self, options: Options) -> None:
        folder = storage.local_path(options.output_folder)
        self._descriptors: list[int] = []
        part = share_name(options)
        self._lock(os.path.join(folder, NAME), fcntl.LOCK_EX if part is None else fcntl.LOCK_SH)
        if part is not None:
            self._lock(os.path.join(folder, part), fcntl.LOCK_EX)

    def lost(self) -> bool:
        """Returns False: this lock cannot be lost."""
        return False

    def release(self) -> None:
        """Releases the lock. The files remain, because another driver may be about to lock them."""
        while self._descriptors:
            os.close(self._descriptors.pop())

    def _lock(self, path: str, kind: int) -> None:
        descriptor = storage.open_lock_file(path)
        self._descriptors.append(descriptor)
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.read(descriptor, 200).decode("utf-8", "replace").strip()
            self.release()
            raise FolderLocked(f"output_folder is in use by another run: {path} is locked by {owner}") from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{owner_name()}\n".encode(), 0)


class ObjectLock:
    """The lock of a remote folder: an object with an owner and a time, which a thread renews.

    An object that was not renewed for `STALE_SECONDS` is that of a driver that died. Where the store can create an
    object only if there is none, two drivers that start at the same time are told apart; elsewhere, the last one wins,
    and the other one notices it at its next renewal.
    """

    def __init__(self, options: Options, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._id = uuid.uuid4().hex
        self._lost = False
        self._stopped = threading.Event()
        self._system, self._folder = storage.filesystem(options.output_folder)
        part = share_name(options)
        self._path = storage.join(self._folder, part or NAME)
        for name in self._names():
            if part is None or name in (NAME, part):
                self._refuse_owner(storage.join(self._folder, name))
        self._create()
        self._thread = threading.Thread(target=self._renew_regularly, name="folder-lock", daemon=True)
        self._thread.start()

    def lost(self) -> bool:
        """Returns whether another driver took the lock."""
        return self._lost

    def release(self) -> None:
        """Stops the renewals and removes the object, if it is this driver's."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._thread.join()
        if self._read(self._path).get("id") == self._id:
            self._system.rm_file(self._path)

    def renew(self) -> None:
        """Writes the time into the object, unless another driver wrote it."""
        if self._read(self._path).get("id", self._id) != self._id:
            self._lost = True
            return
        self._system.pipe_file(self._path, self._content())

    def _names(self) -> list[str]:
        items = self._system.ls(self._folder, detail=False) if self._system.exists(self._folder) else []
        names = [item.rsplit("/", 1)[-1] for item in items]
        return [name for name in names if name.startswith("_imgdl.") and name.endswith(".lock")]

    def _refuse_owner(self, path: str) -> None:
        held = self._read(path)
        age = self._clock() - held.get("time", 0)
        if age < STALE_SECONDS:
            owner = held.get("owner")
            raise FolderLocked(
                f"output_folder is in use by another run: {path} was locked by {owner} {age:.0f} s ago; "
                f"if that run was killed, the lock ends after {STALE_SECONDS} s"
            )
        if held:
            self._system.rm_file(path)

    def _create(self) -> None:
        try:
            self._system.pipe_file(self._path, self._content(), mode="create")
        except FileExistsError as error:
            raise FolderLocked(f"output_folder is in use by another run: {self._path} was created") from error
        except (TypeError, ValueError, NotImplementedError):
            self._system.pipe_file(self._path, self._content())
        if self._read(self._path).get("id") != self._id:
            raise FolderLocked(f"output_folder is in use by another run: {self._path} was replaced")

    def _renew_regularly(self) -> None:
        while not self._lost and not self._stopped.wait(RENEWAL_SECONDS):
            try:
                self.renew()
            except Exception as error:  # The store may answer again before the lock is stale.
                log.warning("the lock %s was not renewed: %s", self._path, error)

    def _read(self, path: str) -> dict[str, Any]:
        try:
            content = json.loads(self._system.cat_file(path))
        except (FileNotFoundError, ValueError, RecursionError):
            return {}
        return content if isinstance(content, dict) else {}

    def _content(self) -> bytes:
        return json.dumps({"id": self._id, "owner": owner_name(), "time": self._clock()}).encode()


def owner_name() -> str:
    """Returns who this process is, for people."""
    return f"process {os.getpid()} on {socket.gethostname()}"
