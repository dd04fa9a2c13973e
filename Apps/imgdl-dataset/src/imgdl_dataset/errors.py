"""What ends a run, in words for people."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .summary import Summary

# Errors of a path that stay when the same command is run again.
LASTING = frozenset(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
    + (errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL)
)


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
        # Errors of object stores and of the contents of files have no number.
        if error.errno in LASTING or (error.errno is None and not isinstance(error, (ConnectionError, TimeoutError))):
            raise UsageError(message) from error
        raise RunStopped(message) from error
    except Exception as error:
        # The libraries of object stores have exceptions of their own, such as one for missing credentials.
        if type(error).__module__ == "builtins":
            raise
        raise UsageError(f"{option} {path} cannot be {deed}: {reason(error)}") from error


def reason(error: BaseException) -> str:
    """Returns the text of an error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines[:3])[:500] or type(error).__name__
