"""Runs tasks on a Ray cluster, or on a Ray instance of its own on this machine."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from ..errors import UsageError, reason
from ..task import Result, Task
from . import Run, default_processes, describe

REPEATS_OF_LOST_TASKS = 3
"""How often Ray itself repeats a task whose process or node died, before the driver hears of it."""

TASKS_FOR_EACH_PROCESSOR = 2
"""Shards submitted for each processor, so that a free one finds the next shard waiting."""

CANCEL_SECONDS = 10


class RayExecutor:
    """Runs tasks on the processors of a Ray cluster, one processor for each."""

    def __init__(self, run: Run, processes_count: int | None = None) -> None:
        """Uses the Ray instance of this process, a cluster that Ray finds, or a new local instance.

        Args:
            run: Runs a task.
            processes_count: Processors of a new local instance.

        Raises:
            UsageError: Ray is not installed.
        """
        try:
            import ray
        except ImportError as error:
            raise UsageError("distributor ray needs Ray: pip install 'imgdl-dataset[ray]'") from error
        self._ray = ray
        self._is_own = not ray.is_initialized()
        if self._is_own:
            _initialize(ray, processes_count)
        # An exception that a task raises is a result, and not a reason to run it again.
        make_remote = ray.remote(num_cpus=1, max_retries=REPEATS_OF_LOST_TASKS, retry_exceptions=False)
        self._remote = make_remote(run)
        self._tasks: dict[Any, Task] = {}
        self._closed = False

    @property
    def capacity(self) -> int:
        """Twice the processors that the cluster has now. Waiting tasks make its autoscaler add nodes."""
        processors = int(self._ray.cluster_resources().get("CPU", 1))
        return TASKS_FOR_EACH_PROCESSOR * max(1, processors)

    def submit(self, task: Task) -> None:
        """Starts a task as soon as a processor is free."""
        if self._closed:
            raise RuntimeError("the executor is closed")
        self._tasks[self._remote.remote(task)] = task

    def wait(self) -> list[Result]:
        """Blocks until a task ended; returns the results of all that did, or [] if no task is left."""
        if not self._tasks:
            return []
        ended, _ = self._ray.wait(list(self._tasks), num_returns=1)
        others = [reference for reference in self._tasks if reference not in ended]
        if others:
            ended += self._ray.wait(others, num_returns=len(others), timeout=0)[0]
        return [self._result(reference) for reference in ended]

    def close(self) -> None:
        """Cancels the tasks that run and waits for their end; ends the Ray instance if it is the executor's own."""
        if self._closed:
            return
        self._closed = True
        for reference in self._tasks:
            with contextlib.suppress(Exception):  # It may have ended by now.
                self._ray.cancel(reference, force=True)
        if self._tasks:
            with contextlib.suppress(Exception):
                self._ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=CANCEL_SECONDS)
        self._tasks.clear()
        if self._is_own:
            self._ray.shutdown()

    def _result(self, reference: Any) -> Result:
        """The result of a task that ended, or the one for a lost task."""
        task = self._tasks.pop(reference)
        try:
            result: Result = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            return Result(task.shard_id, error=describe(error.cause))
        except self._ray.exceptions.RayError as error:
            return Result(task.shard_id, error=describe(error))
        return result


def _initialize(ray: Any, processes_count: int | None) -> None:
    """Connects to the cluster of RAY_ADDRESS or of this machine, or starts a local instance."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(address="auto")
    except ConnectionError as error:
        address = os.environ.get("RAY_ADDRESS")
        if address not in (None, "", "auto", "local"):
            raise UsageError(f"RAY_ADDRESS is {address}, where no Ray cluster answers: {reason(error)}") from error
        processors = default_processes() if processes_count is None else max(1, processes_count)
        ray.init(address="local", num_cpus=processors, include_dashboard=False)
