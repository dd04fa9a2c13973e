"""The output folder before a run, and its lock."""

import os
import subprocess
import sys

import pytest

from imgdl_dataset import folder, lock
from imgdl_dataset.options import Options


@pytest.fixture
def make(tmp_path):
    def make_options(**values):
        return Options("list.txt", **{"output_folder": str(tmp_path / "out")} | values)

    return make_options


def fill(path, *names):
    path.mkdir(exist_ok=True)
    for name in names:
        (path / name).write_text("{}")


def test_the_shards_with_a_stats_file_are_done(make, tmp_path):
    fill(tmp_path / "out", "00000_stats.json", "00012_stats.json", "00003.tar", "00003.parquet", "_report.html")
    (tmp_path / "out/00004_stats.json").write_text("")
    assert folder.prepare(make()) == folder.Start(0, frozenset({0, 12}))


def test_extend_begins_after_the_last_shard(make, tmp_path):
    fill(tmp_path / "out")
    assert folder.prepare(make(incremental_mode="extend")) == folder.Start(0, frozenset())
    fill(tmp_path / "out", "00000_stats.json", "00012_stats.json")
    assert folder.prepare(make(incremental_mode="extend")) == folder.Start(13, frozenset())


def test_overwrite_empties_the_folder_and_keeps_the_lock(make, tmp_path):
    fill(tmp_path / "out", "00000_stats.json", "00000.tar", "other")
    fill(tmp_path / "out/00000", "000000000.jpg")
    held = lock.acquire(make())
    assert folder.prepare(make(incremental_mode="overwrite")) == folder.Start(0, frozenset())
    assert os.listdir(tmp_path / "out") == ["_imgdl.lock"]
    held.release()


def test_temporary_files_of_a_run_that_was_killed_are_removed(make, tmp_path):
    fill(tmp_path / "out", "00000.tar.0a.part", "00001.tar.0a.part", "00000_stats.json.0a.part", "notes.part")
    fill(tmp_path / "out/00002.files.0a.part", "000020000.jpg")
    folder.prepare(make(shard_index=0, shard_count=2))
    assert sorted(os.listdir(tmp_path / "out")) == ["00001.tar.0a.part", "notes.part"]


@pytest.mark.parametrize("remote", [False, True])
class TestLock:
    @pytest.fixture
    def output(self, remote, tmp_path):
        if not remote:
            return str(tmp_path / "out")
        pytest.importorskip("fsspec")
        return f"memory://{tmp_path}/out"

    def test_a_second_driver_is_refused(self, make, output):
        held = lock.acquire(make(output_folder=output))
        with pytest.raises(lock.FolderLocked, match=f"in use by another run.*process {os.getpid()} on"):
            lock.acquire(make(output_folder=output))
        assert not held.lost()
        held.release()
        lock.acquire(make(output_folder=output)).release()

    def test_drivers_of_different_parts_share_a_folder(self, make, output):
        parts = [lock.acquire(make(output_folder=output, shard_index=index, shard_count=3)) for index in range(2)]
        for values in ({}, {"shard_index": 1, "shard_count": 3}):
            with pytest.raises(lock.FolderLocked):
                lock.acquire(make(output_folder=output, **values))
        for part in parts:
            part.release()
        held = lock.acquire(make(output_folder=output))
        with pytest.raises(lock.FolderLocked):
            lock.acquire(make(output_folder=output, shard_index=1, shard_count=3))
        held.release()


def test_the_lock_of_a_process_that_was_killed_is_free(make, tmp_path):
    code = (
        "import os, sys; from imgdl_dataset import lock; from imgdl_dataset.options import Options\n"
        "held = lock.acquire(Options('list.txt', output_folder=sys.argv[1])); os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], timeout=30)
    lock.acquire(make()).release()


@pytest.fixture
def remote(make, tmp_path):
    pytest.importorskip("fsspec")
    return make(output_folder=f"memory://{tmp_path}/out")


def test_a_remote_lock_that_was_not_renewed_is_taken_over(remote):
    now = [1000.0]
    first = lock.ObjectLock(remote, clock=lambda: now[0])
    now[0] += lock.STALE_SECONDS - 1
    with pytest.raises(lock.FolderLocked):
        lock.ObjectLock(remote, clock=lambda: now[0])
    first.renew()
    now[0] += lock.STALE_SECONDS + 1
    second = lock.ObjectLock(remote, clock=lambda: now[0])
    first.renew()
    assert first.lost() and not second.lost()
    first.release()
    second.renew()
    assert not second.lost()
    second.release()
