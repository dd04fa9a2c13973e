"""Compares the signatures of imgdl with those of botocore, on made-up requests to S3.

Usage: compare.py PROGRAM [--cases N] [--seed N]
"""

import argparse
import datetime
import json
import random
import subprocess
import sys
from unittest import mock
from urllib.parse import quote

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

ALPHABET = "abcXYZ019 -_.~+/%&=?#@:;,!*'()[]{}|^`\"<>\\$é日本\U0001f600\u00a0"
HOSTS = ["https://examplebucket.s3.amazonaws.com", "http://127.0.0.1:9000", "https://s3.eu-west-1.amazonaws.com",
         "http://[::1]:8080", "https://minio.example:443", "http://minio.example:80"]
NAMES = ["prefix", "continuation-token", "start-after", "list-type", "delimiter", "max-keys", "acl", "versionId", "a-b",
         "a", "A", "response-content-type"]
FIELDS = {"Range": "bytes=0-9", "x-amz-request-payer": "requester", "X-Amz-Expected-Bucket-Owner": " 1  2\t3 "}


def text(rng, length):
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(length)))


def loosely(rng, value, safe):
    """Encodes a text as other programs do: fewer characters, digits in lower case, needless encodings."""
    output = ""
    for character in value:
        kept = quote(character, safe=safe)
        if character in "+!*'()$,;:@" and rng.random() < 0.5:
            output += character
        elif len(kept) > 1 and rng.random() < 0.3:
            output += kept.lower()
        elif character in "~-._" and rng.random() < 0.3:
            output += f"%{ord(character):02X}"
        else:
            output += kept
    return output


def request(rng):
    """A request, as botocore signs it and as imgdl receives it: the same one, perhaps encoded differently."""
    path = "/" + text(rng, 30)
    # Dots alone would be removed from a URL before any request is made.
    path = "/".join("x" if set(part) == {"."} else part for part in path.split("/"))
    parameters = [(rng.choice(NAMES), text(rng, 12) if rng.random() < 0.7 else "") for _ in range(rng.randrange(5))]
    is_loose = rng.random() < 0.5
    exact = quote(path, safe="/~") + "".join(
        ("&" if number else "?") + f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}"
        for number, (name, value) in enumerate(parameters))
    if not is_loose:
        return exact, exact
    query = []
    for name, value in parameters:
        if value == "" and rng.random() < 0.5:
            query.append(name)
        else:
            # A plus sign in a query means a space.
            encoded = loosely(rng, value.replace("+", "\0"), "-_.~/").replace("%00", "%2B")
            query.append(f"{name}={encoded.replace('%20', '+') if rng.random() < 0.5 else encoded}")
    return exact, loosely(rng, path, "/~") + ("?" + "&".join(query) if query else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    fixture = subprocess.Popen([options.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    differences = loose = 0
    for _ in range(options.cases):
        host = rng.choice(HOSTS)
        exact, given = request(rng)
        loose += exact != given
        fields = {name: value for name, value in FIELDS.items() if rng.random() < 0.3}
        keys = {"accessKeyID": "AKIAIOSFODNN7EXAMPLE", "secretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                "sessionToken": rng.choice([None, "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQW="])}
        region = rng.choice(["us-east-1", "eu-west-1", "garage"])
        time = rng.randrange(0, 4_102_444_800)
        moment = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)

        signed = AWSRequest("GET", host + exact, headers=dict(fields))
        with mock.patch("botocore.auth.get_current_datetime", return_value=moment.replace(tzinfo=None)):
            botocore.auth.S3SigV4Auth(
                Credentials(keys["accessKeyID"], keys["secretAccessKey"], keys["sessionToken"]), "s3", region
            ).add_auth(signed)
        wanted = {name.lower(): value for name, value in signed.headers.items()
                  if name.lower() not in map(str.lower, fields)}

        line = {"url": host + given, "fields": fields, "region": region, "time": time, **keys}
        fixture.stdin.write(json.dumps(line) + "\n")
        fixture.stdin.flush()
        found = json.loads(fixture.stdout.readline())
        if found != wanted:
            differences += 1
            if differences <= 5:
                print(f"{host}{given}\n  {found}\n  {wanted}")
    fixture.stdin.close()
    fixture.wait()
    print(f"{options.cases} requests, {loose} of them encoded differently: {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
