"""A driver that is killed in the middle of a shard leaves nothing that the next run does not mend."""

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

    def run(*more, fault=""):
        line = [sys.executable, "-m", "imgdl_dataset.command", *arguments, *more]
        environment = {**os.environ, "IMGDL_BINARY": program, "FAKE_FAULT": fault}
        return subprocess.run(line, env=environment, stderr=subprocess.PIPE, text=True, timeout=60)

    return run


@pytest.mark.parametrize("output_format", ["webdataset", "parquet", "files"])
@pytest.mark.parametrize("signal, code", [("SIGKILL", -9), ("SIGINT", 130), ("SIGTERM", 143)])
def test_the_same_command_continues(command, tmp_path, output_format, signal, code):
    stopped = command("--output_format", output_format, fault=signal)
    assert stopped.returncode == code, stopped.stderr
    assert len(list((tmp_path / "out").glob("*_stats.json"))) == 2
    again = command("--output_format", output_format)
    assert again.returncode == 0, again.stderr
    urls = [
        url for path in sorted((tmp_path / "out").glob("*.parquet")) for url in pq.read_table(path)["url"].to_pylist()
    ]
    assert urls == [f"http://ok/{i}" for i in range(45)]
    assert not list((tmp_path / "out").glob("*.part"))


def test_missing_shards_and_wrong_use_have_their_exit_codes(command):
    assert command(fault="dies").returncode == 75
    refused = command("--output_format", "tfrecord")
    assert refused.returncode == 64
    assert (
        refused.stderr == "imgdl-img2dataset: output_format tfrecord is not supported: use webdataset, parquet, files\n"
    )
