"""Errors of file systems and object stores: those that stay are wrong usage, and those that may pass stop the run."""

import errno
import gzip

import pytest

from imgdl_dataset.errors import RunStopped, UsageError, naming


def library_error(name, base=Exception, **values):
    """Returns an exception of a class as the library of an object store has it."""
    error = type(name, (base,), {"__module__": "library.exceptions"})("no answer")
    for key, value in values.items():
        setattr(error, key, value)
    return error


@pytest.mark.parametrize("error, expected", [
    (library_error("ServerDisconnectedError"), RunStopped),
    (library_error("EndpointConnectionError"), RunStopped),
    (library_error("ConnectionError", OSError), RunStopped),
    (library_error("ClientResponseError", status=503), RunStopped),
    (library_error("ClientResponseError", status=403), UsageError),
    (library_error("NoCredentialsError"), UsageError),
    (library_error("DefaultCredentialsError"), UsageError),
    (FileNotFoundError("no bucket"), UsageError),
    (PermissionError("Access Denied"), UsageError),
    (OSError(errno.EROFS, "Read-only file system"), UsageError),
    (OSError(errno.ENOSPC, "No space left on device"), RunStopped),
    (TimeoutError(), RunStopped),
    (gzip.BadGzipFile("Not a gzipped file"), UsageError),
])
def test_only_an_error_that_stays_is_wrong_usage(error, expected):
    with pytest.raises(expected, match="url_list s3://a/b cannot be read: "):
        with naming("url_list", "s3://a/b", "read"):
            raise error
