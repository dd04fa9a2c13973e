"""Temporary files: who owns them, and which of them are removed."""

import os
import subprocess
import sys

import pytest

from imgdl_dataset import commit, folder, parts
from imgdl_dataset.commit import Staging
from imgdl_dataset.options import Options

KILLED = """
import os, sys
from imgdl_dataset.commit import Staging
from imgdl_dataset.options import Options
staging = Staging(Options("list.txt", **eval(sys.argv[1])), 3)
for path in (staging.tar, staging.parquet, staging.extra("merged.tar")):
    open(path, "w").close()
os.makedirs(staging.files)
open(os.path.join(staging.files, "x.jpg"), "w").close()
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def leave(tmp_path):
    """Lets a process stage a shard and be killed; returns the options."""

    def leave_files(**values):
        values = {"output_folder": str(tmp_path / "out"), "output_format": "webdataset"} | values
        subprocess.run([sys.executable, "-c", KILLED, repr(values)], timeout=600)
        return Options("list.txt", **values)

    return leave_files


def test_the_files_of_a_killed_process_are_removed(leave, tmp_path):
    options = leave()
    assert len(os.listdir(tmp_path / "out")) == 5
    folder.remove_parts(options)
    assert os.listdir(tmp_path / "out") == []


def test_the_files_of_a_living_process_are_kept(leave, tmp_path):
    options = leave()
    with Staging(options, 4) as staging:
        open(staging.tar, "w").close()
        folder.remove_parts(options)
        assert os.path.exists(staging.tar)
        assert len(os.listdir(tmp_path / "out")) == 2
    assert os.listdir(tmp_path / "out") == []


def test_a_scratch_folder_is_cleared_too(leave, tmp_path):
    options = leave(output_format="parquet", scratch_folder=str(tmp_path / "scratch"))
    (tmp_path / "scratch/00003.tar.part").write_text("another program's")
    assert len(os.listdir(tmp_path / "scratch")) == 4
    folder.remove_parts(options)
    assert os.listdir(tmp_path / "out") == []
    assert os.listdir(tmp_path / "scratch") == ["00003.tar.part"]


def test_the_temporary_folder_of_a_remote_output_is_cleared(leave, tmp_path, monkeypatch):
    pytest.importorskip("fsspec")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(parts.tempfile, "tempdir", None)
    options = leave(output_folder=f"memory://{tmp_path}/out")
    assert len(os.listdir(tmp_path / "tmp")) == 5
    folder.remove_parts(options)
    assert os.listdir(tmp_path / "tmp") == []


def test_a_process_of_a_cluster_clears_its_scratch_folder_once(leave, tmp_path, monkeypatch):
    monkeypatch.setattr(commit, "_scratch_folders", set())
    options = leave(output_format="parquet", scratch_folder=str(tmp_path / "scratch"))
    with Staging(options, 4):
        assert [name for name in os.listdir(tmp_path / "scratch") if name.startswith("00003")] == []


def test_a_lock_file_that_was_removed_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    flock, removed = parts.fcntl.flock, []

    def remove_first(descriptor, kind):
        if not removed:
            removed.append(os.listdir(tmp_path))
            parts.remove(str(tmp_path / removed[0][0]))
        flock(descriptor, kind)

    monkeypatch.setattr(parts.fcntl, "flock", remove_first)
    owner = parts.PartOwner("00000", [str(tmp_path)])
    assert os.listdir(tmp_path) == removed[0]
    parts.remove_abandoned(str(tmp_path))
    assert os.listdir(tmp_path) == removed[0]
    owner.release()
    assert os.listdir(tmp_path) == []


def test_without_locks_of_files_nothing_is_removed(tmp_path, monkeypatch):
    def fail(descriptor, kind):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(parts.fcntl, "flock", fail)
    owner = parts.PartOwner("00000", [str(tmp_path)])
    parts.remove_abandoned(str(tmp_path))
    assert len(os.listdir(tmp_path)) == 1
    owner.release()
