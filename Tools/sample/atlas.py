"""A PDF of three pages, written by hand: vector drawings and a line of text each."""

import math

WIDTH, HEIGHT = 420, 560


def color(red, green, blue, operator="rg"):
    return f"{red:.3f} {green:.3f} {blue:.3f} {operator}"


def circle(x, y, radius):
    """Four Bézier curves; 0.5523 makes them round."""
    k = radius * 0.5523
    quarters = [
        (x + radius, y + k, x + k, y + radius, x, y + radius),
        (x - k, y + radius, x - radius, y + k, x - radius, y),
        (x - radius, y - k, x - k, y - radius, x, y - radius),
        (x + k, y - radius, x + radius, y - k, x + radius, y),
    ]
    start = f"{x + radius:.2f} {y:.2f} m"
    return "\n".join([start] + [" ".join(f"{v:.2f}" for v in q) + " c" for q in quarters])


def polygon(x, y, radius, corners, turn=0.0):
    spots = [
        (
            x + radius * math.cos(turn + i * math.tau / corners),
            y + radius * math.sin(turn + i * math.tau / corners),
        )
        for i in range(corners)
    ]
    first, *others = [f"{a:.2f} {b:.2f}" for a, b in spots]
    return "\n".join([f"{first} m"] + [f"{spot} l" for spot in others] + ["h"])


def page(title, note, body):
    words = [
        color(0.99, 0.975, 0.94), f"0 0 {WIDTH} {HEIGHT} re f", *body, color(0.15, 0.17, 0.25),
        f"BT /F1 30 Tf 36 {HEIGHT - 62} Td ({title}) Tj ET",
        f"BT /F2 12 Tf 36 36 Td ({note}) Tj ET",
    ]
    return "\n".join(words)


def circles():
    body = ["1.5 w"]
    for i in range(12):
        angle = i * math.tau / 12
        x, y = 210 + 82 * math.cos(angle), 270 + 82 * math.sin(angle)
        body += [color(0.5 + 0.5 * math.cos(angle), 0.35, 0.5 - 0.4 * math.sin(angle), "RG")]
        body += [circle(x, y, 82), "S"]
    return page("Circles", "Twelve circles through one point.", body)


def polygons():
    body = []
    for i in range(10):
        share = i / 9
        body += [color(0.95 - 0.8 * share, 0.45 + 0.2 * share, 0.25 + 0.5 * share)]
        body += [polygon(210, 270, 175 * 0.8**i, 6, i * 0.26), "f"]
    return page("Hexagons", "Each turned a little, and a little smaller.", body)


def waves():
    body = ["2 w"]
    for i in range(26):
        body.append(color(0.1, 0.25 + 0.02 * i, 0.75 - 0.02 * i, "RG"))
        spots = []
        for x in range(36, 385, 4):
            envelope = math.exp(-(((x - 210) / 90) ** 2))
            y = 110 + i * 13 + 26 * envelope * math.sin(x / 21 + i * 0.55)
            spots.append(f"{x} {y:.2f}")
        body += [f"{spots[0]} m"] + [f"{spot} l" for spot in spots[1:]] + ["S"]
    return page("Waves", "Twenty-six lines, one wave.", body)


def write(target):
    contents = [circles(), polygons(), waves()]
    count = len(contents)
    kids = " ".join(f"{5 + 2 * i} 0 R" for i in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for i, content in enumerate(contents):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {6 + 2 * i} 0 R"
            " /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    text = "%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    text += (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    )
    target.write_bytes(text.encode("ascii"))
