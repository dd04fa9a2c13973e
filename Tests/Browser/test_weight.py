"""The weight of the page."""

import gzip
import re
from pathlib import Path

FILES = Path(__file__).parents[2] / "Modules/WebPage/Files"

FIRST, ALL = 60 << 10, 120 << 10
"""The largest sums of sizes with gzip in bytes: of the document, which contains the style sheet and a script, with the
scripts that it names for the first screen, and of the document with all scripts."""


def test_the_page_is_light(stage, page):
    page.goto(stage.link())

    def text(path):
        return page.evaluate("""(path) => fetch(path).then((response) =>
            response.ok ? response.text() : Promise.reject(path))""", path)

    document = text("/")
    [folder] = set(re.findall(r"/files/[0-9a-f]+/", document))
    scripts = {path.name for path in FILES.iterdir() if path.suffix != ".css"} - {"index.html", "early.js"}
    texts = {"/": document} | {name: text(folder + name) for name in scripts}
    sizes = {name: len(gzip.compress(content.encode(), 9)) for name, content in texts.items()}
    heaviest = sorted(sizes.items(), key=lambda entry: -entry[1])[:5]
    assert sum(sizes.values()) <= ALL, f"{sum(sizes.values())} bytes, of them {heaviest}"
    named = set(re.findall(folder + r"([a-z]+\.js)", document))
    first = {name: size for name, size in sizes.items() if name == "/" or name in named}
    assert {"app.js", "records.js", "rows.js"} <= first.keys() and "viewer.js" not in first
    assert sum(first.values()) <= FIRST, f"{sum(first.values())} bytes"
