"""A tree in four seasons, for the archive."""

import math
import random

import svg

WIDTH, HEIGHT = 960, 640


def sky(stops):
    return [svg.gradient("sky", stops)], [svg.rectangle(0, 0, WIDTH, HEIGHT, "url(#sky)")]


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


def caption(name, color="#ffffff"):
    return svg.text(28, HEIGHT - 24, 20, color, name, opacity=0.8, letter_spacing=3.0)


def finish(definitions, body, name, color="#ffffff"):
    return svg.document(WIDTH, HEIGHT, definitions, body + [caption(name, color)])


def season(name):
    """One tree, four times."""
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


SEASONS = ["spring", "summer", "autumn", "winter"]
