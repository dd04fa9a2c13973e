"""The options of a run: those of img2dataset 1.47 by the same names and defaults, and those of imgdl."""

from __future__ import annotations

import dataclasses
import math
import numbers
import os
import types
import typing
from dataclasses import dataclass
from typing import Any

from .errors import UsageError

INTERPOLATIONS = ("nearest", "linear", "bilinear", "cubic", "bicubic", "area", "lanczos", "lanczos4")
RESIZE_MODES = ("no", "keep_ratio", "center_crop", "border", "keep_ratio_largest")
HASHES = ("md5", "sha256", "sha512")
TEXT_FORMATS = ("txt", "csv", "tsv", "json", "jsonl")
INPUT_FORMATS = (*TEXT_FORMATS, *(f"{name}.gz" for name in TEXT_FORMATS), "parquet")
OUTPUT_FORMATS = ("webdataset", "parquet", "files")
DISTRIBUTORS = ("multiprocessing", "pyspark", "ray")
INCREMENTAL_MODES = ("incremental", "overwrite", "extend")
DISALLOWED_DIRECTIVES = ("noai", "noimageai", "noindex", "noimageindex")
RESERVED_COLUMNS = frozenset(
    ("key", "caption", "url", "width", "height", "original_width", "original_height", "status", "error_message")
    + ("exif", *HASHES)
)
# The highest quality of each format. That of png is the level of its compression, and 101 is lossless webp.
QUALITY_LIMITS = {"jpg": 100, "png": 9, "webp": 101}
# The least and the largest value of each option that has both.
LIMITS: dict[str, tuple[float, float]] = {
    "image_size": (1, 65_500),
    "thread_count": (1, 4096),
    "max_per_host": (1, 4096),
    "number_sample_per_shard": (1, 10**7),
    "oom_shard_count": (1, 9),
    "timeout": (0.001, 86_400),
    "sample_deadline": (0.001, 86_400),
    "shard_deadline": (0.001, 8_640_000),
    "max_bytes": (1, 2**32),
    "retries": (0, 100),
    "min_image_size": (0, 1_000_000),
    "max_image_area": (0, 1e15),
    "max_aspect_ratio": (0, 1e9),
    "max_failed": (0, 1),
}
# Options for which infinity stands for no limit, as in img2dataset.
UNBOUNDED = ("max_image_area", "max_aspect_ratio")
WORKER_INTERPOLATIONS = {"bilinear": "linear", "bicubic": "cubic"}


@dataclass(frozen=True)
class Kind:
    """The values that an option may have: a type, or a list of texts, or None as well."""

    type: type
    is_list: bool
    is_optional: bool

    @classmethod
    def of(cls, hint: Any) -> Kind:
        """Returns the kind that an annotation states."""
        others = [item for item in typing.get_args(hint) if item is not types.NoneType]
        is_optional = isinstance(hint, types.UnionType)
        hint = others[0] if is_optional else hint
        is_list = typing.get_origin(hint) is list
        return cls(str if is_list else hint, is_list, is_optional)

    @property
    def description(self) -> str:
        """What a value has to be, for people."""
        if self.is_list:
            return "a list of texts"
        return {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}[self.type]

    def plain(self, value: Any) -> Any:
        """Returns a value as one of the types that JSON has, or unchanged if an option of this kind may not have it."""
        if self.type is str and isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, (bool, int)):
            return value
        if self.type in (int, float) and isinstance(value, numbers.Integral):
            return int(value)
        return float(value) if self.type is float and isinstance(value, numbers.Real) else value

    def holds(self, value: Any) -> bool:
        """Returns whether an option of this kind may have a value."""
        if value is None:
            return self.is_optional
        if self.is_list:
            return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
        if self.type is float:
            return isinstance(value, numbers.Real) and not isinstance(value, bool) and not math.isnan(value)
        return isinstance(value, self.type) and (self.type is bool or not isinstance(value, bool)) and value != ""


@dataclass
class Options:
    """The options of a run. Those up to `ignore_ssl_certificate` are the arguments of img2dataset, in its order."""

    url_list: str
    image_size: int = 256
    output_folder: str = "images"
    processes_count: int = 1
    resize_mode: str = "border"
    resize_only_if_bigger: bool = False
    upscale_interpolation: str = "lanczos"
    downscale_interpolation: str = "area"
    encode_quality: int = 95
    encode_format: str = "jpg"
    skip_reencode: bool = False
    output_format: str = "files"
    input_format: str = "txt"
    url_col: str = "url"
    caption_col: str | None = None
    bbox_col: str | None = None
    thread_count: int = 256
    number_sample_per_shard: int = 10000
    extract_exif: bool = True
    save_additional_columns: list[str] | None = None
    timeout: float = 10
    enable_wandb: bool = False
    wandb_project: str = "img2dataset"
    oom_shard_count: int = 5
    compute_hash: str | None = "sha256"
    verify_hash: list[str] | None = None
    distributor: str = "multiprocessing"
    subjob_size: int = 1000
    retries: int = 0
    disable_all_reencoding: bool = False
    min_image_size: int = 0
    max_image_area: float = math.inf
    max_aspect_ratio: float = math.inf
    incremental_mode: str = "incremental"
    max_shard_retry: int = 1
    user_agent_token: str | None = None
    # None stands for the four default directives, and an empty list for none, as in img2dataset.
    disallowed_header_directives: list[str] | None = None
    ignore_ssl_certificate: bool = False

    max_per_host: int = 16
    sample_deadline: float = 30
    shard_deadline: float | None = None
    damaged: str = "fail"
    allow_private: bool = False
    scaled_decoding: bool = False
    scratch_folder: str | None = None
    shard_index: int = 0
    shard_count: int = 1
    retry_failed: bool = False
    max_bytes: int = 256 << 20
    max_failed: float = 1
    progress: bool = True

    def __post_init__(self) -> None:
        """Makes plain values of paths and of the numbers of other libraries, such as those of numpy."""
        for name, kind in KINDS.items():
            setattr(self, name, kind.plain(getattr(self, name)))

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Options:
        """Makes options from what `to_dict` returned, perhaps in another process."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields by name, as plain values that can be pickled."""
        return dataclasses.asdict(self)

    @property
    def save_caption(self) -> bool:
        """Whether a sample has a member `.txt` with its caption."""
        return self.caption_col is not None

    @property
    def verify_hash_type(self) -> str | None:
        """The name of the hash that the input gives for each URL, or None."""
        return None if self.verify_hash is None else self.verify_hash[1]

    @property
    def oom_sample_per_shard(self) -> int:
        """The number of digits of a key that number the sample inside its shard."""
        return math.ceil(math.log10(self.number_sample_per_shard))

    def shard_name(self, shard_id: int) -> str:
        """Returns the name of a shard without extension, for example 00042."""
        return f"{shard_id:0{self.oom_shard_count}d}"

    def directives(self) -> list[str]:
        """Returns the directives of X-Robots-Tag that forbid the use of an image, in lower case."""
        given = self.disallowed_header_directives
        return [item.strip().lower() for item in (DISALLOWED_DIRECTIVES if given is None else given)]

    def worker_settings(self) -> list[str]:
        """Returns the settings with which the worker program has to be started, as NAME=VALUE."""
        return ["network.insecure=true"] if self.ignore_ssl_certificate else []

    def shard_line(self, shard_id: int, count: int, tar: str) -> dict[str, Any]:
        """Returns the line that describes a shard of `count` samples to the worker."""
        token = self.user_agent_token
        return {
            "shard": shard_id,
            "count": count,
            "tar": tar,
            "oom_shard_count": self.oom_shard_count,
            "oom_sample_per_shard": self.oom_sample_per_shard,
            "image_size": self.image_size,
            "resize_mode": self.resize_mode,
            "resize_only_if_bigger": self.resize_only_if_bigger,
            "upscale_interpolation": _worker_interpolation(self.upscale_interpolation),
            "downscale_interpolation": _worker_interpolation(self.downscale_interpolation),
            "encode_format": self.encode_format,
            "encode_quality": self.encode_quality,
            "skip_reencode": self.skip_reencode,
            "disable_all_reencoding": self.disable_all_reencoding,
            "min_image_size": self.min_image_size,
            # An area is a whole number of pixels, so the limit may be rounded down.
            "max_image_area": None if math.isinf(self.max_image_area) else math.floor(self.max_image_area),
            "max_aspect_ratio": None if math.isinf(self.max_aspect_ratio) else self.max_aspect_ratio,
            "extract_exif": self.extract_exif,
            "compute_hash": self.compute_hash,
            "verify_hash": self.verify_hash is not None,
            "save_caption": self.save_caption,
            "timeout": self.timeout,
            "retries": self.retries,
            "user_agent_token": None if token is None else token.strip().lower(),
            "disallowed_header_directives": self.directives(),
            "thread_count": self.thread_count,
            "max_per_host": self.max_per_host,
            "sample_deadline": self.sample_deadline,
            "shard_deadline": self.shard_deadline,
            "max_bytes": self.max_bytes,
            "damaged": self.damaged,
            "allow_private": self.allow_private,
            "scaled_decoding": self.scaled_decoding,
        }

    def check(self) -> None:
        """Raises `UsageError` for the first option that is wrong or not supported."""
        self._check_unsupported()
        self._check_types()
        self._check_choices()
        self._check_numbers()
        self._check_columns()

    def _check_unsupported(self) -> None:
        if self.bbox_col is not None:
            raise UsageError("bbox_col is not supported: this program does not blur parts of images")
        if self.enable_wandb:
            raise UsageError("enable_wandb is not supported: see _report.html in the output folder instead")
        if self.output_format in ("tfrecord", "dummy"):
            raise UsageError(f"output_format {self.output_format} is not supported: use {', '.join(OUTPUT_FORMATS)}")

    def _check_types(self) -> None:
        for name, kind in KINDS.items():
            value = getattr(self, name)
            if not kind.holds(value):
                raise UsageError(f"{name} must be {kind.description}, not {value!r}")

    def _check_choices(self) -> None:
        choices = {
            "resize_mode": RESIZE_MODES,
            "encode_format": tuple(QUALITY_LIMITS),
            "output_format": OUTPUT_FORMATS,
            "input_format": INPUT_FORMATS,
            "distributor": DISTRIBUTORS,
            "incremental_mode": INCREMENTAL_MODES,
            "damaged": ("fail", "keep", "flag"),
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise UsageError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for name in ("upscale_interpolation", "downscale_interpolation"):
            if getattr(self, name).lower() not in INTERPOLATIONS:
                raise UsageError(f"{name} must be one of {', '.join(INTERPOLATIONS)}, not {getattr(self, name)!r}")
        if self.compute_hash is not None and self.compute_hash not in HASHES:
            raise UsageError(f"compute_hash must be None or one of {', '.join(HASHES)}, not {self.compute_hash!r}")

    def _check_numbers(self) -> None:
        for name, (least, largest) in LIMITS.items():
            value = getattr(self, name)
            if value is None or (name in UNBOUNDED and value == math.inf):
                continue
            if not least <= value <= largest:
                raise UsageError(f"{name} must be from {_shown(least)} to {_shown(largest)}, not {value}")
        for name in ("processes_count", "subjob_size", "shard_count"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be greater than 0, not {getattr(self, name)}")
        if self.max_shard_retry < 0:
            raise UsageError(f"max_shard_retry must not be negative, not {self.max_shard_retry}")
        largest = QUALITY_LIMITS[self.encode_format]
        if not 0 <= self.encode_quality <= largest:
            raise UsageError(
                f"encode_quality must be from 0 to {largest} for {self.encode_format}, not {self.encode_quality}"
            )
        if not 0 <= self.shard_index < self.shard_count:
            raise UsageError(f"shard_index must be from 0 to {self.shard_count - 1}, not {self.shard_index}")
        if self.shard_count > 1 and self.incremental_mode != "incremental":
            raise UsageError(f"incremental_mode {self.incremental_mode} is not possible with a shard_count above 1")

    def _check_columns(self) -> None:
        if self.verify_hash is not None:
            if len(self.verify_hash) != 2:
                raise UsageError("verify_hash must be a column and the name of a hash")
            if self.verify_hash_type != self.compute_hash:
                raise UsageError(
                    f"verify_hash and compute_hash must name the same hash, "
                    f"not {self.verify_hash_type} and {self.compute_hash}"
                )
        additional = list(self.save_additional_columns or [])
        reserved = set(RESERVED_COLUMNS)
        if self.output_format == "parquet":
            reserved.add(self.encode_format)
        if self.damaged == "flag":
            reserved.add("damage")
        for name in additional:
            if name in reserved:
                raise UsageError(f"save_additional_columns must not contain the reserved column {name}")
        used = [*additional, self.url_col]
        if self.caption_col is not None:
            used.append(self.caption_col)
        if self.verify_hash is not None:
            used.append(self.verify_hash[0])
        for name in used:
            if used.count(name) > 1:
                raise UsageError(f"the column {name} is named more than once")
        if self.input_format in ("txt", "txt.gz"):
            for option in ("verify_hash", "save_additional_columns"):
                if getattr(self, option):
                    raise UsageError(f"{option} needs an input with columns, and input_format is {self.input_format}")


KINDS = {name: Kind.of(hint) for name, hint in typing.get_type_hints(Options).items()}
"""What the value of each option may be."""


def _shown(limit: float) -> str:
    return f"{limit}" if isinstance(limit, int) else f"{limit:g}"


def _worker_interpolation(name: str) -> str:
    """Returns the worker's name of an interpolation."""
    return WORKER_INTERPOLATIONS.get(name.lower(), name.lower())
