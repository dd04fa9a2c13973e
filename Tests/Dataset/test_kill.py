"""A driver that is killed in the middle of a shard leaves nothing that the next run does not mend."""

import ctypes
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest


@pytest.fixture
def command(tmp_path, program):
    """Runs the command in a process of its own."""
    (tmp_path / "list.txt").write_text("".join(f"http://ok/{i}\n" for i in range(45)))
    arguments = ["--url_list", str(tmp_path / "list.txt"), "--output_folder", str(tmp_path / "out")]
    arguments += ["--number_sample_per_shard", "10"]

    def prepare(*more, fault="", **values):
        line = [sys.executable, "-m", "imgdl_dataset.command", *arguments, *more]
        environment = {**os.environ, "IMGDL_BINARY": program, "FAKE_FAULT": fault}
        pipes = {f"FAKE_{name.upper()}": str(tmp_path / name) for name in ("started", "go_on")}
        return {"args": line, "env": environment | pipes, "stderr": subprocess.PIPE, "text": True, **values}

    def run(*more, **values):
        return subprocess.run(timeout=600, **prepare(*more, **values))

    run.start = lambda *more, **values: subprocess.Popen(**prepare(*more, **values))
    return run


def urls(folder):
    return [url for path in sorted(folder.glob("*.parquet")) for url in pq.read_table(path)["url"].to_pylist()]


@pytest.mark.parametrize("output_format", ["webdataset", "parquet", "files"])
@pytest.mark.parametrize("signal, code", [("SIGKILL", -9), ("SIGINT", 130), ("SIGTERM", 143)])
def test_the_same_command_continues(command, tmp_path, output_format, signal, code):
    stopped = command("--output_format", output_format, fault=signal)
    assert stopped.returncode == code, stopped.stderr
    assert len(list((tmp_path / "out").glob("*_stats.json"))) == 2
    again = command("--output_format", output_format)
    assert again.returncode == 0, again.stderr
    assert urls(tmp_path / "out") == [f"http://ok/{i}" for i in range(45)]
    assert not list((tmp_path / "out").glob("*.part"))


def test_missing_shards_and_wrong_use_have_their_exit_codes(command):
    assert command(fault="dies").returncode == 3
    # The worker dies at the second sample, and the last of these shards has one.
    assert command("--number_sample_per_shard", "11", fault="dies").returncode == 75
    refused = command("--output_format", "tfrecord")
    assert refused.returncode == 2
    assert (
        refused.stderr == "imgdl-img2dataset: output_format tfrecord is not supported: use webdataset, parquet, files\n"
    )


def test_the_second_driver_of_a_folder_is_refused(command, tmp_path):
    for name in ("started", "go_on"):
        os.mkfifo(tmp_path / name)
    first = command.start("--output_format", "webdataset", fault="waits")
    assert (tmp_path / "started").read_text() == "started"
    second = command("--output_format", "webdataset")
    (tmp_path / "go_on").write_text("")
    _, messages = first.communicate(timeout=600)
    assert second.returncode == 2
    assert "output_folder is in use by another run" in second.stderr and f"process {first.pid} on" in second.stderr
    assert first.returncode == 0, messages
    assert urls(tmp_path / "out") == [f"http://ok/{i}" for i in range(45)]


def test_a_folder_of_a_killed_driver_is_completed(command, tmp_path):
    """The driver left behind its lock file, a shard that was not committed, and half of a stats file."""
    scratch = ["--output_format", "parquet", "--scratch_folder", str(tmp_path / "scratch")]
    assert command(*scratch, fault="SIGKILL").returncode == -9
    out = tmp_path / "out"
    assert (out / "_imgdl.lock").read_text() and len(list(out.glob("00002.*.part"))) == 1
    assert len(list((tmp_path / "scratch").glob("00002.*.part"))) == 2
    stats = out / "00000_stats.json"
    stats.write_text(stats.read_text()[:-20])
    again = command(*scratch)
    assert again.returncode == 0, again.stderr
    assert urls(out) == [f"http://ok/{i}" for i in range(45)]
    assert not list(out.glob("*.part")) and not list((tmp_path / "scratch").iterdir())
    assert len(list(out.glob("*_stats.json"))) == 5


def without_override():
    """Takes from the superuser the right to write where the modes of files forbid it."""
    if os.getuid() == 0:
        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


@pytest.mark.parametrize("path", ["out", "out/below"])
def test_a_folder_that_cannot_be_written_is_refused(command, tmp_path, path):
    (tmp_path / "out").mkdir(mode=0o555)
    refused = command("--output_folder", str(tmp_path / path), preexec_fn=without_override)
    assert refused.returncode == 2
    assert refused.stderr == (
        f"imgdl-img2dataset: output_folder {tmp_path / path} cannot be written: Permission denied\n"
    )


def test_an_output_folder_that_is_a_file_is_refused(command, tmp_path):
    (tmp_path / "out").write_text("")
    refused = command()
    assert refused.returncode == 2 and "cannot be written" in refused.stderr


def test_without_decoders_nothing_is_committed(command, tmp_path):
    stopped = command("--output_format", "webdataset", fault="decoders")
    assert stopped.returncode == 3
    assert "the decoders cannot be started" in stopped.stderr
    assert sorted(os.listdir(tmp_path / "out")) == ["_imgdl.lock", "_imgdl.run", "_report.html"]
    assert command("--output_format", "webdataset").returncode == 0
