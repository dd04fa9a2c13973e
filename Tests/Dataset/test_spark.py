"""Tasks on Spark: one result for each, also when its Python process is killed in the middle of it."""

import os
import signal
import sys

import pytest

from imgdl_dataset.errors import UsageError
from imgdl_dataset.task import Result, Task

pyspark = pytest.importorskip("pyspark")
from imgdl_dataset.executors.spark import SparkExecutor  # noqa: E402


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A local session of two slots. A task is tried twice, so that a killed process can be tried once more."""
    from pyspark.sql import SparkSession

    environment = pytest.MonkeyPatch()
    environment.setenv("PYSPARK_PYTHON", sys.executable)
    environment.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    session = (SparkSession.builder.master("local[2,2]").config("spark.ui.enabled", "false")
               .config("spark.driver.memory", "512m").config("spark.driver.host", "127.0.0.1")
               .config("spark.local.dir", str(tmp_path_factory.mktemp("spark"))).getOrCreate())
    yield session
    session.stop()
    environment.undo()


def task(shard_id, note=""):
    return Task({"note": note}, shard_id, b"rows")


def collect(executor, count):
    results = []
    while len(results) < count:
        results += executor.wait()
    return sorted(results, key=lambda result: result.shard_id)


def run_all(run, tasks):
    """The results of tasks, in the order of their shards. The function is pickled, so it must be a nested one."""
    executor = SparkExecutor(run)
    try:
        for item in tasks:
            executor.submit(item)
        return collect(executor, len(tasks))
    finally:
        executor.close()


def test_each_task_has_one_result(session):
    def run(task):
        return Result(task.shard_id, {"count": len(task.table)})

    assert run_all(run, [task(shard) for shard in range(40)]) == [Result(shard, {"count": 4}) for shard in range(40)]


def test_a_session_that_exists_is_kept(session):
    executor = SparkExecutor(lambda task: Result(task.shard_id))
    assert executor.capacity == 4
    assert executor.wait() == []
    executor.close()
    executor.close()
    assert session.range(3).count() == 3
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(task(0))


def test_spark_repeats_a_task_whose_process_was_killed(session, tmp_path):
    killed = str(tmp_path / "killed")

    def run(task):
        if task.shard_id == 3 and not os.path.exists(killed):
            open(killed, "x").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(task.shard_id, {"count": 1})

    assert run_all(run, [task(shard) for shard in range(6)]) == [Result(shard, {"count": 1}) for shard in range(6)]
    assert os.path.exists(killed)


def test_a_task_that_kills_its_process_each_time_has_an_error_and_the_others_are_done(session):
    def run(task):
        if task.shard_id == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(task.shard_id, {"count": 1})

    results = run_all(run, [task(shard) for shard in range(6)])
    assert [result.ok for result in results] == [True, True, True, False, True, True]
    assert "\n" not in results[3].error
    assert results[3].retryable


def test_a_job_of_several_tasks_that_fails_leaves_one_result_for_each(session, monkeypatch):
    monkeypatch.setattr("imgdl_dataset.executors.spark.JOBS_AT_A_TIME", 1)

    def run(task):
        if task.shard_id == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(task.shard_id, {"count": 1})

    results = run_all(run, [task(shard) for shard in range(6)])
    assert [result.shard_id for result in results] == list(range(6))
    assert not results[3].ok
    assert all(result.retryable for result in results if not result.ok)


def test_a_session_that_speculates_is_refused(monkeypatch):
    from imgdl_dataset.executors import spark

    class Context:
        def getConf(self):
            return {"spark.speculation": "true"}

    with pytest.raises(UsageError, match="spark.speculation=false"):
        spark._context(type("Session", (), {"sparkContext": Context()}))


def test_closing_cancels_a_job_that_runs(session, tmp_path):
    fifo = str(tmp_path / "started")
    os.mkfifo(fifo)

    def run(task):
        with open(fifo, "w") as file:
            file.write("started")
        signal.pause()

    executor = SparkExecutor(run)
    executor.submit(task(0))
    with open(fifo) as file:
        assert file.read() == "started"
    executor.close()
    assert not any(thread.is_alive() for thread in executor._threads)
    assert session.sparkContext.statusTracker().getActiveJobsIds() == []
