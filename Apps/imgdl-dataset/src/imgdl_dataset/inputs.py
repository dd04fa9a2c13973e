"""The formats of lists of URLs. Each is read in batches of rows, so that a list may be larger than the memory."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Optional, Union

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from . import storage
from .options import UsageError
from .rows import values

BLOCK_BYTES = 8 << 20

# The order in which pyarrow's reader of whole CSV files tries types. A column has the first one that fits all values.
CSV_TYPES = [
    pa.null(),
    pa.int64(),
    pa.bool_(),
    pa.date32(),
    pa.time32("s"),
    pa.timestamp("s"),
    pa.timestamp("ns"),
    pa.timestamp("s", "UTC"),
    pa.timestamp("ns", "UTC"),
    pa.float64(),
    pa.string(),
]

MAXIMUM_DEPTH = 512
BRACKETS = bytes.maketrans(b"{}", b"[]")
NO_BRACKETS = bytes(set(range(256)) - set(b'{}[]"\n'))
OPENING, CLOSING = b"[]"

Batch = tuple[int, Optional[pa.RecordBatch]]
"""The number of rows, and the rows, or None if they are not needed."""


def batches(input_format: str, path: str, columns: list[str], needed: Callable[[int, int], bool]) -> Iterator[Batch]:
    """Yields the rows of a file, with these columns.

    `needed` tells whether one of the rows from a first one to another one (exclusive) is needed.
    """
    name = input_format.removesuffix(".gz")
    readers = {"txt": _txt, "csv": _csv, "tsv": _tsv, "json": _json, "jsonl": _jsonl}
    with _readable(path):
        if name == "parquet":
            yield from _parquet(path, columns, needed)
            return
        for batch in readers[name](Source(path, input_format.endswith(".gz")), columns):
            yield batch.num_rows, batch


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Names the file whose content a reader refuses; errors of disks and networks, which have a number, stay."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            raise
        raise _unreadable(path, error) from error
    except (ValueError, EOFError, zlib.error, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: Exception) -> UsageError:
    lines = str(error).splitlines() or [type(error).__name__]
    return UsageError(f"{path} cannot be read: {lines[0]}")


class Source:
    """A text file that may be compressed by gzip, and can be opened several times."""

    def __init__(self, path: str, compressed: bool) -> None:
        self.path = path
        self._compressed = compressed

    @contextmanager
    def open(self) -> Iterator[Union[IO[bytes], gzip.GzipFile]]:
        """Opens the file at its beginning."""
        with storage.open_file(self.path, "rb") as file:
            yield gzip.GzipFile(fileobj=file) if self._compressed else file

    def no_column(self, column: str) -> UsageError:
        """Returns the error for a column that the file does not have."""
        return UsageError(f"{self.path} has no column {column}")

    def too_deep(self) -> UsageError:
        """Returns the error for a value that the readers of JSON cannot hold on their stack."""
        return UsageError(f"{self.path}: a value is nested deeper than {MAXIMUM_DEPTH} levels")


def parquet_rows(path: str) -> int:
    """Returns the number of rows of a parquet file, from its footer."""
    with _readable(path), storage.open_file(path, "rb") as file:
        return pq.ParquetFile(file).metadata.num_rows


def _parquet(path: str, columns: list[str], needed: Callable[[int, int], bool]) -> Iterator[Batch]:
    with storage.open_file(path, "rb") as file:
        parquet = pq.ParquetFile(file)
        for column in columns:
            if column not in parquet.schema_arrow.names:
                raise UsageError(f"{path} has no column {column}")
        start = 0
        for group in range(parquet.num_row_groups):
            count = parquet.metadata.row_group(group).num_rows
            if needed(start, start + count):
                for batch in parquet.iter_batches(row_groups=[group], columns=columns):
                    yield batch.num_rows, batch
            else:
                yield count, None
            start += count


def _txt(source: Source, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Reads a file with a URL per line. Commas and quotation marks belong to the URL; empty lines do not count."""
    for lines in _line_blocks(source):
        stripped = [line.rstrip(b"\r\n") for line in lines]
        urls = [line.decode("utf-8", "replace") for line in stripped if line]
        yield pa.RecordBatch.from_arrays([pa.array(urls, pa.string())], names=columns)


def _csv(source: Source, columns: list[str], delimiter: str = ",") -> Iterator[pa.RecordBatch]:
    parse = pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    types = _csv_types(source, parse, columns)
    yield from _csv_batches(source, parse, types, columns)


def _tsv(source: Source, columns: list[str]) -> Iterator[pa.RecordBatch]:
    return _csv(source, columns, "\t")


def _csv_batches(
    source: Source, parse: pyarrow.csv.ParseOptions, types: dict[str, pa.DataType], columns: list[str]
) -> Iterator[pa.RecordBatch]:
    read = pyarrow.csv.ReadOptions(block_size=BLOCK_BYTES)
    convert = pyarrow.csv.ConvertOptions(check_utf8=False, column_types=types, include_columns=columns)
    with source.open() as file:
        try:
            reader = pyarrow.csv.open_csv(file, read_options=read, parse_options=parse, convert_options=convert)
        except KeyError as error:
            raise UsageError(f"{source.path}: {error.args[0]}") from error
        except pa.ArrowInvalid as error:
            if "Empty CSV file" in str(error):
                return
            raise
        yield from map(_repair_texts, reader)


def _csv_types(source: Source, parse: pyarrow.csv.ParseOptions, columns: list[str]) -> dict[str, pa.DataType]:
    """Returns the types that pyarrow would give the columns if it read the whole file at once.

    A streaming reader takes the types from the first block. Here, a column whose values do not fit gets the next type,
    and the file is read again. Columns of texts need no such test, because every value is a text.
    """
    header = _header(source, parse)
    types: dict[str, pa.DataType] = {}
    while True:
        try:
            for batch in _csv_batches(source, parse, types, columns):
                types = {field.name: field.type for field in batch.schema}
                if all(kind in (pa.string(), pa.binary()) for kind in types.values()):
                    break
            return types
        except pa.ArrowInvalid as error:
            found = re.match(r"In CSV column #(\d+): CSV conversion error to", str(error))
            name = header[int(found[1])] if found and int(found[1]) < len(header) else None
            if name not in types:
                raise
            position = CSV_TYPES.index(types[name]) if types[name] in CSV_TYPES else len(CSV_TYPES) - 2
            types[name] = CSV_TYPES[position + 1]


def _header(source: Source, parse: pyarrow.csv.ParseOptions) -> list[str]:
    """Returns the names of all columns of a CSV file, or none if it has no rows that can be read."""
    read = pyarrow.csv.ReadOptions(block_size=BLOCK_BYTES)
    with source.open() as file:
        try:
            return pyarrow.csv.open_csv(file, read_options=read, parse_options=parse).schema.names
        except pa.ArrowInvalid:  # Reading the rows reports what is wrong.
            return []


def _repair_texts(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Replaces bytes that are not UTF-8 in texts by U+FFFD."""
    try:
        batch.validate(full=True)
        return batch
    except pa.ArrowInvalid:
        columns = [
            pa.array(values(column), pa.string()) if column.type == pa.string() else column for column in batch.columns
        ]
        return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _json(source: Source, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Reads a file that is one array of objects, or one object of columns. It is read as a whole."""
    with source.open() as file:
        try:
            content = json.load(file)
        except RecursionError as error:
            raise source.too_deep() from error
    arrays = []
    for column in columns:
        items = _json_column(source, content, column)
        try:
            array = pa.array(items)
        except (pa.ArrowInvalid, TypeError, UnicodeEncodeError) as error:
            raise UsageError(f"{source.path}: the column {column}: {error}") from error
        if pa.types.is_integer(array.type) and array.null_count > 0:
            array = array.cast(pa.float64())  # As pandas reads it, and so img2dataset.
        arrays.append(array)
    yield pa.RecordBatch.from_arrays(arrays, names=columns)


def _json_column(source: Source, content: Any, column: str) -> list[Any]:
    if isinstance(content, dict) and column in content:
        items = content[column]
        return list(items.values()) if isinstance(items, dict) else items
    if content == []:
        return []
    if isinstance(content, list) and any(isinstance(row, dict) and column in row for row in content):
        return [row.get(column) if isinstance(row, dict) else None for row in content]
    raise source.no_column(column)


def _jsonl(source: Source, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Reads a file with an object on each line: once for the types, and once for the values."""
    types: dict[str, pa.DataType] = {}
    for lines in _line_blocks(source):
        if is_too_deep(b"".join(lines)):
            raise source.too_deep()
        for field in _parse_lines(lines).schema:
            types[field.name] = _common_type(source, field, types.get(field.name, pa.null()))
    for column in columns:
        if types and column not in types:
            raise source.no_column(column)
    schema = pa.schema([(column, types.get(column, pa.null())) for column in columns])
    for lines in _line_blocks(source):
        yield from _parse_lines(lines, schema).to_batches()


def is_too_deep(text: bytes) -> bool:
    """Returns whether JSON is nested too deeply for pyarrow, whose reader calls itself for each level."""
    brackets = text.replace(rb"\\", b"").replace(rb'\"', b"").translate(BRACKETS, NO_BRACKETS)
    # The lines of a file have few patterns, each of which is looked at once.
    brackets = re.sub(rb'"[^"]*"', b"", brackets)
    patterns = set(brackets.split(b"\n"))
    if all(pattern.count(b"[") == pattern.count(b"]") for pattern in patterns):
        return any(_depth(pattern) > MAXIMUM_DEPTH for pattern in patterns)
    return _depth(brackets) > MAXIMUM_DEPTH


def _depth(brackets: bytes) -> int:
    """Returns how deeply brackets are nested, as far as that matters."""
    depth = most = 0
    for byte in brackets:
        depth += 1 if byte == OPENING else -1 if byte == CLOSING else 0
        most = max(most, depth)
        if most > MAXIMUM_DEPTH:
            break
    return most


def _line_blocks(source: Source) -> Iterator[list[bytes]]:
    """Yields the lines of a file in blocks, without the mark of UTF-8 at its beginning."""
    with source.open() as file:
        first = True
        while lines := file.readlines(BLOCK_BYTES):
            if first:
                lines[0] = lines[0].removeprefix(codecs.BOM_UTF8)
                first = False
            yield lines


def _parse_lines(lines: list[bytes], schema: Optional[pa.Schema] = None) -> pa.Table:
    block = b"".join(lines)
    if not block.strip():
        return (schema or pa.schema([])).empty_table()
    read = pyarrow.json.ReadOptions(block_size=len(block) + 1)
    unexpected = "infer" if schema is None else "ignore"
    parse = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior=unexpected)
    return pyarrow.json.read_json(pa.BufferReader(block), read_options=read, parse_options=parse)


def _common_type(source: Source, field: pa.Field, other: pa.DataType) -> pa.DataType:
    """Returns the type that holds the values of both types, as pyarrow chooses it for the blocks of one file."""
    if {field.type, other} == {pa.timestamp("s"), pa.string()}:
        return pa.string()
    try:
        schemas = [pa.schema([(field.name, other)]), pa.schema([field])]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise UsageError(f"{source.path}: the column {field.name} has values of different types: {error}") from error
