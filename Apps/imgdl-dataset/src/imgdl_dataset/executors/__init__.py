"""Executors run the tasks of the driver: on threads of this machine, on Spark, or on Ray.

`task.Executor` is their interface. An executor returns one result for each task: the task's own, or one with an
error if the task ended without a result, because its process was killed or its node died. Executors do not
repeat what a task reports as failed; that is the driver's work.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from .. import task
from ..options import Options
from ..task import Executor, Result, Task

Run = Callable[[Task], Result]
"""Runs a task. It is called on threads of this process, or pickled and called on the nodes of a cluster."""


def create(options: Options, run: Run = task.run) -> Executor:
    """Creates the executor that the option `distributor` names.

    `processes_count` is the number of shards at a time on this machine; a Spark session or a Ray cluster that
    exists keeps its own number.

    Raises:
        UsageError: Spark or Ray is not installed, or the Spark session cannot be used.
    """
    if options.distributor == "multiprocessing":
        from .local import LocalExecutor

        return LocalExecutor(run, options.processes_count)
    if options.distributor == "pyspark":
        from .spark import SparkExecutor

        return SparkExecutor(run, options.processes_count, options.subjob_size)
    if options.distributor == "ray":
        from .ray import RayExecutor

        return RayExecutor(run, options.processes_count)
    raise ValueError(f"unknown distributor {options.distributor!r}")


def default_processes() -> int:
    """Half of the processors that this process may use, at least one: a worker keeps about two busy."""
    return max(1, len(os.sched_getaffinity(0)) // 2)


def describe(error: BaseException) -> str:
    """An error as one line: its type, and the first lines of its text."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = "; ".join(lines[:3])[:500]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
