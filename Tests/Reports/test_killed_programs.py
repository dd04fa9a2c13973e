"""Programs that are killed while they work, and helpers that die or lie: neither concerns other files."""

import subprocess

import pytest

from library import PROGRAMS, wait_until
from pictures import encoded, noise, squares
from raw_server import picture

COUNT = 40


def renditions(library):
    return sum(1 for path in (library.folder / ".imgdl/renditions").rglob("*") if path.is_file())


def kill_during_rendering(library, sources):
    before = renditions(library)
    process = library.start("add", "--quiet", sources, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: renditions(library) > before or process.poll() is not None)
    process.kill()
    process.wait()


def test_a_kill_during_rendering_marks_no_file(library, serve):
    """Rendering is slower than downloads, so that each kill finds images in the decoders."""
    image = squares(side=400)

    def answer(request):
        own = image.copy()
        own.putpixel((0, 0), (int(request.path[1:-4]), 0, 0))
        return picture(encoded(own, "PNG", compress_level=1))

    server = serve(answer)
    sources = library.list_of(f"{server.url}/{number}.png" for number in range(COUNT))
    for _ in range(6):
        kill_during_rendering(library, sources)
    library.add(sources)
    rows = library.resources()
    assert [row["status"] for row in rows] == ["finished"] * COUNT
    assert not [row["reason"] for row in rows if "reason" in row]
    assert renditions(library) == COUNT


HELPERS = ("imgdl-render", "imgdl-unpack", "imgdl-markup", "imgdl-urlsession")


@pytest.fixture
def liars(library):
    """A folder of helpers of which one changes some of its messages until a file is there; the file."""
    folder = library.home / "helpers"
    folder.mkdir()
    honest = library.home / "honest"

    def make(helper, seed, percent):
        for name in HELPERS:
            path = folder / name
            if name == helper:
                real = f'"{PROGRAMS}/{name}"'
                path.write_text(
                    f'#!/bin/sh\n[ "$1" != --decoders ] || exec {real} "$@"\n'
                    f'exec "{PROGRAMS}/mutating-proxy" {seed} {percent} "{honest}" {real} "$@"\n')
                path.chmod(0o755)
            else:
                path.symlink_to(PROGRAMS / name)
        return {"IMGDL_HELPERS": str(folder)}

    make.honest = honest
    return make


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("helper", ["imgdl-render", "imgdl-urlsession"])
def test_a_helper_that_lies_does_not_end_the_program(library, serve, liars, helper, seed):
    server = serve(lambda request: picture(noise(request.path)))
    sources = library.list_of(f"{server.url}/{number}.png" for number in range(30))
    environment = liars(helper, seed, 10)
    transport = ["--set", "adapters.transport=url-session"] if helper == "imgdl-urlsession" else []
    # Exit code 6 is an error of the disk, and a negative one a signal.
    assert library.add(*transport, sources, code=None, environment=environment).code in (0, 1)
    contents = {noise(f"/{number}.png") for number in range(30)}
    rows = library.resources()
    files = library.files()
    assert all(files[row["file"]] in contents for row in rows if row["status"] == "finished")
    liars.honest.touch()
    library.run("retry", *transport, "--no-progress", code=None, environment=environment)
    library.run("reload", 1, *transport, "--quiet", environment=environment)
    assert [row["status"] for row in library.resources()] == ["finished"] * 30
    assert set(library.files().values()) == contents
