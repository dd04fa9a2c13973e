"""Runs tasks as Spark jobs, over the session that exists or one of its own.

A Spark job ends when its slowest task ends. Jobs are therefore small and several run at a time: a slow shard
delays the results of the few shards in its own job, and no others. Spark itself repeats a task whose node
died (`spark.task.maxFailures`); if it gives up, all tasks of that job are lost for the driver, which submits
them again, and those that had been completed end at once.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import uuid
from typing import Any

from ..errors import UsageError
from ..task import Result, Task
from . import Run, default_processes, describe

JOBS_AT_A_TIME = 16
"""Threads of the driver, each with one Spark job. Their number bounds the connections to the JVM."""

TASKS_FOR_EACH_SLOT = 2
"""Shards submitted for each slot of the cluster, so that a free slot finds the next shard waiting."""


class SparkExecutor:
    """Runs tasks on the slots of a Spark cluster."""

    def __init__(self, run: Run, processes_count: int | None = None, subjob_size: int = 1000) -> None:
        """Uses the active session, or creates one.

        Args:
            run: Runs a task.
            processes_count: Shards at a time in a local session that this creates.
            subjob_size: The largest number of shards in one job.

        Raises:
            UsageError: pyspark is not installed, or the session speculates or has no Spark context (Spark Connect).
        """
        try:
            import pyspark
        except ImportError as error:
            raise UsageError("distributor pyspark needs Spark: pip install 'imgdl-dataset[spark]'") from error
        self._run = run
        self._largest_job = max(1, subjob_size)
        self._session, self._is_own = _find_session(processes_count)
        try:
            self._context = _context(self._session)
        except UsageError:
            if self._is_own:
                self._session.stop()
            raise
        self._processors = int(self._context.getConf().get("spark.task.cpus", "1"))
        self._group = f"imgdl-dataset-{uuid.uuid4()}"
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[list[Result]] = queue.SimpleQueue()
        self._unfinished = 0
        self._closed = False
        # Each of these threads has a thread of the JVM, which ends with it; a plain thread would leave it.
        self._threads = [
            pyspark.InheritableThread(target=self._work, name=f"spark-job-{number}", daemon=True)
            for number in range(JOBS_AT_A_TIME)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def capacity(self) -> int:
        """Twice the slots that the cluster has now. More are requested by Spark's dynamic allocation."""
        slots: int = self._context.defaultParallelism // self._processors
        return TASKS_FOR_EACH_SLOT * max(1, slots)

    def submit(self, task: Task) -> None:
        """Queues a task."""
        if self._closed:
            raise RuntimeError("the executor is closed")
        self._unfinished += 1
        self._tasks.put(task)

    def wait(self) -> list[Result]:
        """Blocks until a job ended; returns all results that are there, or [] if no task is left."""
        if self._unfinished == 0:
            return []
        results = list(self._results.get())
        while not self._results.empty():
            results += self._results.get()
        self._unfinished -= len(results)
        return results

    def close(self) -> None:
        """Cancels the jobs that run; stops the session if it is the executor's own."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
        for _ in self._threads:
            self._tasks.put(None)
        try:
            if self._unfinished:
                self._context.cancelJobGroup(self._group)
            for thread in self._threads:
                thread.join(timeout=10)
        finally:
            if self._is_own:
                self._session.stop()

    def _work(self) -> None:
        """Runs jobs until None is found in the queue."""
        while (first := self._tasks.get()) is not None:
            tasks = [first, *self._take(self._job_size() - 1)]
            try:
                results = self._run_job(tasks)
            except BaseException as error:  # The driver waits for a result of every task.
                results = [Result(task.shard_id, error=_reason(error)) for task in tasks]
            self._results.put(results)

    def _job_size(self) -> int:
        """So many shards that all jobs together fill the capacity."""
        try:
            return min(self._largest_job, -(-self.capacity // JOBS_AT_A_TIME))
        except Exception:  # A context that was stopped; the job will say so.
            return 1

    def _take(self, count: int) -> list[Task]:
        """Up to `count` tasks from the queue, without waiting for one."""
        tasks: list[Task] = []
        with contextlib.suppress(queue.Empty):
            while len(tasks) < count:
                task = self._tasks.get_nowait()
                if task is None:
                    self._tasks.put(None)
                    break
                tasks.append(task)
        return tasks

    def _run_job(self, tasks: list[Task]) -> list[Result]:
        """Runs one job with a partition for each task."""
        self._context.setJobGroup(self._group, f"{len(tasks)} shards of imgdl-dataset")
        results: list[Result] = self._context.parallelize(tasks, len(tasks)).map(self._run).collect()
        if len(results) != len(tasks):
            raise RuntimeError(f"Spark returned {len(results)} results of {len(tasks)} tasks")
        return results


def _find_session(processes_count: int | None) -> tuple[Any, bool]:
    """The active session, or a new one, and whether it is new."""
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    # A session of another thread counts too, and a context without a session.
    if SparkContext._active_spark_context is not None or SparkSession.getActiveSession() is not None:
        return SparkSession.builder.getOrCreate(), False
    # The nodes run the Python that runs this, unless the environment names another one.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("imgdl-dataset").config("spark.speculation", "false")
    # Spark's own progress line would be written over the driver's.
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    if not SparkConf().contains("spark.master") and "SPARK_REMOTE" not in os.environ:
        slots = default_processes() if processes_count is None else max(1, processes_count)
        # The second number is how often a task may fail. A local session gives up at once without it.
        builder = builder.master(f"local[{slots},4]")
    return builder.getOrCreate(), True


def _context(session: Any) -> Any:
    """The Spark context of a session that can run the tasks."""
    try:
        context = session.sparkContext
    except Exception as error:
        raise UsageError(
            "the Spark session has no Spark context (Spark Connect); run the driver with spark-submit or with --master"
        ) from error
    if context.getConf().get("spark.speculation", "false").lower() == "true":
        # A session's setting cannot be changed once it runs.
        raise UsageError(
            "the Spark session speculates: two nodes would download the same shard; set spark.speculation=false"
        )
    return context


def _reason(error: BaseException) -> str:
    """What made a job fail, in one line: Spark's own message has the stack traces of two languages."""
    for line in str(error).splitlines():
        if "Job aborted" in line or "cancelled" in line or "crashed" in line or "ExecutorLost" in line:
            return line.strip()[:500]
    return describe(error)
