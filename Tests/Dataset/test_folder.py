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


def add_shards(path, *names):
    """Writes the files of whole shards."""
    fill(path, *(f"{name}.{extension}" for name in names for extension in ("tar", "parquet")))
    for name in names:
        (path / f"{name}_stats.json").write_text('{"count": 3, "successes": 2}')


def test_the_shards_with_a_stats_file_are_done(make, tmp_path):
    add_shards(tmp_path / "out", "00000", "00012")
    fill(tmp_path / "out", "00003.tar", "00003.parquet", "_report.html")
    assert folder.prepare(make()) == folder.Start(0, {0: (3, 2), 12: (3, 2)})


STATS = ["", '{"count": 10, "succ', "[]", "{}", '{"count": "10"}', '{"count": true}', "\0\0"]


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("content", STATS)
def test_a_stats_file_that_is_not_whole_does_not_count(make, tmp_path, content, remote):
    add_shards(tmp_path / "out", "00000", "00004")
    (tmp_path / "out/00004_stats.json").write_text(content)
    output = copy_to_memory(tmp_path) if remote else str(tmp_path / "out")
    options = make(output_folder=output, output_format="webdataset")
    assert folder.prepare(options) == folder.Start(0, {0: (3, 2)}, frozenset({4}))
    assert folder.read_stats(options, 0) == {"count": 3, "successes": 2}
    assert folder.read_stats(options, 4) is None


def copy_to_memory(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").put(str(tmp_path / "out"), f"{tmp_path}/out", recursive=True)
    return f"memory://{tmp_path}/out"


@pytest.mark.parametrize("output_format, missing", [
    ("webdataset", "00004.tar"), ("webdataset", "00004.parquet"), ("parquet", "00004.parquet"),
    ("files", "00004.parquet"),
])
def test_a_shard_that_lacks_a_file_does_not_count(make, tmp_path, output_format, missing):
    add_shards(tmp_path / "out", "00000", "00004")
    (tmp_path / "out" / missing).unlink()
    options = make(output_format=output_format)
    assert folder.prepare(options) == folder.Start(0, {0: (3, 2)}, frozenset({4}))
    assert folder.read_stats(options, 4) is None


def test_only_a_tar_output_needs_a_tar(make, tmp_path):
    add_shards(tmp_path / "out", "00004")
    (tmp_path / "out/00004.tar").unlink()
    assert folder.prepare(make(output_format="parquet")).done.keys() == {4}


def test_extend_begins_after_the_last_shard(make, tmp_path):
    fill(tmp_path / "out")
    assert folder.prepare(make(incremental_mode="extend")) == folder.Start(0, {})
    fill(tmp_path / "out", "00000_stats.json", "00012_stats.json")
    assert folder.prepare(make(incremental_mode="extend")) == folder.Start(13, {})


def test_overwrite_empties_the_folder_and_keeps_the_lock(make, tmp_path):
    fill(tmp_path / "out", "00000_stats.json", "00000.tar", "other")
    fill(tmp_path / "out/00000", "000000000.jpg")
    held = lock.acquire(make())
    assert folder.prepare(make(incremental_mode="overwrite")) == folder.Start(0, {})
    assert os.listdir(tmp_path / "out") == ["_imgdl.lock"]
    held.release()


def test_temporary_files_of_a_run_that_was_killed_are_removed(make, tmp_path):
    token = "0123456789ab"
    fill(tmp_path / "out", f"00000.tar.{token}.part", f"00001.tar.{token}.part", f"00000_stats.json.{token}.part")
    fill(tmp_path / "out", "notes.part", f"00004.lock.{token}.part")
    fill(tmp_path / f"out/00002.files.{token}.part", "000020000.jpg")
    folder.prepare(make(shard_index=0, shard_count=2))
    assert sorted(os.listdir(tmp_path / "out")) == [f"00001.tar.{token}.part", "notes.part"]


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
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], timeout=600)
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
