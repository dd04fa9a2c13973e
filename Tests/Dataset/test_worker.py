"""The client of the worker: its order, its checks, and its ends."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from imgdl_dataset.errors import UsageError
from imgdl_dataset.options import Options
from imgdl_dataset.worker import Worker, WorkerFailed, find_program


@pytest.fixture
def run(worker, tmp_path):
    def run_shard(hosts, shard_id=0, **options):
        line = Options("-", **options).shard_line(shard_id, len(hosts), str(tmp_path / "x.tar"))
        samples = ({"i": i, "url": f"http://{host}/{i}", "meta": {}} for i, host in enumerate(hosts))
        return worker.run(line, samples, Options("-", **options).worker_settings())

    return run_shard


def test_answers_come_in_order_and_the_totals_last(run):
    *answers, totals = run(["ok", "404", "small"], shard_id=42)
    assert [answer["key"] for answer in answers] == ["000420000", "000420001", "000420002"]
    assert [answer["status"] for answer in answers] == ["success", "failed_to_download", "failed_to_resize"]
    assert totals["done"] is True and totals["successes"] == 1


def test_a_process_has_the_settings_of_its_shards(run):
    def arguments(**options):
        return next(run(["arguments"], **options))["error_message"]

    assert arguments() == "worker"
    assert arguments(ignore_ssl_certificate=True) == "worker --set network.insecure=true"
    assert arguments() == "worker"


def test_one_process_runs_many_shards(run):
    processes = {list(run(["pid"], shard_id))[0]["error_message"] for shard_id in range(3)}
    assert len(processes) == 1


def test_more_output_than_pipes_hold_is_no_deadlock(run, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "talkative")
    assert len(list(run(["ok"] * 2000))) == 2001


FAULTS = {
    "dies": "ended by signal 9",
    "exits": "exit code 3",
    "full": "No space left on device",
    "decoders": "the decoders cannot be started",
    "garbage": "not JSON: b'Segmentation fault'",
    "array": "not an object",
    "huge": "a line is too long",
    "order": "an answer for sample 2 instead of 1",
    "key": "the key '1' instead of 000000001",
    "status": "the unknown status 'fine'",
    "count": "more answers than samples",
    "early": "the end after 1 of 3 answers",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_the_shard_with_its_reason(run, worker, monkeypatch, fault):
    monkeypatch.setenv("FAKE_FAULT", fault)
    with pytest.raises(WorkerFailed, match=FAULTS[fault]) as caught:
        list(run(["ok"] * (2 if fault == "count" else 3)))
    assert caught.value.retryable
    monkeypatch.delenv("FAKE_FAULT")
    assert len(list(run(["ok"]))) == 2, "the next shard has a new process"


def test_a_failure_has_the_last_lines_of_the_log(run, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "dies")
    with pytest.raises(WorkerFailed, match="out of memory"):
        list(run(["ok"] * 3))


def test_refused_input_is_not_tried_again(run, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "input")
    with pytest.raises(WorkerFailed, match="refused its input\n  the member shard is missing") as caught:
        list(run(["ok"]))
    assert not caught.value.retryable


def test_a_silent_worker_is_killed(run, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "silent")
    monkeypatch.setattr(Worker, "SILENCE_MARGIN_SECONDS", 0.5)
    with pytest.raises(WorkerFailed, match="silent for 0.7 s"):
        list(run(["ok"] * 3, sample_deadline=0.1))


def test_a_late_worker_is_killed(run, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "silent")
    monkeypatch.setattr(Worker, "SHARD_MARGIN_SECONDS", 0.4)
    with pytest.raises(WorkerFailed, match="not done at its deadline"):
        list(run(["ok"] * 3, shard_deadline=0.1))


def test_a_caller_that_stops_early_ends_the_process(run):
    answers = run(["pid"] * 3)
    process = int(next(answers)["error_message"])
    answers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("executable", ["", None])
def test_a_python_without_a_program_starts_the_worker_directly(run, monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    assert len(list(run(["ok"]))) == 2


def test_a_worker_is_terminated_by_another_thread(run, worker, monkeypatch):
    monkeypatch.setenv("FAKE_FAULT", "silent")
    answers = run(["pid"] * 3)
    process = int(next(answers)["error_message"])
    thread = threading.Thread(target=worker.terminate)
    thread.start()
    thread.join()
    with pytest.raises(WorkerFailed):
        list(answers)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(WorkerFailed, match="the run was stopped"):
        list(run(["ok"]))
    with pytest.raises(WorkerFailed, match="the run was stopped"):
        worker.check()


def test_the_process_ends_with_its_parent(program, tmp_path):
    code = (
        "import os, sys; from imgdl_dataset.options import Options; from imgdl_dataset.worker import Worker\n"
        "worker = Worker(); line = Options('-').shard_line(0, 1, sys.argv[1])\n"
        "print(next(worker.run(line, [{'i': 0, 'url': 'http://pid/', 'meta': {}}]))['error_message'], flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    parent = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "x.tar")],
        env={**os.environ, "IMGDL_BINARY": program},
        stdout=subprocess.PIPE,
        text=True,
        timeout=600,
    )
    assert parent.returncode == -signal.SIGKILL
    wait_for_end(int(parent.stdout))


def wait_for_end(process):
    """Waits for the end of a process that is not a child of this one."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    assert poll.poll(10000), "the process still runs"
    os.close(descriptor)


def test_the_program_is_named_by_the_environment_or_found_on_the_path(program, monkeypatch):
    monkeypatch.setenv("IMGDL_BINARY", "/nowhere")
    with pytest.raises(UsageError, match="IMGDL_BINARY is /nowhere"):
        find_program()
    monkeypatch.delenv("IMGDL_BINARY")
    monkeypatch.setenv("PATH", os.path.dirname(program))
    assert find_program() == program
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="was not found"):
        find_program()
