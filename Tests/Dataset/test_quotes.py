"""Quotation marks in CSV and TSV files: those that quote a value, and those that would swallow the rows behind it."""

import csv
import io
import random
import re

import pyarrow as pa
import pyarrow.csv
import pytest

from imgdl_dataset import inputs
from imgdl_dataset.errors import UsageError
from imgdl_dataset.options import Options
from imgdl_dataset.reader import Reader

SEPARATORS = {"csv": ",", "tsv": "\t"}


@pytest.fixture(params=[200, 8 << 20])
def block_bytes(request, monkeypatch):
    """Reads small files as one block, and as many."""
    monkeypatch.setattr(inputs, "BLOCK_BYTES", request.param)
    return request.param


def read(path, input_format, **options):
    return [row for _, table in Reader(Options(str(path), input_format=input_format, caption_col="caption", **options),
                                       0, lambda shard_id: True) for row in table.to_pylist()]


def write(path, input_format, captions, names=("url", "caption"), end="\n"):
    """Writes rows with these captions, without any quoting."""
    rows = [dict(zip(("url", "caption"), row)) for row in [("url", "caption"), *expected(captions)]]
    separator = SEPARATORS[input_format]
    path.write_bytes("".join(separator.join(row[name] for name in names) + end for row in rows).encode())


def expected(captions):
    return [(f"http://host/{i}.jpg", caption) for i, caption in enumerate(captions)]


def captions_with(count=40, **special):
    captions = [f"text {i}" for i in range(count)]
    for name, caption in special.items():
        captions[int(name[1:])] = caption
    return captions


MARKS = {
    "never closed": captions_with(_10='"Hello'),
    "closed ten rows later": captions_with(_10='"Hello', _20='World"'),
    "closed in the next row": captions_with(_10='"Hello', _11='World"'),
    "opened again": captions_with(_10='"Hello', _11='"World'),
    "alone": captions_with(_5='"', _9='"'),
    "in the last row": captions_with(_39='"Hello'),
    "in each row": [f'"{i}' for i in range(500)],
    "followed by text": captions_with(_3='"Hello" world', _4='"a" "b"', _5='""c"'),
    "far away": captions_with(400, _3='"Hello', _390='World"'),
    "within a value": captions_with(_3='5" nails', _4='a "b" c'),
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("names", [("url", "caption"), ("caption", "url")])
@pytest.mark.parametrize("case", MARKS)
def test_a_mark_that_closes_no_value_of_its_row_belongs_to_the_value_in_tsv(tmp_path, block_bytes, case, names, end):
    write(tmp_path / "a", "tsv", MARKS[case], names, end)
    rows = read(tmp_path / "a", "tsv")
    assert [(row["url"], row["caption"]) for row in rows] == expected(MARKS[case])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("names", [("url", "caption"), ("caption", "url")])
@pytest.mark.parametrize("case, line", [
    ("never closed", 12), ("closed ten rows later", 12), ("closed in the next row", 12), ("opened again", 12),
    ("alone", 7), ("in the last row", 41), ("in each row", 2), ("far away", 5),
])
def test_a_mark_that_swallows_rows_is_an_error_in_csv(tmp_path, block_bytes, case, line, names, end):
    write(tmp_path / "a", "csv", MARKS[case], names, end)
    with pytest.raises(UsageError, match=f"{tmp_path / 'a'}: line {line}: a quotation mark opens a value"):
        read(tmp_path / "a", "csv")


def test_a_value_of_several_lines_with_a_url_is_no_row(tmp_path):
    caption = 'See\nhttp://example.org/ for more,\nor call us,\nhttp://example.org/2,\n"now"'
    for input_format, separator in SEPARATORS.items():
        with (tmp_path / "a").open("w", newline="") as file:
            csv.writer(file, delimiter=separator).writerows([("url", "caption"), ("http://host/1", caption)])
        assert read(tmp_path / "a", input_format) == [{"url": "http://host/1", "caption": caption}]


@pytest.mark.parametrize("input_format", SEPARATORS)
def test_quoted_values_are_those_of_a_reader_of_whole_files(tmp_path, block_bytes, input_format):
    source = random.Random(block_bytes)
    words = ['"', '""', "\n", ",", "\t", "a", "b c", "", "http", " "]
    for _ in range(60):
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=SEPARATORS[input_format], lineterminator=source.choice(["\n", "\r\n"]),
                            quoting=source.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
        writer.writerow(("caption", "url"))
        for i in range(source.randrange(1, 30)):
            writer.writerow(("".join(source.choices(words, k=source.randrange(6))), f"http://host/{i}"))
        (tmp_path / "a").write_text(text.getvalue(), newline="")
        parse = pyarrow.csv.ParseOptions(delimiter=SEPARATORS[input_format], newlines_in_values=True)
        convert = pyarrow.csv.ConvertOptions(column_types={"caption": pa.string()})
        whole = pyarrow.csv.read_csv(tmp_path / "a", parse_options=parse, convert_options=convert).to_pylist()
        rows = read(tmp_path / "a", input_format)
        assert [{**row, "caption": str(row["caption"] or "")} for row in rows] == whole, text.getvalue()


def test_a_value_larger_than_a_block_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "BLOCK_BYTES", 200)
    (tmp_path / "a").write_text('url,caption\nhttp://host/1,"' + "a\n" * 200 + '"\n')
    with pytest.raises(UsageError, match="line 2: a quotation mark opens a value of more than 200 bytes"):
        read(tmp_path / "a", "csv")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_no_marks_in_a_tsv_file_without_quoting_move_a_value_to_another_row(tmp_path, block_bytes, end):
    source = random.Random(len(end) * block_bytes)
    for names in [("url", "caption"), ("caption", "url")] * 20:
        captions = ["".join(source.choices('""ab ,', k=source.randrange(8))) for _ in range(source.randrange(1, 40))]
        write(tmp_path / "a", "tsv", captions, names, end)
        rows = [(row["url"], row["caption"] or "") for row in read(tmp_path / "a", "tsv")]
        unquoted = [c[1:-1].replace('""', '"') if re.fullmatch(r'"(?:[^"]|"")*"', c) else c for c in captions]
        assert rows == expected(unquoted), captions
