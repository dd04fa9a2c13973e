"""`Downloader`, which takes the place of img2dataset's class of the same name."""

from __future__ import annotations

import logging
from typing import Any

from . import storage
from .errors import UsageError
from .folder import read_stats
from .options import Options
from .rows import with_texts
from .shard import process_shard
from .task import read_table
from .worker import thread_worker

log = logging.getLogger(__name__)

# The names of img2dataset's writers, and the codes of OpenCV's interpolations.
WRITERS = {
    "WebDatasetSampleWriter": "webdataset",
    "ParquetSampleWriter": "parquet",
    "FilesSampleWriter": "files",
    "TFRecordSampleWriter": "tfrecord",
    "DummySampleWriter": "dummy",
}
INTERPOLATION_CODES = {0: "nearest", 1: "linear", 2: "cubic", 3: "area", 4: "lanczos"}


class Downloader:
    """Downloads a shard when it is called with its number and the path of its Arrow file.

    The arguments of the constructor and of the call are those of img2dataset, whose distributors can therefore use it.
    `imgdl_options` are fields of `Options` that img2dataset does not have, such as `sample_deadline`.
    An object can be pickled; each thread that uses it has a worker process of its own.
    """

    def __init__(
        self,
        sample_writer_class: Any,
        resizer: Any,
        thread_count: int,
        save_caption: bool,
        extract_exif: bool,
        output_folder: str,
        column_list: list[str],
        timeout: float,
        number_sample_per_shard: int,
        oom_shard_count: int,
        compute_hash: str | None,
        verify_hash_type: str | None,
        encode_format: str,
        retries: int,
        user_agent_token: str | None,
        disallowed_header_directives: list[str] | None,
        blurring_bbox_col: str | None = None,
        ignore_ssl_certificate: bool = False,
        **imgdl_options: Any,
    ) -> None:
        if getattr(resizer, "blurrer", None) is not None:
            raise UsageError("blurrer is not supported: this program does not blur parts of images")
        verify_hash = [verify_hash_type, verify_hash_type] if verify_hash_type in column_list else None
        options = Options(
            url_list="-",  # The rows come with the call.
            input_format="parquet",
            output_format=_output_format(sample_writer_class),
            thread_count=thread_count,
            caption_col="caption" if save_caption else None,
            bbox_col=blurring_bbox_col,
            extract_exif=extract_exif,
            output_folder=output_folder,
            timeout=timeout,
            number_sample_per_shard=number_sample_per_shard,
            oom_shard_count=oom_shard_count,
            compute_hash=compute_hash,
            verify_hash=verify_hash,
            encode_format=encode_format,
            retries=retries,
            user_agent_token=user_agent_token,
            # For img2dataset's class, None means that no directive forbids anything.
            disallowed_header_directives=list(disallowed_header_directives or []),
            ignore_ssl_certificate=ignore_ssl_certificate,
            **resizer_options(resizer),
            **imgdl_options,
        )
        options.check()
        self._options = options
        self._columns = list(column_list)

    @classmethod
    def from_options(cls, options: Options, column_list: list[str]) -> Downloader:
        """Makes a downloader for rows with the columns of `column_list`."""
        options.check()
        downloader = cls.__new__(cls)
        downloader._options = options
        downloader._columns = list(column_list)
        return downloader

    def __call__(self, row: tuple[int, str]) -> tuple[bool, tuple[int, str]]:
        """Downloads a shard. Returns whether it is whole, and the argument.

        A shard whose stats file exists is whole without any work. The Arrow file is removed when the shard is whole.
        """
        shard_id, path = row
        try:
            if read_stats(self._options, shard_id) is None:
                table = with_texts(read_table(path).select(self._columns), self._options.verify_hash_type)
                process_shard(self._options, thread_worker(), shard_id, table)
            storage.remove_file(path)
            return True, row
        except Exception as error:  # The distributors expect an answer for every shard.
            log.error("shard %d failed: %s: %s", shard_id, type(error).__name__, error)
            return False, row


def resizer_options(resizer: Any) -> dict[str, Any]:
    """Returns the options that a `Resizer` of img2dataset holds as attributes."""
    mode = resizer.resize_mode
    return {
        "image_size": resizer.image_size,
        "resize_mode": mode if isinstance(mode, str) else mode.name,
        "resize_only_if_bigger": resizer.resize_only_if_bigger,
        "upscale_interpolation": _interpolation("upscale_interpolation", resizer.upscale_interpolation),
        "downscale_interpolation": _interpolation("downscale_interpolation", resizer.downscale_interpolation),
        # The parameters of OpenCV's encoder are a code and the quality.
        "encode_quality": resizer.encode_params[1],
        "skip_reencode": resizer.skip_reencode,
        "disable_all_reencoding": resizer.disable_all_reencoding,
        "min_image_size": resizer.min_image_size,
        "max_image_area": resizer.max_image_area,
        "max_aspect_ratio": resizer.max_aspect_ratio,
    }


def _interpolation(option: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if value not in INTERPOLATION_CODES:
        raise UsageError(f"{option} has the code {value!r} of OpenCV, which is not supported")
    return INTERPOLATION_CODES[value]


def _output_format(writer: Any) -> str:
    name = getattr(writer, "__name__", str(writer))
    if name not in WRITERS:
        raise UsageError(f"sample_writer_class is {name}, and must be one of {', '.join(WRITERS)}")
    return WRITERS[name]
