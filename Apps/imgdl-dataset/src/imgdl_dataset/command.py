"""The command `imgdl-img2dataset`, with the flags of img2dataset and some additional ones."""

from __future__ import annotations

import importlib.metadata
import logging
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import driver
from .arguments import parse, share_of_environment
from .errors import RunStopped, UsageError
from .exits import Exit, advice, exit_code
from .options import Options
from .progress import Progress, ProgressHandler
from .usage import help_text
from .worker import WorkerFailed, program_version

PROGRAM = "imgdl-img2dataset"


def main(arguments: list[str] | None = None) -> int:
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
    except Exception:
        progress.say(traceback.format_exc())
        return Exit.FAULT
    finally:
        signal.signal(signal.SIGTERM, previous)


def _run(options: Options, progress: Progress) -> Exit:
    is_stopped = False
    try:
        summary = driver.run(options, progress)
    except RunStopped as error:
        is_stopped = True
        progress.say(f"{PROGRAM}: stopped: {error}")
        if error.summary is None:
            return Exit.INCOMPLETE
        summary = error.summary
    for line in advice(summary, options):
        progress.say(f"{PROGRAM}: {line}")
    return exit_code(summary, options, is_stopped=is_stopped)


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


if __name__ == "__main__":
    sys.exit(main())
