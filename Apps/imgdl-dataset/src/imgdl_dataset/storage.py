"""Files on local disks, and by fsspec those behind URLs such as s3://bucket/folder."""

from __future__ import annotations

import contextlib
import errno
import os
import posixpath
import stat
from typing import IO, Any

from .errors import UsageError

BUCKET_STORES = frozenset(("s3", "s3a", "gs", "gcs", "az", "abfs", "oss", "oci"))
"""The protocols whose paths begin with a bucket, which must have been made by its owner."""


def is_remote(path: str) -> bool:
    """Returns whether a path is a URL of fsspec that does not lead to a local file."""
    return ("://" in path or "::" in path) and not path.startswith(("file://", "local://"))


def local_path(path: str) -> str:
    """Returns a path without the prefix file:// or local://."""
    for prefix in ("file://", "local://"):
        if path.startswith(prefix):
            return path[len(prefix) :]
    return path


def filesystem(path: str) -> tuple[Any, str]:
    """Returns the fsspec file system of a URL, without a cache of listings, and the path inside it."""
    try:
        import fsspec
    except ImportError as error:
        raise UsageError(f"{path} needs fsspec: pip install 'imgdl-dataset[remote]'") from error
    try:
        system, inner = fsspec.core.url_to_fs(path, use_listings_cache=False)
    except TypeError:  # This file system has no such cache.
        system, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    return system, inner


def join(folder: str, name: str) -> str:
    """Returns the path of a file in a folder."""
    return posixpath.join(folder, name)


def open_file(path: str, mode: str) -> IO[bytes]:
    """Opens a file in the mode rb or wb."""
    if not is_remote(path):
        return open(local_path(path), mode)
    system, inner = filesystem(path)
    file: IO[bytes] = system.open(inner, mode)
    return file


def open_new(path: str) -> IO[bytes]:
    """Creates a local file for writing. Nothing may have its name, neither a file nor a symbolic link."""
    return open(path, "xb")


def private_folder(path: str) -> str:
    """Returns a local folder where only this user can create files: `path`, or a folder of this user in it.

    Names in a folder that others may write to can be taken before this process creates its files. Raises `UsageError`
    if another user already has the folder's name.
    """
    os.makedirs(path, mode=0o700, exist_ok=True)
    if _is_private(os.stat(path)):
        return path
    folder = os.path.join(path, f"imgdl-dataset-{os.getuid()}")
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    if not _is_private(os.lstat(folder)):
        raise UsageError(f"{folder} is not a folder of this user only; name another folder by scratch_folder")
    return folder


def _is_private(status: os.stat_result) -> bool:
    others = stat.S_IWGRP | stat.S_IWOTH
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & others


def open_lock_file(path: str) -> int:
    """Opens a file that processes lock, and creates it if it is missing. Returns its descriptor.

    A symbolic link is not followed, and a file with several names is refused, because its content is replaced. Raises
    `UsageError` for these.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise UsageError(f"{path} is a symbolic link, which is not followed") from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(descriptor)
        raise UsageError(f"{path} is not a lock file: it is no regular file, or has several names")
    return descriptor


def exists(path: str) -> bool:
    """Returns whether there is a file or folder at a path."""
    if not is_remote(path):
        return os.path.exists(local_path(path))
    system, inner = filesystem(path)
    return bool(system.exists(inner))


def read(path: str) -> bytes:
    """Returns the content of a file."""
    with open_file(path, "rb") as file:
        return file.read()


def make_folder(path: str) -> None:
    """Creates a folder and those above it; a folder that exists is no error.

    Raises `UsageError` for a bucket that does not exist, since its name may be misspelt.
    """
    if not is_remote(path):
        os.makedirs(local_path(path), exist_ok=True)
        return
    system, inner = filesystem(path)
    names = (system.protocol,) if isinstance(system.protocol, str) else system.protocol
    bucket = inner.split("/", 1)[0]
    if BUCKET_STORES.intersection(names) and not system.exists(bucket):
        raise UsageError(f"{path}: there is no bucket {bucket}")
    system.makedirs(inner, exist_ok=True)


def remove_file(path: str) -> None:
    """Removes a file; a file that does not exist is no error."""
    try:
        if not is_remote(path):
            os.remove(local_path(path))
            return
        system, inner = filesystem(path)
        system.rm_file(inner)
    except FileNotFoundError:
        pass


def list_folder(path: str) -> dict[str, int]:
    """Returns the names and the sizes in bytes of the files in a folder. A folder that does not exist is empty."""
    try:
        if not is_remote(path):
            return _list_local(local_path(path))
        system, inner = filesystem(path)
        items = system.ls(inner, detail=True)
    except FileNotFoundError:
        return {}
    return {posixpath.basename(item["name"]): item["size"] or 0 for item in items if item["type"] == "file"}


def _list_local(path: str) -> dict[str, int]:
    sizes = {}
    with os.scandir(path) as entries:
        for entry in entries:
            try:
                if entry.is_file():
                    sizes[entry.name] = entry.stat().st_size
            except FileNotFoundError:  # The file was removed or renamed in the meantime.
                continue
    return sizes


def is_folder(path: str) -> bool:
    """Returns whether a path leads to a folder."""
    if not is_remote(path):
        return os.path.isdir(local_path(path))
    system, inner = filesystem(path)
    return bool(system.isdir(inner))
