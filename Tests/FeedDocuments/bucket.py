"""Lists a bucket of moto's S3 server page by page, and requests every entry that imgdl finds.

Usage: bucket.py --fixture PROGRAM
"""

import argparse
import collections
import logging
import random
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from urllib.parse import urljoin

import boto3
from moto.server import ThreadedMotoServer

NAMES = ["a b", "日本", "x+y", "100%", "q?z", "h#z", "a&b", "é", "~t", "(1)", "x=y;z", "'q'", "<t>"]
FOLDERS = ["", "f/", "f/g h/"]
ENDINGS = ["jpg", "png", "pdf", "zip", "txt"]
QUERIES = [
    "list-type=2&max-keys=300", "list-type=2&max-keys=1000&encoding-type=url", "max-keys=400",
    "list-type=2&prefix=f%2F&max-keys=300",
]


def items(fixture, url, body):
    """The kinds and values of the items of a page."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(body)
        file.flush()
        output = subprocess.run(
            [fixture, "--direct"], input=f"{file.name}\t{url}\n", capture_output=True, text=True, check=True).stdout
    return [line.split("\t")[:2] for line in output.splitlines() if line]


def crawl(fixture, url):
    """The URLs of all entries, and the number of pages."""
    entries, count = [], 0
    while url and count < 1_000:
        found = items(fixture, url, urllib.request.urlopen(url).read())
        count += 1
        entries += [value for kind, value in found if kind == "entry"]
        following = [value for kind, value in found if kind == "next"]
        url = urljoin(url, following[0]) if following else None
    return entries, count


def body(url):
    try:
        return urllib.request.urlopen(url).read()
    except urllib.error.HTTPError as error:
        print(f"{url}: {error}")
        return b""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixture", required=True)
    fixture = parser.parse_args().fixture
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    base = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
    client = boto3.client(
        "s3", endpoint_url=base, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    client.create_bucket(Bucket="birds")
    rng = random.Random(1)
    objects = {}
    for number in range(2_500):
        key = f"{rng.choice(FOLDERS)}{rng.choice(NAMES)}-{number}.{rng.choice(ENDINGS)}"
        objects[key] = str(number).encode()
        client.put_object(Bucket="birds", Key=key, Body=objects[key], ACL="public-read")
    is_same = True
    for query in QUERIES:
        entries, pages = crawl(fixture, f"{base}/birds?{query}")
        wanted = [value for key, value in objects.items()
                  if not key.endswith(".txt") and (key.startswith("f/") or "prefix" not in query)]
        same = collections.Counter(map(body, entries)) == collections.Counter(wanted)
        is_same = is_same and same
        print(f"{query.ljust(48)} {pages} pages, {len(entries)} of {len(wanted)} objects, "
              f"contents {'equal' if same else 'different'}")
    server.stop()
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
