"""The shards of each input format, their numbers, and the types of their columns."""

import errno
import gzip
import json

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq
import pytest

from imgdl_dataset import inputs
from imgdl_dataset.errors import RunStopped, UsageError
from imgdl_dataset.options import Options
from imgdl_dataset.reader import Reader


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Makes small files have many blocks."""
    monkeypatch.setattr(inputs, "BLOCK_BYTES", 200)


def read(path, input_format, size=10, wanted=lambda shard_id: True, start=0, **options):
    options = Options(str(path), input_format=input_format, number_sample_per_shard=size, **options)
    options.check()
    reader = Reader(options, start, wanted)
    shards = dict(reader)
    return shards, reader.end_shard_id


def urls(shard):
    return shard["url"].to_pylist()


def rows(count, first=0):
    return [{"n": i, "caption": f"text {i}", "url": f"http://host/{i}"} for i in range(first, first + count)]


def write(path, input_format, items):
    """Writes rows in a format."""
    table = pa.Table.from_pylist(items)
    if input_format == "parquet":
        pq.write_table(table, path, row_group_size=7)
        return
    name = input_format.removesuffix(".gz")
    if name == "txt":
        text = "".join(f"{item['url']}\n" for item in items)
    elif name == "json":
        text = json.dumps(items)
    elif name == "jsonl":
        text = "".join(json.dumps(item) + "\n" for item in items)
    else:
        separator = "," if name == "csv" else "\t"
        text = "".join(separator.join(map(str, line)) + "\n" for line in [items[0], *(i.values() for i in items)])
    data = text.encode()
    path.write_bytes(gzip.compress(data) if input_format.endswith(".gz") else data)


FORMATS = ["txt", "csv", "tsv", "json", "jsonl", "txt.gz", "csv.gz", "tsv.gz", "json.gz", "jsonl.gz", "parquet"]


@pytest.mark.parametrize("input_format", FORMATS)
def test_a_folder_of_files_gives_shards_of_one_file_each(tmp_path, input_format):
    write(tmp_path / f"b.{input_format}", input_format, rows(12, 100))
    write(tmp_path / f"a.{input_format}", input_format, rows(25))
    (tmp_path / "other.log").write_text("")
    shards, end = read(tmp_path, input_format)
    assert [len(urls(shard)) for shard in shards.values()] == [10, 10, 5, 10, 2]
    assert urls(shards[2]) == [f"http://host/{i}" for i in range(20, 25)]
    assert urls(shards[4]) == ["http://host/110", "http://host/111"]
    assert end == 5


@pytest.mark.parametrize("input_format", FORMATS)
def test_only_wanted_shards_are_yielded_with_the_same_numbers(tmp_path, input_format):
    write(tmp_path / "a", input_format, rows(95))
    shards, end = read(tmp_path / "a", input_format, wanted=lambda shard_id: shard_id in (6, 12), start=3)
    assert {shard_id: urls(shard)[0] for shard_id, shard in shards.items()} == {
        6: "http://host/30",
        12: "http://host/90",
    }
    assert end == 13


@pytest.mark.parametrize("input_format", [name for name in FORMATS if not name.startswith("txt")])
def test_columns_are_selected_and_renamed(tmp_path, input_format):
    items = [{"extra": 1, "LINK": "http://host/1", "TEXT": "t", "n": 2, "sum": "ab" * 16}]
    write(tmp_path / "a", input_format, items)
    names = {"url_col": "LINK", "caption_col": "TEXT", "save_additional_columns": ["n"], "verify_hash": ["sum", "md5"]}
    shards, _ = read(tmp_path / "a", input_format, compute_hash="md5", **names)
    expected = {"n": 2, "caption": "t", "md5": "ab" * 16, "url": "http://host/1"}
    assert shards[0].to_pylist() == [expected]
    assert shards[0].schema.names == ["n", "caption", "md5", "url"]


@pytest.mark.parametrize(
    "sums",
    [[1, -2], ["not a hash", None], ["ab" * 32], [b"x" * 15]],
    ids=["int", "text", "sha256", "bytes"],
)
def test_a_column_without_hashes_of_the_kind_is_refused(tmp_path, sums):
    pq.write_table(pa.table({"url": ["http://host/1"] * len(sums), "sum": sums}), tmp_path / "a.parquet")
    with pytest.raises(UsageError, match="has no md5 of 32 hexadecimal digits"):
        read(tmp_path / "a.parquet", "parquet", compute_hash="md5", verify_hash=["sum", "md5"])


@pytest.mark.parametrize("input_format", ["csv", "json", "jsonl", "parquet"])
def test_a_missing_column_is_named(tmp_path, input_format):
    write(tmp_path / "a", input_format, rows(30))
    with pytest.raises(UsageError, match="link"):
        read(tmp_path / "a", input_format, url_col="link")


COLUMNS = {
    "int": ["1", "2", "3"],
    "float later": ["1", "2", "2.5"],
    "null first": ["", "", "3"],
    "null": ["", "", ""],
    "bool": ["true", "false", "true"],
    "text later": ["1", "2", "x"],
    "date": ["2020-01-01", "2020-01-02", "2020-01-03"],
    "time later": ["2020-01-01", "2020-01-02", "2020-01-01 10:00:00"],
    "zone": ["2020-01-01T00:00:00Z"] * 3,
    "number and date": ["1", "1", "2020-01-01"],
}


@pytest.mark.parametrize("case", COLUMNS)
def test_types_of_a_csv_column_are_those_of_a_reader_of_whole_files(tmp_path, case):
    first, middle, last = COLUMNS[case]
    text = "n,url\n" + f"{first},http://a\n" * 30 + f"{middle},http://b\n" * 30 + f"{last},http://c\n"
    (tmp_path / "a.csv").write_text(text)
    shards, _ = read(tmp_path / "a.csv", "csv", save_additional_columns=["n"])
    expected = pyarrow.csv.read_csv(tmp_path / "a.csv")
    assert pa.concat_tables(shards.values()) == expected
    assert {shard.schema.field("n").type for shard in shards.values()} == {expected.schema.field("n").type}


@pytest.mark.parametrize(
    "values", [[1, 2.5], [None, "x"], [None, 3], ["2020-01-01 10:00:00", "x"], [[], ["a"]], [{"a": 1}, {"b": "x"}]]
)
def test_types_of_a_jsonl_column_are_those_of_a_reader_of_whole_files(tmp_path, values):
    first, last = ("".join(json.dumps({"n": value, "url": "http://a"}) + "\n" for _ in range(20)) for value in values)
    (tmp_path / "a").write_text(first + last)
    shards, _ = read(tmp_path / "a", "jsonl", save_additional_columns=["n"])
    assert pa.concat_tables(shards.values()).equals(pyarrow.json.read_json(tmp_path / "a"))


def test_a_line_of_text_is_a_url_with_any_characters(tmp_path):
    (tmp_path / "a").write_bytes(b'http://host/a,b\n\nhttp://host/"c\r\nhttp://host/\xff d\n')
    shards, _ = read(tmp_path / "a", "txt")
    assert urls(shards[0]) == ["http://host/a,b", 'http://host/"c', "http://host/\ufffd d"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", "\n \n", "\r\n\t\r\n"])
def test_blank_lines_of_a_text_do_not_count_whatever_ends_a_line(tmp_path, ends):
    items = [f"http://host/{i}" for i in range(95)]
    (tmp_path / "a").write_bytes(ends.join(items).encode())
    shards, end = read(tmp_path / "a", "txt")
    assert [url for shard in shards.values() for url in urls(shard)] == items and end == 10


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("input_format", [name for name in FORMATS if name != "parquet"])
def test_a_text_is_decoded_by_its_byte_order_mark(tmp_path, input_format, encoding):
    items = [{**item, "caption": "Grüße \U0001f600"} for item in rows(30)]
    write(tmp_path / "a", input_format, items)
    is_compressed = input_format.endswith(".gz")
    data = (tmp_path / "a").read_bytes()
    text = "\ufeff" + (gzip.decompress(data) if is_compressed else data).decode()
    data = text.removeprefix("\ufeff" if encoding == "utf-8-sig" else "").encode(encoding)
    (tmp_path / "a").write_bytes(gzip.compress(data) if is_compressed else data)
    shards, _ = read(tmp_path / "a", input_format, **({} if "txt" in input_format else {"caption_col": "caption"}))
    assert [url for shard in shards.values() for url in urls(shard)] == [item["url"] for item in items]
    if "txt" not in input_format:
        assert set(shards[0]["caption"].to_pylist()) == {"Grüße \U0001f600"}


@pytest.mark.parametrize("input_format", ["txt", "csv", "tsv", "json", "jsonl"])
@pytest.mark.parametrize("content, reason", [
    (gzip.compress(b"url\nhttp://host/1\n"), r"compressed by gzip, and needs input_format {}\.gz"),
    (b"PAR1\x15\4\x15", "is parquet, and needs input_format parquet"),
    ("url\nhttp://host/1\n".encode("utf-16-le"), "neither UTF-8 nor text with a byte order mark"),
])
def test_a_file_that_is_no_text_is_refused(tmp_path, input_format, content, reason):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(UsageError, match=reason.format(input_format)):
        read(tmp_path / "a", input_format)


@pytest.mark.parametrize("text", ["<html>Not found</html>", "\n  <!DOCTYPE html>\n<html>\n"])
@pytest.mark.parametrize("input_format", ["txt", "csv", "tsv"])
def test_a_page_in_place_of_a_list_is_refused(tmp_path, input_format, text):
    (tmp_path / "a").write_text(text)
    with pytest.raises(UsageError, match="HTML|no column url"):
        read(tmp_path / "a", input_format)


@pytest.mark.parametrize("text", ["foo,bar", "foo,bar\n", "foo,bar\n1,2", "\n\nfoo\n"])
@pytest.mark.parametrize("input_format", ["csv", "tsv"])
def test_a_list_with_no_or_few_rows_needs_its_columns(tmp_path, input_format, text):
    (tmp_path / "a").write_text(text)
    with pytest.raises(UsageError, match="no column url"):
        read(tmp_path / "a", input_format)


@pytest.mark.parametrize("text", ["url", "url\n", "\nurl", "url\r\n"])
def test_a_list_of_a_header_only_has_no_rows(tmp_path, text):
    (tmp_path / "a").write_text(text)
    assert read(tmp_path / "a", "csv") == ({}, 0)


def test_a_column_that_is_there_twice_is_refused(tmp_path):
    table = pa.table([["http://host/1"], ["http://host/2"], ["a"]], names=["url", "url", "caption"])
    pq.write_table(table, tmp_path / "a.parquet")
    pyarrow.csv.write_csv(table, tmp_path / "a.csv")
    for input_format in ("parquet", "csv"):
        path = tmp_path / f"a.{input_format}"
        with pytest.raises(UsageError, match=f"{path} has 2 columns url"):
            read(path, input_format, caption_col="caption")


TEXT_TYPES = [pa.binary(), pa.large_binary(), pa.binary(13), pa.string(), pa.large_string()]
TEXT_TYPES += [kind() for kind in (getattr(pa, "string_view", None), getattr(pa, "binary_view", None)) if kind]


@pytest.mark.parametrize("kind", TEXT_TYPES, ids=str)
@pytest.mark.parametrize("is_dictionary", [False, True])
def test_urls_and_captions_in_bytes_are_texts(tmp_path, kind, is_dictionary):
    items = [f"http://host/{i}" for i in range(3)]
    column = pa.array([item.encode() if "binary" in str(kind) else item for item in items], kind)
    if is_dictionary and kind in (pa.binary(), pa.string()):
        column = column.dictionary_encode()
    pq.write_table(pa.table({"url": column, "TEXT": column, "extra": column}), tmp_path / "a")
    shards, _ = read(tmp_path / "a", "parquet", caption_col="TEXT", save_additional_columns=["extra"])
    assert urls(shards[0]) == shards[0]["caption"].to_pylist() == items
    assert shards[0]["extra"].to_pylist() == column.to_pylist()


@pytest.mark.parametrize("value", [5, 1.5, True, ["http://host/1"], {"src": "http://host/1"}])
def test_urls_that_are_no_texts_are_refused(tmp_path, value):
    pq.write_table(pa.table({"url": [value]}), tmp_path / "a")
    with pytest.raises(UsageError, match=f"{tmp_path / 'a'}: the column of the URLs has values of the type"):
        read(tmp_path / "a", "parquet")


def test_the_files_of_attributes_that_macos_writes_do_not_count(tmp_path):
    write(tmp_path / "a.parquet", "parquet", rows(3))
    (tmp_path / "._a.parquet").write_bytes(b"\0\5\26\7")
    assert urls(read(tmp_path, "parquet")[0][0]) == [f"http://host/{i}" for i in range(3)]


def test_values_of_csv_may_contain_newlines_and_bytes_that_are_no_utf8(tmp_path):
    (tmp_path / "a").write_bytes(b"caption,url\n" + b'"two\nlines \xff",http://a\n' * 50)
    shards, end = read(tmp_path / "a", "csv", caption_col="caption")
    assert end == 5
    assert shards[4].to_pylist()[9] == {"caption": "two\nlines \ufffd", "url": "http://a"}


@pytest.mark.parametrize("input_format", ["txt", "csv", "jsonl"])
def test_an_empty_file_has_no_shards(tmp_path, input_format):
    (tmp_path / "a").write_bytes(b"")
    assert read(tmp_path / "a", input_format) == ({}, 0)


def test_row_groups_that_are_not_needed_are_not_read(tmp_path, monkeypatch):
    write(tmp_path / "a", "parquet", rows(70))
    read_groups = []
    iter_batches = pq.ParquetFile.iter_batches

    def record(self, row_groups, **arguments):
        read_groups.extend(row_groups)
        return iter_batches(self, row_groups=row_groups, **arguments)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", record)
    read(tmp_path / "a", "parquet", wanted=lambda shard_id: shard_id == 3)
    assert read_groups == [4, 5]


def test_an_input_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        read(tmp_path / "nothing", "txt")
    with pytest.raises(UsageError, match="no file with the extension .txt"):
        read(tmp_path, "txt")


@pytest.mark.parametrize("change", ["cut", "reversed", "zeros", "nothing but zeros"])
@pytest.mark.parametrize("input_format", FORMATS)
def test_a_damaged_input_is_named_or_read_and_no_crash(tmp_path, input_format, change):
    path = tmp_path / "a"
    write(path, input_format, rows(30))
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes({
        "cut": data[:middle], "reversed": data[::-1], "zeros": data[:middle] + bytes(20) + data[middle + 20 :],
        "nothing but zeros": bytes(500)}[change])
    try:
        read(path, input_format)
    except UsageError as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)
    else:
        # Any line of text is a URL, and the zeros may lie within a value.
        assert change == "zeros" or input_format in ("txt", "csv", "tsv", "jsonl")


@pytest.mark.parametrize(
    ("input_format", "text"),
    [("csv", "url,text\nhttp://host/1,a\nhttp://host/2\n"), ("csv", 'url,text\n"' + "a" * 5_000),
     ("json", '{"url": 5}'), ("json", '[{"url": "a"}'), ("jsonl", '{"url": "a"}\n{"url": [}\n')])
def test_rows_that_do_not_fit_their_format_are_named(tmp_path, input_format, text):
    (tmp_path / "a").write_text(text)
    with pytest.raises(UsageError, match=str(tmp_path / "a")):
        read(tmp_path / "a", input_format)


def test_the_number_of_a_bad_line_counts_from_the_beginning_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "BLOCK_BYTES", 64)
    line = '{"url": "http://host/1"}\n'
    (tmp_path / "a").write_text(20 * line + '{"url": "http://host/2}\n' + line)
    with pytest.raises(UsageError, match="url_list .*/a cannot be read: line 21 is not JSON: Unterminated string"):
        read(tmp_path / "a", "jsonl")


def test_an_error_of_the_disk_is_not_one_of_the_input(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.EIO, "Input/output error")

    write(tmp_path / "a", "parquet", rows(3))
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", fail)
    with pytest.raises(RunStopped, match=f"url_list {tmp_path}/a cannot be read: Input/output error"):
        read(tmp_path / "a", "parquet")


@pytest.mark.parametrize("depth", [500, 600, 100_000])
@pytest.mark.parametrize("input_format", ["json", "jsonl"])
def test_a_value_that_is_nested_too_deeply_is_an_error_and_no_crash(tmp_path, depth, input_format):
    value = "[" * depth + "]" * depth
    row = f'{{"url": "http://host/1", "x": {value}}}'
    (tmp_path / "a").write_text(f"[{row}]" if input_format == "json" else row)
    if depth < inputs.MAXIMUM_DEPTH:
        assert urls(read(tmp_path / "a", input_format)[0][0]) == ["http://host/1"]
    elif depth > 10_000 or input_format == "jsonl":
        with pytest.raises(UsageError, match="nested deeper than 512 levels"):
            read(tmp_path / "a", input_format)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"[" * 512 + b"]" * 512, False),
        (b"[" * 513 + b"]" * 513, True),
        (b'{"a":[' * 300 + b"]}" * 300, True),
        # A value may go over several lines, and the brackets of texts do not count.
        (b"[\n" * 600 + b"]\n" * 600, True),
        (b'{"a":"' + b"[" * 999 + b'"}', False),
        (b'{"a":"\\\\"}\n{"b":"\\"' + b"[" * 999 + b'"}', False),
        (b"[]\n" * 9_999, False),
    ],
)
def test_the_depth_of_values_is_found_without_a_reader_of_json(text, expected):
    assert inputs.is_too_deep(text) == expected
