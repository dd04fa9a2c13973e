"""The number of shards of a list of URLs before it was read to its end."""

import random

import pytest

from imgdl_dataset import estimate
from imgdl_dataset.estimate import ShardEstimate, count_lines
from imgdl_dataset.options import Options
from imgdl_dataset.reader import Reader


@pytest.mark.parametrize("block_bytes", [1, 2, 3, 7, 1 << 20])
def test_lines_that_are_not_empty_are_counted(tmp_path, monkeypatch, block_bytes):
    monkeypatch.setattr(estimate, "BLOCK_BYTES", block_bytes)
    source, path = random.Random(block_bytes), tmp_path / "list.txt"
    contents = ["".join(source.choice("ab\r\n\n") for _ in range(source.randrange(40))).encode() for _ in range(200)]
    for content in (b"", b"\xef\xbb\xbf\na", b"\xef\xbb\xbfa\r\n\r\nb", *contents):
        path.write_bytes(content)
        lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        assert count_lines(str(path)) == sum(bool(line.replace(b"\r", b"")) for line in lines), content


@pytest.mark.parametrize("input_format, header, line", [
    ("txt", "", "http://ok/\n"),
    ("csv", "url,b\n", "http://ok/,1\n"),
    ("tsv", "url\tb\n", "http://ok/\t1\n"),
    ("jsonl", "", '{"url": "http://ok/"}\n'),
])
def test_the_estimate_of_simple_files_is_right(tmp_path, input_format, header, line):
    for name, count in (("a", 25), ("b", 10), ("c", 0)):
        (tmp_path / f"{name}.{input_format}").write_text(header + count * line)
    options = Options(str(tmp_path), input_format=input_format, number_sample_per_shard=10)
    shards = ShardEstimate(options)
    shards.join()
    assert shards.shards() == 4 == len(list(Reader(options, 0, lambda shard_id: True)))


@pytest.mark.parametrize("url_list, input_format", [
    ("/nowhere", "txt"), ("memory://list", "txt"), ("list", "txt.gz"), ("list", "parquet"),
])
def test_other_inputs_have_no_estimate(url_list, input_format):
    shards = ShardEstimate(Options(url_list, input_format=input_format))
    shards.join()
    assert shards.shards() is None
    shards.stop()
