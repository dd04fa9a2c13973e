"""Slices of a body that nobody has: ellipsoids of different density, as a computed tomograph would show them.

Each slice is a PNG of 8 bits a pixel, because imgdl keeps DICOM files and does not draw them."""

import struct
import zlib

import numpy as np

SIDE = 288
SLICES = 12

# Density on the scale of Hounsfield, centre (x, y, z) and half-axes in parts of the picture.
ORGANS = [
    (45, (0, 0, 0), (0.80, 0.60, 9)),  # chest
    (-40, (0, 0, 0), (0.74, 0.54, 9)),  # fat below the skin is what remains around
    (50, (0, 0, 0), (0.72, 0.52, 9)),  # muscle
    (-830, (-0.36, -0.02, 0.05), (0.27, 0.40, 0.95)),  # lungs
    (-830, (0.37, -0.02, 0.05), (0.25, 0.39, 0.92)),
    (55, (0.09, -0.10, -0.15), (0.22, 0.20, 0.62)),  # heart
    (160, (0.05, -0.12, -0.10), (0.10, 0.08, 0.36)),  # with contrast medium in its chambers
    (170, (0.16, -0.06, -0.25), (0.08, 0.09, 0.30)),
    (190, (0.04, 0.24, 0), (0.055, 0.055, 9)),  # aorta
    (60, (-0.24, 0.02, -1.0), (0.42, 0.40, 0.55)),  # liver, rising into the lowest slices
    (-900, (0, 0.07, 0.7), (0.045, 0.05, 0.55)),  # windpipe
    (420, (0, 0.38, 0), (0.12, 0.09, 9)),  # spine
    (120, (0, 0.38, 0), (0.08, 0.055, 9)),
    (20, (0, 0.50, 0), (0.045, 0.035, 9)),
    (500, (0, -0.49, 0.2), (0.10, 0.022, 0.9)),  # breastbone
]
WINDOW = (-900, 420)


def body(z, x, y, chance):
    density = np.full(x.shape, -1000.0)
    for value, (cx, cy, cz), (rx, ry, rz) in ORGANS:
        inside = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 + ((z - cz) / rz) ** 2 < 1
        density[inside] = value
    # Ribs go round the chest and sink on their way to the front.
    angle = np.arctan2(y / 0.55, x / 0.75)
    ring = np.hypot(x / 0.755, y / 0.555)
    rib = (np.sin((z * 4.2 + np.sin(angle) * 1.1) * np.pi) > 0.62) & (np.abs(ring - 0.985) < 0.032)
    density[rib] = 520
    # Vessels of the lungs become smaller towards the outside.
    lungs = density < -700
    for _ in range(170):
        cx, cy = chance.uniform(-0.6, 0.6), chance.uniform(-0.38, 0.36)
        radius = 0.006 + 0.02 * chance.random() ** 3 * (1 - np.hypot(cx, cy))
        density[lungs & (np.hypot(x - cx, y - cy) < radius)] = 20
    return density


def blurred(picture):
    for axis in (0, 1):
        picture = (np.roll(picture, 1, axis) + 2 * picture + np.roll(picture, -1, axis)) / 4
    return picture


def png(pixels):
    """Greys of one byte, each row as its difference to the row above."""
    above = np.vstack([np.zeros((1, SIDE), np.uint8), pixels[:-1]])
    rows = np.hstack([np.full((SIDE, 1), 2, np.uint8), pixels - above])

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">2I5B", SIDE, SIDE, 8, 0, 0, 0, 0)
    packed = zlib.compress(rows.tobytes(), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def slices():
    """The slices from bottom to top, as PNG."""
    axis = np.linspace(-1, 1, SIDE)
    x, y = np.meshgrid(axis, axis)
    for number in range(SLICES):
        chance = np.random.default_rng(number)
        z = -0.9 + 1.8 * number / (SLICES - 1)
        density = blurred(blurred(body(z, x, y, chance)))
        density += blurred(chance.standard_normal(x.shape)) * 26
        low, high = WINDOW
        grey = np.clip((density - low) / (high - low), 0, 1) * 255
        yield png((grey / 6).round().astype(np.uint8) * 6)
