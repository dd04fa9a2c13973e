"""Adds a bucket of moto's S3 server, which accepts signed requests only, with imgdl-cli, and compares all files.

Usage: bucket.py PROGRAM
"""

import json
import logging
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zlib

import boto3

NAMES = ["a b", "日本", "x+y", "100%", "q?z", "h#z", "a&b", "é", "~t", "(1)", "x=y;z", "'q'"]
FOLDERS = ["", "f/", "f/g h/", "f+g/"]
BUCKET_POLICY = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetObject"],
     "Resource": ["arn:aws:s3:::birds", "arn:aws:s3:::birds/*"]}]}


def server():
    """Starts moto; returns its URL, an administrator's client of S3 and the access key of a user who may only read."""
    # Requests are checked as soon as the administrator has made the user.
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
    from moto.server import ThreadedMotoServer

    # moto fails on a request without a signature (500), and prints its stack.
    logging.disable(logging.CRITICAL)
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    url = f"http://127.0.0.1:{moto.get_host_and_port()[1]}"
    iam = boto3.client("iam", endpoint_url=url, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    iam.create_user(UserName="admin")
    iam.put_user_policy(UserName="admin", PolicyName="all", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}))
    key = iam.create_access_key(UserName="admin")["AccessKey"]
    of_admin = {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}
    iam = boto3.client("iam", endpoint_url=url, region_name="us-east-1", **of_admin)
    iam.create_user(UserName="reader")
    iam.put_user_policy(UserName="reader", PolicyName="read", PolicyDocument=json.dumps(BUCKET_POLICY))
    key = iam.create_access_key(UserName="reader")["AccessKey"]
    s3 = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **of_admin)
    return moto, url, s3, key


def status(url):
    try:
        return urllib.request.urlopen(url).status
    except urllib.error.HTTPError as error:
        return error.code


def image(number):
    """A PNG file of one pixel, with a comment that makes each one different."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"tEXt", b"Comment\0%d" % number) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))


def run(program, library, keys, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.run(
        [program, "--library", library, *arguments], env={**environment, **keys}, capture_output=True, text=True)


def main():
    program = os.path.abspath(sys.argv[1])
    moto, url, s3, key = server()
    s3.create_bucket(Bucket="birds")
    rng = random.Random(1)
    objects = []
    for number in range(2_500):
        name = f"{rng.choice(FOLDERS)}{rng.choice(NAMES)}-{number}.png"
        objects.append(image(number))
        s3.put_object(Bucket="birds", Key=name, Body=objects[-1])
    problems = []

    def check(is_right, text):
        print(f"{'ok' if is_right else 'WRONG'}: {text}")
        if not is_right:
            problems.append(text)

    source = f"{url}/birds?list-type=2&max-keys=1000"
    keys = {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}
    common = ["--set", "background=off", "--set", "rendering.thumbnails=false"]
    signed = common + ["--set", f"s3.endpoints={url}"]
    check(status(source) >= 400, f"moto refuses an anonymous request ({status(source)})")
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/library"
        ending = run(program, library, keys, "add", source, *signed)
        found = sorted(path.read_bytes() for path in pathlib.Path(library).glob("*/*.png"))
        check(ending.returncode == 0 and found == sorted(objects),
              f"{len(found)} of {len(objects)} objects in three pages (exit code {ending.returncode})")
        if ending.returncode:
            print(ending.stderr[-2_000:])
        stored = b"".join(path.read_bytes() for path in pathlib.Path(library).rglob("*") if path.is_file())
        texts = ending.stdout + ending.stderr
        secrets = {"the secret": key["SecretAccessKey"], "the name of the key": key["AccessKeyId"],
                   "a signature": "Signature=", "the field Authorization": "AWS4-HMAC"}
        for name, word in secrets.items():
            check(word.encode() not in stored and word not in texts, f"{name} is neither in the library nor in the output")

        refusals = [
            ("without s3.endpoints", keys, common, 1),
            ("with a wrong secret", {**keys, "AWS_SECRET_ACCESS_KEY": "wrong"}, signed, 1),
            ("for another port", keys, common + ["--set", "s3.endpoints=http://127.0.0.1:1"], 1),
            ("without a key", {}, signed, 2),
        ]
        for name, variables, settings, code in refusals:
            ending = run(program, f"{folder}/{name}", variables, "add", source, *settings)
            check(ending.returncode != 0 and "AccessKeyId" not in ending.stderr
                  and (code != 2 or ending.returncode == 2), f"{name}: {ending.stderr.strip()[-200:]}")

        file = f"{folder}/keys"
        with open(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600), "w") as keys_file:
            keys_file.write(f"[default]\naws_access_key_id = {key['AccessKeyId']}\n"
                            f"aws_secret_access_key = {key['SecretAccessKey']}\n")
        ending = run(program, f"{folder}/by-file", {}, "add", source.replace("1000", "1000&prefix=f%2Fg%20h%2F"),
                     *signed, "--set", f"s3.credentialsFile={file}")
        found = list(pathlib.Path(f"{folder}/by-file").glob("*/*.png"))
        wanted = s3.get_paginator("list_objects_v2").paginate(Bucket="birds", Prefix="f/g h/")
        count = sum(page["KeyCount"] for page in wanted)
        check(ending.returncode == 0 and len(found) == count, f"{len(found)} of {count} objects with a file of keys")
    moto.stop()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
