"""All pages, in sets by the time at which the rules were first compared with them."""

import random

import albums
import archives
import articles
import blogs
import catalogues
import commerce
import communities
import elsewhere
import forums
import fresh
import further
import galleries
import guests
import guests2
import journals
import makers
import manuals
import newcomers
import newcomers2
import pastimes
import platforms
import press
import reading
import remaining
import services
import shops
import systems
import threads
import unseen
from builder import Builder, Page

FIRST = blogs.FAMILIES | forums.FAMILIES | shops.FAMILIES | galleries.FAMILIES

# Drawn at random before the first rule was written, and compared first after that.
HELD_BACK = frozenset(random.Random(20).sample(sorted(FIRST), 9))

# Written before the rules were changed to weighed evidence. A half of them, drawn at random, was compared while the
# rules were changed; the other half was compared once after that, and the rules were changed once more.
LATER = (
    press.FAMILIES | reading.FAMILIES | communities.FAMILIES | archives.FAMILIES | commerce.FAMILIES | manuals.FAMILIES
    | makers.FAMILIES
)
DEVELOPMENT = frozenset(random.Random(24).sample(sorted(LATER), len(LATER) // 2))

# Written after that comparison, and compared once; after that one more rule was changed.
FURTHER = frozenset(further.FAMILIES)

# By an author who had not seen the rules; compared once before the rules were changed for them.
INDEPENDENT = platforms.FAMILIES | pastimes.FAMILIES | albums.FAMILIES

# By another author who had not seen the rules either; compared once before the rules were changed for them.
SECOND_INDEPENDENT = threads.FAMILIES | journals.FAMILIES | catalogues.FAMILIES

# By a third author who had not seen the rules; compared once before the rules were changed for them.
THIRD_INDEPENDENT = guests.FAMILIES | guests2.FAMILIES

# By a fourth author who had not seen the rules; compared once before the rules were changed for them.
FOURTH_INDEPENDENT = newcomers.FAMILIES | newcomers2.FAMILIES

# The families of modules by authors who have not seen the rules, for which no rule was changed.
# Their modules are imported above and joined here, as in FOURTH_INDEPENDENT.
HELD_OUT = {}

# The kinds of each set. The rules were changed after the comparison with each set but that named "held out".
SETS = {
    "first": frozenset(FIRST) - HELD_BACK,
    "held back at first": HELD_BACK,
    "second": frozenset(articles.FAMILIES),
    "third": frozenset(services.FAMILIES),
    "fourth": frozenset(elsewhere.FAMILIES),
    "fifth": frozenset(systems.FAMILIES),
    "sixth": frozenset(unseen.FAMILIES),
    "development": DEVELOPMENT,
    "held out at first": frozenset(LATER) - DEVELOPMENT,
    "held out second": FURTHER,
    "held out third": frozenset(fresh.FAMILIES),
    # Compared once; after that the rule about small images was changed.
    "held out fourth": frozenset(remaining.FAMILIES),
    # Compared once; after that versions in links, hosts, templates and banners were weighed.
    "held out fifth": frozenset(INDEPENDENT),
    # Compared once; after that the sizes in URLs, links, proxies and columns were read by further rules.
    "held out sixth": frozenset(SECOND_INDEPENDENT),
    # Compared once; after that options of services, data of scripts and previews of listings were read.
    "held out seventh": frozenset(THIRD_INDEPENDENT),
    # Compared once; after that data of scripts, cards, digests and figures in links were read.
    "held out eighth": frozenset(FOURTH_INDEPENDENT),
}
if HELD_OUT:
    SETS["held out"] = frozenset(HELD_OUT)

EVERYTHING = (
    FIRST | articles.FAMILIES | services.FAMILIES | elsewhere.FAMILIES | systems.FAMILIES | unseen.FAMILIES | LATER
    | further.FAMILIES | fresh.FAMILIES | remaining.FAMILIES | INDEPENDENT
    | SECOND_INDEPENDENT | THIRD_INDEPENDENT | FOURTH_INDEPENDENT | HELD_OUT
)


def pages(families=frozenset(EVERYTHING), per_family=6):
    """Generates the pages of some families, the same ones at every call."""
    for family in sorted(families):
        make, url = EVERYTHING[family]
        for number in range(per_family):
            b = Builder(f"{family}/{number}")
            html = make(b, url)
            if isinstance(html, str):
                html = html.encode()
            yield Page(family, f"{family}-{number}", url, html, list(dict.fromkeys(b.wanted)))
