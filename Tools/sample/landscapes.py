"""Landscapes that look like photographs: a height field from noise, light with shadows, haze, water and clouds. Each is a
function of nothing, and returns its pixels as an array of bytes (height, width, 3)."""

import numpy as np

WIDTH, HEIGHT = 960, 640
SIDE = 1024  # of the height field, which repeats
FAR = 2600
HORIZON = 235


def noise(seed, slope, size=SIDE):
    """A random field that repeats; its detail falls with the power `slope` of the frequency. From 0 to 1."""
    chance = np.random.default_rng(seed)
    fx, fy = np.meshgrid(np.fft.fftfreq(size), np.fft.fftfreq(size))
    amplitude = np.hypot(fx, fy)
    amplitude[0, 0] = 1
    amplitude = amplitude**-slope
    amplitude[0, 0] = 0
    field = np.fft.ifft2(np.fft.fft2(chance.standard_normal((size, size))) * amplitude).real
    return (field - field.min()) / (field.max() - field.min())


def ridged(seed, slope=1.75):
    return (1 - np.abs(2 * noise(seed, slope) - 1)) ** 1.4 * 0.7 + 0.3 * noise(seed + 1, slope)


def color(text):
    return np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]) ** 2.2


def mix(a, b, share):
    share = np.asarray(share)[..., None]
    return a * (1 - share) + b * share


def lit(ground, heights, sun, ambient, strength):
    """The ground in the light of the sun, which ridges keep out of what lies behind them."""
    dy, dx = np.gradient(heights)
    normal = np.stack([-dx, np.ones_like(dx), -dy], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    light = np.clip(normal @ sun, 0, 1)
    shadow = np.zeros_like(heights)
    flat = max(1e-3, np.hypot(sun[0], sun[2]))
    for step in range(2, 160, 3):
        shift = (-round(sun[2] / flat * step), -round(sun[0] / flat * step))
        above = np.roll(heights, shift, (0, 1)) - heights - step * sun[1] / flat
        shadow = np.maximum(shadow, np.clip(above / 3, 0, 1))
    return ground * (ambient + strength * (light * (1 - 0.85 * shadow))[..., None])


def sky(top, low, sun_color, sun, clouds=None, cloud_color=None, cover=0.52):
    """The sky over the whole picture, also below the horizon, where water reflects it."""
    x = (np.arange(WIDTH) - WIDTH / 2) / WIDTH
    y = (HORIZON - np.arange(HEIGHT)) / WIDTH
    x, y = np.meshgrid(x, np.abs(y))
    picture = mix(low, top, np.clip(y * 4.2, 0, 1) ** 0.6)
    distance = np.hypot(x - sun[0] * 0.5, y - sun[1] * 0.7)
    picture = picture + sun_color * (0.55 * np.exp(-distance * 7) + 0.25 * np.exp(-distance * 2.6))[..., None]
    picture = picture + sun_color * (6 * np.clip((0.021 - distance) * 260, 0, 1))[..., None]
    if clouds is not None:
        field = noise(clouds, 1.65)
        depth = 0.09 / np.maximum(y + 0.02, 0.02)
        row = (depth * 700).astype(int) % SIDE
        column = (x * depth * 900).astype(int) % SIDE
        thick = np.clip((field[row, column] - cover) * 5, 0, 1) * np.clip(y * 11, 0, 1)
        edge = np.roll(field, 9, 0)[row, column]
        shade = np.clip(0.65 + 2.2 * (field[row, column] - edge), 0.35, 1.1)
        picture = mix(picture, cloud_color * shade[..., None], thick * 0.9)
    return picture


def render(heights, ground, backdrop, haze, *, eye, origin, water=None, water_color=None, fog=1.0, glint=0.0, tint=None):
    """Draws columns of the ground from near to far over the backdrop."""
    picture = backdrop.copy()
    # The eye is above the ground on which it stands.
    near = np.ix_((np.arange(-14, 30) + origin[1]) % SIDE, (np.arange(-14, 15) + origin[0]) % SIDE)
    eye = max(eye, heights[near].max() + 14)
    lowest = np.full(WIDTH, HEIGHT)
    rows = np.arange(HEIGHT)[:, None]
    angles = (np.arange(WIDTH) - WIDTH / 2) / WIDTH * 1.15
    chance = np.random.default_rng(1)
    ripple = noise(99, 1.1)
    depth = 6.0
    while depth < FAR:
        x = (origin[0] + angles * depth) % SIDE
        z = (origin[1] + depth) % SIDE
        x0, z0 = x.astype(int), int(z)
        fx, fz = x - x0, z - z0
        x1, z1 = (x0 + 1) % SIDE, (z0 + 1) % SIDE

        def at(field):
            near = field[z0, x0].T * (1 - fx) + field[z0, x1].T * fx
            far = field[z1, x0].T * (1 - fx) + field[z1, x1].T * fx
            return (near * (1 - fz) + far * fz).T

        height = at(heights)
        paint = at(ground)
        share = 1 - np.exp(-((depth / FAR * 2.6) ** 1.25) * fog)
        isWater = np.zeros(WIDTH, bool)
        if water is not None:
            isWater = height < water
            height = np.maximum(height, water)
        row = HORIZON + (eye - height) * 620 / depth
        paint = mix(paint, haze, np.full(WIDTH, share))
        top = np.clip(row, 0, HEIGHT).astype(int)
        if water is not None and isWater.any():
            # Waves are long across the view, and smaller than a pixel far away.
            across = (angles * depth * 2.2 + 3000) % SIDE
            left = across.astype(int)
            line = ripple[int(depth * 9) % SIDE]
            wave = line[left] * (left + 1 - across) + line[(left + 1) % SIDE] * (across - left) - 0.5
            mirror = np.clip(HORIZON - (row - HORIZON) * 0.55 + wave * 50, 0, HORIZON - 1).astype(int)
            reflected = backdrop[mirror, np.arange(WIDTH)]
            fresnel = np.clip(0.25 + 0.65 * (depth / 700), 0, 0.9)
            surface = mix(water_color, reflected, np.full(WIDTH, fresnel))
            if glint:
                near_sun = np.exp(-(((np.arange(WIDTH) - glint) / (60 + 40000 / (depth + 60))) ** 2))
                surface = surface + tint * (near_sun * np.clip(wave * 6, 0, 1.6))[:, None]
            paint = np.where(isWater[:, None], mix(surface, haze, np.full(WIDTH, share * 0.8)), paint)
        first, last = top.min(), lowest.max()
        if first < last:
            drawn = (rows[first:last] >= top) & (rows[first:last] < lowest)
            picture[first:last] = np.where(drawn[..., None], paint[None], picture[first:last])
            lowest = np.minimum(lowest, top)
        depth *= 1.0042
        depth += 0.18
    grain = chance.standard_normal((HEIGHT, WIDTH, 1)) * 0.004
    return develop(picture + grain)


def develop(picture):
    """What a camera makes of light: bright parts are compressed, edges are darker."""
    x, y = np.meshgrid(np.linspace(-1, 1, WIDTH), np.linspace(-1, 1, HEIGHT))
    picture = np.clip(picture, 0, None) * (1 - 0.16 * (x * x + y * y))[..., None]
    picture = picture * (2.51 * picture + 0.03) / (picture * (2.43 * picture + 0.59) + 0.14)
    return (np.clip(picture, 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)


def lake(heights, share):
    """A level that covers a share of the land, and a place from which the widest hollow is seen."""
    wave = np.hypot(*np.meshgrid(np.fft.fftfreq(SIDE), np.fft.fftfreq(SIDE)))
    smooth = np.fft.ifft2(np.fft.fft2(heights) * np.exp(-((wave * 260) ** 2))).real
    z, x = np.unravel_index(np.argmin(smooth), smooth.shape)
    return float(np.quantile(heights, share)), (int(x), int(z) - 130)


def toward(x, y, z):
    sun = np.array([x, y, z], float)
    return sun / np.linalg.norm(sun)


def surface(heights, *layers, seed=5):
    """Colours by height and slope: each layer is (colour, from which share of the height, on slopes up to which)."""
    dy, dx = np.gradient(heights)
    slope = np.hypot(dx, dy)
    share = (heights - heights.min()) / np.ptp(heights) + 0.10 * (noise(seed, 1.2) - 0.5)
    paint = np.broadcast_to(layers[0][0], heights.shape + (3,)).copy()
    for shade, start, steep in layers[1:]:
        paint = mix(paint, shade, np.clip((share - start) * 14, 0, 1) * np.clip((steep - slope) * 6, 0, 1))
    return paint * (0.72 + 0.56 * noise(seed + 1, 0.7))[..., None]


def dawn():
    heights = ridged(11) ** 1.3 * 260
    sun = toward(0.35, 0.16, 0.9)
    paint = lit(surface(heights, (color("#5a4a48"), 0, 9), (color("#4c5a38"), 0, 0.8)), heights, -sun * [1, -1, 1],
        color("#6d6a90") * 0.7, color("#ffb27a") * 1.5)
    back = sky(color("#3f5c94"), color("#f3b08c"), color("#ffc27d"), sun, 31, color("#f0b3a6"), 0.5)
    return render(heights, paint, back, color("#e0a894"), eye=285, origin=(120, 40), fog=1.7)


def noon():
    heights = ridged(27, 2.0) ** 1.6 * 190
    water, origin = lake(heights, 0.3)
    sun = toward(-0.5, 0.75, -0.35)
    paint = surface(heights, (color("#6f675c"), 0, 9), (color("#4f6b32"), -1, 1.0), (color("#8c857a"), 0.5, 9),
        (color("#f4f7fb"), 0.52, 1.5))
    paint = lit(paint, heights, sun, color("#a8c4e6") * 0.45, color("#fff4dd") * 1.15)
    back = sky(color("#2a6fc0"), color("#b9d8ee"), color("#fff6e0") * 0.5, toward(-0.8, 0.9, 0.2), 35, color("#ffffff"), 0.53)
    return render(heights, paint, back, color("#b4cfe6"), eye=water + 24, origin=origin, water=water,
        water_color=color("#0f3a4a"), fog=0.9)


def dunes():
    field = noise(41, 2.1)
    heights = (np.abs(np.sin(field * 19 + noise(42, 2.2) * 5)) ** 1.3 * 62 + field * 110)
    sun = toward(0.9, 0.26, 0.15)
    paint = surface(heights, (color("#d49a5f"), 0, 9), (color("#e2b077"), 0.4, 9))
    paint = lit(paint, heights, sun, color("#8a6f9a") * 0.42, color("#ffc489") * 1.5)
    back = sky(color("#4a78b4"), color("#f2c79a"), color("#ffd29a"), toward(0.8, 0.3, 0.6))
    return render(heights, paint, back, color("#e8bd93"), eye=205, origin=(500, 160), fog=1.8)


def night():
    heights = ridged(61, 2.0) ** 1.6 * 280
    water, origin = lake(heights, 0.34)
    moon = toward(0.5, 0.5, 0.4)
    paint = surface(heights, (color("#3b4048"), 0, 9), (color("#dfe7f5"), 0.5, 1.4))
    paint = lit(paint, heights, moon, color("#22345c") * 0.5, color("#9db4e8") * 0.5)
    back = sky(color("#050b22"), color("#27407a"), color("#8ea6dd") * 0.28, moon)
    back = back + stars(3, 900)
    return render(heights, paint, back, color("#1d3058"), eye=water + 22, origin=origin, water=water,
        water_color=color("#040a18"), fog=1.6, glint=720, tint=color("#a8bdf0") * 0.35)


def stars(seed, count):
    chance = np.random.default_rng(seed)
    field = np.zeros((HEIGHT, WIDTH, 3))
    y = (chance.random(count) ** 1.3 * HORIZON).astype(int)
    x = (chance.random(count) * WIDTH).astype(int)
    field[y, x] = (chance.random((count, 1)) ** 3) * (0.8 + 0.4 * chance.random((count, 3)))
    return field + 0.35 * (np.roll(field, 1, 1) + np.roll(field, 1, 0))


def aurora():
    heights = ridged(73, 2.0) ** 1.6 * 200
    water, origin = lake(heights, 0.36)
    paint = surface(heights, (color("#30383f"), 0, 9), (color("#e8f1f4"), 0.32, 1.6))
    paint = lit(paint, heights, toward(0.1, 0.9, 0.2), color("#1d4a48") * 0.55, color("#58c79a") * 0.16)
    back = sky(color("#030a1c"), color("#123a44"), color("#3fe0b0") * 0.12, toward(-0.1, 0.4, 1)) + stars(9, 700)
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    streaks = noise(18, 0.9)[40, :WIDTH]
    for band, base in enumerate((196, 150, 212)):
        wave = 46 * np.sin(x / 173 + band * 2.1) + 22 * np.sin(x / 71 + band) + 8 * np.sin(x / 29)
        over = base - 30 * band + wave - y
        fall = np.exp(-np.clip(over, 0, None) / (58 + 40 * streaks[x])) * np.clip(over / 7 + 1, 0, 1)
        ray = 0.45 + 1.1 * streaks[x] * (0.6 + 0.4 * np.sin(x / (9 + 3 * band)))
        shade = mix(color("#49ff9c"), color("#8a5cff"), np.clip(over / 190, 0, 1))
        back = back + shade * (fall * ray * (0.44 - 0.11 * band))[..., None]
    return render(heights, paint, back, color("#10303a"), eye=water + 26, origin=origin, water=water,
        water_color=color("#04121a"), fog=1.6)


def city():
    """Blocks of a city in the evening, with lit windows, seen over water."""
    back = sky(color("#26305f"), color("#f2a173"), color("#ff9c5f"), toward(0.25, 0.07, 1), 37, color("#c98a94"), 0.5)
    chance = np.random.default_rng(29)
    shore = 470
    rows, columns = np.meshgrid(np.arange(HEIGHT), np.arange(WIDTH), indexing="ij")
    for layer in range(5):
        share = layer / 4
        wall = mix(color("#b58a92"), color("#141626"), share**0.7)
        x = -20
        while x < WIDTH:
            width = int(chance.integers(26, 62) * (0.7 + 0.5 * share))
            height = min(shore - 60, int(chance.gamma(5, 22) * (0.9 + 0.35 * share) + 24))
            top, left, right = shore - height, max(0, x), min(WIDTH, x + width)
            if right > left:
                block = back[top:shore, left:right]
                side = np.linspace(1.16, 0.8, right - left)[None, :, None]
                block[:] = wall * side * np.linspace(1.1, 0.92, height)[:, None, None]
                r, c = rows[top:shore, left:right] - top, columns[top:shore, left:right] - x
                pane = (r % 7 < 4) & (c % 6 < 3) & (r > 6) & (c > 2)
                burning = np.random.default_rng((x + WIDTH) * 7 + layer).random((height // 7 + 1, width // 6 + 1)) < 0.34
                warm = mix(color("#ffca7a"), color("#fff0cf"), (r // 7 * 31 + c // 6 * 17) % 10 / 10)
                on = pane & burning[r // 7, c // 6] & (layer > 0)
                block[on] = block[on] * 0.3 + warm[on] * (0.35 + 0.5 * share)
                if chance.random() < 0.25:
                    back[max(0, top - 26) : top, (left + right) // 2] = wall
            x += width + int(chance.integers(-6, 8))
    # The water: the picture above it, upside down, drawn out by waves.
    wave = noise(77, 1.2)
    for row in range(shore, HEIGHT):
        deep = row - shore
        swing = (wave[(row * 9) % SIDE, :WIDTH] - 0.5) * (6 + deep * 0.5)
        source = np.clip(shore - 1 - deep * 1.15 + swing * 1.6, 0, shore - 1).astype(int)
        aside = np.clip(np.arange(WIDTH) + swing * 0.35, 0, WIDTH - 1).astype(int)
        back[row] = back[source, aside] * (0.72 - 0.0016 * deep) + color("#0a1a2e") * 0.12
    grain = np.random.default_rng(1).standard_normal((HEIGHT, WIDTH, 1)) * 0.004
    return develop(back * 1.05 + grain)


def sea():
    heights = ridged(90, 2.1) ** 2.2 * 150
    water, origin = lake(heights, 0.62)
    sun = toward(0.0, 0.13, 1)
    paint = surface(heights, (color("#584c44"), 0, 9), (color("#46543a"), 0.2, 0.9))
    paint = lit(paint, heights, toward(0.2, 0.4, -0.6), color("#8d8fae") * 0.5, color("#ffc48c") * 0.6)
    back = sky(color("#31619c"), color("#ffcf94"), color("#ffd08a"), sun, 33, color("#f6c7ae"), 0.5)
    return render(heights, paint, back, color("#efbf98"), eye=water + 20, origin=origin, water=water,
        water_color=color("#0b3446"), fog=1.5, glint=480, tint=color("#ffd79a") * 1.1)


def forest():
    """Hills under trees, each of which is a point of the height field."""
    land = noise(52, 1.9) * 190
    chance = np.random.default_rng(53)
    trees = np.zeros((SIDE, SIDE))
    for y, x, tall in zip(chance.integers(0, SIDE, 42000), chance.integers(0, SIDE, 42000), chance.uniform(5, 12, 42000)):
        trees[y, x] = tall
    cone = trees.copy()
    for step in (1, 2):
        for shift in ((step, 0), (-step, 0), (0, step), (0, -step)):
            cone = np.maximum(cone, np.roll(trees, shift, (0, 1)) - 3.4 * step)
    heights = land + np.clip(cone, 0, None)
    ground = mix(color("#3a4a2a"), color("#1f3d24"), np.clip(cone / 6, 0, 1))
    ground = mix(ground, color("#6b6a2f"), np.clip((noise(54, 1.4) - 0.6) * 4, 0, 1)) * (0.7 + 0.6 * noise(55, 0.5))[..., None]
    sun = toward(-0.6, 0.5, 0.5)
    paint = lit(ground, heights, sun, color("#9fb7b4") * 0.4, color("#ffe9bf") * 1.2)
    back = sky(color("#8fb2c4"), color("#e6eadf"), color("#fff4d6") * 0.6, toward(-0.5, 0.42, 0.6), 36, color("#f4f5f0"), 0.5)
    return render(heights, paint, back, color("#d3dcd6"), eye=190, origin=(420, 90), fog=1.5)


SCENES = [dawn, noon, dunes, night, aurora, city, sea, forest]
