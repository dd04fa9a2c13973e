"""Runs with --retry_failed: what is retried, and what a retry that fails leaves."""

import os
import threading

import pytest
from runs import replace_tasks

from imgdl_dataset import driver
from imgdl_dataset.summary import Summary
from imgdl_dataset.task import Result, run


def test_failed_rows_are_retried_in_finished_shards(start, tmp_path, monkeypatch):
    monkeypatch.setenv("FAKE_DEAD", str(tmp_path / "dead"))
    (tmp_path / "dead").write_text("ok")
    assert start(count=25).successes == 0
    (tmp_path / "dead").write_text("")
    os.remove(tmp_path / "out/00001_stats.json")
    summary = start(count=25, retry_failed=True)
    assert summary.successes == 15 and sorted(shard.shard_id for shard in summary.shards) == [0, 2]
    assert not summary.is_complete, "shard 1 is not there"
    assert start(count=25).is_complete
    assert start(count=25, retry_failed=True).shards == []


def test_a_retry_that_fails_leaves_the_shard_among_the_whole_ones(start, tmp_path, monkeypatch):
    monkeypatch.setenv("FAKE_DEAD", str(tmp_path / "dead"))
    (tmp_path / "dead").write_text("ok")
    start(count=20)
    (tmp_path / "dead").write_text("")
    tries = []

    def crash(task):
        tries.append(task.shard_id)
        return Result(task.shard_id, error="the worker crashed") if task.shard_id == 1 else run(task)

    with monkeypatch.context() as patch:
        replace_tasks(patch, crash)
        summary = start(count=20, retry_failed=True)
    assert tries.count(1) == 2
    assert summary.is_complete and (summary.shards_before, len(summary.shards)) == (1, 1)
    assert (summary.rows_in_all, summary.failures_in_all) == (20, 10)
    assert summary.failed_shards == {1: "the worker crashed"} and summary.failed_retries == {1}
    summary = start(count=20, retry_failed=True)
    assert (summary.rows_in_all, summary.failures_in_all, summary.failed_retries) == (20, 0, set())


def test_a_retry_that_succeeds_at_the_second_try_is_no_failed_one(start, tmp_path, monkeypatch):
    monkeypatch.setenv("FAKE_DEAD", str(tmp_path / "dead"))
    (tmp_path / "dead").write_text("ok")
    start(count=20)
    (tmp_path / "dead").write_text("")
    tries = []

    def fail_once(task):
        tries.append(task.shard_id)
        return Result(task.shard_id, error="killed") if tries.count(task.shard_id) == 1 else run(task)

    replace_tasks(monkeypatch, fail_once)
    summary = start(count=20, retry_failed=True)
    assert summary.failed_shards == {} and summary.failed_retries == set()
    assert (summary.shards_before, summary.rows_in_all, summary.failures_in_all) == (0, 20, 0)


@pytest.mark.parametrize("retry_failed", [False, True])
def test_the_summary_is_changed_while_its_lock_is_held(start, tmp_path, monkeypatch, retry_failed):
    class Watched(Summary):
        def __setattr__(self, name, value):
            # Another thread cannot take a lock that this one holds.
            if hasattr(self, "lock") and isinstance(value, int):
                thread = threading.Thread(target=self.take, args=[name])
                thread.start()
                thread.join()
            super().__setattr__(name, value)

        def take(self, name):
            if self.lock.acquire(blocking=False):
                unlocked.append(name)
                self.lock.release()

    unlocked = []
    monkeypatch.setenv("FAKE_DEAD", str(tmp_path / "dead"))
    (tmp_path / "dead").write_text("ok")
    start(count=20)
    (tmp_path / "dead").write_text("")
    os.remove(tmp_path / "out/00000_stats.json")
    monkeypatch.setattr(driver, "Summary", Watched)
    monkeypatch.setattr(driver.ShardEstimate, "shards", lambda estimate: 2)
    monkeypatch.setattr(driver.Reader, "count_shards", lambda reader: None)
    assert start(count=20, retry_failed=retry_failed, progress=False).estimated_shards == 2
    assert unlocked == []
