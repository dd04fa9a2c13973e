"""How a run ended: its exit code, and what to do next."""

from __future__ import annotations

import enum

from .options import Options
from .summary import Summary

PRIVATE_ADDRESS = "the address of the server is not allowed"
"""The worker's message for an address that `allow_private` would allow."""


class Exit(enum.IntEnum):
    """The exit codes of the command."""

    COMPLETE = 0
    SOME_FAILED = 1
    USAGE = 2
    NOTHING = 3
    # As in sysexits.h: a fault of this program, whose traceback is shown.
    FAULT = 70
    # As in sysexits.h: a scheduler may run the same command again.
    INCOMPLETE = 75
    # As shells report a signal.
    INTERRUPTED = 130
    TERMINATED = 143


def exit_code(summary: Summary, options: Options, *, is_stopped: bool = False) -> Exit:
    """Returns the exit code of a run, for which shards that were whole before it count like its own.

    A run that was stopped is never complete. It may have been stopped before anything was tried.
    """
    succeeded = summary.rows_in_all > summary.failures_in_all
    is_whole = summary.is_complete and not summary.failed_shards
    was_tried = summary.rows_in_all or summary.failed_shards
    if not succeeded and (was_tried or not (is_whole or is_stopped)):
        return Exit.NOTHING
    if is_stopped or not is_whole:
        return Exit.INCOMPLETE
    return Exit.SOME_FAILED if exceeds(summary, options.max_failed) else Exit.COMPLETE


def exceeds(summary: Summary, share: float) -> bool:
    """Returns whether a larger share of the rows than this one failed."""
    # A product such as 0.29 * 100 is less than 29, and the quotient is the nearest number, as the share is.
    return summary.rows_in_all > 0 and summary.failures_in_all / summary.rows_in_all > share


def advice(summary: Summary, options: Options) -> list[str]:
    """Returns what people should know about the end of a run, each with the option that helps."""
    lines = []
    if not summary.is_complete or summary.failed_shards.keys() - summary.failed_retries:
        again = "without --retry_failed" if options.retry_failed else "again"
        lines.append(f"some shards are missing; run the same command {again} to make them")
    if kept := len(summary.failed_retries):
        shards = "1 shard was" if kept == 1 else f"{kept:,} shards were"
        lines.append(f"{shards} not retried and kept without change; run the same command again to retry")
    if private := summary.status_dict[PRIVATE_ADDRESS]:
        lines.append(f"{_urls(private)} to this machine or a private network, which --allow_private allows")
    if failures := summary.failures_in_all:
        limit = (
            f", a larger share than --max_failed {options.max_failed:g}" if exceeds(summary, options.max_failed) else ""
        )
        lines.append(f"{failures:,} of {summary.rows_in_all:,} URLs failed{limit}; --retry_failed downloads them again")
    return lines


def _urls(count: int) -> str:
    return "1 URL leads" if count == 1 else f"{count:,} URLs lead"
