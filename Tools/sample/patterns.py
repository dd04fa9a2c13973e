"""Pictures that mathematics draws: flat colours for PNG, soft ones for WebP."""

import math
import random

import svg

SIZE = 640


def sunflower():
    """Phyllotaxis: each seed turns by the golden angle. Transparent around the flower."""
    turn = math.pi * (3 - math.sqrt(5))
    body = []
    for i in range(34):
        angle = i * math.tau / 34
        x, y = 320 + math.cos(angle) * 235, 320 + math.sin(angle) * 235
        degrees = math.degrees(angle)
        body.append(
            f'<ellipse cx="{svg.number(x)}" cy="{svg.number(y)}" rx="74" ry="22"'
            f' fill="{["#f6b32b", "#ffcf4d"][i % 2]}" fill-opacity="0.85"'
            f' transform="rotate({svg.number(degrees)} {svg.number(x)} {svg.number(y)})"/>'
        )
    for i in range(620):
        radius = 8.1 * math.sqrt(i)
        shade = svg.mix("#3b2014", "#d98a2b", i / 620)
        x, y = 320 + radius * math.cos(i * turn), 320 + radius * math.sin(i * turn)
        body.append(svg.circle(x, y, 2.6 + i / 260, shade))
    return svg.document(SIZE, SIZE, [], body)


def truchet():
    """Tiles with two quarter circles each, turned at random: endless ribbons."""
    chance = random.Random(12)
    body = [svg.rectangle(0, 0, SIZE, SIZE, "#14213d")]
    side = 64
    for row in range(SIZE // side):
        for column in range(SIZE // side):
            x, y, half = column * side, row * side, side / 2
            if chance.random() < 0.5:
                arcs = [(x + half, y, x, y + half), (x + half, y + side, x + side, y + half)]
            else:
                arcs = [(x + half, y, x + side, y + half), (x + half, y + side, x, y + half)]
            for number, (x1, y1, x2, y2) in enumerate(arcs):
                # The arc's centre is the tile's corner between its ends.
                sweep = 1 if (x2 < x1) == (y2 > y1) else 0
                data = f"M{x1} {y1}A{half} {half} 0 0 {sweep} {x2} {y2}"
                for stroke, width in (("#fca311", 24), ("#14213d", 14), ("#e5e5e5", 4)):
                    body.append(svg.path(data, fill="none", stroke=stroke, stroke_width=width))
    return svg.document(SIZE, SIZE, [], body)


def quilt():
    """Quarter discs, discs and triangles on squares, in five colours."""
    chance = random.Random(77)
    colors = ["#264653", "#2a9d8f", "#e9c46a", "#f4a261", "#e76f51"]
    side = 80
    body = []
    for row in range(SIZE // side):
        for column in range(SIZE // side):
            x, y = column * side, row * side
            ground, front, dot = chance.sample(colors, 3)
            body.append(svg.rectangle(x, y, side + 0.5, side + 0.5, ground))
            kind = chance.randrange(4)
            corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
            turn = chance.randrange(4)
            a, b, c, _ = corners[turn:] + corners[:turn]
            if kind == 0:
                data = f"M{a[0]} {a[1]}L{b[0]} {b[1]}A{side} {side} 0 0 1 {(corners * 2)[turn + 3][0]} {(corners * 2)[turn + 3][1]}Z"
                body.append(svg.path(data, fill=front))
            elif kind == 1:
                body.append(svg.polygon([a, b, c], front))
            elif kind == 2:
                body.append(svg.circle(x + side / 2, y + side / 2, side * 0.42, front))
                body.append(svg.circle(x + side / 2, y + side / 2, side * 0.18, dot))
            else:
                for step in range(4):
                    body.append(svg.rectangle(x, y + step * 20, side, 10, front))
    return svg.document(SIZE, SIZE, [], body)


def spirograph():
    """Five hypotrochoids, one inside the other."""
    body = [svg.rectangle(0, 0, SIZE, SIZE, "#fbf7ef")]
    colors = ["#d7263d", "#f46036", "#2e294e", "#1b998b", "#3f88c5"]
    for i, color in enumerate(colors):
        fixed, rolling, pen = 105, 40 - 3 * i, 60 - 7 * i
        turns = rolling // math.gcd(fixed, rolling)
        scale = 2.3 - 0.28 * i
        curve = []
        for step in range(turns * 90 + 1):
            t = step * math.tau / 90
            ratio = (fixed - rolling) / rolling
            x = (fixed - rolling) * math.cos(t) + pen * math.cos(ratio * t)
            y = (fixed - rolling) * math.sin(t) - pen * math.sin(ratio * t)
            curve.append((320 + scale * x, 320 + scale * y))
        body.append(svg.line(curve, color, 1.6, opacity=0.85))
    return svg.document(SIZE, SIZE, [], body)


def hilbert():
    """Hilbert's curve of order five, coloured along its way."""
    order = 5
    cells = 1 << order

    def place(index):
        x = y = 0
        side = 1
        while side < cells:
            right = 1 & (index // 2)
            up = 1 & (index ^ right)
            if up == 0:
                if right == 1:
                    x, y = side - 1 - x, side - 1 - y
                x, y = y, x
            x, y = x + side * right, y + side * up
            index //= 4
            side *= 2
        return x, y

    step = SIZE / cells
    body = [svg.rectangle(0, 0, SIZE, SIZE, "#1a1423")]
    line = [((x + 0.5) * step, (y + 0.5) * step) for x, y in map(place, range(cells * cells))]
    for i in range(0, len(line) - 1, 4):
        color = f"hsl({360 * i // len(line)}, 75%, 62%)"
        body.append(svg.line(line[i : i + 5], color, 8, stroke_linecap="round"))
    return svg.document(SIZE, SIZE, [], body)


def contours():
    """Height lines of a made-up island, by marching over a grid."""
    chance = random.Random(4)
    peaks = [
        (chance.uniform(190, 610), chance.uniform(170, 420), chance.uniform(38, 74), chance.uniform(0.4, 1))
        for _ in range(9)
    ]

    def height(x, y):
        return sum(h * math.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * s * s)) for a, b, s, h in peaks)

    width, depth, step = 800, 600, 8
    body = [svg.rectangle(0, 0, width, depth, "#bfe3ea")]
    grid = [[height(x, y) for x in range(0, width + step, step)] for y in range(0, depth + step, step)]
    levels = [0.12 + 0.1 * i for i in range(14)]
    for number, level in enumerate(levels):
        color = svg.mix(svg.mix("#dcefc0", "#7fb069", min(1, number / 5)), "#8a5a44", max(0, (number - 5) / 9))
        cells = []
        for row, values in enumerate(grid):
            for column, value in enumerate(values):
                if value > level:
                    cells.append(f"M{column * step - 4} {row * step - 4}h8v8h-8z")
        body.append(svg.path("".join(cells), fill=color))
        body.append(outline(grid, level, step, "#5b4636", 1.8 if number % 5 == 0 else 0.7))
    body.append(svg.text(28, 572, 18, "#35505a", "AN ISLAND THAT IS NOT THERE", letter_spacing=3.0))
    return svg.document(width, depth, [], body)


def outline(grid, level, step, color, width):
    """The line of one height: marching squares with interpolated crossings."""
    data = []
    for row in range(len(grid) - 1):
        for column in range(len(grid[0]) - 1):
            corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            cuts = []
            for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
                a, b = grid[y1][x1], grid[y2][x2]
                if (a > level) != (b > level):
                    t = (level - a) / (b - a)
                    cuts.append(((x1 + (x2 - x1) * t) * step, (y1 + (y2 - y1) * t) * step))
            for start, end in zip(cuts[::2], cuts[1::2]):
                data.append("M{} {}L{} {}".format(*map(svg.number, start + end)))
    return svg.path("".join(data), fill="none", stroke=color, stroke_width=width)


def rings():
    """Interference: two families of circles."""
    body = [svg.rectangle(0, 0, 800, 600, "#10002b")]
    for x, color in ((300, "#e0aaff"), (500, "#ff9e00")):
        for i in range(1, 34):
            body.append(
                f'<circle cx="{x}" cy="300" r="{i * 16}" fill="none" stroke="{color}"'
                f' stroke-width="5" opacity="{svg.number(0.8 - i / 60)}"/>'
            )
    return svg.document(800, 600, [], body)


def starmap():
    """Made-up constellations on a dark globe."""
    chance = random.Random(31)
    definitions = [svg.gradient("globe", [(0, "#26457a"), (1, "#0a1230")], radial=True)]
    body = [svg.rectangle(0, 0, 800, 600, "#070b1e"), svg.circle(400, 300, 280, "url(#globe)")]
    for i in range(1, 6):
        for orbit in (f'rx="{i * 56}" ry="280"', f'rx="280" ry="{i * 56}"'):
            body.append(
                f'<ellipse cx="400" cy="300" {orbit} fill="none" stroke="#7fa3d8" opacity="0.3"/>'
            )
    for _ in range(240):
        angle, radius = chance.uniform(0, math.tau), 275 * math.sqrt(chance.random())
        x, y = 400 + radius * math.cos(angle), 300 + radius * math.sin(angle)
        body.append(svg.circle(x, y, chance.choice([0.8, 1, 1.4]), "#dfe9ff", opacity=0.8))
    names = ["LYNX", "HARP", "KITE", "FOX", "OAR"]
    for i, name in enumerate(names):
        x, y = 400 + 165 * math.cos(i * 1.257), 300 + 165 * math.sin(i * 1.257)
        figure = [(x + chance.uniform(-66, 66), y + chance.uniform(-66, 66)) for _ in range(6)]
        figure.sort(key=lambda spot: spot[0])
        body.append(svg.line(figure, "#ffd98a", 1.3, opacity=0.8))
        body += [svg.circle(a, b, 3.4, "#fff3cf") for a, b in figure]
        body.append(svg.text(x - 18, y + 92, 13, "#ffd98a", name, letter_spacing=2.0))
    return svg.document(800, 600, definitions, body)


FLAT = [sunflower, truchet, quilt, spirograph, hilbert]
SOFT = [contours, rings, starmap]
