"""All pages, by the time at which the rules were first compared with them."""

import random

import articles
import blogs
import elsewhere
import forums
import galleries
import services
import shops
import systems
import unseen
from builder import Builder, Page

FAMILIES = blogs.FAMILIES | forums.FAMILIES | shops.FAMILIES | galleries.FAMILIES

# Drawn at random before the first rule was written, and compared first after that.
HELD_BACK = frozenset(random.Random(20).sample(sorted(FAMILIES), 9))

# Written after the first comparison with the pages that were held back.
SECOND = frozenset(articles.FAMILIES)

# Written after the rules had been changed for the second set.
THIRD = frozenset(services.FAMILIES)

# Written after the rules had been changed for the third set.
FOURTH = frozenset(elsewhere.FAMILIES)

# Written after the rules had been changed for the fourth set.
FIFTH = frozenset(systems.FAMILIES)

# Written after the rules had been changed for the fifth set. No rule has been changed for these.
UNSEEN = frozenset(unseen.FAMILIES)

EVERYTHING = (
    FAMILIES | articles.FAMILIES | services.FAMILIES | elsewhere.FAMILIES | systems.FAMILIES | unseen.FAMILIES
)


def pages(per_family=6):
    """Generates the pages of all families, the same ones at every call."""
    for family, (make, url) in sorted(EVERYTHING.items()):
        for number in range(per_family):
            b = Builder(f"{family}/{number}")
            html = make(b, url)
            if isinstance(html, str):
                html = html.encode()
            yield Page(family, f"{family}-{number}", url, html, list(dict.fromkeys(b.wanted)))
