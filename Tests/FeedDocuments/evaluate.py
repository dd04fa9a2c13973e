"""Compares what imgdl finds in generated feeds and sitemaps with what is in them, beside feedparser and
ultimate-sitemap-parser.

Usage: evaluate.py --fixture PROGRAM [--verbose]
"""

import argparse
import collections
import subprocess
import sys
import tempfile
from pathlib import Path

import feedparser
from usp.tree import sitemap_from_str

from generate import documents

SUPPORTED = (".jpg", ".png", ".webp", ".gif", ".pdf", ".zip")


def imgdl(fixture, all_documents, folder):
    """The title, the entries (URL, title), and the linked documents of each document."""
    lines = []
    for document in all_documents:
        path = Path(folder) / document.name
        path.write_bytes(document.content)
        lines.append(f"{path}\t{document.url}\n")
    output = subprocess.run(
        [fixture], input="".join(lines), capture_output=True, text=True, check=True).stdout
    results = []
    for document, block in zip(all_documents, output.split("\n\n")):
        title, entries, links = "", [], []
        for line in block.splitlines():
            kind, *rest = line.split("\t")
            if kind == "error":
                sys.exit(f"{document.name}: {rest}")
            if kind == "title":
                title = rest[0]
            elif kind == "entry":
                entries.append((rest[0], rest[1]))
            elif kind == "document":
                links.append(rest[0])
        results.append((title, entries, links))
    if len(results) != len(all_documents):
        sys.exit(f"{len(results)} of {len(all_documents)} documents were read")
    return results


def named(url):
    return url.split("?")[0].lower().endswith(SUPPORTED)


def chosen(entry):
    """The images of an item of feedparser by the same rules. feedparser does not report the groups of Media RSS, of
    which the generator writes at most one for an item."""
    urls = [e.href for e in entry.get("enclosures", []) if e.get("type") != "audio/mpeg"]
    contents = [c for c in entry.get("media_content", []) if c.get("url")]
    if contents:
        largest = max(contents, key=lambda c: int(c.get("width", 1)) * int(c.get("height", 1)))
        urls.append(largest["url"])
    if not urls and entry.get("media_thumbnail"):
        urls.append(entry.media_thumbnail[0]["url"])
    return list(dict.fromkeys(urls))


def peer_feed(document):
    parsed = feedparser.parse(document.content)
    entries = [(url, e.get("title", "")) for e in parsed.entries for url in chosen(e)]
    return parsed.feed.get("title", ""), entries, []


def peer_sitemap(document):
    parsed = sitemap_from_str(document.content.decode())
    if document.kind == "index":
        return "", [], [sub.url for sub in parsed.sub_sitemaps]
    entries = []
    for page in parsed.all_pages():
        images = page.images or []
        # The peer keeps the white space around the URL of an image, which a URL cannot have.
        entries += [(i.loc.strip(), i.title or "") for i in images]
        if not images and named(page.url):
            entries.append((page.url, ""))
    return "", entries, []


def expected(document):
    is_feed = document.kind not in ("sitemap", "index")
    entries = [(url, title if is_feed else None) for title, urls in document.items for url in dict.fromkeys(urls)]
    return document.title, entries, document.documents


def words(text):
    return " ".join(text.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixture", required=True)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    all_documents = documents()
    table = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        results = imgdl(arguments.fixture, all_documents, folder)
    for document, own in zip(all_documents, results):
        truth = expected(document)
        is_sitemap = document.kind in ("sitemap", "index")
        peer = peer_sitemap(document) if is_sitemap else peer_feed(document)
        row = table[document.kind]
        row["documents"] += 1
        row["entries"] += len(truth[1]) + len(truth[2])
        for name, found in (("imgdl", own), ("peer", peer)):
            same_urls = [u for u, _ in found[1]] == [u for u, _ in truth[1]] and found[2] == truth[2]
            same_titles = is_sitemap or words(found[0]) == words(truth[0]) and (
                [words(t) for _, t in found[1]] == [words(t) for _, t in truth[1]])
            row[f"{name} urls"] += same_urls
            row[f"{name} titles"] += same_titles
            if arguments.verbose and not (same_urls and same_titles):
                print(f"{document.name}: {name}\n  has  {found}\n  want {truth}")
        row["agree"] += [u for u, _ in own[1]] == [u for u, _ in peer[1]] and own[2] == peer[2]
    columns = ["documents", "entries", "imgdl urls", "imgdl titles", "peer urls", "peer titles", "agree"]
    print("kind".ljust(9), *(c.rjust(12) for c in columns))
    for kind, row in table.items():
        print(kind.ljust(9), *(str(row[c]).rjust(12) for c in columns))
    return 0 if all(r["imgdl urls"] == r["imgdl titles"] == r["documents"] for r in table.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
