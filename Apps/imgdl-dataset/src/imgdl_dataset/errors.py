"""What ends a run, in words for people."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from .summary import Summary

# Errors of a path that stay when the same command is run again.
LASTING = frozenset(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
    + (errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL)
)

# What the libraries of object stores raise for credentials, profiles, regions and names of buckets.
LASTING_NAMES = frozenset(
    ("NoCredentialsError", "PartialCredentialsError", "ProfileNotFound", "NoRegionError", "ParamValidationError")
    + ("DefaultCredentialsError", "ClientAuthenticationError", "ResourceNotFoundError", "NoSuchBucket")
)
LASTING_STATUSES = frozenset((401, 403, 404, 410))


class UsageError(Exception):
    """An option has a value that is wrong or not supported; the message names the option."""


class RunStopped(Exception):
    """A run cannot go on. The shards that are whole remain, and the same command continues with the others."""

    summary: Summary | None = None
    """What the run did before; None if it had not begun."""


@contextmanager
def naming(option: str, path: str, deed: str) -> Iterator[None]:
    """Names the option and the path of what a file system or an object store refuses, such as "read" or "written".

    Raises `UsageError` for what stays so, and `RunStopped` for what may pass, such as a full disk.
    """
    try:
        yield
    except (UsageError, RunStopped):
        raise
    except OSError as error:
        message = f"{option} {path} cannot be {deed}: {reason(error)}"
        raise (UsageError if _is_lasting(error) else RunStopped)(message) from error
    except Exception as error:
        # The libraries of object stores have exceptions of their own, such as one for missing credentials.
        if type(error).__module__ in ("builtins", "zlib"):
            raise
        message = f"{option} {path} cannot be {deed}: {reason(error)}"
        raise (UsageError if _is_lasting(error) else RunStopped)(message) from error


def _is_lasting(error: Exception) -> bool:
    """Returns whether the same command would have the same error. An unknown one may pass."""
    if isinstance(error, (FileNotFoundError, PermissionError, NotADirectoryError, IsADirectoryError, FileExistsError)):
        return True
    if isinstance(error, (ConnectionError, TimeoutError)):
        return False
    if isinstance(error, (ValueError, pa.ArrowException)):
        return True  # The content is wrong, or the name of a bucket is.
    if isinstance(error, OSError) and type(error).__module__ in ("builtins", "gzip"):
        # Errors of object stores and of the contents of files have no number.
        return error.errno is None or error.errno in LASTING
    statuses = (getattr(error, name, None) for name in ("status", "status_code", "code"))
    return type(error).__name__ in LASTING_NAMES or any(
        isinstance(status, int) and status in LASTING_STATUSES for status in statuses
    )


def reason(error: BaseException) -> str:
    """Returns the text of an error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines[:3])[:500] or type(error).__name__
