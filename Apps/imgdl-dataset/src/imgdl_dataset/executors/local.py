"""Runs tasks on threads of this process; each thread drives a worker process of its own."""

from __future__ import annotations

import contextlib
import queue
import threading

from ..task import Result, Task, close_thread_worker
from . import Run, default_processes, describe


class LocalExecutor:
    """Runs up to `count` tasks at a time on threads.

    Threads suffice, because worker processes do the work. The threads are daemons: an interrupted program ends
    without waiting for its shards, and the worker processes end with it.
    """

    def __init__(self, run: Run, count: int | None = None) -> None:
        """Starts the threads; `count` is their number, by default half of the processors."""
        self._run = run
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._unfinished = 0
        self._closed = False
        count = default_processes() if count is None else max(1, count)
        # One task is ready when the first thread is free.
        self.capacity = count + 1
        self._threads = [
            threading.Thread(target=self._work, name=f"shard-{number}", daemon=True) for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Task) -> None:
        """Queues a task."""
        if self._closed:
            raise RuntimeError("the executor is closed")
        self._unfinished += 1
        self._tasks.put(task)

    def wait(self) -> list[Result]:
        """Blocks until a task ended; returns all results that are there, or [] if no task is left."""
        if self._unfinished == 0:
            return []
        results = [self._results.get()]
        while not self._results.empty():
            results.append(self._results.get())
        self._unfinished -= len(results)
        return results

    def close(self) -> None:
        """Drops queued tasks and ends the threads. A thread within a task ends after it, or with the program."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
        for _ in self._threads:
            self._tasks.put(None)
        if self._unfinished == 0:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        """Runs tasks until None is found in the queue."""
        while (task := self._tasks.get()) is not None:
            try:
                result = self._run(task)
            except BaseException as error:  # The driver waits for a result of every task.
                result = Result(task.shard_id, error=describe(error))
            self._results.put(result)
        close_thread_worker()
