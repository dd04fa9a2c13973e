"""The benchmark's pictures: made once by `vips`, kept in .build/bench, the same every time."""

import json
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMMENT = b"\xff\xfe"


def vips(*arguments):
    subprocess.run(["vips", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def painting(folder, seed, width, height, target_size):
    """A JPEG of cloudy colours and grain, close to `target_size` bytes."""
    parts = [folder / f"{seed}-{name}.v" for name in ("red", "green", "blue", "grain", "sum", "all")]
    red, green, blue, grain, total, picture = parts
    for channel, (part, share) in enumerate(zip((red, green, blue), (3, 4, 6))):
        vips("perlin", part, width, height, "--cell-size", max(8, width // share), "--uchar",
             "--seed", 100 * seed + channel)
    vips("bandjoin", f"{red} {green} {blue}", picture)
    vips("gaussnoise", grain, width, height, "--mean", 0, "--sigma", 7, "--seed", seed)
    vips("add", picture, grain, total)
    vips("cast", total, picture, "uchar")
    low, high, best = 20, 96, None
    while low <= high:
        quality = (low + high) // 2
        output = folder / f"{seed}.jpg"
        vips("jpegsave", picture, output, "--Q", quality, "--strip")
        best = output.read_bytes()
        if len(best) > target_size:
            high = quality - 1
        else:
            low = quality + 1
    for part in parts + [output]:
        part.unlink()
    return best


def numbered(jpeg, number):
    """The same picture, other bytes: a comment behind the first marker holds the number."""
    text = f"picture {number:07d}".encode()
    return jpeg[:2] + COMMENT + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


def pictures(folder, count, width, height, size, kinds=16):
    """`count` different JPEGs below `folder`, 1,000 a subfolder; returns their relative names."""
    names = [f"{i // 1000:03d}/{i:06d}.jpg" for i in range(count)]
    stamp = folder / "made.json"
    wanted = {"count": count, "width": width, "height": height, "size": size, "kinds": kinds}
    if stamp.exists() and json.loads(stamp.read_text()) == wanted:
        return names
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        bases = list(
            pool.map(lambda seed: painting(folder, seed, width, height, size), range(1, kinds + 1))
        )
    for i, name in enumerate(names):
        if i % 1000 == 0:
            (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(numbered(bases[i % kinds], i))
    stamp.write_text(json.dumps(wanted))
    return names


def large_file(path, size):
    """A file of `size` bytes that does not compress and does not repeat within a megabyte."""
    if path.exists() and path.stat().st_size == size:
        return
    import random

    block = random.Random(1).randbytes(1 << 20)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        for start in range(0, size, len(block)):
            shift = (start >> 20) % len(block)
            file.write((block[shift:] + block[:shift])[: size - start])


def manifest(path, urls, records=10):
    """A zip of JSON files, each an array of URLs."""
    share = -(-len(urls) // records)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for i in range(0, len(urls), share):
            file.writestr(f"record-{i // share:02d}.json", json.dumps(urls[i : i + share]))
    return Path(path)
