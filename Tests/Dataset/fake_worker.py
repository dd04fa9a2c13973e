"""A program that speaks the protocol of `imgdl-cli worker` and downloads nothing.

The host of a URL says what happens: http://ok/ is a success, http://404/ and http://small/ fail, and http://pid/ fails
with the number of this process as the reason, and http://arguments/ with its arguments. A path that begins with /404
fails on every host. FAKE_FAULT is a fault of the worker itself. A host that stands in the file FAKE_DEAD, one on a
line, fails too.
"""

import hashlib
import io
import json
import os
import signal
import sys
import tarfile
from urllib.parse import urlsplit

FAULT = os.environ.get("FAKE_FAULT", "")
COLUMNS = ("width", "height", "original_width", "original_height")


def main():
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write("imgdl-cli 1.2.3\n")
        return
    for line in sys.stdin.buffer:
        run_shard(json.loads(line))


def run_shard(shard):
    if FAULT == "input":
        sys.stderr.write("the member shard is missing\n")
        sys.exit(64)
    if FAULT == "decoders":
        sys.stderr.write("the decoders cannot be started\n")
        sys.exit(75)
    if FAULT == "talkative":
        sys.stderr.write("a line of the log\n" * 20000)
        sys.stderr.flush()
    counts = dict.fromkeys(("success", "failed_to_download", "failed_to_resize"), 0)
    with tarfile.open(shard["tar"], "w", format=tarfile.USTAR_FORMAT) as tar:
        for index in range(shard["count"]):
            sample = json.loads(sys.stdin.buffer.readline())
            assert sample["i"] == index
            answer, image = download(shard, sample)
            counts[answer["status"]] += 1
            if image is not None:
                add_members(tar, shard, sample, answer, image)
            if index == 1:
                misbehave(shard, answer)
            write(answer)
    size = os.path.getsize(shard["tar"])
    write(
        {"done": True, "shard": shard["shard"], "count": shard["count"], "successes": counts["success"]}
        | {name: counts[name] for name in ("failed_to_download", "failed_to_resize")}
        | {"status_dict": {}, "downloaded_bytes": size, "tar_bytes": size, "seconds": 0.1}
    )


def download(shard, sample):
    """Returns the answer to a sample, and the image or None."""
    digits = shard["oom_sample_per_shard"]
    key = str(10**digits * shard["shard"] + sample["i"]).zfill(digits + shard["oom_shard_count"])
    parts = urlsplit(sample["url"] or "")
    host = "404" if parts.path.startswith("/404") else parts.hostname
    failures = {
        None: ("failed_to_download", "no URL"),
        "404": ("failed_to_download", "HTTP Error 404: Not Found"),
        "small": ("failed_to_resize", "image too small"),
        "pid": ("failed_to_download", str(os.getpid())),
        "arguments": ("failed_to_download", " ".join(sys.argv[1:])),
    }
    image = f"image of {sample['url']}".encode()
    digest = hashlib.new(shard["compute_hash"], image).hexdigest() if shard["compute_hash"] else None
    failure = failures.get(host)
    if host in dead_hosts():
        failure = ("failed_to_download", "<urlopen error timed out>")
    elif shard["verify_hash"] and sample["hash"] != digest:
        failure = ("failed_to_download", "hash mismatch")
    answer = {"i": sample["i"], "key": key, "status": "success", "ms": 7}
    if failure is not None:
        return answer | {"status": failure[0], "error_message": failure[1]}, None
    if not shard["disable_all_reencoding"]:
        answer |= dict(zip(COLUMNS, (256, 256, 640, 480)))
    if shard["extract_exif"]:
        answer["exif"] = json.dumps({"Image Make": "x" * (5000 if FAULT == "talkative" else 3)})
    if digest is not None:
        answer[shard["compute_hash"]] = digest
    return answer, image


def dead_hosts():
    path = os.environ.get("FAKE_DEAD")
    if not path or not os.path.exists(path):
        return ()
    with open(path) as file:
        return file.read().split()


def add_members(tar, shard, sample, answer, image):
    meta = sample["meta"] | {"key": answer["key"], "status": "success", "error_message": None}
    meta |= {name: answer.get(name) for name in COLUMNS}
    if shard["extract_exif"]:
        meta["exif"] = answer.get("exif")
    if shard["compute_hash"]:
        meta[shard["compute_hash"]] = answer[shard["compute_hash"]]
    members = {shard["encode_format"]: image, "json": json.dumps(meta, indent=4).encode()}
    if shard["save_caption"]:
        members["txt"] = (sample["txt"] or "").encode()
    for extension in sorted(members):
        member = tarfile.TarInfo(f"{answer['key']}.{extension}")
        member.size, member.mode, member.uname, member.gname = len(members[extension]), 0o444, "bigdata", "bigdata"
        tar.addfile(member, io.BytesIO(members[extension]))


def misbehave(shard, answer):
    """Breaks the protocol at the second sample of a shard, or sends its parent a signal there in shard 2."""
    if FAULT in ("SIGKILL", "SIGINT", "SIGTERM"):
        if shard["shard"] == 2:
            os.kill(os.getppid(), getattr(signal, FAULT))
            signal.pause()
    elif FAULT == "waits":
        # Says through one named pipe that it is in the middle of a shard, and waits for the end of another one.
        if shard["shard"] == 2:
            with open(os.environ["FAKE_STARTED"], "w") as pipe:
                pipe.write("started")
            with open(os.environ["FAKE_GO_ON"]) as pipe:
                pipe.read()
    elif FAULT == "dies":
        sys.stderr.write("out of memory\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    elif FAULT == "exits":
        sys.exit(3)
    elif FAULT == "full":
        write({"failed": True, "shard": 0, "error": "No space left on device"})
        sys.exit(75)
    elif FAULT == "silent":
        signal.pause()
    elif FAULT == "garbage":
        sys.stdout.write("Segmentation fault\n")
    elif FAULT == "array":
        sys.stdout.write("[]\n")
    elif FAULT == "huge":
        while True:
            sys.stdout.write("x" * 65536)
    elif FAULT == "order":
        answer["i"] = 2
    elif FAULT == "key":
        answer["key"] = "1"
    elif FAULT == "status":
        answer["status"] = "fine"
    elif FAULT == "count":
        write(answer)
        answer["i"] += 1
    elif FAULT == "early":
        write({"done": True, "shard": 0, "count": 2, "successes": 1, "failed_to_download": 0, "failed_to_resize": 0})


def write(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
