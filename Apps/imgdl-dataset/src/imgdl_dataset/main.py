"""`download`, which takes the place of img2dataset's function of the same name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import ParamSpec

from . import driver
from .options import Options
from .summary import Summary

Arguments = ParamSpec("Arguments")


def _runner(make: Callable[Arguments, Options]) -> Callable[Arguments, Summary]:
    """Returns a function that runs the options which its arguments make, and has their signature."""

    def download(*arguments: Arguments.args, **options: Arguments.kwargs) -> Summary:
        """Downloads the shards of a list. The arguments are those of img2dataset in its order, then those of imgdl.

        Returns what the shards amount to. Raises `UsageError` and `RunStopped` as `run` does.
        """
        return driver.run(make(*arguments, **options))

    download.__signature__ = inspect.signature(make).replace(return_annotation=Summary)  # type: ignore[attr-defined]
    return download


download = _runner(Options)
