"""Which runs continue an output folder: those of the same list, with the same options for its shards."""

import dataclasses
import json
import os
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from imgdl_dataset import driver, executors, record, storage
from imgdl_dataset.errors import UsageError
from imgdl_dataset.executors.local import LocalExecutor
from imgdl_dataset.task import Result, run

SIZE = 10


@pytest.fixture(params=["local", "remote"])
def output(request, tmp_path):
    """An output folder on the disk, and one in a store."""
    if request.param == "remote":
        pytest.importorskip("fsspec")
    return str(tmp_path / "out") if request.param == "local" else f"memory://{tmp_path}/out"


@pytest.fixture
def start(options, tmp_path, output):
    """Writes a list of URLs with these numbers, and runs a driver with shards of ten."""

    def start_run(numbers, input_format="txt", **values):
        write(tmp_path / "list", input_format, numbers)
        values = {"url_list": str(tmp_path / "list"), "number_sample_per_shard": SIZE, "output_folder": output} | values
        return driver.run(options(input_format=input_format, **values))

    return start_run


def write(path, input_format, numbers):
    urls = [f"http://ok/{i:04}" for i in numbers]
    if input_format == "parquet":
        pq.write_table(pa.table({"url": urls}), path)
    else:
        header = "url,text\n" if input_format == "csv" else ""
        path.write_text(header + "".join(f"{url},a\n" if header else f"{url}\n" for url in urls))


def found(output):
    """The numbers of all rows in the folder, with how often they are there."""
    names = [name for name in storage.list_folder(output) if name.endswith(".parquet")]
    return Counter(int(url[-4:]) for name in names for url in urls(storage.join(output, name)))


def urls(path):
    with storage.open_file(path, "rb") as file:
        return pq.read_table(file)["url"].to_pylist()


def remove_record(output):
    storage.remove_file(storage.join(output, record.NAME))


LISTS = {
    "rows removed and rows added": (range(20), range(5, 25)),
    "a short shard has more rows": (range(15), range(25)),
    "whole shards, and more rows": (range(20), range(30)),
    "rows removed at the end": (range(30), range(20)),
    "rows in another order": (range(20), range(19, -1, -1)),
    "another row in the middle": (range(30), [*range(15), 99, *range(16, 30)]),
}


@pytest.mark.parametrize("input_format", ["txt", "csv", "parquet"])
@pytest.mark.parametrize("case", LISTS)
@pytest.mark.parametrize("output", ["local"], indirect=True)
def test_another_list_is_refused(start, output, tmp_path, case, input_format):
    first, second = LISTS[case]
    start(first, input_format)
    message = r"has shards of another run: the list was list of \d+ bytes and (is list|has other)"
    with pytest.raises(UsageError, match=message):
        start(second, input_format)
    assert found(output) == Counter(first)
    assert start(first, input_format).is_complete, "the first command still continues the folder"


@pytest.mark.parametrize("values, difference", [
    ({"number_sample_per_shard": 5}, "number_sample_per_shard was 10 and is 5"),
    ({"number_sample_per_shard": 20}, "number_sample_per_shard was 10 and is 20"),
    ({"image_size": 64, "resize_mode": "no"}, "image_size was 256 and is 64; resize_mode was border and is no"),
    ({"caption_col": "text"}, "caption_col was None and is text"),
    ({"save_additional_columns": ["text"]}, "save_additional_columns was None and is .'text'."),
    ({"output_format": "files"}, "output_format was webdataset and is files"),
    ({"oom_shard_count": 6}, "oom_shard_count was 5 and is 6"),
    ({"damaged": "flag"}, "damaged was fail and is flag"),
])
@pytest.mark.parametrize("retry_failed", [False, True])
@pytest.mark.parametrize("output", ["local"], indirect=True)
def test_other_options_for_shards_are_refused_by_name(start, output, values, difference, retry_failed):
    start(range(30), "csv")
    with pytest.raises(UsageError, match=f"has shards of another run: {difference}. Run that command again"):
        start(range(30), "csv", retry_failed=retry_failed, **values)
    assert found(output) == Counter(range(30))


def test_options_for_downloads_may_differ(start, output, tmp_path):
    start(range(30))
    storage.remove_file(f"{output}/00001_stats.json")
    values = {"thread_count": 3, "timeout": 5, "retries": 2, "max_bytes": 10**6, "user_agent_token": "x"}
    assert start(range(30), **values, allow_private=True, processes_count=2, shard_deadline=60).is_complete
    os.rename(tmp_path / "list", tmp_path / "renamed")
    assert start(range(30), url_list=str(tmp_path / "renamed")).is_complete, "the content of a list counts"
    assert found(output) == Counter(range(30))


def test_files_that_follow_those_of_a_folder_are_appended(start, output, tmp_path):
    folder = tmp_path / "lists"
    folder.mkdir()
    for name, numbers in (("a", range(15)), ("b", range(15, 30)), ("c", range(30, 35))):
        write(folder / f"{name}.txt", "txt", numbers)
        assert start([], url_list=str(folder)).is_complete
    assert found(output) == Counter(range(35))
    write(folder / "aa.txt", "txt", range(50, 55))
    with pytest.raises(UsageError, match="the list was b.txt of 225 bytes and is aa.txt of 75 bytes"):
        start([], url_list=str(folder))
    os.remove(folder / "aa.txt")
    os.remove(folder / "c.txt")
    with pytest.raises(UsageError, match="the list had 3 files and has 2"):
        start([], url_list=str(folder))


def test_the_same_command_continues_a_list_that_was_appended(start, output):
    assert start(range(25)).is_complete
    assert start(range(30, 55), incremental_mode="extend").is_complete
    storage.remove_file(f"{output}/00004_stats.json")
    for mode in ("extend", "incremental"):
        assert start(range(30, 55), incremental_mode=mode).is_complete
    storage.remove_file(f"{output}/00001_stats.json")
    assert start(range(25), incremental_mode="extend").is_complete
    assert found(output) == Counter([*range(25), *range(30, 55)])
    with pytest.raises(UsageError, match="has shards of another run"):
        start(range(100, 120))


def test_a_list_whose_numbers_another_one_has_is_not_taken_for_whole(start, output, monkeypatch):
    def fail(task):
        return run(task) if task.shard_id == 0 else Result(task.shard_id, error="the disk is full", retryable=False)

    with monkeypatch.context() as patched:
        patched.setattr(executors, "create", lambda *_: LocalExecutor(fail, 2))
        assert not start(range(30)).is_complete
    assert start(range(50, 70), incremental_mode="extend").is_complete
    with pytest.raises(UsageError, match="the list needs shard 1 of output_folder"):
        start(range(30))
    assert found(output) == Counter([*range(10), *range(50, 70)])


def test_a_run_that_made_no_shard_binds_no_other(start, output, monkeypatch):
    def fail(task):
        return Result(task.shard_id, error="the disk is full", retryable=False)

    with monkeypatch.context() as patched:
        patched.setattr(executors, "create", lambda *_: LocalExecutor(fail, 2))
        start(range(30))
    assert start(range(40, 60), number_sample_per_shard=5).is_complete
    assert found(output) == Counter(range(40, 60))


def test_overwrite_takes_any_list_and_keeps_all_for_one_that_is_not_there(start, output):
    start(range(30))
    with pytest.raises(UsageError, match="does not exist"):
        start(range(20), incremental_mode="overwrite", url_list="/nowhere/list")
    assert found(output) == Counter(range(30))
    assert start(range(40, 60), incremental_mode="overwrite", number_sample_per_shard=5).is_complete
    assert start(range(40, 60), number_sample_per_shard=5).is_complete
    assert found(output) == Counter(range(40, 60))


CONTENTS = [None, b"", b"{", b"[]", b'{"version": 1}', b"\0\0", b'{"version": 1, "runs": [1]}']


@pytest.mark.parametrize("content", CONTENTS)
def test_a_folder_without_a_record_is_compared_with_the_list(start, output, content):
    def lose_record():
        remove_record(output)
        if content is not None:
            with storage.open_file(storage.join(output, record.NAME), "wb") as file:
                file.write(content)

    start(range(25))
    for numbers, values, reason in (
        (range(25), {"number_sample_per_shard": 5}, "shard 0 has 10 rows, and 5 in the input"),
        (range(30), {}, "shard 2 has 5 rows, and 10 in the input"),
        (range(5, 30), {}, "shard 0 has other URLs than the input"),
    ):
        lose_record()
        with pytest.raises(UsageError, match=f"has shards of another run: {reason}"):
            start(numbers, **values)
    storage.remove_file(f"{output}/00001_stats.json")
    assert start(range(25)).is_complete
    assert found(output) == Counter(range(25))
    with pytest.raises(UsageError, match="number_sample_per_shard was 10 and is 5"):
        start(range(25), number_sample_per_shard=5)


def test_a_list_may_be_appended_to_a_folder_without_a_record(start, output):
    start(range(25))
    remove_record(output)
    assert start(range(30, 45), incremental_mode="extend").is_complete
    storage.remove_file(f"{output}/00001_stats.json")
    storage.remove_file(f"{output}/00003_stats.json")
    assert start(range(25)).is_complete
    assert start(range(30, 45)).is_complete
    assert found(output) == Counter([*range(25), *range(30, 45)])


def test_parts_of_the_shards_have_one_record(start, output):
    assert start(range(45), shard_index=0, shard_count=2).is_complete
    with pytest.raises(UsageError, match="image_size was 256 and is 64"):
        start(range(45), shard_index=1, shard_count=2, image_size=64)
    assert start(range(45), shard_index=1, shard_count=2).is_complete
    assert found(output) == Counter(range(45))


@pytest.mark.parametrize("is_same", [True, False])
def test_of_two_drivers_that_begin_together_the_later_one_needs_the_same_list(options, output, tmp_path, is_same):
    write(tmp_path / "list", "txt", range(30))
    values = options(url_list=str(tmp_path / "list"), input_format="txt", output_folder=output, shard_count=2)
    storage.make_folder(output)
    other = dataclasses.replace(values, shard_index=1, **({} if is_same else {"image_size": 64}))
    (_, first), (_, second) = record.begin(values), record.begin(other)
    first.save()
    written = storage.read(storage.join(output, record.NAME))
    if is_same:
        second.save()
    else:
        with pytest.raises(UsageError, match="image_size was 256 and is 64"):
            second.save()
    assert storage.read(storage.join(output, record.NAME)) == written


def test_a_record_of_a_later_version_is_refused(start, output):
    start(range(10))
    with storage.open_file(storage.join(output, record.NAME), "wb") as file:
        file.write(json.dumps({"version": 2}).encode())
    with pytest.raises(UsageError, match="_imgdl.run is of a later version"):
        start(range(10))


def test_a_list_that_can_be_read_only_once_is_refused(options, tmp_path):
    os.mkfifo(tmp_path / "list")
    with pytest.raises(UsageError, match="is no regular file"):
        driver.run(options(url_list=str(tmp_path / "list"), input_format="txt"))


def test_a_record_is_not_written_through_a_link(options, tmp_path):
    write(tmp_path / "list", "txt", range(10))
    (tmp_path / "out").mkdir()
    (tmp_path / "victim").write_text("kept")
    os.symlink(tmp_path / "victim", tmp_path / "out" / record.NAME)
    values = options(url_list=str(tmp_path / "list"), input_format="txt", number_sample_per_shard=SIZE)
    assert driver.run(values).is_complete
    assert (tmp_path / "victim").read_text() == "kept" and not (tmp_path / "out" / record.NAME).is_symlink()
    assert not list((tmp_path / "out").glob("*.part"))
