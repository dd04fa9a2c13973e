"""A little SVG: just the elements that the sample's pictures are made of."""


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def points(pairs):
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def polygon(pairs, fill, **attributes):
    return f'<polygon points="{points(pairs)}" fill="{fill}"{extra(attributes)}/>'


def line(pairs, stroke, width, **attributes):
    return (
        f'<polyline points="{points(pairs)}" fill="none" stroke="{stroke}"'
        f' stroke-width="{number(width)}"{extra(attributes)}/>'
    )


def circle(x, y, radius, fill, **attributes):
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        f' fill="{fill}"{extra(attributes)}/>'
    )


def rectangle(x, y, width, height, fill, **attributes):
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}"'
        f' height="{number(height)}" fill="{fill}"{extra(attributes)}/>'
    )


def path(data, **attributes):
    return f'<path d="{data}"{extra(attributes)}/>'


def text(x, y, size, fill, content, **attributes):
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="DejaVu Sans" font-size="{size}"'
        f' fill="{fill}"{extra(attributes)}>{content}</text>'
    )


def gradient(name, stops, radial=False):
    """From top to bottom, or from the centre outwards; stops are (offset, colour[, opacity])."""
    body = "".join(
        f'<stop offset="{stop[0]}" stop-color="{stop[1]}" stop-opacity="{(stop + (1,))[2]}"/>'
        for stop in stops
    )
    if radial:
        return f'<radialGradient id="{name}">{body}</radialGradient>'
    return f'<linearGradient id="{name}" x1="0" y1="0" x2="0" y2="1">{body}</linearGradient>'


def blur(name, deviation):
    return (
        f'<filter id="{name}" x="-50%" y="-50%" width="200%" height="200%">'
        f'<feGaussianBlur stdDeviation="{number(deviation)}"/></filter>'
    )


def document(width, height, definitions, body):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}"><defs>{"".join(definitions)}</defs>'
        f'{"".join(body)}</svg>'
    )


def mix(first, second, share):
    """The colour between two `#rrggbb`: the first at 0, the second at 1."""
    pairs = zip((1, 3, 5), (first, first, first), (second, second, second))
    channels = (
        round(int(a[i : i + 2], 16) * (1 - share) + int(b[i : i + 2], 16) * share)
        for i, a, b in pairs
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def extra(attributes):
    return "".join(
        f' {name.replace("_", "-")}="{number(value) if isinstance(value, float) else value}"'
        for name, value in attributes.items()
    )
