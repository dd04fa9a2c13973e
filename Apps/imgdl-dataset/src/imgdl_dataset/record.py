"""The record of an output folder: from which lists, and with which options, its shards were made.

The numbers of the shards follow from the list and from the number of rows per shard. A run with another list or another
number that kept the shards of an earlier one would therefore leave rows out, or have them twice.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import folder, inputs, parts, storage
from .commit import locked_folder, sync
from .errors import UsageError
from .folder import Start
from .options import Options
from .reader import Reader, input_files
from .rows import with_texts

NAME = "_imgdl.run"
"""The name has no .json at its end, since img2dataset takes each such name for that of a shard."""

VERSION = 1
BLOCK_BYTES = 1 << 20
EDGE_BYTES = 64 << 10
COMPARED_SHARDS = 16

# What a sample is made of and how. Other options tell how it is downloaded, and may differ from run to run.
INPUT_OPTIONS = ("input_format", "url_col", "caption_col", "save_additional_columns", "verify_hash")
OUTPUT_OPTIONS = ("output_format", "number_sample_per_shard")
SHARD_OPTIONS = (
    ("oom_shard_count", "image_size", "resize_mode", "resize_only_if_bigger", "upscale_interpolation")
    + ("downscale_interpolation", "encode_format", "encode_quality", "skip_reencode", "disable_all_reencoding")
    + ("min_image_size", "max_image_area", "max_aspect_ratio", "extract_exif", "compute_hash", "damaged")
    + ("scaled_decoding",)
)


@dataclass(frozen=True)
class ListFile:
    """A file of the input. The digest is that of its content; of a parquet file, it is that of both ends."""

    name: str
    size: int
    digest: str

    def is_same(self, other: ListFile) -> bool:
        """Returns whether both have the same content, whatever their names are."""
        return (self.size, self.digest) == (other.size, other.digest)


@dataclass(frozen=True)
class Description:
    """What the shards of a run are made of."""

    options: dict[str, Any]
    files: list[ListFile]

    @classmethod
    def of(cls, options: Options) -> Description:
        """Reads the files of the input. Raises `UsageError` if there are none."""
        line = options.shard_line(0, 0, "-")
        names = {name: getattr(options, name) or None for name in (*INPUT_OPTIONS, *OUTPUT_OPTIONS)}
        names |= {name: line[name] for name in SHARD_OPTIONS}
        if options.input_format in ("txt", "txt.gz"):
            names["url_col"] = None
        paths = input_files(options.url_list, options.input_format)
        # The values are compared with those that were written as JSON, which has no tuples.
        return cls(json.loads(json.dumps(names)), [_list_file(path, options.input_format) for path in paths])

    def differences(self, earlier: Description) -> list[str]:
        """Returns why this run does not continue an earlier one, for people.

        Files may follow those of the earlier run, because a shard has rows of one file only.
        """
        found = [
            f"{name} was {earlier.options[name]} and is {value}"
            for name, value in self.options.items()
            if name in earlier.options and earlier.options[name] != value
        ]
        for old, new in zip(earlier.files, self.files, strict=False):
            if not old.is_same(new):
                now = "has other content" if (old.name, old.size) == (new.name, new.size) else f"is {_shown(new)}"
                return [*found, f"the list was {_shown(old)} and {now}"]
        if len(earlier.files) > len(self.files):
            found.append(f"the list had {len(earlier.files)} files and has {len(self.files)}")
        return found


@dataclass(frozen=True)
class Origin:
    """Where the shards from a number on come from. The description is None for a folder without a record."""

    first_shard: int
    description: Description | None


class Record:
    """The origins of the shards in an output folder, by their first shards."""

    def __init__(self, options: Options, loaded: list[Origin]) -> None:
        self._options = options
        self._path = storage.join(options.output_folder, NAME)
        self._loaded = loaded
        self.origins = list(loaded)
        self.own = Origin(0, None)
        """The origin of this run."""

    @classmethod
    def load(cls, options: Options) -> Record:
        """Reads the record. One that cannot be read counts as none."""
        return cls(options, _read(storage.join(options.output_folder, NAME)))

    def save(self) -> None:
        """Writes the record before the first shard of the run. Raises `UsageError` if another run wrote another one."""
        if self.origins == self._loaded:
            return
        if storage.is_remote(self._options.output_folder):
            self._merge()
            system, path = storage.filesystem(self._path)
            system.pipe_file(path, _content(self.origins))
            self._merge()
        else:
            with locked_folder(storage.local_path(self._options.output_folder)):
                self._merge()
                self._replace()
        self._loaded = list(self.origins)

    def _merge(self) -> None:
        """Takes what another driver of the same list wrote in the meantime."""
        found = _read(self._path)
        if found == self._loaded:
            return
        for origin in found:
            if origin.first_shard == self.own.first_shard and origin.description is not None:
                if differences := (self.own.description or origin.description).differences(origin.description):
                    raise refusal(self._options, differences)
                self.origins = [self.own if item is origin else item for item in found]
                return

    def _replace(self) -> None:
        path = storage.local_path(self._path)
        part = f"{path}.part"
        parts.remove(part)  # A process that was killed left it behind, since the folder is locked.
        try:
            with storage.open_new(part) as file:
                file.write(_content(self.origins))
            sync(part)
            os.replace(part, path)
            sync(os.path.dirname(path))
        finally:
            parts.remove(part)


def begin(options: Options) -> tuple[Start, Record]:
    """Brings the output folder into its state before a run. Returns where the run begins, and the record to save.

    Raises `UsageError` if the shards in the folder were made from another list, or with other options.
    """
    description = Description.of(options)  # Nothing is removed for a list that does not exist.
    if options.incremental_mode == "overwrite" and not options.retry_failed:
        start = folder.prepare(options)
        record = Record(options, [])
        _set_own(record, [], Origin(0, description))
        return start, record
    numbers = folder.shard_numbers(options)
    record = Record.load(options)
    origins = _origins(options, record, numbers)
    found = next((item for item in origins if item.description and not description.differences(item.description)), None)
    if found is None and options.incremental_mode == "extend" and not options.retry_failed:
        start = folder.prepare(options)
        _set_own(record, origins, Origin(start.start_shard_id, description))
        return start, record
    kept = folder.prepare(dataclasses.replace(options, incremental_mode="incremental"))
    if found is None and origins:
        found = origins[0]
        if found.description is not None:
            known = [item.description for item in origins if item.description is not None]
            raise refusal(options, min(map(description.differences, known), key=len))
        _compare(options, kept.done)
    own = Origin(0 if found is None else found.first_shard, description)
    _set_own(record, [item for item in origins if item is not found], own)
    end = min((item.first_shard for item in origins if item.first_shard > own.first_shard), default=None)

    def is_own(shard_id: int) -> bool:
        return own.first_shard <= shard_id and (end is None or shard_id < end)

    done = {shard_id: rows for shard_id, rows in kept.done.items() if is_own(shard_id)}
    return Start(own.first_shard, done, frozenset(filter(is_own, kept.damaged)), end), record


def refusal(options: Options, differences: list[str]) -> UsageError:
    """Returns the error for a run that does not continue what is in the output folder."""
    return UsageError(
        f"output_folder {options.output_folder} has shards of another run: {'; '.join(differences)}. "
        "Run that command again to complete them, or use --incremental_mode extend to append shards, "
        "--incremental_mode overwrite to remove them, or another output_folder"
    )


def _set_own(record: Record, others: list[Origin], own: Origin) -> None:
    record.own = own
    record.origins = sorted([*others, own], key=lambda origin: origin.first_shard)


def _origins(options: Options, record: Record, numbers: set[int]) -> list[Origin]:
    """Returns the origins of the shards that are there.

    An origin without any shard is that of a run that ended early, and does not bind the next one. A driver of a part of
    the shards keeps it, because the drivers of the other parts may have only begun.
    """
    origins = list(record.origins)
    while origins and options.shard_count == 1 and max(numbers, default=-1) < origins[-1].first_shard:
        origins.pop()
    if numbers and not origins:
        return [Origin(0, None)]
    if origins and origins[0].first_shard > min(numbers, default=origins[0].first_shard):
        return [Origin(0, None), *origins]
    return origins


def _compare(options: Options, done: Iterable[int]) -> None:
    """Raises `UsageError` if shards of a folder without a record have other URLs than the input.

    Some shards are compared, and among them the first and the last one. They may have been made by img2dataset, whose
    rows are in another order.
    """
    shards = sorted(done)
    step = max(1, -(-len(shards) // COMPARED_SHARDS))
    picked = {*shards[::step], *shards[-1:]}
    for shard_id, table in Reader(options, 0, picked.__contains__) if picked else ():
        path = storage.join(options.output_folder, f"{options.shard_name(shard_id)}.parquet")
        old, new = _urls(path), Counter(table.column("url").to_pylist())
        if old.total() != new.total():
            raise refusal(options, [f"shard {shard_id} has {old.total()} rows, and {new.total()} in the input"])
        if old != new:
            raise refusal(options, [f"shard {shard_id} has other URLs than the input"])
        picked.discard(shard_id)
        if not picked:
            return


def _urls(path: str) -> Counter[str | None]:
    try:
        with storage.open_file(path, "rb") as file:
            return Counter(with_texts(pq.read_table(file, columns=["url"])).column("url").to_pylist())
    except (ValueError, pa.ArrowException) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error


def _list_file(path: str, input_format: str) -> ListFile:
    digest, size = hashlib.sha256(), 0
    with inputs.readable(path), storage.open_file(path, "rb") as file:
        if input_format == "parquet":
            digest.update(file.read(EDGE_BYTES))
            size = _seek_end(file)
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            size += 0 if input_format == "parquet" else len(block)
    return ListFile(path.rstrip("/").rsplit("/", 1)[-1], size, digest.hexdigest())


def _seek_end(file: IO[bytes]) -> int:
    """Moves to the last rows and the footer of a parquet file. Returns the file's size.

    The footer has the sizes and the limits of all columns, so that the rows between need not be read.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 8))
    file.seek(max(0, size - 8 - int.from_bytes(file.read(4), "little") - EDGE_BYTES))
    return size


def _shown(file: ListFile) -> str:
    return f"{file.name} of {file.size} bytes"


def _content(origins: list[Origin]) -> bytes:
    runs = [dataclasses.asdict(origin) for origin in origins]
    return json.dumps({"version": VERSION, "runs": runs}, indent=1).encode()


def _read(path: str) -> list[Origin]:
    try:
        content = json.loads(storage.read(path))
        if content["version"] > VERSION:
            raise UsageError(f"{path} is of a later version of this program")
        return [Origin(int(run["first_shard"]), _description(run["description"])) for run in content["runs"]]
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _description(value: dict[str, Any] | None) -> Description | None:
    if value is None:
        return None
    return Description(dict(value["options"]), [ListFile(**file) for file in value["files"]])
