"""Runs tasks on threads of this process; each thread drives a worker process of its own."""

from __future__ import annotations

import contextlib
import queue
import threading
import time

from ..task import Result, Task
from ..worker import Worker, close_thread_worker, thread_worker
from . import Run, default_processes, describe


class LocalExecutor:
    """Runs up to `count` tasks at a time on threads.

    Threads suffice, because worker processes do the work. The threads are daemons: a program that ends does not wait
    for them, and the worker processes end with it.
    """

    CLOSE_SECONDS = 60.0
    """How long `close` waits for the threads. Without its worker, a thread has at most a commit to finish."""

    def __init__(self, run: Run, count: int | None = None) -> None:
        """Starts the threads; `count` is their number, by default half of the processors."""
        self._run = run
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._unfinished = 0
        self._closed = False
        self._workers: list[Worker] = []
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
        """Drops queued tasks, ends the workers of those that run, and waits for the threads, up to a minute."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
        for _ in self._threads:
            self._tasks.put(None)
        if self._unfinished:
            for worker in list(self._workers):
                worker.terminate()
        end = time.monotonic() + self.CLOSE_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        """Runs tasks until None is found in the queue."""
        worker = thread_worker()
        self._workers.append(worker)
        while (task := self._tasks.get()) is not None:
            try:
                if self._closed:
                    worker.terminate()  # This task was taken from the queue while it was emptied.
                result = self._run(task)
            except BaseException as error:  # The driver waits for a result of every task.
                result = Result(task.shard_id, error=describe(error))
            self._results.put(result)
        close_thread_worker()
