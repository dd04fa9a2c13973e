"""The rows of a shard: what the worker is told about them, and what the parquet file says about them."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unwrap

import pyarrow as pa

from .errors import UsageError
from .options import Options

SLICE_ROWS = 1000


def result_fields(options: Options) -> list[pa.Field[Any]]:
    """Returns the columns that the worker's answers fill, in the order of img2dataset."""
    fields: list[pa.Field[Any]] = [pa.field(name, pa.string()) for name in ("key", "status", "error_message")]
    fields += [pa.field(name, pa.int32()) for name in ("width", "height", "original_width", "original_height")]
    if options.extract_exif:
        fields.append(pa.field("exif", pa.string()))
    if options.compute_hash is not None:
        fields.append(pa.field(options.compute_hash, pa.string()))
    if options.damaged == "flag":
        fields.append(pa.field("damage", pa.string()))
    return fields


def output_schema(options: Options, schema: pa.Schema) -> pa.Schema:
    """Returns the schema of a parquet file without images: that of the input, then the columns of the results.

    A hash that the input gives keeps its place, and holds the hash of what was downloaded.
    """
    for field in result_fields(options):
        if field.name not in schema.names:
            schema = schema.append(field)
    return schema


def sample_lines(options: Options, table: pa.Table, skipped: frozenset[int] = frozenset()) -> Iterator[dict[str, Any]]:
    """Yields the line of each row for the worker. A row in `skipped` has no URL, so that it is not downloaded.

    A row with a value that cannot be read has the member `refused` instead, with the reason.
    """
    hash_column = options.verify_hash_type
    for start in range(0, table.num_rows, SLICE_ROWS):
        part = table.slice(start, SLICE_ROWS)
        columns = {name: values(part.column(name)) for name in table.column_names}
        for offset in range(part.num_rows):
            row = {name: column[offset] for name, column in columns.items()}
            index = start + offset
            unreadable = next((item for item in row.items() if isinstance(item[1], Unreadable)), None)
            if unreadable is not None:
                yield {"i": index, "refused": f"the column {unreadable[0]} cannot be read: {unreadable[1].reason}"}
                continue
            url = row["url"]
            # As urllib does for img2dataset: without white space at the ends, angle brackets and "URL:".
            line: dict[str, Any] = {"i": index, "url": None if url is None or index in skipped else unwrap(str(url))}
            if options.save_caption:
                caption = row.get("caption")
                line["txt"] = None if caption is None else str(caption)
            if hash_column is not None:
                line["hash"] = hash_text(row.pop(hash_column), hash_column)
            line["meta"] = {name: plain(value) for name, value in row.items()}
            yield line


def hash_text(expected: Any, kind: str) -> str:
    """Returns a hash of the input as lower-case hexadecimal digits. Bytes are a digest or its digits.

    A missing hash is a mismatch, and no permission to leave out the test.
    """
    if isinstance(expected, bytes):
        if len(expected) == hashlib.new(kind).digest_size:
            return expected.hex()
        expected = expected.decode("ascii", "replace")
    return "" if expected is None else str(expected).strip().lower()


def check_hashes(column: pa.Array[Any] | pa.ChunkedArray[Any], kind: str) -> None:
    """Raises `UsageError` if the first values of a column have no hash of this kind, since no row could succeed."""
    digits = 2 * hashlib.new(kind).digest_size
    first = [item for item in values(column.slice(0, SLICE_ROWS)) if item is not None]
    if first and not any(re.fullmatch(f"[0-9a-f]{{{digits}}}", hash_text(item, kind)) for item in first):
        raise UsageError(f"the column of the hashes has no {kind} of {digits} hexadecimal digits, but {first[0]!r:.80}")


def with_texts(table: pa.Table, hash_kind: str | None = None) -> pa.Table:
    """Returns a table whose URLs, captions and hashes are texts, also if the input holds bytes.

    Raises `UsageError` if the URLs are of another type, or the hashes of another kind than `hash_kind`, since no row
    could then be downloaded.
    """
    for index, field in enumerate(table.schema):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if field.name == hash_kind:
            check_hashes(table.column(index), hash_kind)
            if _is_binary(kind):
                texts = [None if item is None else hash_text(item, hash_kind) for item in values(table.column(index))]
                table = table.set_column(index, field.name, pa.array(texts, pa.string()))
        elif field.name in ("url", "caption") and _is_binary(kind):
            texts = [None if item is None else item.decode("utf-8", "replace") for item in values(table.column(index))]
            table = table.set_column(index, field.name, pa.array(texts, pa.string()))
        elif field.name == "url" and not (_is_text(kind) or pa.types.is_null(kind)):
            raise UsageError(f"the column of the URLs has values of the type {kind}, and no texts")
    return table


def _is_binary(kind: pa.DataType) -> bool:
    # Older versions of pyarrow have no type of views.
    return pa.types.is_fixed_size_binary(kind) or str(kind) in ("binary", "large_binary", "binary_view")


def _is_text(kind: pa.DataType) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def values(column: pa.Array[Any] | pa.ChunkedArray[Any]) -> list[Any]:
    """Returns the values of a column, `Unreadable` in place of those that Python cannot represent.

    Bytes that are not UTF-8 in a column of texts become U+FFFD. Times that Python's types are too coarse or too small
    for, such as nanoseconds without pandas, become texts.
    """
    try:
        return column.to_pylist()
    except (ValueError, OverflowError):
        return [value(scalar) for scalar in column]


def value(scalar: pa.Scalar[Any]) -> Any:
    """Returns a value of a column, as `values` describes it."""
    try:
        return scalar.as_py()
    except UnicodeDecodeError as error:
        if isinstance(scalar, (pa.StringScalar, pa.LargeStringScalar)):
            return scalar.as_buffer().to_pybytes().decode("utf-8", "replace")
        return Unreadable(str(error))
    except (ValueError, OverflowError) as error:
        try:
            return scalar.cast(pa.string()).as_py()
        except pa.ArrowException:  # A structure or a list with such a time.
            return Unreadable(str(error))


@dataclass(frozen=True)
class Unreadable:
    """Stands for a value of a column that Python cannot represent."""

    reason: str


def plain(value: Any) -> Any:
    """Returns a value as JSON can hold it: no number for NaN and infinity, base64 for bytes, texts for times."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return str(value)


class Results:
    """The worker's answers as columns of a table."""

    def __init__(self, options: Options) -> None:
        self._schema = pa.schema(result_fields(options))
        self._batches: list[pa.RecordBatch] = []
        self._pending: list[dict[str, Any]] = []

    def add(self, answer: dict[str, Any]) -> None:
        """Adds the answer to the next sample."""
        self._pending.append({name: answer.get(name) for name in self._schema.names})
        if len(self._pending) == SLICE_ROWS:
            self._flush()

    def table(self) -> pa.Table:
        """Returns the answers that were added."""
        self._flush()
        return pa.Table.from_batches(self._batches, self._schema)

    def _flush(self) -> None:
        if self._pending:
            self._batches.append(pa.RecordBatch.from_pylist(self._pending, self._schema))
            self._pending = []


def join(options: Options, table: pa.Table, results: pa.Table) -> pa.Table:
    """Returns the rows of the input with the results beside them, in the schema of the parquet file."""
    schema = output_schema(options, table.schema)
    columns = [
        (results if field.name in results.column_names else table).column(field.name).cast(field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)
