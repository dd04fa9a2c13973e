"""Landscapes in layers: sky, light, ridges, and something in front. Each is a function of nothing."""

import math
import random

import svg

WIDTH, HEIGHT = 960, 640


def sky(stops):
    return [svg.gradient("sky", stops)], [svg.rectangle(0, 0, WIDTH, HEIGHT, "url(#sky)")]


def glow(x, y, radius, color, strength=0.9):
    definition = svg.gradient(
        "glow", [(0, color, strength), (0.35, color, strength * 0.4), (1, color, 0)], radial=True
    )
    return definition, svg.circle(x, y, radius, "url(#glow)")


def ridge(seed, base, height, roughness=0.55):
    """A mountain line by midpoint displacement; seen from the left to the right edge."""
    chance = random.Random(seed)
    line = [0.0, 0.0]
    spread = 1.0
    for _ in range(8):
        middle = [
            (a + b) / 2 + chance.uniform(-spread, spread) for a, b in zip(line, line[1:])
        ]
        line = [value for pair in zip(line, middle) for value in pair] + [line[-1]]
        spread *= roughness
    step = WIDTH / (len(line) - 1)
    return [(i * step, base - value * height) for i, value in enumerate(line)]


def hills(seed, base, height, waves):
    """A soft line: a few sine waves."""
    chance = random.Random(seed)
    parts = [
        (chance.uniform(0.6, 1.4) * wave, chance.uniform(0, math.tau), 1 / (i + 1))
        for i, wave in enumerate(waves)
    ]
    return [
        (x, base - height * sum(s * math.sin(w * x / WIDTH * math.tau + p) for w, p, s in parts))
        for x in range(0, WIDTH + 1, 8)
    ]


def ground(line, fill, **attributes):
    return svg.polygon(line + [(WIDTH, HEIGHT), (0, HEIGHT)], fill, **attributes)


def ridges(seed, count, top, bottom, far, near, height=70):
    """Ridges from far to near, each closer to the viewer's colour, with mist between them."""
    mist = svg.gradient("mist", [(0, far, 0), (1, far, 0.55)])
    body = []
    for i in range(count):
        share = i / max(1, count - 1)
        line = ridge(seed + i, top + (bottom - top) * share, height * (1.1 - 0.5 * share))
        body.append(ground(line, svg.mix(far, near, share)))
        if i < count - 1:
            body.append(ground(line, "url(#mist)"))
    return mist, body


def stars(seed, count, depth, color="#ffffff"):
    chance = random.Random(seed)
    return [
        svg.circle(
            chance.uniform(0, WIDTH), chance.uniform(0, depth), chance.choice([0.7, 0.9, 1.3, 1.9]),
            color, opacity=chance.uniform(0.35, 1),
        )
        for _ in range(count)
    ]


def pine(x, base, height, fill):
    """A fir: four stacked triangles on a trunk."""
    body = [svg.rectangle(x - height * 0.02, base - height * 0.1, height * 0.04, height * 0.12, fill)]
    for level in range(4):
        top = base - height * (1 - level * 0.17)
        half = height * (0.09 + 0.055 * level)
        low = top + height * 0.37
        body.append(svg.polygon([(x, top), (x + half, low), (x - half, low)], fill))
    return "".join(body)


def pines(seed, count, base, smallest, tallest, fill):
    chance = random.Random(seed)
    trees = [
        (chance.uniform(-20, WIDTH + 20), chance.uniform(-8, 8), chance.uniform(smallest, tallest))
        for _ in range(count)
    ]
    return [pine(x, base + shift, height, fill) for x, shift, height in trees]


def cloud(x, y, size, fill="#ffffff", opacity=0.85):
    puffs = [(-1.3, 0.15, 0.55), (-0.6, -0.2, 0.75), (0.2, -0.3, 0.9), (0.95, 0, 0.65), (1.5, 0.2, 0.4)]
    body = "".join(
        svg.circle(x + dx * size, y + dy * size, radius * size, fill) for dx, dy, radius in puffs
    )
    base = svg.rectangle(x - 1.8 * size, y + 0.1 * size, 3.6 * size, 0.48 * size, fill, rx=0.24 * size)
    return f'<g opacity="{opacity}">{body}{base}</g>'


def caption(name, color="#ffffff"):
    return svg.text(28, HEIGHT - 24, 20, color, name, opacity=0.8, letter_spacing=3.0)


def finish(definitions, body, name, color="#ffffff"):
    return svg.document(WIDTH, HEIGHT, definitions, body + [caption(name, color)])


def dawn():
    definitions, body = sky([(0, "#2f4b7c"), (0.45, "#d88fa0"), (0.7, "#ffc58a"), (1, "#ffe3b3")])
    definition, light = glow(620, 360, 320, "#fff0c2")
    mist, layers = ridges(11, 6, 370, 590, "#d79aa0", "#2a2444")
    body += [light, svg.circle(620, 360, 42, "#fff6dc")] + layers
    return finish(definitions + [definition, mist], body, "DAWN")


def noon():
    definitions, body = sky([(0, "#2e86c8"), (0.6, "#a8dcf0"), (1, "#e6f6f5")])
    far = ridge(25, 330, 150)
    snow = svg.gradient("snow", [(0, "#ffffff", 1), (0.14, "#ffffff", 0.9), (0.3, "#8fb0c6", 0)])
    lake = svg.gradient("lake", [(0, "#7cc3d8"), (1, "#1f6f8b")])
    body += [cloud(210, 110, 46), cloud(560, 70, 30, opacity=0.7), cloud(790, 150, 54)]
    body += [ground(far, "#6d8ca8"), ground(far, "url(#snow)")]
    body += [ground(hills(31, 420, 16, [2, 5]), "#4f8a5b")]
    body += [svg.rectangle(0, 440, WIDTH, 200, "url(#lake)")]
    chance = random.Random(5)
    for _ in range(70):
        y = 448 + 170 * chance.random() ** 1.5
        length = (y - 430) * chance.uniform(0.3, 1)
        x = chance.uniform(-20, WIDTH)
        body.append(svg.line([(x, y), (x + length, y)], "#e9fbff", 1.6, opacity=0.35))
    body += pines(8, 22, 452, 40, 90, "#234d36")
    return finish(definitions + [snow, lake], body, "NOON")


def dunes():
    definitions, body = sky([(0, "#3b1f5b"), (0.5, "#c2477a"), (0.75, "#ff9a5a"), (1, "#ffd08a")])
    definition, light = glow(250, 330, 280, "#ffd9a0")
    body += [light, svg.circle(250, 330, 58, "#fff0cf")]
    for i in range(5):
        share = i / 4
        line = hills(40 + i, 370 + 55 * i, 26 + 7 * i, [1, 2])
        shade = svg.gradient(
            f"dune{i}",
            [(0, svg.mix("#f2a65e", "#7a2f4d", share)), (1, svg.mix("#b4526a", "#2d1538", share))],
        )
        definitions.append(shade)
        body.append(ground(line, f"url(#dune{i})"))
        body.append(svg.line(line, "#ffe2b0", 1.5, opacity=0.5 - 0.08 * i))
    return finish(definitions + [definition], body, "DUNES")


def night():
    definitions, body = sky([(0, "#060b24"), (0.6, "#1b2d5c"), (1, "#4a5f93")])
    definition, light = glow(720, 150, 210, "#cfdcff", 0.55)
    mist, layers = ridges(61, 4, 400, 570, "#3a4d80", "#070b1d")
    body += stars(3, 260, 460)
    crescent = "M735 106A46 46 0 1 0 765 160A40 40 0 1 1 735 106Z"
    body += [light, svg.path(crescent, fill="#f4f1de")]
    body += layers + pines(4, 34, 640, 60, 170, "#04060f")
    return finish(definitions + [definition, mist], body, "NIGHT")


def aurora():
    definitions, body = sky([(0, "#030d1f"), (0.7, "#0c3043"), (1, "#17505a")])
    body += stars(9, 200, 480)
    curtain = svg.gradient(
        "curtain",
        [(0, "#7b5cff", 0), (0.35, "#3fe0b0", 0.35), (0.85, "#9dffb0", 0.8), (1, "#9dffb0", 0)],
    )
    soft = svg.blur("soft", 5)
    chance = random.Random(17)
    for band in range(3):
        phase = chance.uniform(0, math.tau)
        for x in range(-20, WIDTH + 20, 7):
            wave = math.sin(x / 150 + phase) * 45 + math.sin(x / 61 + 2 * phase) * 20
            height = 170 + 60 * math.sin(x / 47 + phase) + chance.uniform(-25, 25)
            low = 300 + band * 55 + wave
            body.append(
                svg.rectangle(
                    x, low - height, 12, height, "url(#curtain)", filter="url(#soft)",
                    opacity=0.42 - 0.08 * band,
                )
            )
    body += [ground(ridge(73, 520, 60), "#0a2230"), ground(ridge(74, 580, 36), "#06141e")]
    body += pines(12, 40, 640, 50, 150, "#030a10")
    return finish(definitions + [curtain, soft], body, "AURORA")


def city():
    definitions, body = sky([(0, "#1d1b4c"), (0.5, "#7d3c7f"), (0.8, "#ff8660"), (1, "#ffc46b")])
    chance = random.Random(29)
    water = 520
    reflection = []
    for layer, (color, low, high) in enumerate(
        [("#5a3a78", 120, 250), ("#3a2a62", 90, 330), ("#1a1740", 60, 240)]
    ):
        x = -10.0
        while x < WIDTH:
            width, height = chance.uniform(34, 78), chance.uniform(low, high)
            body.append(svg.rectangle(x, water - height, width, height, color))
            if chance.random() < 0.3:
                body.append(svg.rectangle(x + width / 2 - 1, water - height - 34, 2, 34, color))
            reflection.append(
                svg.rectangle(x, water, width, height * 0.42, color, opacity=0.45)
            )
            for row in range(int(height / 13) - 1 if layer else 0):
                for column in range(int(width / 11)):
                    if chance.random() < 0.32:
                        body.append(
                            svg.rectangle(
                                x + 4 + column * 11, water - height + 8 + row * 13, 5, 7,
                                chance.choice(["#ffd98a", "#fff0c4", "#ffb86b"]),
                                opacity=chance.uniform(0.5, 1),
                            )
                        )
            x += width + chance.uniform(-4, 12)
    lake = svg.gradient("lake", [(0, "#c86a6a"), (1, "#251d4a")])
    body += [svg.rectangle(0, water, WIDTH, HEIGHT - water, "url(#lake)")] + reflection
    for _ in range(120):
        x, y = chance.uniform(0, WIDTH), water + 4 + 110 * chance.random()
        body.append(svg.line([(x, y), (x + chance.uniform(8, 40), y)], "#ffcf96", 1.2, opacity=0.35))
    return finish(definitions + [lake], body, "CITY")


def sea():
    definitions, body = sky([(0, "#17406d"), (0.5, "#4fa3b8"), (0.68, "#ffdf9e"), (1, "#ffdf9e")])
    definition, light = glow(480, 400, 330, "#fff3c9")
    body += [light, svg.circle(480, 396, 54, "#fffbe8"), cloud(180, 160, 34, "#fff3dc", 0.6)]
    body += [cloud(760, 110, 42, "#fff3dc", 0.55)]
    for i in range(9):
        line = hills(90 + i, 424 + i * i * 2.6, 2 + 1.5 * i, [3 + 9 / (i + 1), 7])
        body.append(ground(line, svg.mix("#5fb0b7", "#0c2f4f", i / 8)))
        if i == 2:
            body.append(svg.polygon([(636, 440), (704, 440), (690, 458), (650, 458)], "#3a2323"))
            body.append(svg.polygon([(668, 340), (668, 434), (716, 434)], "#fff8ec"))
            body.append(svg.polygon([(662, 356), (662, 434), (628, 434)], "#f2c9a1"))
    chance = random.Random(6)
    for _ in range(60):
        y = 430 + 200 * chance.random()
        spread = 30 + (y - 430) * 0.5
        x = 480 + chance.uniform(-spread, spread)
        body.append(svg.line([(x, y), (x + chance.uniform(6, 26), y)], "#fff3c9", 2, opacity=0.5))
    return finish(definitions + [definition], body, "SEA")


def forest():
    definitions, body = sky([(0, "#dfe9e2"), (1, "#9fbcae")])
    definition, light = glow(330, 170, 330, "#fffbe0", 0.9)
    fog = svg.gradient("fog", [(0, "#cfe0d6", 0), (1, "#cfe0d6", 0.75)])
    body.append(light)
    for i in range(6):
        share = i / 5
        color = svg.mix("#a9c3b5", "#12291f", share)
        base = 330 + 66 * i
        body += pines(50 + i, 34 - 4 * i, base, 90 + 30 * i, 150 + 40 * i, color)
        body.append(ground(hills(60 + i, base - 6, 8, [2, 3]), color))
        if i < 5:
            body.append(svg.rectangle(0, base - 150, WIDTH, 186, "url(#fog)"))
    body.append(ground(hills(70, 622, 6, [2, 5]), "#0d2017"))
    return finish(definitions + [definition, fog], body, "FOREST")


def season(name):
    """One tree, four times: for the archive."""
    skies = {
        "spring": ("#9ad4f0", "#fdf6e3", "#8fc46a", ["#f7b7cf", "#fbd3e0", "#f48fb1"]),
        "summer": ("#3f9bd8", "#d7f1fb", "#4f9a3d", ["#3b8a34", "#56a644", "#78c257"]),
        "autumn": ("#b98a5e", "#ffe9c4", "#a97b3c", ["#d9622b", "#f09a35", "#b83a26"]),
        "winter": ("#7d93ad", "#eef3f8", "#f4f8fb", ["#ffffff", "#e3edf5", "#d3e0ec"]),
    }
    top, bottom, grass, leaves = skies[name]
    definitions, body = sky([(0, top), (1, bottom)])
    body.append(ground(hills(5, 520, 18, [1, 2]), grass))
    chance = random.Random(21)
    twigs = []

    def grow(x, y, angle, length, width):
        tip = (x + math.cos(angle) * length, y - math.sin(angle) * length)
        body.append(svg.line([(x, y), tip], "#4a3328", width, stroke_linecap="round"))
        if width < 2.2:
            twigs.append(tip)
            return
        for turn in (-0.42, 0.38, chance.uniform(-0.15, 0.15)):
            grow(*tip, angle + turn + chance.uniform(-0.12, 0.12), length * 0.76, width * 0.62)

    grow(480, 560, math.pi / 2, 128, 30)
    share = {"spring": 0.8, "summer": 1, "autumn": 0.7, "winter": 0.22}[name]
    for x, y in twigs:
        for _ in range(4):
            if chance.random() < share:
                body.append(
                    svg.circle(
                        x + chance.uniform(-22, 22), y + chance.uniform(-20, 20),
                        chance.uniform(5, 13), chance.choice(leaves), opacity=0.8,
                    )
                )
    for _ in range({"spring": 40, "summer": 0, "autumn": 90, "winter": 170}[name]):
        low = 20 if name == "winter" else 500
        body.append(
            svg.circle(
                chance.uniform(0, WIDTH), chance.uniform(low, 630), chance.uniform(2, 5),
                chance.choice(leaves), opacity=0.85,
            )
        )
    return finish(definitions, body, name.upper(), "#33302c" if name != "summer" else "#ffffff")


SCENES = [dawn, noon, dunes, night, aurora, city, sea, forest]
SEASONS = ["spring", "summer", "autumn", "winter"]
