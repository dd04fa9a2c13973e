"""Builds one page: random but repeatable texts and URLs, and the list of the images that a reader of the page wants."""

import random
from dataclasses import dataclass, field

WORDS = (
    "harbour morning light bridge river garden winter market old town tower festival mountain lake forest street "
    "window museum portrait study detail autumn ferry boat cloud field stone church square night train station"
).split()


@dataclass
class Page:
    """A page with its truth. `wanted` holds absolute URLs of the best version of each wanted image."""

    family: str
    name: str
    url: str
    html: bytes
    wanted: list = field(default_factory=list)


class Builder:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.wanted = []
        self.used = set()

    def want(self, url):
        """Registers the best version of a wanted image, and returns it."""
        self.wanted.append(url)
        return url

    def choice(self, *options):
        return self.random.choice(options)

    def chance(self, share):
        return self.random.random() < share

    def number(self, low, high):
        return self.random.randint(low, high)

    def digits(self, count):
        return "".join(self.random.choice("0123456789") for _ in range(count))

    def hexadecimal(self, count):
        return "".join(self.random.choice("0123456789abcdef") for _ in range(count))

    def words(self, low=2, high=5):
        return " ".join(self.random.choice(WORDS) for _ in range(self.number(low, high)))

    def title(self):
        return self.words(3, 6).capitalize()

    def slug(self):
        """A part of a file name that no other image of the page has."""
        while True:
            slug = "-".join(self.words(2, 3).split()) + "-" + self.digits(3)
            if slug not in self.used:
                self.used.add(slug)
                return slug

    def paragraph(self):
        return "<p>" + ". ".join(self.words(6, 12).capitalize() for _ in range(self.number(1, 3))) + ".</p>"

    def many(self, low, high, make):
        """The joined results of `make` for a random number of items."""
        return "\n".join(make(index) for index in range(self.number(low, high)))

    def json(self, text):
        """The text with the slashes escaped, as PHP's json_encode writes them."""
        return text.replace("/", "\\/")


def tracker(b):
    """An image that only counts the visitors."""
    return b.choice(
        f'<img src="https://stats.example/g.gif?v={b.digits(5)}" alt="" width="1" height="1">',
        f'<noscript><img height="1" width="1" style="display:none" src="https://social.example/tr?id={b.digits(9)}&ev=PageView&noscript=1"/></noscript>',
        f'<img src="https://count.example/p?c1=2&c2={b.digits(7)}" style="position:absolute;width:1px;height:1px" alt="">',
        f'<noscript><div><img src="https://mc.example/watch/{b.digits(8)}" style="position:absolute; left:-9999px;" alt="" /></div></noscript>',
    )


def advertisement(b):
    return b.choice(
        f'<div class="ad-slot ad-{b.digits(2)}"><a href="https://ads.example/click?id={b.digits(6)}" rel="nofollow sponsored"><img src="https://ads.example/creative/{b.hexadecimal(8)}.jpg" width="300" height="250" alt="Advertisement"></a></div>',
        f'<div class="banner-728x90"><a href="https://go.example/aff/{b.digits(4)}"><img src="/uploads/banners/summer-728x90.png" alt="banner"></a></div>',
        f'<aside class="sponsored"><a href="https://shop.example/?utm_source=x"><img src="https://cdn.sponsor.example/{b.slug()}.png" alt="Sponsor"></a></aside>',
    )


def social(b, folder="/assets/img"):
    names = ["facebook", "twitter", "instagram", "pinterest"]
    return '<div class="social-share">' + "".join(
        f'<a href="https://{name}.example/share?u=x"><img src="{folder}/{name}.{b.choice("svg", "png")}" alt="{name}"></a>'
        for name in names[: b.number(2, 4)]
    ) + "</div>"


def head(b, title, url, image=None, extra="", generator=None):
    """The contents of a head with the usual links and, if there is one, the image for social networks."""
    parts = [
        '<meta charset="utf-8">',
        f"<title>{title}</title>",
        '<meta name="viewport" content="width=device-width">',
        '<link rel="icon" href="/favicon.ico" sizes="32x32">',
        '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
        f'<link rel="canonical" href="{url}">',
        f'<meta property="og:title" content="{title}">',
    ]
    if image:
        parts.append(f'<meta property="og:image" content="{image}">')
        if b.chance(0.5):
            parts.append(f'<meta name="twitter:image" content="{image}">')
    if generator:
        parts.append(f'<meta name="generator" content="{generator}">')
    return "<head>\n" + "\n".join(parts) + "\n" + extra + "\n</head>"


def document(head, body, language="en", attributes=""):
    return f'<!DOCTYPE html>\n<html lang="{language}">\n{head}\n<body {attributes}>\n{body}\n</body>\n</html>\n'
