"""Compares the images that imgdl finds in the generated pages with those that are wanted, beside a plain extraction.

The sets were written one after the other, and the rules changed after each of them, except after one named "held out",
if there is one. Only the figures of such a set tell what to expect of other sites; the others hold what was reached.

Usage: evaluate.py --fixture PROGRAM [--direct] [--verbose] [--sets SET...]
Exits with 1 unless the sum of all sets but the held out one reaches the goals.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from generate import SETS, pages

GOAL_RECALL, GOAL_UNWANTED = 0.99, 0.01

# The name of a set that no rule was changed for.
HELD_OUT = "held out"


def canonical(url):
    """A URL as both extractions are compared: with a scheme, without a fragment, spaces as browsers send them."""
    parts = urlsplit(url.strip().replace(" ", "%20"))
    return urlunsplit(parts._replace(fragment="", netloc=parts.netloc.lower()))


def imgdl(fixture, all_pages, folder, direct):
    """The entries of each page, in order."""
    lines = []
    for page in all_pages:
        path = Path(folder) / f"{page.name}.html"
        path.write_bytes(page.html)
        lines.append(f"{path}\t{page.url}\n")
    arguments = [fixture, *(["--direct"] if direct else [])]
    output = subprocess.run(arguments, input="".join(lines), capture_output=True, text=True, check=True).stdout
    results = []
    for page, block in zip(all_pages, output.split("\n\n")):
        base, entries = page.url, []
        for line in block.splitlines():
            kind, _, rest = line.partition("\t")
            if kind == "error":
                sys.exit(f"{page.name}: {rest}")
            if kind == "base":
                base = urljoin(page.url, rest)
            if kind == "entry":
                entries.append(canonical(urljoin(base, rest.split("\t")[0])))
        results.append(entries)
    return results


def plain(page):
    """What a scraper with the usual selectors takes: sources, lazy sources, the last candidate of each set, links to
    image files, backgrounds and the image for social networks, each once."""
    from parsel import Selector

    selector = Selector(body=page.html, base_url=page.url)
    found = selector.xpath("//img/@src | //img/@data-src | //img/@data-original | //img/@data-lazy-src").getall()
    found += [s.split(",")[-1].split()[0] for s in selector.xpath("//@srcset | //@data-srcset").getall() if s.split(",")[-1].split()]
    found += [h for h in selector.xpath("//a[.//img]/@href").getall() if re.search(r"\.(jpe?g|png|webp|gif)$", h, re.I)]
    found += re.findall(r"background(?:-image)?:\s*url\(['\"]?([^'\")]+)", " ".join(selector.xpath("//@style").getall()))
    found += selector.xpath("//meta[@property='og:image']/@content").getall()
    base = urljoin(page.url, selector.xpath("//base/@href").get() or "")
    return list(dict.fromkeys(canonical(urljoin(base, u)) for u in found if not u.strip().startswith("data:")))


def measure(all_pages, results):
    """The numbers of wanted, found and unwanted entries, and the mistakes of each page."""
    wanted = found = entries = 0
    mistakes = []
    for page, result in zip(all_pages, results):
        truth = {canonical(url) for url in page.wanted}
        hits = truth & set(result)
        extra = [url for url in result if url not in truth] + [u for u in hits if result.count(u) > 1]
        wanted += len(truth)
        found += len(hits)
        entries += len(result)
        if extra or hits != truth:
            mistakes.append((page, sorted(truth - hits), extra))
    return wanted, found, entries, mistakes


def names_of_picture(url):
    """The parts of a URL that may name a picture in all of its versions: words of at least six letters and digits with a
    digit among them, in the path and the query, and a file name of at least six characters without its extension."""
    parts = urlsplit(url)
    text = unquote(unquote(parts.path + "?" + parts.query))
    words = [word for word in re.split(r"[^0-9A-Za-z]+", text) if len(word) >= 6 and re.search(r"\d", word)]
    stem = re.sub(r"\.[0-9A-Za-z]{2,9}$", "", parts.path.rstrip("/").rsplit("/", 1)[-1])
    return {*words, *([stem] if len(stem) >= 6 else [])}


def any_version(all_pages, results):
    """The number of wanted pictures of which any version is an entry: the same one, or one whose URL has a name that no
    other wanted picture of the page has."""
    found = 0
    for page, result in zip(all_pages, results):
        truth = [canonical(url) for url in page.wanted]
        names = [names_of_picture(url) for url in truth]
        taken = [unquote(unquote(url)) for url in result]
        counts = Counter(name for own in names for name in own)
        for url, own in zip(truth, names):
            is_named = any(name in text for name in own if counts[name] == 1 for text in taken)
            found += url in result or is_named
    return found


def report(title, all_pages, results, verbose=False):
    """Prints a line about the pages; returns whether the goals are reached."""
    wanted, found, entries, mistakes = measure(all_pages, results)
    recall = found / wanted
    unwanted = (entries - found) / entries if entries else 0
    versions = any_version(all_pages, results) / wanted
    line = f"{title:38} {len(all_pages):4} pages  {wanted:5} wanted  recall {recall:8.2%}  unwanted {unwanted:7.2%}"
    print(f"{line}  any version {versions:8.2%}")
    if verbose:
        for page, missing, extra in mistakes:
            print(f"  {page.name}")
            for url in missing:
                print(f"    missing  {url}")
            for url in extra:
                print(f"    unwanted {url}")
    return recall >= GOAL_RECALL and unwanted <= GOAL_UNWANTED


def table(all_pages, results):
    """Prints a line about each kind of page that has a mistake."""
    for family in sorted({page.family for page in all_pages}):
        pairs = [(page, result) for page, result in zip(all_pages, results) if page.family == family]
        wanted, found, entries, _ = measure([page for page, _ in pairs], [result for _, result in pairs])
        if found < wanted or entries > found:
            print(f"  {family:36} {len(pairs):4} pages  {wanted:5} wanted  missing {wanted - found:4}  unwanted {entries - found:4}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fixture", required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--direct", action="store_true")
    parser.add_argument("--sets", nargs="*", choices=SETS, default=[*SETS])
    options = parser.parse_args()
    adapted = {"imgdl": [], "parsel": []}
    known = []
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        for title in options.sets:
            if title == HELD_OUT:
                # The sum of the pages that the rules were adapted to; those that are held out are not part of it.
                is_good = not known or report("imgdl, all but held out", known, adapted["imgdl"])
                if known and len(adapted["parsel"]) == len(known):
                    report("parsel, all but held out", known, adapted["parsel"])
            chosen = list(pages(SETS[title]))
            found = imgdl(options.fixture, chosen, folder, options.direct)
            report(f"imgdl, {title}", chosen, found, options.verbose)
            table(chosen, found)
            known += chosen
            adapted["imgdl"] += found
            try:
                others = [plain(page) for page in chosen]
            except ImportError:
                print("parsel is not installed")
                continue
            report(f"parsel, {title}", chosen, others)
            adapted["parsel"] += others
    if HELD_OUT not in options.sets and known:
        is_good = report("imgdl, sum", known, adapted["imgdl"])
        if len(adapted["parsel"]) == len(known):
            report("parsel, sum", known, adapted["parsel"])
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
