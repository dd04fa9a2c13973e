"""The files of a shard: their content, their order, and what is left after a failure."""

import datetime
import decimal
import json
import math
import os
import tarfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from imgdl_dataset import commit, shard
from imgdl_dataset.options import Options
from imgdl_dataset.rows import with_texts
from imgdl_dataset.shard import process_shard
from imgdl_dataset.worker import WorkerFailed

STATS = ["count", "successes", "failed_to_download", "failed_to_resize", "duration", "start_time", "end_time"]


def names(folder):
    return sorted(os.listdir(folder))


def members(path):
    with tarfile.open(path) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar}


def test_a_shard_has_a_tar_a_parquet_and_a_stats_file(options, worker, table, tmp_path):
    stats = process_shard(options(), worker, 42, table("ok", "404", "small", "ok"))
    assert names(tmp_path / "out") == ["00042.parquet", "00042.tar", "00042_stats.json"]
    written = json.loads((tmp_path / "out/00042_stats.json").read_text())
    assert list(written) == [*STATS, "status_dict"]
    assert (written["count"], written["successes"]) == (4, 2)
    assert written["status_dict"] == {"success": 2, "HTTP Error 404: Not Found": 1, "image too small": 1}
    assert written.items() <= stats.items()
    assert stats["hosts"]["ok"] == {"count": 2, "failed": 0, "ms": 14}
    rows = pq.read_table(tmp_path / "out/00042.parquet").to_pylist()
    assert [row["status"] for row in rows] == ["success", "failed_to_download", "failed_to_resize", "success"]
    assert [row["key"] for row in rows] == ["000420000", "000420001", "000420002", "000420003"]
    assert [row["width"] for row in rows] == [256, None, None, 256]
    expected = [f"00042000{i}.{extension}" for i in (0, 3) for extension in ("jpg", "json")]
    assert list(members(tmp_path / "out/00042.tar")) == expected


def test_row_groups_have_100_rows(options, worker, table, tmp_path):
    process_shard(options(), worker, 0, table(*["ok"] * 250))
    file = pq.ParquetFile(tmp_path / "out/00000.parquet")
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [100, 100, 50]


def test_parquet_output_has_the_images_in_a_column(options, worker, table, tmp_path):
    process_shard(options(output_format="parquet"), worker, 0, table("ok", "404", "ok"))
    assert names(tmp_path / "out") == ["00000.parquet", "00000_stats.json"]
    written = pq.read_table(tmp_path / "out/00000.parquet")
    assert written.schema.field("jpg").type == pa.binary()
    assert written["jpg"].to_pylist() == [b"image of http://ok/0", None, b"image of http://ok/2"]


def test_files_output_has_a_folder_for_each_shard(options, worker, table, tmp_path):
    process_shard(options(output_format="files", caption_col="c"), worker, 0, table("ok", "404", caption=["a", "b"]))
    assert names(tmp_path / "out") == ["00000", "00000.parquet", "00000_stats.json"]
    assert names(tmp_path / "out/00000") == ["000000000.jpg", "000000000.json", "000000000.txt"]
    assert (tmp_path / "out/00000/000000000.txt").read_text() == "a"


def test_files_of_an_unfinished_shard_do_not_remain(options, worker, table, tmp_path):
    (tmp_path / "out/00000").mkdir(parents=True)
    (tmp_path / "out/00000/000000001.jpg").write_bytes(b"")
    process_shard(options(output_format="files"), worker, 0, table("ok", "404"))
    assert names(tmp_path / "out/00000") == ["000000000.jpg", "000000000.json"]


def test_columns_keep_their_types_and_are_in_the_json_member(options, worker, table, tmp_path):
    columns = {
        "big": pa.array([2**60], pa.int64()),
        "time": pa.array([datetime.datetime(2020, 1, 2)], pa.timestamp("us")),
        "price": pa.array([decimal.Decimal("1.50")], pa.decimal128(5, 2)),
        "nan": pa.array([math.nan], pa.float32()),
        "tags": pa.array([["a", None]], pa.list_(pa.string())),
        "raw": pa.array([b"\xff"], pa.binary()),
    }
    rows = table("ok", **columns)
    process_shard(options(save_additional_columns=list(columns)), worker, 0, rows)
    written = pq.read_table(tmp_path / "out/00000.parquet")
    assert written.schema.names[:8] == [*columns, "url", "key"]
    assert all(written.schema.field(name).type == column.type for name, column in columns.items())
    meta = json.loads(members(tmp_path / "out/00000.tar")["000000000.json"])
    assert list(meta)[:9] == [*columns, "url", "key", "status"]
    assert meta["big"] == 2**60 and meta["nan"] is None and meta["tags"] == ["a", None]
    assert (meta["time"], meta["price"], meta["raw"]) == ("2020-01-02 00:00:00", "1.50", "/w==")


def test_captions_of_any_type_are_texts(options, worker, table, tmp_path):
    process_shard(options(caption_col="c"), worker, 0, table("ok", "ok", caption=[12, None]))
    tar = members(tmp_path / "out/00000.tar")
    assert (tar["000000000.txt"], tar["000000001.txt"]) == (b"12", b"")


@pytest.mark.parametrize("part", ["the URL", "the caption", "the column note"])
def test_a_row_that_is_too_long_for_the_worker_fails_alone(options, worker, table, tmp_path, part):
    long = "x" * (1 << 20)
    rows = table("ok", "ok", caption=["a", long if part == "the caption" else "b"])
    rows = rows.append_column("note", [["c", long if part == "the column note" else "d"]])
    if part == "the URL":
        urls = [rows["url"][0].as_py(), "http://ok/" + long]
        rows = rows.set_column(rows.schema.get_field_index("url"), "url", [urls])
    process_shard(options(caption_col="caption", save_additional_columns=["note"]), worker, 0, rows)
    written = pq.read_table(tmp_path / "out/00000.parquet").to_pylist()
    assert [row["status"] for row in written] == ["success", "failed_to_download"]
    assert "more than 1048576" in written[1]["error_message"] and part in written[1]["error_message"]
    assert written[1]["note"] == rows["note"][1].as_py()


def test_times_that_python_has_no_type_for_do_not_fail_their_shard(options, worker, table, tmp_path):
    fine = pa.array([1, 2], pa.timestamp("ns"))
    far = pa.array([2**55, 0], pa.timestamp("ms"))  # The first one is after the year 9999.
    inside = pa.StructArray.from_arrays([far], ["at"])
    columns = {"fine": fine, "far": far}
    process_shard(options(save_additional_columns=list(columns)), worker, 0, table("ok", "ok", **columns))
    tar = members(tmp_path / "out/00000.tar")
    first, second = (json.loads(tar[f"00000000{i}.json"]) for i in (0, 1))
    assert first["fine"] == "1970-01-01 00:00:00.000000001" and second["far"] == "1970-01-01 00:00:00"
    assert isinstance(first["far"], str)
    process_shard(options(save_additional_columns=["inside"]), worker, 1, table("ok", "ok", inside=inside))
    messages = pq.read_table(tmp_path / "out/00001.parquet", columns=["error_message"])["error_message"].to_pylist()
    assert messages[1] is None and messages[0].startswith("the column inside cannot be read: ")


def test_urls_may_be_missing_or_no_utf8(options, worker, tmp_path):
    urls = pa.array([b"http://ok/\xff", None], pa.binary()).view(pa.string())
    process_shard(options(), worker, 0, pa.table({"url": urls}))
    statuses = pq.read_table(tmp_path / "out/00000.parquet", columns=["status"])["status"].to_pylist()
    assert statuses == ["success", "failed_to_download"]


def test_a_hash_of_the_input_is_verified_and_keeps_its_place(options, worker, table, tmp_path):
    import hashlib

    right = hashlib.md5(b"image of http://ok/0").hexdigest()
    rows = table("ok", "ok", "ok", md5=[right, "0" * 32, None])
    process_shard(options(compute_hash="md5", verify_hash=["m", "md5"]), worker, 0, rows)
    written = pq.read_table(tmp_path / "out/00000.parquet")
    assert written.schema.names[:3] == ["md5", "url", "key"]
    assert written["md5"].to_pylist() == [right, None, None]
    assert written["error_message"].to_pylist() == [None, "hash mismatch", "hash mismatch"]
    assert list(json.loads(members(tmp_path / "out/00000.tar")["000000000.json"]))[0] == "url"


def test_hashes_are_compared_without_case_and_blanks_and_may_be_bytes(options, worker, table, tmp_path):
    import hashlib

    digest = hashlib.md5(b"image of http://ok/0").digest()
    for number, given in enumerate([f" {digest.hex().upper()}\n", digest, digest.hex().encode()]):
        rows = with_texts(table("ok", md5=[given]), "md5")
        process_shard(options(compute_hash="md5", verify_hash=["m", "md5"]), worker, number, rows)
        written = pq.read_table(tmp_path / f"out/0000{number}.parquet")
        assert written["status"].to_pylist() == ["success"]
        assert written["md5"].to_pylist() == [digest.hex()]


@pytest.mark.parametrize("around", ["{}\n", "\t{}", "{}\u00a0", " <URL:{}> "])
def test_urls_are_read_without_what_surrounds_them(options, worker, tmp_path, around):
    rows = pa.table({"url": [around.format("http://ok/0")]})
    process_shard(options(), worker, 0, rows)
    written = pq.read_table(tmp_path / "out/00000.parquet")
    assert written["status"].to_pylist() == ["success"]
    assert written["url"].to_pylist() == [around.format("http://ok/0")]


def test_without_exif_and_hash_their_columns_are_left_out(options, worker, table, tmp_path):
    process_shard(options(extract_exif=False, compute_hash=None), worker, 0, table("ok"))
    assert pq.read_schema(tmp_path / "out/00000.parquet").names[-1] == "original_height"


@pytest.mark.parametrize("fault", ["dies", "full", "order"])
@pytest.mark.parametrize("output_format", ["webdataset", "parquet", "files"])
def test_a_failure_leaves_nothing(options, worker, table, tmp_path, monkeypatch, fault, output_format):
    monkeypatch.setenv("FAKE_FAULT", fault)
    with pytest.raises(WorkerFailed):
        process_shard(options(output_format=output_format), worker, 0, table("ok", "ok", "ok"))
    assert names(tmp_path / "out") == []


def test_the_stats_file_is_the_last_to_appear(options, worker, table, tmp_path, monkeypatch):
    order = []
    replace = os.replace
    monkeypatch.setattr(commit.os, "replace", lambda old, new: (order.append(os.path.basename(new)), replace(old, new)))
    process_shard(options(), worker, 3, table("ok"))
    assert order == ["00003.tar", "00003.parquet", "00003_stats.json"]


def test_a_shard_that_another_process_committed_is_not_replaced(options, worker, table, tmp_path):
    first = process_shard(options(), worker, 0, table("ok"))
    second = process_shard(options(), worker, 0, table("404"))
    assert second["successes"] == 1 and second["start_time"] == first["start_time"]
    assert names(tmp_path / "out") == ["00000.parquet", "00000.tar", "00000_stats.json"]


def test_a_full_disk_at_the_commit_leaves_nothing(options, worker, table, tmp_path, monkeypatch):
    def full(path):
        raise OSError(28, "No space left on device", path)

    monkeypatch.setattr(commit, "sync", full)
    with pytest.raises(OSError, match="No space"):
        process_shard(options(), worker, 0, table("ok"))
    assert names(tmp_path / "out") == []


def test_a_run_that_was_stopped_commits_nothing(options, worker, table, tmp_path, monkeypatch):
    write = shard.write_output

    def stop(*arguments):
        write(*arguments)
        worker.terminate()

    monkeypatch.setattr(shard, "write_output", stop)
    with pytest.raises(WorkerFailed, match="the run was stopped"):
        process_shard(options(), worker, 0, table("ok"))
    assert names(tmp_path / "out") == []


def test_the_same_input_gives_the_same_tar(options, worker, table, tmp_path):
    for folder in ("a", "b"):
        process_shard(options(output_folder=str(tmp_path / folder)), worker, 0, table("ok", "404", "ok"))
    assert (tmp_path / "a/00000.tar").read_bytes() == (tmp_path / "b/00000.tar").read_bytes()


def test_options_from_another_process_are_the_same():
    options = Options("list.txt", max_image_area=1e6, save_additional_columns=["a"])
    assert Options.from_dict(options.to_dict()) == options
