"""Tasks, their results, and what an executor is: the interface between the driver and the places where tasks run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from . import storage
from .errors import UsageError
from .folder import read_stats
from .options import Options
from .shard import OnSample, process_shard
from .worker import WorkerFailed, close_thread_worker, thread_worker


@dataclass(frozen=True)
class Task:
    """The work of one shard. A task can be pickled and sent to another machine."""

    options: dict[str, Any]
    """The options as `Options.to_dict` returns them."""

    shard_id: int

    table: bytes | str
    """The rows of the shard: an Arrow IPC file as bytes, or the path or URL of one."""

    retry: bool = False
    """Whether the shard exists and only its failed rows are downloaded again."""


@dataclass(frozen=True)
class Result:
    """How a task ended. Either `stats` or `error` is None."""

    shard_id: int

    stats: dict[str, Any] | None = None
    """The content of the stats file: count, successes, failed_to_download, failed_to_resize, duration, start_time,
    end_time (seconds since 1970), status_dict ({message: number}). A shard that this task downloaded has also
    downloaded_bytes, tar_bytes, and hosts ({host: {"count": n, "failed": n, "ms": sum}}, the 100 slowest ones)."""

    error: str | None = None
    """The reason why the shard is missing, for people."""

    retryable: bool = True
    """Whether the same task may succeed when it is run again."""

    @property
    def ok(self) -> bool:
        """Whether the shard is whole in the output folder."""
        return self.error is None


class Executor(Protocol):
    """Where tasks run: threads of this process, a Spark cluster or a Ray cluster. It is used by one thread."""

    @property
    def capacity(self) -> int:
        """How many tasks may be submitted whose results have not been returned by `wait`."""

    def submit(self, task: Task) -> None:
        """Takes a task, and does not wait for it."""

    def wait(self) -> list[Result]:
        """Blocks until at least one submitted task ended, and returns the results of all that ended.

        A task whose machine was lost and that cannot be run again has a result with an error.
        """

    def close(self) -> None:
        """Stops what still runs, waits for its end within limits, and frees all resources.

        It may be called more than once.
        """


def run(task: Task, on_sample: OnSample | None = None) -> Result:
    """Runs a task in this thread, with the worker process of this thread. It never raises an `Exception`.

    `on_sample` is called for each sample that ended, with the number of its shard and its status.

    A shard whose stats file exists is a success without any work, so running a task twice is harmless.
    A thread that ends must call `close_thread_worker` first.
    """
    try:
        options = Options.from_dict(task.options)
        if not task.retry:
            stats = read_stats(options, task.shard_id)
            if stats is not None:
                return Result(task.shard_id, stats)
        table = read_table(task.table)
        if task.retry:
            from .retry import retry_shard

            return Result(task.shard_id, retry_shard(options, thread_worker(), task.shard_id, table, on_sample))
        return Result(task.shard_id, process_shard(options, thread_worker(), task.shard_id, table, on_sample))
    except WorkerFailed as failure:
        return Result(task.shard_id, error=str(failure), retryable=failure.retryable)
    except UsageError as error:
        return Result(task.shard_id, error=str(error), retryable=False)
    except Exception as error:  # A task reports every failure to the driver, which decides.
        return Result(task.shard_id, error=f"{type(error).__name__}: {error}")


def serialize_table(table: pa.Table) -> bytes:
    """Returns a table as an Arrow IPC file."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def read_table(source: bytes | str) -> pa.Table:
    """Reads an Arrow IPC file, given as bytes or as a path or URL."""
    if isinstance(source, bytes):
        return pa.ipc.open_file(pa.BufferReader(source)).read_all()
    with storage.open_file(source, "rb") as file:
        return pa.ipc.open_file(pa.BufferReader(file.read())).read_all()


__all__ = ["Executor", "Result", "Task", "close_thread_worker", "read_table", "run", "serialize_table"]
