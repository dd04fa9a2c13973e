"""Whole runs with the fake worker: resume, repetition of shards, and what stops a run."""

import json
import os
import subprocess
import sys
import threading

import pytest
from runs import all_urls, replace_tasks, shards

from imgdl_dataset import commit, driver, executors, lock, report, storage
from imgdl_dataset.errors import RunStopped, UsageError
from imgdl_dataset.executors.local import LocalExecutor
from imgdl_dataset.task import Result, run


def test_a_run_makes_all_shards_and_a_report(start, tmp_path):
    summary = start(processes_count=2)
    assert summary.is_complete and summary.successes == 45
    assert shards(tmp_path) == [0, 1, 2, 3, 4]
    assert all_urls(tmp_path) == [f"http://ok/{i}" for i in range(45)]
    others = {name for name in os.listdir(tmp_path / "out") if not name[0].isdigit()}
    assert others == {"_report.html", "_imgdl.lock", "_imgdl.run"}


def test_a_list_without_rows_is_named(start, caplog, tmp_path):
    assert start(count=0).is_complete
    assert f"url_list {tmp_path}/input has no rows" in caplog.text


def test_the_samples_of_a_shard_at_work_are_counted(start, monkeypatch):
    seen = []

    def create(options, run):
        def look(task):
            result = run(task)
            seen.append(run.keywords["on_sample"].__self__.totals())
            return result

        return LocalExecutor(look, 1)

    monkeypatch.setattr(executors, "create", create)
    summary = start(count=10)
    assert seen == [(10, 10)] and summary.running.totals() == (0, 0)


def test_the_rows_of_shards_that_were_there_before_are_counted(start, tmp_path, monkeypatch):
    monkeypatch.setenv("FAKE_DEAD", str(tmp_path / "dead"))
    (tmp_path / "dead").write_text("ok")
    summary = start(count=25)
    assert (summary.rows_in_all, summary.failures_in_all) == (25, 25)
    (tmp_path / "dead").write_text("")
    os.remove(tmp_path / "out/00001_stats.json")
    summary = start(count=25)
    assert (summary.count, summary.rows_in_all, summary.failures_in_all) == (10, 25, 15)
    summary = start(count=25, retry_failed=True)
    assert (summary.count, summary.rows_in_all, summary.failures_in_all) == (15, 25, 0)


def test_a_disk_that_is_full_stops_the_run(start, tmp_path, monkeypatch):
    def full(record):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(driver.record.Record, "save", full)
    with pytest.raises(RunStopped, match=f"output_folder {tmp_path}/out cannot be written: No space left") as stopped:
        start()
    assert stopped.value.summary.count == 0


def test_a_second_run_does_only_what_is_missing(start, tmp_path):
    start()
    os.remove(tmp_path / "out/00003_stats.json")
    summary = start()
    assert [shard.shard_id for shard in summary.shards] == [3]
    assert summary.is_complete and shards(tmp_path) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["00003.tar", "00003.parquet"])
def test_a_shard_that_lacks_a_file_is_run_again(start, tmp_path, name):
    start()
    os.remove(tmp_path / "out" / name)
    assert [shard.shard_id for shard in start().shards] == [3]
    assert all_urls(tmp_path) == [f"http://ok/{i}" for i in range(45)]


def test_a_shard_with_a_part_of_its_stats_is_run_again(start, tmp_path):
    start()
    path = tmp_path / "out/00003_stats.json"
    path.write_text(path.read_text()[:50])
    assert [shard.shard_id for shard in start().shards] == [3]
    assert json.loads(path.read_text())["count"] == 10


@pytest.mark.parametrize("remote", [False, True])
def test_stats_are_removed_before_the_files_of_their_shard_are_replaced(start, tmp_path, monkeypatch, remote):
    output = f"memory://{tmp_path}/out" if remote else str(tmp_path / "out")
    start(count=10, output_folder=output)
    storage.remove_file(f"{output}/00000.tar")
    withdraw = commit.Staging._withdraw

    def stop(staging):
        withdraw(staging)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(commit.Staging, "_withdraw", stop)
    assert not start(count=10, output_folder=output).is_complete
    assert not storage.exists(f"{output}/00000_stats.json")


def test_a_retry_reports_shards_that_are_not_whole_and_runs_them(start, tmp_path, caplog):
    start(count=25)
    (tmp_path / "out/00001_stats.json").write_text('{"count": 10,')
    os.remove(tmp_path / "out/00002.tar")
    summary = start(count=25, retry_failed=True)
    assert sorted(shard.shard_id for shard in summary.shards) == [1, 2] and summary.is_complete
    assert all(f"shard {i} has stats that cannot be read, or lacks a file" in caplog.text for i in (1, 2))
    assert all_urls(tmp_path) == [f"http://ok/{i}" for i in range(25)]


def test_a_retry_takes_stats_without_successes_for_failures(start, tmp_path):
    start(count=20)
    (tmp_path / "out/00001_stats.json").write_text('{"count": 10}')
    summary = start(count=20, retry_failed=True)
    assert [shard.shard_id for shard in summary.shards] == [1] and summary.is_complete


def test_parts_of_killed_processes_are_removed_at_the_end(start, options, tmp_path, monkeypatch):
    """On a cluster, the process of a task may be killed while the driver lives, and its task is run again."""
    code = (
        "import os, sys; from imgdl_dataset.commit import Staging; from imgdl_dataset.options import Options\n"
        "open(Staging(Options('x', output_folder=sys.argv[1]), 1).parquet, 'w'); os.kill(os.getpid(), 9)\n"
    )

    def kill_one(task):
        subprocess.run([sys.executable, "-c", code, task.options["output_folder"]], timeout=600)
        return run(task)

    replace_tasks(monkeypatch, kill_one)
    assert start(count=10).is_complete
    assert not list((tmp_path / "out").glob("*.part"))


def test_no_task_commits_after_the_lock_was_released(start, tmp_path, monkeypatch):
    order = []

    class Recording(LocalExecutor):
        def close(self):
            super().close()
            order.append([thread.is_alive() for thread in self._threads])

    running = threading.Event()

    def run_or_fail(task):
        if task.shard_id == 0:
            assert running.wait(timeout=600)
            return Result(0, error="the disk is full")
        running.set()
        return run(task)

    monkeypatch.setenv("FAKE_FAULT", "silent")
    release = lock.FileLock.release
    monkeypatch.setattr(executors, "create", lambda *_: Recording(run_or_fail, 2))
    monkeypatch.setattr(lock.FileLock, "release", lambda held: (order.append("released"), release(held)))
    monkeypatch.setattr(lock.FileLock, "lost", lambda held: True)
    with pytest.raises(RunStopped, match="another run took the lock"):
        start()
    assert order == [[False, False], "released"]


def test_a_list_of_lines_has_an_estimate(start, tmp_path, monkeypatch):
    (tmp_path / "list.txt").write_text("http://ok/\n" * 45)
    join = driver.ShardEstimate

    def known(options):
        estimate = join(options)
        estimate.join()
        return estimate

    seen = []

    def look(self, result):
        seen.append((self._summary.estimated_shards, self._summary.total_shards, self._summary.shards_before))
        take(self, result)

    take = driver.Run._take
    monkeypatch.setattr(driver, "ShardEstimate", known)
    monkeypatch.setattr(driver.Run, "_take", look)
    values = {"url_list": str(tmp_path / "list.txt"), "input_format": "txt"}
    assert start(**values).total_shards == 5
    assert seen[0] == (5, None, 0)
    os.remove(tmp_path / "out/00003_stats.json")
    del seen[:]
    assert start(**values).total_shards == 5 and seen[0][2] == 4


def test_extend_appends_shards(start, tmp_path):
    start()
    assert start(count=15, incremental_mode="extend").is_complete
    assert shards(tmp_path) == [0, 1, 2, 3, 4, 5, 6]


def test_parts_of_the_shards_together_are_all(start, tmp_path):
    assert start(shard_index=0, shard_count=2).is_complete
    assert shards(tmp_path) == [0, 2, 4]
    assert start(shard_index=1, shard_count=2).is_complete
    assert all_urls(tmp_path) == [f"http://ok/{i}" for i in range(45)]


def test_a_shard_that_failed_is_run_again_at_the_end(start, tmp_path, monkeypatch):
    tries = []

    def fail_once(task):
        tries.append(task.shard_id)
        if task.shard_id == 1 and tries.count(1) == 1:
            return Result(1, error="the disk is full")
        return run(task)

    replace_tasks(monkeypatch, fail_once)
    summary = start()
    assert summary.is_complete and summary.failed_shards == {}
    assert tries.count(1) == 2 and tries[-1] == 1


def test_a_shard_that_always_fails_is_missing_with_its_reason(start, tmp_path, monkeypatch):
    tries = []

    def fail(task):
        tries.append(task.shard_id)
        return Result(1, error="the disk is full") if task.shard_id == 1 else run(task)

    replace_tasks(monkeypatch, fail)
    summary = start(max_shard_retry=3)
    assert not summary.is_complete and summary.failed_shards == {1: "the disk is full"}
    assert tries.count(1) == 4 and shards(tmp_path) == [0, 2, 3, 4]


def test_a_fault_that_is_not_retryable_is_not_repeated(start, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "input")
    summary = start(count=10)
    assert "the member shard is missing" in summary.failed_shards[0]


def test_a_run_in_which_everything_fails_stops(start, monkeypatch):
    tries = []

    def fail(task):
        tries.append(task.shard_id)
        return Result(task.shard_id, error="no space")

    replace_tasks(monkeypatch, fail)
    with pytest.raises(RunStopped, match="20 shards failed one after another, the last one: no space") as stopped:
        start(count=5000)
    assert len(tries) < 50
    assert len(stopped.value.summary.failed_shards) == 20 and not stopped.value.summary.is_complete


def test_the_tasks_at_a_time_are_bounded(start, monkeypatch):
    class Counting(LocalExecutor):
        running = most = 0

        def submit(self, task):
            Counting.running += 1
            Counting.most = max(Counting.most, Counting.running)
            super().submit(task)

        def wait(self):
            results = super().wait()
            Counting.running -= len(results)
            return results

    monkeypatch.setattr(executors, "create", lambda *_: Counting(lambda t: Result(t.shard_id, error="x"), 1))
    with pytest.raises(RunStopped):
        start(count=150)
    assert Counting.most == 2 and Counting.running == 0


def test_a_folder_that_another_driver_uses_is_refused(start, options):
    held = lock.acquire(options())
    with pytest.raises(UsageError, match="in use by another run"):
        start()
    held.release()


def test_a_missing_program_is_refused_at_the_start(start, tmp_path, monkeypatch):
    monkeypatch.setenv("IMGDL_BINARY", "/nowhere")
    with pytest.raises(UsageError, match="IMGDL_BINARY is /nowhere"):
        start()
    assert not (tmp_path / "out").exists()


def test_the_lock_is_released_after_a_wrong_input(start, options, tmp_path):
    with pytest.raises(UsageError, match="no column link"):
        start(url_col="link")
    lock.acquire(options()).release()


def test_a_report_that_cannot_be_written_does_not_fail_the_run(start, monkeypatch, caplog):
    def full(folder, text):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(report, "write", full)
    assert start().is_complete
    assert "the report was not written" in caplog.text


def test_no_fault_of_the_report_or_of_the_lock_fails_the_run(start, monkeypatch, caplog):
    def refuse(*_):
        raise RuntimeError("the endpoint does not answer")

    monkeypatch.setattr(report, "render", refuse)
    monkeypatch.setattr(lock.FileLock, "release", refuse)
    assert start().is_complete
    assert "the report was not written: the endpoint" in caplog.text
    assert "the lock of the output folder was not released: the endpoint" in caplog.text


@pytest.mark.parametrize("output_format", ["webdataset", "parquet", "files"])
def test_a_remote_folder(start, tmp_path, output_format):
    fsspec = pytest.importorskip("fsspec")
    output = f"memory://{tmp_path}/out"
    assert start(count=15, output_folder=output, output_format=output_format).is_complete
    system = fsspec.filesystem("memory")
    names = {path.removeprefix(f"{tmp_path}/out/") for path in system.find(f"{tmp_path}/out")}
    assert {"00000.parquet", "00001.parquet", "00000_stats.json", "00001_stats.json", "_report.html"} <= names
    assert "_imgdl.lock" not in names
    assert start(count=15, output_folder=output, output_format=output_format).shards == []
    assert json.loads(system.cat(f"{tmp_path}/out/00001_stats.json"))["count"] == 5
    assert not [name for name in os.listdir("/tmp") if name.startswith("0000") and name.endswith(".part")]
