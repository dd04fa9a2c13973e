"""Names that somebody else has taken: symbolic links, files with several names, and folders of other users."""

import os
import stat

import pytest

from imgdl_dataset import commit, lock, parts, storage
from imgdl_dataset.errors import UsageError
from imgdl_dataset.shard import process_shard, write_parquet


@pytest.fixture
def victim(tmp_path):
    """A file whose content must not change."""
    path = tmp_path / "victim"
    path.write_text("mine")
    yield path
    assert path.read_text() == "mine"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_lock_is_not_written_through_a_link(options, tmp_path, victim, link):
    (tmp_path / "out").mkdir()
    link(victim, tmp_path / "out/_imgdl.lock")
    with pytest.raises(UsageError, match="_imgdl.lock"):
        lock.acquire(options())


def test_a_fifo_in_place_of_a_lock_is_refused(options, tmp_path):
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "out/_imgdl.lock")
    with pytest.raises(UsageError, match="no regular file"):
        lock.acquire(options())


@pytest.mark.parametrize("kind", [".lock", ".parquet", "_stats.json"])
def test_temporary_files_do_not_replace_what_has_their_name(
        options, worker, table, tmp_path, monkeypatch, victim, kind):
    monkeypatch.setattr(parts.uuid, "uuid4", lambda: type("Fixed", (), {"hex": "0" * 32}))
    (tmp_path / "out").mkdir()
    os.symlink(victim, tmp_path / f"out/00000{kind}.{'0' * 12}.part")
    with pytest.raises(FileExistsError):
        process_shard(options(), worker, 0, table("ok"))


def test_a_parquet_file_is_not_written_through_a_link(table, tmp_path, victim):
    os.symlink(victim, tmp_path / "link.parquet")
    with pytest.raises(FileExistsError):
        write_parquet(str(tmp_path / "link.parquet"), table("ok"))


def test_a_link_in_place_of_the_lock_of_a_dead_process_is_not_followed(tmp_path, victim):
    name = f"00003.lock.{'a' * 12}.part"
    os.symlink(victim, tmp_path / name)
    parts.remove_abandoned(str(tmp_path))
    assert os.path.islink(tmp_path / name)


def test_temporary_files_in_a_shared_folder_have_a_folder_of_their_user(options, tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setattr(commit, "_scratch_folders", set())
    with commit.Staging(options(output_format="parquet", scratch_folder=str(shared)), 3) as staging:
        folder = os.path.dirname(staging.tar)
        assert os.path.dirname(folder) == str(shared)
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_a_new_scratch_folder_is_private(tmp_path):
    folder = storage.private_folder(str(tmp_path / "new/scratch"))
    assert folder == str(tmp_path / "new/scratch")
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


@pytest.mark.parametrize("fault", ["link", "writable", "file"])
def test_a_folder_that_others_control_is_refused(tmp_path, fault):
    tmp_path.chmod(0o1777)
    taken = tmp_path / f"imgdl-dataset-{os.getuid()}"
    if fault == "link":
        (tmp_path / "target").mkdir(0o700)
        os.symlink(tmp_path / "target", taken)
    elif fault == "writable":
        taken.mkdir()
        taken.chmod(0o777)
    else:
        taken.write_text("")
    with pytest.raises(UsageError, match="scratch_folder"):
        storage.private_folder(str(tmp_path))
