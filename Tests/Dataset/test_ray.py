"""Tasks on Ray: one result for each, also when the process of one is killed in the middle of it."""

import os
import signal

import pytest

from imgdl_dataset import driver, executors
from imgdl_dataset.commit import Staging
from imgdl_dataset.options import Options
from imgdl_dataset.task import Result, Task
from imgdl_dataset.task import run as run_task

ray = pytest.importorskip("ray")
from imgdl_dataset.executors.ray import REPEATS_OF_LOST_TASKS, RayExecutor  # noqa: E402


@pytest.fixture(scope="module")
def instance():
    """A local instance of two processors."""
    environment = pytest.MonkeyPatch()
    environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=100 << 20,
             log_to_driver=False)
    yield
    ray.shutdown()
    environment.undo()


def task(shard_id):
    return Task({}, shard_id, b"rows")


def run_all(run, tasks):
    """The results of tasks, in the order of their shards. The function is pickled, so it must be a nested one."""
    executor, results = RayExecutor(run), []
    try:
        for item in tasks:
            executor.submit(item)
        while len(results) < len(tasks):
            results += executor.wait()
        return sorted(results, key=lambda result: result.shard_id)
    finally:
        executor.close()


def test_each_task_has_one_result(instance):
    def run(task):
        return Result(task.shard_id, {"count": len(task.table)})

    assert run_all(run, [task(shard) for shard in range(40)]) == [Result(shard, {"count": 4}) for shard in range(40)]


def test_an_instance_that_exists_is_kept(instance):
    executor = RayExecutor(lambda task: Result(task.shard_id))
    assert executor.capacity == 4
    assert executor.wait() == []
    executor.close()
    executor.close()
    assert ray.is_initialized()
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(task(0))


def test_a_task_that_raises_has_a_result_with_its_reason(instance):
    def run(task):
        raise OSError(28, "No space left on device")

    (result,) = run_all(run, [task(1)])
    assert (result.shard_id, result.error) == (1, "OSError: [Errno 28] No space left on device")


def test_ray_repeats_a_task_whose_process_was_killed(instance, tmp_path):
    killed = str(tmp_path / "killed")

    def run(task):
        if task.shard_id == 3 and not os.path.exists(killed):
            open(killed, "x").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(task.shard_id, {"count": 1})

    assert run_all(run, [task(shard) for shard in range(6)]) == [Result(shard, {"count": 1}) for shard in range(6)]
    assert os.path.exists(killed)


def test_a_task_that_kills_its_process_each_time_has_an_error_and_the_others_are_done(instance, tmp_path):
    tries = str(tmp_path / "tries")

    def run(task):
        if task.shard_id == 3:
            with open(tries, "a") as file:
                file.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(task.shard_id, {"count": 1})

    results = run_all(run, [task(shard) for shard in range(6)])
    assert [result.ok for result in results] == [True, True, True, False, True, True]
    assert "\n" not in results[3].error and results[3].retryable
    assert os.path.getsize(tries) == 1 + REPEATS_OF_LOST_TASKS


def test_closing_ends_a_task_that_runs(instance, tmp_path):
    fifo = str(tmp_path / "alive")
    os.mkfifo(fifo)

    def run(task):
        alive = open(fifo, "w")
        alive.write("started")
        alive.flush()
        signal.pause()

    executor = RayExecutor(run)
    executor.submit(task(0))
    with open(fifo) as file:
        assert file.read(7) == "started"
        executor.close()
        assert file.read() == ""  # The end of the process closes the pipe.


def test_a_run_leaves_no_temporary_files_of_a_killed_process(instance, options, program, tmp_path, monkeypatch):
    killed = str(tmp_path / "killed")

    def run(task):
        os.environ["IMGDL_BINARY"] = program
        if task.shard_id == 1 and not os.path.exists(killed):
            open(killed, "x").close()
            staging = Staging(Options.from_dict(task.options), 1)
            open(staging.tar, "x").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return run_task(task)

    (tmp_path / "list.txt").write_text("http://ok/\n" * 25)
    monkeypatch.setattr(executors, "create", lambda *_: RayExecutor(run))
    values = {"url_list": str(tmp_path / "list.txt"), "input_format": "txt", "number_sample_per_shard": 10}
    assert driver.run(options(**values)).is_complete
    assert os.path.exists(killed)
    names = {name for name in os.listdir(tmp_path / "out") if not name[0].isdigit()}
    assert names == {"_imgdl.lock", "_imgdl.run", "_report.html"}
    assert not list((tmp_path / "out").glob("*.part"))
