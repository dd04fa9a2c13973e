"""The text of `imgdl-img2dataset --help`."""

from __future__ import annotations

import dataclasses

from .options import Options

# The flags by subject, each with its description.
GROUPS: dict[str, dict[str, str]] = {
    "Input": {
        "url_list": "file or folder of lists of URLs, as a local path or an fsspec URL (required)",
        "input_format": "txt, csv, tsv, json, jsonl (each also with .gz) or parquet",
        "url_col": "column of the URLs",
        "caption_col": "column of the captions",
        "save_additional_columns": 'columns to keep in the output, such as \'["a","b"]\' or a,b',
        "verify_hash": 'column of the hashes to verify, and their algorithm, such as \'["md5","md5"]\'',
    },
    "Output": {
        "output_folder": "folder of the shards, as a local path or an fsspec URL",
        "output_format": "webdataset, parquet or files",
        "number_sample_per_shard": "number of rows per shard",
        "oom_shard_count": "number of digits in the number of a shard",
        "incremental_mode": "incremental completes a list, overwrite removes all, extend appends one",
        "retry_failed": "download only the failed rows of existing shards",
        "max_failed": "share of the URLs that may fail, 0 to 1, for which the exit code is 0",
        "progress": "show the progress on standard error; --noprogress shows messages only",
        "scratch_folder": "local folder for temporary files",
    },
    "Images": {
        "image_size": "size of the resized images in pixels",
        "resize_mode": "no, border, keep_ratio, keep_ratio_largest or center_crop",
        "resize_only_if_bigger": "do not enlarge images",
        "upscale_interpolation": "nearest, linear, cubic, area or lanczos",
        "downscale_interpolation": "nearest, linear, cubic, area or lanczos",
        "encode_format": "jpg, png or webp",
        "encode_quality": "0 to 100; for png 0 to 9; for webp 101 is lossless",
        "skip_reencode": "keep the bytes of images that need no change",
        "disable_all_reencoding": "keep the bytes of all images, and do not decode them",
        "min_image_size": "minimum length of the shorter side in pixels",
        "max_image_area": "maximum area in pixels",
        "max_aspect_ratio": "maximum ratio of the sides",
        "extract_exif": "write the EXIF metadata to a column",
        "compute_hash": "sha256, sha512, md5 or None",
        "damaged": "fail, keep or flag images that lack pixels: cut off or damaged files",
        "scaled_decoding": "decode large JPEGs at a reduced scale: faster, with slightly different pixels",
    },
    "Downloads": {
        "timeout": "maximum time without receiving data, in seconds",
        "max_bytes": "maximum size of the body of a response in bytes",
        "retries": "number of retries of a failed URL",
        "max_per_host": "maximum number of simultaneous transfers of a shard from one host",
        "sample_deadline": "maximum time for the download of a sample, and for its decoding, in seconds each",
        "shard_deadline": "maximum time for a shard in seconds",
        "user_agent_token": "name that is added to the user agent and matched in X-Robots-Tag",
        "disallowed_header_directives": "directives of X-Robots-Tag that disallow an image; [] for none",
        "ignore_ssl_certificate": "accept any certificate of a server, which is insecure",
        "allow_private": "allow addresses of this machine and of private networks",
    },
    "Distribution": {
        "distributor": "multiprocessing, pyspark or ray",
        "processes_count": "number of simultaneous shards on this machine",
        "thread_count": "number of simultaneous transfers per shard",
        "subjob_size": "maximum number of shards per Spark job",
        "max_shard_retry": "number of retries of a failed shard",
        "shard_index": "this machine's part of the shards, from 0; default: as set by Slurm or Kubernetes",
        "shard_count": "number of parts; default: the number set by Slurm; 1 for all shards",
    },
}
# Flags of img2dataset that have no effect, or are refused if they would have one.
UNSUPPORTED = ("bbox_col", "enable_wandb", "wandb_project")


def help_text() -> str:
    """Returns the list of all options with their defaults."""
    defaults = {field.name: field.default for field in dataclasses.fields(Options)}
    lines = ["imgdl-img2dataset --url_list FILE [--OPTION VALUE]...", ""]
    lines += ["Downloads images into shards, with the options of img2dataset 1.47.", ""]
    lines += [
        "Exit codes: 0: all shards are there; 1: a larger share of the URLs than --max_failed failed; 2: wrong usage;"
    ]
    lines += ["3: nothing succeeded; 70: a fault of this program; 75: stopped, or work is left for the same command."]
    for group, flags in GROUPS.items():
        lines += ["", f"{group}:"]
        for name, meaning in flags.items():
            default = defaults[name]
            is_plain = default is dataclasses.MISSING or default is None or default is False
            shown = "" if is_plain else f" ({default})"
            lines.append(f"  --{name:<29}{meaning}{shown}")
    lines += ["", f"Not supported: {', '.join(f'--{name}' for name in UNSUPPORTED)}, and tfrecord and dummy as output."]
    return "\n".join(lines)
