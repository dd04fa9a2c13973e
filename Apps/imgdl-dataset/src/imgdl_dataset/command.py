"""The command `imgdl-img2dataset`, with the flags of img2dataset and some additional ones."""

from __future__ import annotations

import ast
import dataclasses
import importlib.metadata
import logging
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Optional

from . import driver
from .errors import RunStopped, UsageError
from .exits import Exit, advice, exit_code
from .options import Options
from .progress import Progress, ProgressHandler
from .worker import WorkerFailed, program_version

PROGRAM = "imgdl-img2dataset"

log = logging.getLogger(__name__)

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
        "damaged": "keep, fail or flag images that are truncated or damaged",
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
TRUTHS = {"true": True, "1": True, "false": False, "0": False}
FIELDS = {field.name: field for field in dataclasses.fields(Options)}


def main(arguments: Optional[list[str]] = None) -> int:
    """Runs the command. Returns its exit code, as `Exit` lists them."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for flags, text in ((("--help", "-h"), help_text), (("--version",), version_text)):
        if any(argument in flags for argument in arguments):
            sys.stdout.write(f"{text()}\n")
            return Exit.COMPLETE
    progress = Progress(is_shown=False)
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        with shown_messages(progress):
            values = parse(arguments)
            options = Options(**share_of_environment(values, os.environ))
            progress.is_shown = options.progress is True
            return _run(options, progress)
    except UsageError as error:
        progress.say(f"{PROGRAM}: {error}")
        return Exit.USAGE
    except KeyboardInterrupt:
        progress.say(f"{PROGRAM}: interrupted; run the same command again to continue")
        return Exit.INTERRUPTED
    except OSError as error:  # A disk or a network failed; errors in this program have tracebacks.
        progress.say(f"{PROGRAM}: stopped: {error}; run the same command again to continue")
        return Exit.INCOMPLETE
    finally:
        signal.signal(signal.SIGTERM, previous)


def _run(options: Options, progress: Progress) -> Exit:
    try:
        summary = driver.run(options, progress)
    except RunStopped as error:
        progress.say(f"{PROGRAM}: stopped: {error}")
        if error.summary is None:
            return Exit.INCOMPLETE
        summary = error.summary
    for line in advice(summary, options):
        progress.say(f"{PROGRAM}: {line}")
    return exit_code(summary, options)


@contextmanager
def shown_messages(progress: Progress) -> Iterator[None]:
    """Shows the messages of this package between the lines of a progress."""
    logger = logging.getLogger(__package__)
    handler, level = ProgressHandler(progress), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def version_text() -> str:
    """Returns the versions of this package and of the worker program."""
    try:
        own = importlib.metadata.version("imgdl-dataset")
    except importlib.metadata.PackageNotFoundError:
        own = "of a source folder"
    try:
        worker = program_version()
    except (UsageError, WorkerFailed) as error:
        worker = str(error)
    return f"{PROGRAM} {own}\n{worker}"


def _terminate(*_: Any) -> None:
    """Ends the command in order, so that the lock of the output folder is released."""
    sys.exit(Exit.TERMINATED)


def parse(arguments: list[str]) -> dict[str, Any]:
    """Returns the options that the arguments name, read as python-fire reads them for img2dataset.

    A flag is --name value or --name=value; a flag without a value is True, and --noname is False. Hyphens in a name are
    underscores. Arguments without a flag are values in the order of img2dataset's parameters. Raises `UsageError`.
    """
    values: dict[str, Any] = {}
    positional = iter(FIELDS)
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        if not _is_flag(argument):
            name = next(positional, None)
            if name is None:
                raise UsageError(f"unexpected argument {argument}")
            text: Optional[str] = argument
        else:
            name, equals, text = argument.lstrip("-").partition("=")
            name = name.replace("-", "_")
            if not equals:
                text = None
                if position < len(arguments) and not _is_flag(arguments[position]):
                    text = arguments[position]
                    position += 1
            if text is None and name not in FIELDS and name.startswith("no") and name[2:] in FIELDS:
                name, text = name[2:], "False"
        if name not in FIELDS:
            raise UsageError(f"unknown option --{name}")
        values[name] = convert(name, "True" if text is None else text)
    if "url_list" not in values:
        raise UsageError("--url_list is required; --help lists all options")
    return values


def convert(name: str, text: str) -> Any:
    """Returns the value of an option from its text: a literal of Python, or the text itself."""
    kind = str(FIELDS[name].type)
    value = literal(text)
    if "list[str]" in kind:
        if value is None or isinstance(value, (list, tuple)):
            return value if value is None else [str(item) for item in value]
        return [item.strip() for item in text.split(",") if item.strip()]
    if "str" in kind:
        # A column may be named 1, and a folder 2024.
        return None if value is None and kind.startswith("Optional") else (value if isinstance(value, str) else text)
    if kind == "bool" and str(value).lower() in TRUTHS:
        return TRUTHS[str(value).lower()]
    if "float" in kind and isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    if kind == "int" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def literal(text: str) -> Any:
    """Returns the value of a literal of Python, in which bare words are texts, or the text if it is none."""
    try:
        tree = ast.parse(text, mode="eval")
        if isinstance(tree.body, ast.BinOp):
            return text
        return ast.literal_eval(_QuoteNames().visit(tree))
    except (SyntaxError, ValueError):
        return text


class _QuoteNames(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(node.id), node)


def _is_flag(argument: str) -> bool:
    """Returns whether an argument names an option; a negative number does not."""
    return argument.startswith("--") or (len(argument) > 1 and argument[0] == "-" and argument[1].isalpha())


def share_of_environment(values: dict[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """Adds `shard_index` and `shard_count` from the variables of Slurm or of a Kubernetes job, and says so.

    This holds only for the distributor multiprocessing, because Spark and Ray distribute the shards themselves. The
    processes of an array task of Slurm divide the part of their array task.
    """
    if values.get("distributor", "multiprocessing") != "multiprocessing" or "shard_index" in values:
        return values
    index, count, source = 0, 1, []
    given = values.get("shard_count")
    if given is not None:
        if given == 1 or "JOB_COMPLETION_INDEX" not in environment:
            return values
        index, count, source = _number(environment, "JOB_COMPLETION_INDEX"), given, ["JOB_COMPLETION_INDEX"]
    else:
        if "SLURM_ARRAY_TASK_COUNT" in environment:
            first = _number(environment, "SLURM_ARRAY_TASK_MIN") if "SLURM_ARRAY_TASK_MIN" in environment else 0
            step = _number(environment, "SLURM_ARRAY_TASK_STEP") if "SLURM_ARRAY_TASK_STEP" in environment else 1
            index = (_number(environment, "SLURM_ARRAY_TASK_ID") - first) // step
            count = _number(environment, "SLURM_ARRAY_TASK_COUNT")
            source.append("SLURM_ARRAY_TASK_ID")
        if "SLURM_PROCID" in environment and "SLURM_NTASKS" in environment:
            tasks = _number(environment, "SLURM_NTASKS")
            index, count = index * tasks + _number(environment, "SLURM_PROCID"), count * tasks
            source.append("SLURM_PROCID")
    if count == 1:
        return values
    log.info("shard_index %d of shard_count %d, from %s", index, count, " and ".join(source))
    return {**values, "shard_index": index, "shard_count": count}


def _number(environment: Mapping[str, str], name: str) -> int:
    try:
        return int(environment[name])
    except (KeyError, ValueError) as error:
        raise UsageError(f"{name} is {environment.get(name)!r}, and not a number") from error


def help_text() -> str:
    """Returns the list of all options with their defaults."""
    lines = ["imgdl-img2dataset --url_list FILE [--OPTION VALUE]...", ""]
    lines += ["Downloads images into shards, with the options of img2dataset 1.47.", ""]
    lines += ["Exit codes: 0: all URLs succeeded, but for the share of --max_failed; 1: more URLs failed; 2: wrong usage;"]
    lines += ["3: nothing succeeded; 75: shards are missing, which the same command makes."]
    for group, flags in GROUPS.items():
        lines += ["", f"{group}:"]
        for name, meaning in flags.items():
            default = FIELDS[name].default
            is_plain = default is dataclasses.MISSING or default is None or default is False
            shown = "" if is_plain else f" ({default})"
            lines.append(f"  --{name:<29}{meaning}{shown}")
    lines += ["", f"Not supported: {', '.join(f'--{name}' for name in UNSUPPORTED)}, and tfrecord and dummy as output."]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
