#!/usr/bin/env python3
"""Manifests, and images of real image services, compared with the pictures behind them.

Servers on loopback: iipimage-server (Image API 2, pyramidal TIFF) with and without a limit of the size, the
reference server of the Python package `iiif` (1.1, 2.1 and 3.0), and static tiles of level 0 written by
`iiif_static.py` (1.1, 2.1) and by `vips dzsave` (2 and 3). Manifests of version 3 are made by `iiif-prezi3`,
those of version 2 by this program. For each server imgdl-cli adds one manifest; the table shows how many
canvases became files, whether the titles and the sizes are right, the number of requests for the image, and
the PSNR in dB of each image against the original, beside that of a reference: the image that the server itself
delivers, or for tiles all tiles put together without another compression. A last case asks for PNG, which must
be equal to the original. At the end a collection names all manifests, and itself.

Usage: Tests/IIIFServers/compare.py [--imgdl-cli PROGRAM] [--keep FOLDER]
Tools/checks/iiif installs what it needs: pip install iiif==1.0.10 iiif-prezi3 pillow numpy; apt-get install
iipimage-server lighttpd libvips-tools
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from iiif_prezi3 import Manifest, config
from PIL import Image

from servers import Servers, get, load, relay, serve, static_iiif, static_vips, wait

# Odd sizes, a single tile, a row of one pixel beyond a tile, and grey.
PICTURES = {"photo": (2500, 1801), "odd": (1031, 777), "small": (200, 120), "edge": (1025, 513), "grey": (900, 700)}


def picture(name, size):
    """A picture with smooth areas, edges and some noise, as a photograph has them."""
    width, height = size
    chance = numpy.random.default_rng(width)
    x = numpy.linspace(0, 6, width)[None, :]
    y = numpy.linspace(0, 4, height)[:, None]
    planes = [numpy.sin(x * a + y * b) * 60 + 120 + x * c for a, b, c in ((1, 2, 5), (2, 1, 9), (3, 1, -4))]
    image = numpy.stack(planes, axis=-1)
    image[(x + y) % 2 < 0.5] += 30
    image += chance.normal(0, 3, image.shape)
    image = Image.fromarray(image.clip(0, 255).astype(numpy.uint8))
    return image.convert("L") if name == "grey" else image


def psnr(one, other):
    if one.size != other.size:
        other = other.resize(one.size, Image.LANCZOS)
    a = numpy.asarray(one.convert("RGB"), dtype=float)
    b = numpy.asarray(other.convert("RGB"), dtype=float)
    error = ((a - b) ** 2).mean()
    return math.inf if error == 0 else 10 * math.log10(255**2 / error)


def manifest3(services, label):
    config.configs["helpers.auto_fields.AutoLang"].auto_lang = "en"
    manifest = Manifest(id="http://127.0.0.1/manifest", label=label)
    for name, (url, size) in services.items():
        canvas = manifest.make_canvas(id=f"http://127.0.0.1/canvas/{name}", label=f"Page {name}", height=size[1], width=size[0])
        canvas.add_image(
            image_url=f"{url}/full/max/0/default.jpg", anno_page_id=f"http://127.0.0.1/page/{name}",
            anno_id=f"http://127.0.0.1/anno/{name}", format="image/jpeg", height=size[1], width=size[0],
            service=[{"id": url, "type": "ImageService3", "profile": "level1"}])
    return manifest.json()


def manifest2(services, label):
    canvases = [
        {"@id": f"http://127.0.0.1/canvas/{name}", "@type": "sc:Canvas", "label": f"Page {name}",
         "height": size[1], "width": size[0],
         "images": [{"@type": "oa:Annotation", "motivation": "sc:painting", "resource": {
             "@id": f"{url}/full/full/0/default.jpg", "@type": "dctypes:Image", "service": {
                 "@context": "http://iiif.io/api/image/2/context.json", "@id": url,
                 "profile": "http://iiif.io/api/image/2/level1.json"}}}]}
        for name, (url, size) in services.items()]
    return json.dumps({
        "@context": "http://iiif.io/api/presentation/2/context.json", "@id": "http://127.0.0.1/manifest",
        "@type": "sc:Manifest", "label": label, "sequences": [{"@type": "sc:Sequence", "canvases": canvases}]})


def first(*urls):
    """The image of the first URL that answers."""
    for url in urls:
        try:
            return load(get(url))
        except OSError as error:
            failure = error
    raise failure


def joined(service, size, side, version, quality, factor):
    """All tiles of a static service at a scale factor, put together by Pillow."""
    image = Image.new("RGB", [-(-length // factor) for length in size])
    for y in range(0, size[1], side * factor):
        for x in range(0, size[0], side * factor):
            width, height = min(side * factor, size[0] - x), min(side * factor, size[1] - y)
            scaled = -(-width // factor), -(-height // factor)
            form = f"{scaled[0]},{scaled[1]}" if version == 3 else f"{scaled[0]},"
            end = f"{form}/0/{quality}.jpg"
            regions = [f"{x},{y},{width},{height}"] + ["full"] * ((width, height) == size)
            image.paste(first(*[f"{service}/{region}/{end}" for region in regions]), (x // factor, y // factor))
    return image


def reference_image(case, service, size):
    """What a plain client gets from the server, and how."""
    if case["tiles"]:
        return joined(
            service, size, 256, case["api"], case["quality"], case.get("factor", 1)), "tiles"
    for form in case["forms"]:
        try:
            return load(get(f"{service}/full/{form}/0/{case['quality']}.jpg")), form
        except OSError:
            continue
    return None, "none"


def add(program, library, url):
    end = subprocess.run(
        [program, "-q", "-d", library, "--set", "network.privateAddresses=allow", "add", url],
        capture_output=True, text=True)
    for line in end.stderr.splitlines()[:5]:
        print(f"  {line}", file=sys.stderr)
    return end.returncode


def run_case(case, originals, program, scratch, address):
    if "factor" in case:
        # Of an image with a single tile, no smaller one exists.
        originals = {name: image for name, image in originals.items() if max(image.size) > 256 * case["factor"]}
    services = {name: (case["url"](name), image.size) for name, image in originals.items()}
    counter = relay(case["url"]("odd"), case.get("members"))
    relayed = {
        name: (url.replace(counter.origin, counter.address), size) for name, (url, size) in services.items()}
    make = manifest3 if case["presentation"] == 3 else manifest2
    path = scratch / f"{case['name'].replace(' ', '-').replace(',', '')}.json"
    path.write_text(make(relayed, f"Book of {case['name']}"))
    library = scratch / f"{path.stem}-library"
    begin = time.monotonic()
    code = add(program, library, f"{address}/{path.name}")
    seconds = time.monotonic() - begin
    case["path"] = path.name
    files = sorted(p for p in library.glob("*/*") if p.suffix in (".jpg", ".png") and not p.parent.name.startswith("."))
    rows = []
    for index, (name, original) in enumerate(originals.items(), 1):
        found = [p for p in files if p.name.startswith(f"{index:04}-")]
        base = services[name][0].replace(counter.origin, "") + "/"
        row = {"name": name, "requests": sum(path.startswith(base) for path in counter.paths)}
        row |= {"file": bool(found), "title": bool(found) and f"Page {name}" in found[0].name}
        reference, form = reference_image(case, services[name][0], original.size)
        row["form"] = form
        if found:
            image = Image.open(found[0])
            image.load()
            row.update(
                size=image.size, ours=psnr(original, image),
                between=psnr(reference, image) if reference else None)
        if reference:
            row.update(expected=reference.size, theirs=psnr(original, reference))
        rows.append(row)
    return rows, seconds, code


def run_collection(cases, originals, program, scratch, address):
    """A collection of all manifests, which names itself as well: one record for each, read once."""
    items = [{"id": f"{address}/{case['path']}", "type": "Manifest"} for case in cases]
    items += [{"id": f"{address}/all.json", "type": "Collection"}, items[0]]
    (scratch / "all.json").write_text(json.dumps({
        "@context": "http://iiif.io/api/presentation/3/context.json", "id": f"{address}/all.json",
        "type": "Collection", "label": {"en": ["All"]}, "items": items}))
    library = scratch / "all-library"
    code = add(program, library, f"{address}/all.json")
    folders = sorted(p for p in library.iterdir() if p.is_dir() and not p.name.startswith("."))
    counts = [len(list(folder.iterdir())) for folder in folders]
    print(f"collection of {len(cases)} manifests: {len(folders)} records with {sum(counts)} files, exit code {code}")
    # The link of the collection to itself is reported.
    return code != 1 or min(counts) < len(originals) - 1 or len(counts) != len(cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--imgdl-cli", type=Path, default=root / ".build/debug/imgdl-cli")
    parser.add_argument("--keep", type=Path, help="the folder of all files, which is not removed")
    chosen = parser.parse_args()
    scratch = chosen.keep or Path(tempfile.mkdtemp(prefix="imgdl-iiif-"))
    pictures, tiffs = scratch / "pictures", scratch / "tiffs"
    for folder in (pictures, tiffs):
        folder.mkdir(parents=True)
    originals = {name: picture(name, size) for name, size in PICTURES.items()}
    for name, image in originals.items():
        image.save(pictures / f"{name}.png")
        subprocess.run(
            ["vips", "tiffsave", pictures / f"{name}.png", tiffs / f"{name}.tif", "--tile", "--pyramid",
             "--compression", "deflate"], check=True)
    servers = Servers(scratch)
    try:
        failed = compare(servers, scratch, pictures, tiffs, originals, chosen.imgdl_cli)
    finally:
        servers.stop()
        if not chosen.keep:
            shutil.rmtree(scratch)
    sys.exit(1 if failed else 0)


def compare(servers, scratch, pictures, tiffs, originals, program):
    iip, limited = servers.iipsrv(tiffs), servers.iipsrv(tiffs, MAX_CVT="600")
    reference = servers.reference(pictures)
    whole = {"tiles": False, "quality": "default", "forms": ["max", "full"]}
    tiles = {"tiles": True, "quality": "default"}
    cases = [
        {"name": "iipsrv", "api": 2, "presentation": 2, "url": lambda n: f"{iip}{n}.tif", **whole},
        {"name": "iipsrv, 600 px", "api": 2, "presentation": 3, "url": lambda n: f"{limited}{n}.tif", **whole},
        {"name": "iiif 3.0", "api": 3, "presentation": 3, "url": lambda n: f"{reference}/3.0_pil/{n}", **whole},
        {"name": "iiif 2.1", "api": 2, "presentation": 2, "url": lambda n: f"{reference}/2.1_pil/{n}", **whole},
        {"name": "iiif 1.1", "api": 1, "presentation": 2, "url": lambda n: f"{reference}/1.1_pil/{n}",
         **whole, "quality": "native"},
    ]
    for version in ("2.1", "1.1"):
        folder = scratch / f"static-{version}"
        folder.mkdir()
        address = serve(folder)
        static_iiif(version, pictures, folder, address)
        cases.append({
            "name": f"static {version}", "api": int(version[0]), "presentation": 2, **tiles,
            "quality": "native" if version == "1.1" else "default", "url": lambda n, a=address: f"{a}/{n}"})
    for layout, api in (("iiif", 2), ("iiif3", 3)):
        folder = scratch / f"vips-{layout}"
        folder.mkdir()
        address = serve(folder)
        static_vips(layout, pictures, folder, address)
        cases.append({
            "name": f"vips {layout}", "api": api, "presentation": 3, **tiles, "url": lambda n, a=address: f"{a}/{n}"})
    for case in cases:
        wait(f"{case['url']('odd')}/info.json")
    # An image beyond the limits is joined at a reduced size; here the descriptions leave out the full one.
    for layout, api in (("iiif", 2), ("iiif3", 3)):
        whole_size = next(case for case in cases if case["name"] == f"vips {layout}")
        cases.append(whole_size | {
            "name": f"vips {layout}, half", "factor": 2,
            "members": {"tiles": [{"width": 256, "scaleFactors": [2]}], "sizes": []}})
    cases.append({
        "name": "iiif 3.0, PNG", "api": 3, "presentation": 3, "url": lambda n: f"{reference}/3.0_pil/{n}",
        "members": {"preferredFormats": ["png"]}, "exact": True, **whole})
    failed = False
    address = serve(scratch)
    print("server            picture  file title  size            expected        how    requests PSNR: ours theirs between")
    for case in cases:
        rows, seconds, code = run_case(case, originals, program, scratch, address)
        for row in rows:
            size = "×".join(map(str, row.get("size", ("-",))))
            expected = "×".join(map(str, row.get("expected", ("-",))))
            numbers = " ".join(
                f"{row[key]:6.2f}" if row.get(key) is not None else "     -" for key in ("ours", "theirs", "between"))
            print(f"{case['name']:17} {row['name']:8} {row['file']!s:5} {row['title']!s:5} {size:15} {expected:15} "
                  f"{row['form']:6} {row['requests']:8} {numbers}")
            failed |= not row["file"] or not row["title"] or row.get("size") != row.get("expected")
            failed |= case.get("exact", False) and row.get("ours") != math.inf
            # A second compression at quality 95 loses little beside the first one.
            failed |= row.get("theirs") is not None and row.get("ours", 0) < row["theirs"] - 0.7
        print(f"{case['name']:17} {seconds:.1f} s, exit code {code}")
        failed |= code != 0
    return run_collection(cases, originals, program, scratch, address) or failed


if __name__ == "__main__":
    main()
