"""The driver: sends the missing shards to an executor, and checks their results."""

from __future__ import annotations

import dataclasses
import functools
import logging
import os
from collections.abc import Callable

import pyarrow as pa

from . import executors, folder, lock, record, report, storage, task
from .errors import RunStopped, UsageError, naming
from .estimate import ShardEstimate
from .options import Options
from .progress import Progress
from .reader import Reader
from .summary import Summary
from .task import Executor, Result, Task, serialize_table
from .worker import find_program

log = logging.getLogger(__name__)

# A run in which so many shards fail one after another, and none succeeds, has a cause that more shards do not mend.
FAILURES_IN_A_ROW = 20


def run(options: Options, progress: Progress | None = None) -> Summary:
    """Downloads the shards of the input that are missing in the output folder.

    `Summary.is_complete` tells whether all shards are there, and `failed_shards` why some are not. The progress is
    shown on standard error, unless another one is given or the option `progress` turns it off.

    Raises `UsageError` for options that are wrong, for a missing worker program, and for a folder that another driver
    uses, that cannot be written, or that has shards of another list or with other options. Raises `RunStopped` if the
    run cannot go on.
    """
    options.check()
    options = absolute(without_captions(options))
    if options.distributor == "multiprocessing":
        find_program()  # A missing program is refused before any work. Other machines may have it elsewhere.
    summary = Summary()
    progress = Progress(is_shown=options.progress) if progress is None else progress
    progress.start(summary, f"reading {options.url_list}")
    try:
        _run_locked(options, summary, progress)
    except RunStopped as error:
        error.summary = summary
        raise
    finally:
        progress.close()
    return summary


def _run_locked(options: Options, summary: Summary, progress: Progress) -> None:
    held = lock.acquire(options)
    try:
        with naming("output_folder", options.output_folder, "read"):
            start, recorded = record.begin(options)
        executor = executors.create(options, _task_runner(options, summary))
        estimate = ShardEstimate(options)
        progress.end_phase()
        try:
            Run(options, start, recorded, executor, held, estimate, summary).run()
        finally:
            # No task may commit after the lock was released.
            executor.close()
            estimate.stop()
            folder.remove_parts(options)
            _write_report(options, summary)
    finally:
        _release(held)


def _task_runner(options: Options, summary: Summary) -> executors.Run:
    """Returns what runs a task. On this machine, it counts the samples of shards that are at work."""
    if options.distributor != "multiprocessing":
        return task.run
    return functools.partial(task.run, on_sample=summary.running.add)


def without_captions(options: Options) -> Options:
    """Returns options without the column of the captions if the input has no columns, as img2dataset ignores it."""
    if options.caption_col is None or options.input_format not in ("txt", "txt.gz"):
        return options
    log.warning(
        "caption_col %s is ignored, because input_format %s has no columns", options.caption_col, options.input_format
    )
    return dataclasses.replace(options, caption_col=None)


def absolute(options: Options) -> Options:
    """Returns options with absolute local paths, because tasks may run in another folder."""
    scratch = options.scratch_folder
    return dataclasses.replace(
        options,
        url_list=_absolute_path(options.url_list),
        output_folder=_absolute_path(options.output_folder),
        scratch_folder=None if scratch is None else _absolute_path(scratch),
    )


def _absolute_path(path: str) -> str:
    return path if storage.is_remote(path) else os.path.abspath(storage.local_path(path))


def _release(held: lock.Lock) -> None:
    try:
        held.release()
    except Exception as error:  # The lock of a remote folder ends by itself.
        log.warning("the lock of the output folder was not released: %s", error)


def _write_report(options: Options, summary: Summary) -> None:
    try:
        report.write(options.output_folder, report.render(summary, options.to_dict()))
    except Exception as error:  # The shards matter more than the report about them.
        log.warning("the report was not written: %s", error)


class Run:
    """One run: passes over the input, each for the shards that the passes before it left missing."""

    def __init__(
        self,
        options: Options,
        start: folder.Start,
        recorded: record.Record,
        executor: Executor,
        held: lock.Lock,
        estimate: ShardEstimate,
        summary: Summary,
    ) -> None:
        self._options = options
        self._task_options = options.to_dict()
        self._start = start
        self._record = recorded
        self._executor = executor
        self._lock = held
        self._estimate = estimate
        self._summary = summary
        self._mine = folder.share(options)
        self._unchanged = {shard_id for shard_id in start.done if self._mine(shard_id)}
        self._in_flight = 0
        self._failures_in_a_row = 0
        self._to_repeat: set[int] = set()
        self._count_rows_before()

    def run(self) -> None:
        """Runs the first pass, and as many more as `max_shard_retry` allows. Raises `RunStopped`."""
        if self._options.retry_failed:
            for shard_id in sorted(self._start.damaged):
                log.warning("shard %d has stats that cannot be read, or lacks a file; it is downloaded anew", shard_id)
        # The answer is kept, because the reader asks more than once and the files of a shard change.
        wanted = functools.cache(self._finished_with_failures) if self._options.retry_failed else self._missing
        self._pass(wanted)
        for _ in range(self._options.max_shard_retry):
            repeated, self._to_repeat = self._to_repeat, set()
            if not repeated:
                return
            log.warning("%d shards failed and are run again", len(repeated))
            self._pass(repeated.__contains__)

    def _pass(self, wanted: Callable[[int], bool]) -> None:
        start = self._start.start_shard_id
        reader = Reader(
            self._options,
            start,
            lambda shard_id: self._is_taken(shard_id) or (self._mine(shard_id) and wanted(shard_id)),
        )
        count = reader.count_shards()
        if count is not None:
            self._count_shards(range(start, start + count))
        self._take_estimate()
        for shard_id, table in reader:
            if self._is_taken(shard_id):
                raise UsageError(
                    f"the list needs shard {shard_id} of output_folder {self._options.output_folder}, "
                    "where the shards of another list begin, which was appended"
                )
            while self._in_flight >= self._executor.capacity:
                self._take_results()
            self._submit(shard_id, table)
        self._count_shards(range(start, reader.end_shard_id))
        if reader.end_shard_id == start:
            log.warning("url_list %s has no rows", self._options.url_list)
        while self._in_flight > 0:
            self._take_results()
        self._save_record()

    def _save_record(self) -> None:
        with naming("output_folder", self._options.output_folder, "written"):
            self._record.save()

    def _is_taken(self, shard_id: int) -> bool:
        """Returns whether a number belongs to a list that was appended before all shards of this one were there."""
        return self._start.end is not None and shard_id >= self._start.end

    def _missing(self, shard_id: int) -> bool:
        return shard_id not in self._start.done

    def _finished_with_failures(self, shard_id: int) -> bool:
        if shard_id in self._start.damaged:
            return True
        if shard_id not in self._start.done:
            return False
        stats = folder.read_stats(self._options, shard_id)
        return stats is not None and folder.successes(stats) != stats["count"]

    def _submit(self, shard_id: int, table: pa.Table) -> None:
        retry = self._options.retry_failed and shard_id in self._start.done
        self._save_record()
        self._executor.submit(Task(self._task_options, shard_id, serialize_table(table), retry))
        self._in_flight += 1

    def _take_results(self) -> None:
        results = self._executor.wait()
        if not results:
            raise RunStopped("the executor lost tasks")
        self._in_flight -= len(results)
        for result in results:
            self._take(result)
        self._take_estimate()
        if self._lock.lost():
            raise RunStopped("another run took the lock of the output folder")

    def _take(self, result: Result) -> None:
        if result.stats is not None:
            self._failures_in_a_row = 0
            with self._summary.lock:
                self._replace(result.shard_id)
                self._summary.add(result.stats, result.shard_id)
            return
        reason = result.error or "the task has no result"
        log.warning("shard %d failed: %s", result.shard_id, reason)
        # A shard whose failed rows could not be repeated is still whole.
        self._summary.fail(result.shard_id, reason, remains=result.shard_id in self._unchanged)
        if result.retryable:
            self._to_repeat.add(result.shard_id)
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= max(FAILURES_IN_A_ROW, 2 * self._executor.capacity):
            raise RunStopped(f"{self._failures_in_a_row} shards failed one after another, the last one: {reason}")

    def _replace(self, shard_id: int) -> None:
        """Takes a shard that was whole before out of the sums, because this run wrote it anew."""
        if shard_id not in self._unchanged:
            return
        self._unchanged.remove(shard_id)
        total, successes = self._start.done[shard_id]
        with self._summary.lock:
            self._summary.shards_before -= 1
            self._summary.count_before -= total
            self._summary.successes_before -= successes

    def _count_shards(self, numbers: range) -> None:
        """Tells the summary how many shards of the input are this driver's, and how many of those are as before."""
        self._unchanged.intersection_update(numbers)
        with self._summary.lock:
            self._summary.total_shards = sum(map(self._mine, numbers))
            self._summary.shards_before = len(self._unchanged)
            self._count_rows_before()

    def _count_rows_before(self) -> None:
        rows = [self._start.done[shard_id] for shard_id in self._unchanged]
        with self._summary.lock:
            self._summary.count_before = sum(total for total, _ in rows)
            self._summary.successes_before = sum(successes for _, successes in rows)

    def _take_estimate(self) -> None:
        """Tells the summary how many shards this driver will probably have, as long as their number is not known."""
        count = self._estimate.shards()
        if count is None or self._summary.total_shards is not None or self._summary.estimated_shards is not None:
            return
        numbers = range(self._start.start_shard_id, self._start.start_shard_id + count)
        with self._summary.lock:
            self._summary.estimated_shards = sum(map(self._mine, numbers))
            self._summary.shards_before = len(self._unchanged.intersection(numbers))
