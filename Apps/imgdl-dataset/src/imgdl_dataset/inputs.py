"""The formats of lists of URLs. Each is read in batches of rows, so that a list may be larger than the memory."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from . import storage
from .errors import UsageError, naming, reason
from .quotes import Layout, QuoteRepair
from .rows import values
from .source import Source, pieces_file

BLOCK_BYTES = 8 << 20

# The order in which pyarrow's reader of whole CSV files tries types. A column has the first one that fits all values.
CSV_TYPES: list[pa.DataType] = [
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

Batch = tuple[int, pa.RecordBatch | None]
"""The number of rows, and the rows, or None if they are not needed."""


def batches(input_format: str, path: str, columns: list[str], needed: Callable[[int, int], bool]) -> Iterator[Batch]:
    """Yields the rows of a file, with these columns, of which the last one has the URLs.

    `needed` tells whether one of the rows from a first one to another one (exclusive) is needed.
    """
    name = input_format.removesuffix(".gz")
    readers = {"txt": _txt, "csv": _csv, "tsv": _tsv, "json": _json, "jsonl": _jsonl}
    with readable(path):
        if name == "parquet":
            yield from _parquet(path, columns, needed)
            return
        for batch in readers[name](Source(path, input_format, BLOCK_BYTES), columns):
            yield batch.num_rows, batch


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Names the file that cannot be read, or whose content a reader refuses."""
    try:
        with naming("url_list", path, "read"):
            yield
    except (ValueError, EOFError, zlib.error, pa.ArrowException) as error:
        raise UsageError(f"url_list {path} cannot be read: {reason(error)}") from error


def _too_deep(source: Source) -> UsageError:
    """Returns the error for a value that the readers of JSON cannot hold on their stack."""
    return UsageError(f"{source.path}: a value is nested deeper than {MAXIMUM_DEPTH} levels")


def _check_columns(path: str, names: list[str], columns: list[str]) -> None:
    """Raises `UsageError` for a column that a file does not have, or has more than once."""
    for column in columns:
        if names.count(column) != 1:
            count = names.count(column)
            raise UsageError(f"{path} has {f'{count} columns' if count else 'no column'} {column}")


def parquet_rows(path: str) -> int:
    """Returns the number of rows of a parquet file, from its footer."""
    with readable(path), storage.open_file(path, "rb") as file:
        return pq.ParquetFile(file).metadata.num_rows


def _parquet(path: str, columns: list[str], needed: Callable[[int, int], bool]) -> Iterator[Batch]:
    with storage.open_file(path, "rb") as file:
        parquet = pq.ParquetFile(file)
        _check_columns(path, parquet.schema_arrow.names, columns)
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
    """Reads a file with a URL per line. Commas and quotation marks belong to the URL; blank lines do not count."""
    is_first = True
    for block in _text_blocks(source):
        urls = [line.decode("utf-8", "replace") for line in block.splitlines() if line.strip()]
        if is_first and urls and urls[0].lstrip().startswith("<"):
            raise UsageError(f"{source.path} is HTML or XML, and no list of URLs")
        is_first = is_first and not urls
        yield pa.RecordBatch.from_arrays([pa.array(urls, pa.string())], names=columns)


def _text_blocks(source: Source) -> Iterator[bytes]:
    """Yields a file in blocks of whole lines, which end with LF, CR LF or CR."""
    with source.open() as file:
        rest = b""
        while block := file.read(BLOCK_BYTES):
            end = max(block.rfind(b"\n"), block.rfind(b"\r")) + 1
            yield rest + block[:end] if end else b""
            rest = block[end:] if end else rest + block
        yield rest


def _csv(source: Source, columns: list[str], delimiter: str = ",") -> Iterator[pa.RecordBatch]:
    header = _header(source, delimiter)
    if not header:
        return
    _check_columns(source.path, header, columns)
    table = CSVFile(source, delimiter, header, columns)
    types = _csv_types(table)
    yield from _csv_batches(table, types)


@dataclass(frozen=True)
class CSVFile:
    """A CSV or TSV file, with the names of all its columns and of those that are read."""

    source: Source
    delimiter: str
    header: list[str]
    columns: list[str]

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Opens the file at its beginning, without quotation marks that swallow rows."""
        layout = Layout(self.delimiter, len(self.header), self.header.index(self.columns[-1]))
        with self.source.open() as file:
            yield pieces_file(QuoteRepair(self.source.path, layout, BLOCK_BYTES).pieces(file), BLOCK_BYTES)


def _tsv(source: Source, columns: list[str]) -> Iterator[pa.RecordBatch]:
    return _csv(source, columns, "\t")


def _csv_batches(table: CSVFile, types: dict[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    read = pyarrow.csv.ReadOptions(block_size=BLOCK_BYTES)
    parse = pyarrow.csv.ParseOptions(delimiter=table.delimiter, newlines_in_values=True)
    convert = pyarrow.csv.ConvertOptions(check_utf8=False, column_types=types, include_columns=table.columns)
    with table.open() as file:
        try:
            reader = pyarrow.csv.open_csv(file, read_options=read, parse_options=parse, convert_options=convert)
        except pa.ArrowInvalid as error:
            if "Empty CSV file" in str(error):  # There is a header without the end of its line, and no row.
                return
            raise
        yield from map(_repair_texts, reader)


def _csv_types(table: CSVFile) -> dict[str, pa.DataType]:
    """Returns the types that pyarrow would give the columns if it read the whole file at once.

    A streaming reader takes the types from the first block. Here, a column whose values do not fit gets the next type,
    and the file is read again. Columns of texts need no such test, because every value is a text.
    """
    types: dict[str, pa.DataType] = {}
    while True:
        try:
            for batch in _csv_batches(table, types):
                types = {field.name: field.type for field in batch.schema}
                if all(kind in (pa.string(), pa.binary()) for kind in types.values()):
                    break
            return types
        except pa.ArrowInvalid as error:
            found = re.match(r"In CSV column #(\d+): CSV conversion error to", str(error))
            name = table.header[int(found[1])] if found and int(found[1]) < len(table.header) else None
            if name not in types:
                raise
            position = CSV_TYPES.index(types[name]) if types[name] in CSV_TYPES else len(CSV_TYPES) - 2
            types[name] = CSV_TYPES[position + 1]


def _header(source: Source, delimiter: str) -> list[str]:
    """Returns the names of all columns of a CSV file, or none if it is empty."""
    with source.open() as file:
        text = io.TextIOWrapper(file, "utf-8", "replace", newline="")
        try:
            return next(filter(None, csv.reader(text, delimiter=delimiter)), [])
        except csv.Error as error:
            raise ValueError(f"the names of its columns: {error}") from error
        finally:
            text.detach()


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
            raise _too_deep(source) from error
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
    first = 1
    for lines in _line_blocks(source):
        if is_too_deep(b"".join(lines)):
            raise _too_deep(source)
        try:
            schema = _parse_lines(lines).schema
        except pa.ArrowInvalid:
            _check_lines(lines, first)
            raise
        for field in schema:
            types[field.name] = _common_type(source, field, types.get(field.name, pa.null()))
        first += len(lines)
    for column in columns:
        if types and column not in types:
            raise source.no_column(column)
    schema = pa.schema([(column, types.get(column, pa.null())) for column in columns])
    for lines in _line_blocks(source):
        yield from _parse_lines(lines, schema).to_batches()


def _check_lines(lines: list[bytes], first: int) -> None:
    """Raises `ValueError` with the number of the first line that is not JSON."""
    for number, line in enumerate(lines, first):
        try:
            json.loads(line.strip() or b"null")
        except ValueError as error:
            raise ValueError(f"line {number} is not JSON: {error}") from error


def is_too_deep(text: bytes) -> bool:
    """Returns whether JSON is nested too deeply for pyarrow, whose reader calls itself for each level."""
    brackets = text.replace(rb"\\", b"").replace(rb"\"", b"").translate(BRACKETS, NO_BRACKETS)
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
    """Yields the lines of a file in blocks."""
    with source.open() as file:
        while lines := file.readlines(BLOCK_BYTES):
            yield lines


def _parse_lines(lines: list[bytes], schema: pa.Schema | None = None) -> pa.Table:
    block = b"".join(lines)
    if not block.strip():
        return (schema or pa.schema([])).empty_table()
    read = pyarrow.json.ReadOptions(block_size=len(block) + 1)
    parse = pyarrow.json.ParseOptions(
        explicit_schema=schema, unexpected_field_behavior="infer" if schema is None else "ignore"
    )
    return pyarrow.json.read_json(io.BytesIO(block), read_options=read, parse_options=parse)


def _common_type(source: Source, field: pa.Field[Any], other: pa.DataType) -> pa.DataType:
    """Returns the type that holds the values of both types, as pyarrow chooses it for the blocks of one file."""
    if {field.type, other} == {pa.timestamp("s"), pa.string()}:
        return pa.string()
    try:
        schemas = [pa.schema([(field.name, other)]), pa.schema([field])]
        found: pa.DataType = pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise UsageError(f"{source.path}: the column {field.name} has values of different types: {error}") from error
    return found
