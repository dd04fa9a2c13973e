"""The weight of the page."""

import gzip
from pathlib import Path

FILES = Path(__file__).parents[2] / "Modules/WebPage/Files"

LIMIT = 60 << 10
"""The largest sum of the files' sizes with gzip, in bytes."""


def test_the_page_is_light():
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in FILES.iterdir()}
    heaviest = sorted(sizes.items(), key=lambda entry: -entry[1])[:5]
    assert sum(sizes.values()) <= LIMIT, f"{sum(sizes.values())} bytes, of them {heaviest}"
