"""The arguments of the command, and the part of the shards that Slurm or Kubernetes gives it."""

from __future__ import annotations

import ast
import logging
from collections.abc import Mapping
from typing import Any

from .errors import UsageError
from .options import KINDS

log = logging.getLogger(__name__)

TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def parse(arguments: list[str]) -> dict[str, Any]:
    """Returns the options that the arguments name, read as python-fire reads them for img2dataset.

    A flag is --name value or --name=value; a flag without a value is True, and --noname is False. Hyphens in a name are
    underscores. Arguments without a flag are values in the order of img2dataset's parameters. Raises `UsageError`.
    """
    values: dict[str, Any] = {}
    positional = iter(KINDS)
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        if not _is_flag(argument):
            name = next(positional, None)
            if name is None:
                raise UsageError(f"unexpected argument {argument}")
            text: str | None = argument
        else:
            name, equals, text = argument.lstrip("-").partition("=")
            name = name.replace("-", "_")
            if not equals:
                text = None
                if position < len(arguments) and not _is_flag(arguments[position]):
                    text = arguments[position]
                    position += 1
            if text is None and name not in KINDS and name.startswith("no") and name[2:] in KINDS:
                name, text = name[2:], "False"
        if name not in KINDS:
            raise UsageError(f"unknown option --{name}")
        values[name] = convert(name, "True" if text is None else text)
    if "url_list" not in values:
        raise UsageError("--url_list is required; --help lists all options")
    return values


def convert(name: str, text: str) -> Any:
    """Returns the value of an option from its text: a literal of Python, or the text itself."""
    kind, value = KINDS[name], literal(text)
    if kind.is_list:
        if value is None or isinstance(value, (list, tuple)):
            return value if value is None else [str(item) for item in value]
        return [item.strip() for item in text.split(",") if item.strip()]
    if kind.type is str:
        # A column may be named 1, and a folder 2024.
        return None if value is None and kind.is_optional else (value if isinstance(value, str) else text)
    if kind.type is bool and str(value).lower() in TRUTHS:
        return TRUTHS[str(value).lower()]
    if kind.type is float and isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    if kind.type is int and isinstance(value, float) and value.is_integer():
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
