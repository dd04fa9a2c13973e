"""Turns what `tmux capture-pane -ep` prints into a picture (SVG): every cell as it is.

Block characters are drawn as shapes, so that no font decides what a picture made of them looks like.
"""

import re
from html import escape

WIDTH, HEIGHT = 8, 16
FOREGROUND, BACKGROUND = "#d8dade", "#101317"
ESCAPE = re.compile(r"\x1b\[([0-9;:]*)m")
BASE = [
    "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
    "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
]
# Quadrants of U+2596 to U+259F: upper left 1, upper right 2, lower left 4, lower right 8.
QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]


def palette(index):
    if index < 16:
        return BASE[index]
    if index < 232:
        index -= 16
        steps = [0, 95, 135, 175, 215, 255]
        return "#%02x%02x%02x" % (steps[index // 36], steps[index // 6 % 6], steps[index % 6])
    return "#%02x%02x%02x" % ((8 + (index - 232) * 10,) * 3)


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.fore, self.back = None, None
        self.bold = self.dim = self.underline = self.reverse = False

    def apply(self, codes):
        codes = [int(code or 0) for code in re.split("[;:]", codes)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "underline", 7: "reverse"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code in (24, 27):
                setattr(self, {24: "underline", 27: "reverse"}[code], False)
            elif code in (38, 48):
                kind = codes.pop(0)
                if kind == 2:
                    colour = "#%02x%02x%02x" % tuple(codes[:3])
                    del codes[:3]
                else:
                    colour = palette(codes.pop(0))
                setattr(self, "fore" if code == 38 else "back", colour)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.fore = palette(code - 30 if code < 90 else code - 82)
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.back = palette(code - 40 if code < 100 else code - 92)
            elif code == 39:
                self.fore = None
            elif code == 49:
                self.back = None

    def colours(self):
        fore, back = self.fore or FOREGROUND, self.back or BACKGROUND
        return (back, fore) if self.reverse else (fore, back)


def is_wide(character):
    code = ord(character)
    return 0x1100 <= code <= 0x115F or 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7A3 or (
        0xF900 <= code <= 0xFAFF or 0xFF00 <= code <= 0xFF60 or 0x1F300 <= code <= 0x1FAFF)


def cells(line, style):
    """Each character of a line with its column, colours and attributes; the style of a line goes on
    in the next one."""
    column, position = 0, 0
    while position < len(line):
        match = ESCAPE.match(line, position)
        if match:
            style.apply(match.group(1))
            position = match.end()
            continue
        character = line[position]
        position += 1
        fore, back = style.colours()
        width = 2 if is_wide(character) else 1
        yield column, width, character, fore, back, style.bold, style.dim, style.underline
        column += width


def shapes(character):
    """The rectangles of a block character, in parts of a cell; None for others."""
    code = ord(character)
    if code == 0x2580:
        return [(0, 0, 1, 0.5)]
    if 0x2581 <= code <= 0x2588:
        part = (code - 0x2580) / 8
        return [(0, 1 - part, 1, part)]
    if 0x2589 <= code <= 0x258F:
        return [(0, 0, (0x2590 - code) / 8, 1)]
    if code == 0x2590:
        return [(0.5, 0, 0.5, 1)]
    if code == 0x2594:
        return [(0, 0, 1, 0.125)]
    if code == 0x2595:
        return [(0.875, 0, 0.125, 1)]
    if 0x2596 <= code <= 0x259F:
        bits = QUADRANTS[code - 0x2596]
        return [
            (bit % 2 * 0.5, bit // 2 * 0.5, 0.5, 0.5) for bit in range(4) if bits >> bit & 1
        ]
    return None


def number(value):
    return ("%.1f" % value).rstrip("0").rstrip(".")


def svg(text, columns, rows):
    lines = text.split("\n")[:rows]
    paths, words = {}, []

    def rectangle(colour, left, top, width, height):
        paths.setdefault(colour, []).append(
            "M%s %sh%sv%sh-%sz" % tuple(map(number, (left, top, width, height, width))))

    fronts, style = [], Style()
    for row, line in enumerate(lines):
        run = None
        for column, width, character, fore, back, bold, dim, underline in cells(line, style):
            left, top = column * WIDTH, row * HEIGHT
            if back != BACKGROUND:
                rectangle(back, left, top, width * WIDTH, HEIGHT)
            parts = shapes(character)
            if parts is not None:
                fronts += [
                    (fore, left + x * WIDTH, top + y * HEIGHT, w * WIDTH, h * HEIGHT)
                    for x, y, w, h in parts]
                run = None
            elif character == " " and not underline:
                run = None
            else:
                look = (fore, bold, dim, underline)
                if run and run["look"] == look and run["end"] == column:
                    run["text"] += character
                    run["end"] += width
                else:
                    run = {"look": look, "row": row, "start": column, "end": column + width,
                           "text": character}
                    words.append(run)
    output = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * WIDTH} {rows * HEIGHT}" '
        f'width="{columns * WIDTH}" height="{rows * HEIGHT}" font-family="DejaVu Sans Mono, Menlo, '
        f'Consolas, monospace" font-size="13.3" shape-rendering="crispEdges" xml:space="preserve">',
        f'<rect width="100%" height="100%" fill="{BACKGROUND}"/>',
    ]
    output += [f'<path fill="{colour}" d="{"".join(d)}"/>' for colour, d in paths.items()]
    paths = {}
    for front in fronts:
        rectangle(*front)
    output += [f'<path fill="{colour}" d="{"".join(d)}"/>' for colour, d in paths.items()]
    for run in words:
        fore, bold, dim, underline = run["look"]
        marks = ' font-weight="bold"' if bold else ""
        marks += ' opacity="0.7"' if dim else ""
        marks += ' text-decoration="underline"' if underline else ""
        output.append(
            f'<text x="{run["start"] * WIDTH}" y="{run["row"] * HEIGHT + 12}" fill="{fore}"{marks} '
            f'textLength="{(run["end"] - run["start"]) * WIDTH}">{escape(run["text"])}</text>')
    return "\n".join(output + ["</svg>", ""])
