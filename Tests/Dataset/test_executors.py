"""Executors return one result for each task. Here: the choice of one, and threads of this process."""

import os
import sys
import threading
import types

import pytest

from imgdl_dataset import executors
from imgdl_dataset.errors import UsageError
from imgdl_dataset.executors.local import LocalExecutor
from imgdl_dataset.options import Options
from imgdl_dataset.task import Result, Task, serialize_table
from imgdl_dataset.task import run as run_task


def task(shard_id):
    return Task({}, shard_id, b"")


def succeed(task):
    return Result(task.shard_id, {"count": task.shard_id})


@pytest.fixture
def closing():
    """Closes what a test creates, and ends its threads."""
    created = []
    yield lambda executor: created.append(executor) or executor
    for executor in created:
        executor.close()


def collect(executor, count):
    results = []
    while len(results) < count:
        results += executor.wait()
    return sorted(results, key=lambda result: result.shard_id)


def test_each_task_has_one_result(closing):
    executor = closing(LocalExecutor(succeed, 2))
    for shard_id in range(20):
        executor.submit(task(shard_id))
    assert collect(executor, 20) == [succeed(task(shard_id)) for shard_id in range(20)]
    assert executor.wait() == []


def test_a_task_that_raises_has_a_result_with_its_reason(closing):
    def fail(task):
        raise OSError(28, "No space left on device")

    executor = closing(LocalExecutor(fail, 1))
    executor.submit(task(7))
    assert executor.wait() == [Result(7, error="OSError: [Errno 28] No space left on device")]


def test_a_thread_survives_a_task_that_exits(closing):
    def run(task):
        if task.shard_id == 0:
            raise SystemExit(1)
        return succeed(task)

    executor = closing(LocalExecutor(run, 1))
    executor.submit(task(0))
    executor.submit(task(1))
    assert collect(executor, 2) == [Result(0, error="SystemExit: 1"), succeed(task(1))]


def test_as_many_tasks_run_at_a_time_as_there_are_threads(closing):
    together = threading.Barrier(3)

    def run(task):
        together.wait(timeout=600)
        return succeed(task)

    executor = closing(LocalExecutor(run, 3))
    for shard_id in range(3):
        executor.submit(task(shard_id))
    assert all(result.ok for result in collect(executor, 3))


def test_each_thread_ends_its_worker(monkeypatch):
    ended = []
    monkeypatch.setattr("imgdl_dataset.executors.local.close_thread_worker",
                        lambda: ended.append(threading.current_thread().name))
    executor = LocalExecutor(succeed, 2)
    executor.submit(task(1))
    assert executor.wait() == [succeed(task(1))]
    executor.close()
    assert sorted(ended) == ["shard-0", "shard-1"]


def test_closing_drops_queued_tasks_and_waits_for_running_ones():
    started, go_on = threading.Event(), threading.Event()
    ran, ended = [], []

    def run(task):
        ran.append(task.shard_id)
        started.set()
        assert go_on.wait(timeout=600)
        ended.append(task.shard_id)
        return succeed(task)

    executor = LocalExecutor(run, 1)
    executor.submit(task(1))
    executor.submit(task(2))
    assert started.wait(timeout=600)
    threading.Timer(0.05, go_on.set).start()
    executor.close()
    assert ran == ended == [1]
    executor.close()
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(task(3))


def test_closing_waits_only_so_long(monkeypatch):
    started, go_on = threading.Event(), threading.Event()

    def run(task):
        started.set()
        assert go_on.wait(timeout=600)
        return succeed(task)

    monkeypatch.setattr(LocalExecutor, "CLOSE_SECONDS", 0.05)
    executor = LocalExecutor(run, 1)
    executor.submit(task(1))
    assert started.wait(timeout=600)
    executor.close()
    assert executor._threads[0].is_alive()
    go_on.set()
    executor._threads[0].join(timeout=600)


def test_closing_ends_the_workers_of_running_tasks(options, table, tmp_path, monkeypatch):
    for name in ("started", "go_on"):
        os.mkfifo(tmp_path / name)
        monkeypatch.setenv(f"FAKE_{name.upper()}", str(tmp_path / name))
    monkeypatch.setenv("FAKE_FAULT", "waits")
    executor = LocalExecutor(run_task, 1)
    executor.submit(Task(options().to_dict(), 2, serialize_table(table("ok", "ok", "ok"))))
    assert (tmp_path / "started").read_text() == "started"
    executor.close()
    assert not executor._threads[0].is_alive()
    assert "ended by signal 9" in executor.wait()[0].error
    assert os.listdir(tmp_path / "out") == []


def test_the_capacity_keeps_every_thread_busy(closing):
    assert closing(LocalExecutor(succeed, 4)).capacity == 5
    assert closing(LocalExecutor(succeed)).capacity == executors.default_processes() + 1


def test_the_option_distributor_chooses_an_executor(closing):
    assert isinstance(closing(executors.create(Options("list.txt"), succeed)), LocalExecutor)
    with pytest.raises(ValueError, match="'dask'"):
        executors.create(Options("list.txt", distributor="dask"), succeed)


@pytest.mark.parametrize("distributor, extra", [("pyspark", "spark"), ("ray", "ray")])
def test_a_missing_engine_is_reported_with_the_command_that_installs_it(monkeypatch, distributor, extra):
    monkeypatch.setitem(sys.modules, distributor, None)
    with pytest.raises(UsageError, match=rf"distributor {distributor} .* 'imgdl-dataset\[{extra}\]'"):
        executors.create(Options("list.txt", distributor=distributor), succeed)


def test_a_ray_cluster_that_does_not_answer_is_named(monkeypatch):
    def refuse(**_):
        raise ConnectionError("no node at this address")

    ray = types.SimpleNamespace(is_initialized=lambda: False, init=refuse)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.1:6379")
    with pytest.raises(UsageError, match="RAY_ADDRESS is 10.0.0.1:6379, where no Ray cluster answers: no node"):
        executors.create(Options("list.txt", distributor="ray"), succeed)


def test_errors_are_described_in_one_line():
    assert executors.describe(ValueError("a\n\n  b\nc\nd")) == "ValueError: a; b; c"
    assert executors.describe(KeyboardInterrupt()) == "KeyboardInterrupt"
