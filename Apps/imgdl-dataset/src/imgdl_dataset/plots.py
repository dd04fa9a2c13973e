"""Plots as inline SVG. Colours are CSS variables of the page: --text, --muted, --grid, --good, --bad."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .progress import printable

WIDTH = 880
FONT_SIZE = 13


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: its label, its length, the text behind it, and the name of its colour."""

    label: str
    value: float
    text: str
    color: str = "good"


def bars(title: str, items: Sequence[Bar], label_width: int = 330) -> str:
    """Horizontal bars below each other, each as long as its value."""
    row, text_width = 24, 150
    largest = max((item.value for item in items), default=0) or 1
    room = WIDTH - label_width - text_width
    parts = []
    for index, item in enumerate(items):
        middle = index * row + row / 2
        length = max(1.0, room * item.value / largest)
        label = printable(item.label)
        # A character is about 0.56 times as wide as the font is high.
        shown = shortened(label, int(label_width / (0.56 * FONT_SIZE)))
        parts.append(
            f"<g><title>{escape(label)}: {escape(item.text)}</title>"
            f'<text x="{label_width - 10}" y="{middle:.1f}" text-anchor="end">{escape(shown)}</text>'
            f'<rect class="{item.color}" x="{label_width}" y="{middle - 8:.1f}" width="{length:.1f}" '
            f'height="16" rx="2"/>'
            f'<text class="muted" x="{label_width + length + 8:.1f}" y="{middle:.1f}">{escape(item.text)}</text>'
            "</g>"
        )
    return _svg(title, len(items) * row, parts)


def areas(title: str, points: Sequence[tuple[float, float, float]], unit: str) -> str:
    """Two values over time, the second one stacked on the first one, as steps.

    Args:
        title: The text alternative of the plot, for screen readers.
        points: The beginning of each interval in seconds, and the two values.
        unit: The unit of the values.
    """
    left, right, top, bottom, height = 70, 20, 12, 34, 260
    step = points[1][0] - points[0][0] if len(points) > 1 else 1.0
    end = (points[-1][0] + step) or 1.0
    ticks = _ticks(max((first + second for _, first, second in points), default=0))
    highest = ticks[-1]

    def horizontal(seconds: float) -> float:
        return left + (WIDTH - left - right) * seconds / end

    def vertical(value: float) -> float:
        return top + (height - top - bottom) * (1 - value / highest)

    def area(name: str, values: Sequence[tuple[float, float]]) -> str:
        """The steps from left to right along the upper edge, and back along the lower one."""
        upper, lower = [], []
        for (start, _, _), (low, high) in zip(points, values, strict=True):
            sides = horizontal(start), horizontal(start + step)
            upper += [f"{side:.1f},{vertical(high):.1f}" for side in sides]
            lower += [f"{side:.1f},{vertical(low):.1f}" for side in sides]
        return f'<polygon class="{name}" points="{" ".join(upper + lower[::-1])}"/>'

    parts = [
        area("good", [(0.0, first) for _, first, _ in points]),
        area("bad", [(first, first + second) for _, first, second in points]),
    ]
    parts += [
        f'<line x1="{left}" x2="{WIDTH - right}" y1="{vertical(tick):.1f}" '
        f'y2="{vertical(tick):.1f}"/><text class="muted" x="{left - 8}" '
        f'y="{vertical(tick):.1f}" text-anchor="end">{tick:,g}</text>'
        for tick in ticks
    ]
    divisor, name = _time_unit(end)
    parts += [
        f'<text class="muted" x="{horizontal(tick * divisor):.1f}" y="{height - 16}" '
        f'text-anchor="middle">{tick:,g} {name}</text>'
        for tick in _ticks(end / divisor)
        if tick * divisor <= end
    ]
    parts.append(f'<text class="muted" x="{WIDTH - right}" y="{top + 10}" text-anchor="end">{escape(unit)}</text>')
    return _svg(title, height, parts)


def shortened(text: str, length: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= length else text[: max(0, length - 1)] + "…"


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" font-size="{FONT_SIZE}">'
        f"<title>{escape(title)}</title>" + "\n".join(parts) + "</svg>"
    )


def _ticks(largest: float) -> list[float]:
    """Up to six round numbers from 0 to `largest` or just above."""
    if not largest > 0 or not math.isfinite(largest):
        return [0.0, 1.0]
    magnitude = 10.0 ** math.floor(math.log10(largest / 5))
    step = next(factor * magnitude for factor in (1, 2, 5, 10) if factor * magnitude >= largest / 5)
    return [index * step for index in range(math.ceil(largest / step - 1e-9) + 1)]


def _time_unit(seconds: float) -> tuple[float, str]:
    """Seconds in the unit that suits a time, and its symbol."""
    if seconds < 180:
        return 1.0, "s"
    return (60.0, "min") if seconds < 3 * 3600 else (3600.0, "h")
