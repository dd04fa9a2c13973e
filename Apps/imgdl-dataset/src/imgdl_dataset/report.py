"""The report of a run: one HTML file without scripts and without anything from elsewhere.

It is named `_report.html`, because img2dataset takes every `.json` of the folder for a shard's statistics.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from . import storage
from .plots import Bar, areas, bars
from .progress import duration, printable
from .summary import Summary

NAME = "_report.html"
INTERVALS = 120
STATUS_COUNT = 20
HOST_COUNT = 20
FAILED_SHARD_COUNT = 100

STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1d2329; --muted: #5b6670; --grid: #d8dde2;
  --good: #2f7d4f; --bad: #c2571a; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14181c; --text: #e4e8ec; --muted: #98a3ad; --grid: #333b43; --good: #4fae76; --bad: #e08a4c; }
}
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 920px;
  margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
.muted { color: var(--muted); fill: var(--muted); }
dl { display: flex; flex-wrap: wrap; gap: 1em 2.5em; } dt { color: var(--muted); font-size: .85em; }
dd { margin: 0; font-size: 1.35em; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--text); dominant-baseline: middle; }
svg text.muted { fill: var(--muted); } svg line { stroke: var(--grid); stroke-width: 1; }
svg .good { fill: var(--good); } svg .bad { fill: var(--bad); }
.key::before { content: ""; display: inline-block; width: .8em; height: .8em; margin: 0 .35em 0 1em; }
.key.good::before { background: var(--good); } .key.bad::before { background: var(--bad); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2em .8em .2em 0; border-bottom: 1px solid var(--grid); vertical-align: top;
  overflow-wrap: anywhere; white-space: pre-line; }
th { color: var(--muted); font-weight: normal; white-space: nowrap; }
"""


def render(summary: Summary, settings: Mapping[str, Any] | None = None) -> str:
    """The report as HTML. Texts from servers are escaped; credentials in URLs of settings are left out."""
    sections = [
        _figures(summary),
        _rates(summary),
        _statuses(summary),
        _hosts(summary),
        _failed_shards(summary),
        _settings(settings or {}),
    ]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            "<title>imgdl-dataset report</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            "<h1>imgdl-dataset report</h1>",
            *filter(None, sections),
            "</body>",
            "</html>",
            "",
        ]
    )


def write(output_folder: str, text: str) -> None:
    """Writes the report into the output folder, a local one or one that fsspec knows."""
    if storage.is_remote(output_folder):
        with storage.open_file(storage.join(output_folder, NAME), "wb") as file:
            file.write(text.encode())
        return
    folder = storage.local_path(output_folder)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{NAME}.", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(text.encode())
        os.chmod(temporary, 0o644)
        os.replace(temporary, os.path.join(folder, NAME))
    except BaseException:
        os.unlink(temporary)
        raise


def _figures(summary: Summary) -> str:
    start = min((shard.start_time for shard in summary.shards), default=0.0)
    seconds = max((shard.end_time for shard in summary.shards), default=0.0) - start
    total = "?" if summary.total_shards is None else f"{summary.total_shards:,}"
    figures = [
        ("shards complete", f"{summary.shards_done:,} of {total}"),
        ("images", f"{summary.count:,}"),
        ("success", f"{100 * summary.success_rate:.1f} %"),
        ("failed to download", f"{summary.failed_to_download:,}"),
        ("failed to resize", f"{summary.failed_to_resize:,}"),
        ("images a second", f"{summary.count / seconds:,.1f}" if seconds > 0 else "–"),
        ("time", duration(seconds)),
    ]
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in figures)
    began = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(start)) if summary.shards else "never"
    before = (
        f" {summary.shards_before:,} shards were complete before; the figures are without them."
        if summary.shards_before
        else ""
    )
    return f'<p class="muted">Began {began}.{before}</p><dl>{items}</dl>'


def _rates(summary: Summary) -> str:
    points = summary.rates(min(INTERVALS, max(1, 4 * len(summary.shards))))
    if not points:
        return ""
    return (
        '<h2>Rate over time</h2><p class="muted">Images a second, each shard spread evenly over its time:'
        '<span class="key good">success</span><span class="key bad">failure</span></p>'
        + areas("Images a second over time", points, "images/s")
    )


def _statuses(summary: Summary) -> str:
    if not summary.count:
        return ""
    items = [Bar("success", summary.successes, _share(summary.successes, summary.count))]
    reasons = summary.top_reasons(STATUS_COUNT)
    items += [Bar(text, number, _share(number, summary.count), "bad") for text, number in reasons]
    others = summary.count - summary.successes - sum(number for _, number in reasons)
    if others > 0:
        items.append(Bar("all others", others, _share(others, summary.count), "bad"))
    return "<h2>Statuses</h2>" + bars("Samples by status", items)


def _hosts(summary: Summary) -> str:
    if not summary.hosts:
        return ""
    # A host with a few samples says little; it is shown only if there is none with more.
    slowest = summary.hosts.slowest(HOST_COUNT, 10) or summary.hosts.slowest(HOST_COUNT)
    items = [
        Bar(host, times.mean_ms, f"{times.mean_ms:,.0f} ms", "bad" if times.failed == times.count else "good")
        for host, times in slowest
    ]
    rows = [(host, f"{times.count:,}", f"{times.failed:,}", f"{times.mean_ms:,.0f} ms") for host, times in slowest]
    return (
        '<h2>Slow hosts</h2><p class="muted">Mean time of a sample:<span class="key good">'
        'some succeeded</span><span class="key bad">all failed</span></p>'
        + bars("Mean time of a sample by host", items)
        + _table(("host", "samples", "failed", "mean time"), rows)
    )


def _failed_shards(summary: Summary) -> str:
    if not summary.failed_shards:
        return ""
    rows = sorted((shard, reason) for shard, reason in summary.failed_shards.items())
    more = len(rows) - FAILED_SHARD_COUNT
    return (
        '<h2>Shards that failed</h2><p class="muted">The same command tries them again.</p>'
        + _table(("shard", "reason"), [(f"{shard}", reason) for shard, reason in rows[:FAILED_SHARD_COUNT]])
        + (f"<p>And {more:,} more.</p>" if more > 0 else "")
    )


def _settings(settings: Mapping[str, Any]) -> str:
    if not settings:
        return ""
    rows = [(name, _without_credentials(str(value))) for name, value in settings.items()]
    return "<h2>Settings</h2>" + _table(("option", "value"), rows)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def cell(tag: str, text: str) -> str:
        lines = "\n".join(printable(line) for line in text.splitlines())
        return f"<{tag}>{escape(lines)}</{tag}>"

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(cell(tag, text) for text in cells) + "</tr>"

    return "<table>" + row("th", head) + "".join(row("td", cells) for cells in rows) + "</table>"


def _share(number: int, total: int) -> str:
    return f"{number:,} ({100 * number / total:.1f} %)"


def _without_credentials(text: str) -> str:
    """A URL without user, password and query, which may be a signature; any other text as it is."""
    if "://" not in text:
        return text
    try:
        parts = urlsplit(text)
    except ValueError:
        return "(not shown)"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "(not shown)" if parts.query else "", ""))
