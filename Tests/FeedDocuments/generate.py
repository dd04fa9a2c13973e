"""Generates feeds and sitemaps in the forms that programs write, with the entries that they are meant to have."""

import random
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

TITLES = ["A bird", "Käfer & Co", "x < y", "日本の花", "\"Quoted\" 'text'", "Two  spaces", "100 % real", "émile — 1"]
MEDIA = "http://search.yahoo.com/mrss/"


@dataclass
class Document:
    name: str
    kind: str
    url: str
    content: bytes
    title: str = ""
    # Of each item: its title and the URLs of its images, in order.
    items: list = field(default_factory=list)
    # The sitemaps that an index names.
    documents: list = field(default_factory=list)


def image(rng, extension=None):
    extension = extension or rng.choice(["jpg", "png", "webp", "gif", "pdf", "zip"])
    query = rng.choice(["", "", "?w=1&h=2", "?a=b;c"])
    name = rng.choice(["photo", "a b".replace(" ", "%20"), "IMG_1", "x.y", "%C3%A4"])
    return f"http://img.example/{rng.randrange(10**6)}/{name}.{extension}{query}"


def text(rng, value):
    """A text in one of the forms of XML."""
    form = rng.randrange(3)
    if form == 0 and "]]>" not in value:
        return f"<![CDATA[{value}]]>"
    if form == 1:
        return "".join(f"&#{ord(c)};" if ord(c) > 127 or c in "&<" else c for c in value)
    return escape(value)


def encoded(rng, body):
    """The bytes of a document in one of the encodings, declared."""
    encoding = rng.choice(["utf-8", "utf-8", "utf-8", "UTF-16", "iso-8859-1", "windows-1252", "none"])
    try:
        body.encode("utf-8" if encoding == "none" else encoding)
    except UnicodeEncodeError:
        encoding = "utf-8"
    if encoding == "none":
        return body.encode()
    declaration = f'<?xml version="1.0" encoding="{encoding}"?>' + rng.choice(["", "\n", "\n<!-- made -->\n"])
    mark = "\ufeff" if encoding == "utf-8" and rng.random() < 0.2 else ""
    return (mark + declaration + body).encode("utf-16" if encoding == "UTF-16" else encoding)


def size(rng, extra=""):
    return f' width="{rng.randrange(1, 50)}" height="{rng.randrange(1, 50)}"{extra}'


def media(rng, prefix, wanted):
    """Elements of Media RSS, whose images are appended to `wanted`."""
    form = rng.randrange(4)
    if form == 0:
        url = image(rng, "jpg")
        wanted.append(url)
        return f'<{prefix}:content url={quoteattr(url)} medium="image"{size(rng)}/>'
    if form == 1:
        small, large = image(rng, "jpg"), image(rng, "jpg")
        wanted.append(large)
        versions = [
            f"<{prefix}:content url={quoteattr(small)}{size(rng)} type='image/jpeg'/>",
            f'<{prefix}:content url={quoteattr(large)} width="900" height="800" type="image/jpeg"></{prefix}:content>',
        ]
        rng.shuffle(versions)
        return f"<{prefix}:group>{''.join(versions)}</{prefix}:group>"
    if form == 2:
        url, thumbnail = image(rng, "png"), image(rng, "png")
        wanted.append(url)
        return f"<{prefix}:thumbnail url={quoteattr(thumbnail)}/><{prefix}:content url={quoteattr(url)} type='image/png'/>"
    url = image(rng, "jpg")
    if not wanted:
        wanted.append(url)
    return f'<{prefix}:thumbnail url={quoteattr(url)} width="75" height="75"/>'


def item(rng, prefix, atom):
    wanted, parts = [], []
    title = rng.choice(TITLES)
    for _ in range(rng.choice([0, 1, 1, 2])):
        url = image(rng)
        wanted.append(url)
        type_ = rng.choice(["", ' type="image/jpeg"', " type='application/octet-stream'"])
        length = rng.choice(["", ' length="0"', ' length="1234"'])
        if atom:
            parts.append(f'<link rel="enclosure"{type_} href={quoteattr(url)}{length}/>')
        else:
            parts.append(f"<enclosure url={quoteattr(url)}{length}{type_}/>")
    if rng.random() < 0.3:
        url = f"http://media.example/{rng.randrange(10**6)}.mp3"
        parts.append(
            f'<link rel="enclosure" type="audio/mpeg" href="{url}"/>' if atom
            else f'<enclosure url="{url}" type="audio/mpeg" length="1"/>')
    if prefix and rng.random() < 0.7:
        parts.append(media(rng, prefix, wanted))
    link = f'<link href="http://example.org/{rng.randrange(99)}.html"/>' if atom else "<link>http://example.org/p</link>"
    head = [f"<title>{text(rng, title)}</title>", link, "<description>&lt;img src='x.jpg'&gt; text</description>"]
    if atom:
        head[2] = "<summary type='html'>&lt;img src='x.jpg'&gt;</summary>"
    if rng.random() < 0.5:
        parts, head = head, parts
    return (title, wanted), "".join(head + parts)


def feed(rng, number, kind):
    prefix = rng.choice(["media", "media", "m", ""]) if kind != "rss" else ""
    space = f' xmlns:{prefix}="{MEDIA}"' if prefix else ""
    title = rng.choice(TITLES)
    items = [item(rng, prefix, kind == "atom") for _ in range(rng.randrange(1, 6))]
    inner = rng.choice(["", "\n  "])
    if kind == "atom":
        body = f'<feed xmlns="http://www.w3.org/2005/Atom"{space}><title>{text(rng, title)}</title><id>x</id>'
        body += "".join(f"{inner}<entry><id>{i}</id>{markup}</entry>" for i, (_, markup) in enumerate(items)) + "</feed>"
    elif kind == "rdf":
        body = f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"{space}>'
        body += f"<channel rdf:about='x'><title>{text(rng, title)}</title><link>http://example.org/</link></channel>"
        body += "".join(f"{inner}<item rdf:about='{i}'>{markup}</item>" for i, (_, markup) in enumerate(items)) + "</rdf:RDF>"
    else:
        logo = rng.choice(["", "<image><url>http://img.example/logo.png</url><title>Logo</title></image>"])
        body = f'<rss version="2.0"{space}><channel><title>{text(rng, title)}</title>{logo}<link>http://example.org</link>'
        body += "".join(f"{inner}<item>{markup}</item>" for _, markup in items) + "</channel></rss>\n"
    return Document(
        f"{kind}-{number}", kind, "http://example.org/feed", encoded(rng, body), title, [found for found, _ in items])


def sitemap(rng, number):
    prefix = rng.choice(["image", "i"])
    body = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        f'xmlns:{prefix}="http://www.google.com/schemas/sitemap-image/1.1">')
    items = []
    for page in range(rng.randrange(1, 9)):
        location = f"http://example.org/{page}.html?a=1&b=2"
        images, markup = [], ""
        for _ in range(rng.choice([0, 1, 1, 3])):
            url = image(rng)
            title = rng.choice(["", f"<{prefix}:title>{text(rng, rng.choice(TITLES))}</{prefix}:title>"])
            space = rng.choice(["", "\n  "])
            markup += f"<{prefix}:image><{prefix}:loc>{space}{escape(url)}{space}</{prefix}:loc>{title}</{prefix}:image>"
            images.append(url)
        if not images and rng.random() < 0.3:
            location = image(rng)
            images = [location]
        body += f"\n<url><loc>{escape(location)}</loc><lastmod>2024-01-01</lastmod>{markup}</url>"
        items.append((location, images))
    return Document(
        f"sitemap-{number}", "sitemap", "http://example.org/sitemap.xml",
        f'<?xml version="1.0" encoding="UTF-8"?>\n{body}</urlset>'.encode(), items=items)


def index(rng, number):
    urls = [f"http://example.org/{n}.xml{rng.choice(['', '.gz', '?a=1&b=2'])}" for n in range(rng.randrange(1, 9))]
    body = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    body += "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>" for url in urls) + "</sitemapindex>"
    return Document(
        f"index-{number}", "index", "http://example.org/index.xml", ('<?xml version="1.0"?>' + body).encode(),
        documents=urls)


def documents(count=60, seed=24):
    rng = random.Random(seed)
    kinds = ["rss", "media", "rdf", "atom"]
    return (
        [feed(rng, n, kind) for kind in kinds for n in range(count)]
        + [sitemap(rng, n) for n in range(count)] + [index(rng, n) for n in range(count)])
