"""The weight of the page."""

import gzip
import re
from pathlib import Path

FILES = Path(__file__).parents[2] / "Modules/WebPage/Files"

LIMIT = 60 << 10
"""The largest sum of the sizes with gzip of the document, which contains the style sheet and a script, and of all
other scripts, in bytes."""


def test_the_page_is_light(stage, page):
    page.goto(stage.link())

    def text(path):
        return page.evaluate("""(path) => fetch(path).then((response) =>
            response.ok ? response.text() : Promise.reject(path))""", path)

    document = text("/")
    [folder] = set(re.findall(r"/files/[0-9a-f]+/", document))
    scripts = {path.name for path in FILES.iterdir()} - {"index.html", "page.css", "early.js"}
    texts = {"/": document} | {name: text(folder + name) for name in scripts}
    sizes = {name: len(gzip.compress(content.encode(), 9)) for name, content in texts.items()}
    heaviest = sorted(sizes.items(), key=lambda entry: -entry[1])[:5]
    assert sum(sizes.values()) <= LIMIT, f"{sum(sizes.values())} bytes, of them {heaviest}"
