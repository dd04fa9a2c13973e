"""Failed rows are downloaded again, and what had succeeded stays."""

import json
import os
import tarfile

import pyarrow.parquet as pq
import pytest

from imgdl_dataset import commit
from imgdl_dataset.retry import ShardDiffers, retry_shard
from imgdl_dataset.shard import process_shard


@pytest.fixture
def dead(tmp_path, monkeypatch):
    """Makes hosts fail until it is called again; a new process of the worker is not needed."""
    path = tmp_path / "dead"
    monkeypatch.setenv("FAKE_DEAD", str(path))
    return lambda *hosts: path.write_text("\n".join(hosts))


def content(path):
    """The files of a shard, without times."""
    folder = path.parent
    stats = json.loads((folder / f"{path.name}_stats.json").read_text())
    rows = pq.read_table(f"{path}.parquet").to_pylist()
    with tarfile.open(f"{path}.tar") as tar:
        members = [(member.get_info(), tar.extractfile(member).read()) for member in tar]
    return rows, members, {name: value for name, value in stats.items() if "time" not in name and name != "duration"}


def test_a_retried_shard_is_as_if_nothing_had_failed(options, worker, table, tmp_path, dead):
    rows = table("a", "b", "404", "c", "a", "b", caption=list("uvwxyz"))
    process_shard(options(output_folder=str(tmp_path / "whole"), caption_col="c"), worker, 7, rows)
    dead("b", "c")
    process_shard(options(caption_col="c"), worker, 7, rows)
    dead("a")
    stats = retry_shard(options(caption_col="c"), worker, 7, rows)
    assert stats["successes"] == 5
    assert content(tmp_path / "out/00007") == content(tmp_path / "whole/00007")
    assert (tmp_path / "out/00007.tar").read_bytes() == (tmp_path / "whole/00007.tar").read_bytes()
    assert len(os.listdir(tmp_path / "out")) == 3


def test_only_failed_rows_are_downloaded(options, worker, table, dead):
    dead("b")
    process_shard(options(), worker, 0, table("a", "b"))
    dead()
    stats = retry_shard(options(), worker, 0, table("a", "b"))
    assert list(stats["hosts"]) == ["b"]


def test_a_retried_shard_with_images_in_parquet(options, worker, table, tmp_path, dead):
    hosts = ["a", "b", "404"] * 70
    dead("b")
    process_shard(options(output_format="parquet"), worker, 0, table(*hosts))
    dead("a")
    retry_shard(options(output_format="parquet"), worker, 0, table(*hosts))
    images = pq.read_table(tmp_path / "out/00000.parquet")["jpg"].to_pylist()
    assert images == [None if h == "404" else f"image of http://{h}/{i}".encode() for i, h in enumerate(hosts)]


def test_a_retried_shard_of_files(options, worker, table, tmp_path, dead):
    dead("b")
    process_shard(options(output_format="files"), worker, 0, table("a", "b", "404"))
    dead("a")
    retry_shard(options(output_format="files"), worker, 0, table("a", "b", "404"))
    names = sorted(os.listdir(tmp_path / "out/00000"))
    assert names == [f"00000000{i}.{extension}" for i in (0, 1) for extension in ("jpg", "json")]


def test_rows_in_any_order_are_matched_by_their_keys(options, worker, table, tmp_path, dead):
    dead("b")
    process_shard(options(), worker, 0, table("a", "b", "c"))
    path = tmp_path / "out/00000.parquet"
    # img2dataset writes rows in the order of completion, and leaves some out.
    pq.write_table(pq.read_table(path).take([2, 0]), path)
    dead()
    retry_shard(options(), worker, 0, table("a", "b", "c"))
    rows = pq.read_table(path).to_pylist()
    assert [row["key"][-1] for row in rows] == ["0", "1", "2"]
    assert {row["status"] for row in rows} == {"success"}


def test_another_input_is_refused(options, worker, table):
    process_shard(options(), worker, 0, table("a", "404"))
    with pytest.raises(ShardDiffers, match="other URLs"):
        retry_shard(options(), worker, 0, table("b", "404"))


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_a_commit_that_stops_anywhere_can_be_repeated(options, worker, table, tmp_path, dead, monkeypatch, renames):
    rows = table("a", "b", "404")
    process_shard(options(output_folder=str(tmp_path / "whole")), worker, 0, rows)
    dead("b")
    process_shard(options(), worker, 0, rows)
    dead()
    replace, left = os.replace, [renames + 1]  # The first one is that of the merged tar file.

    def stop(old, new):
        if left[0] == 0:
            raise OSError(5, "Input/output error")
        left[0] -= 1
        replace(old, new)

    monkeypatch.setattr(commit.os, "replace", stop)
    with pytest.raises(OSError, match="Input/output"):
        retry_shard(options(), worker, 0, rows)
    monkeypatch.setattr(commit.os, "replace", replace)
    retry_shard(options(), worker, 0, rows)
    assert content(tmp_path / "out/00000") == content(tmp_path / "whole/00000")
