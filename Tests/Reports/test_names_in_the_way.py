"""Names of a library that somebody else has taken, and paths that are longer than a system allows."""

import os
import shutil
import subprocess

import pytest

from library import PATIENCE, Library
from pictures import noise
from raw_server import NOT_FOUND, picture


class Missing:
    """A server whose second picture is missing at first."""

    def __init__(self, serve):
        self.is_missing = True
        self.server = serve(self.answer)

    def answer(self, request):
        return NOT_FOUND if self.is_missing and request.path == "/1.png" else picture(noise(request.path))


def folder(place):
    place.mkdir()


def folder_with_a_file(place):
    place.mkdir()
    (place / "mine").write_text("mine")


def link(place):
    place.symlink_to(place.parents[2] / "victim")


def fifo(place):
    os.mkfifo(place)


def file_in_place_of_the_record(place):
    shutil.rmtree(place.parent)
    place.parent.write_text("mine")


TAKEN = [(folder, 1), (folder_with_a_file, 1), (link, 0), (fifo, 0), (file_in_place_of_the_record, 1)]


@pytest.mark.parametrize(("take", "code"), TAKEN, ids=[take.__name__ for take, _ in TAKEN])
def test_a_name_that_is_taken_concerns_its_resource_alone(library, serve, take, code):
    origin = Missing(serve)
    victim = library.write("victim", "mine")
    library.add(library.list_of(f"{origin.server.url}/{number}.png" for number in range(3)), code=1)
    origin.is_missing = False
    take(library.folder / "list/0002-1.png")
    done = library.run("retry", "--no-progress", code=code)
    assert ("cannot be stored" in done.errors) == (code == 1), done
    library.add(f"{origin.server.url}/other.png")
    assert [record["title"] for record in library.records()] == ["list", "other.png"]
    library.run("remove", "1", "--yes")
    assert [record["title"] for record in library.records()] == ["other.png"]
    assert victim.read_text() == "mine"


@pytest.fixture
def immutable():
    """Makes a folder immutable, until the test ends."""
    folders = []

    def make(folder):
        folders.append(folder)
        if subprocess.run(["chattr", "+i", folder], capture_output=True).returncode != 0:
            pytest.skip("this user, or this file system, makes no folder immutable")

    yield make
    for folder in folders:
        subprocess.run(["chattr", "-i", folder], capture_output=True)


def test_an_immutable_folder_concerns_its_record_alone(library, serve, immutable):
    origin = Missing(serve)
    library.add(library.list_of(f"{origin.server.url}/{number}.png" for number in range(3)), code=1)
    origin.is_missing = False
    immutable(library.folder / "list")
    library.run("retry", "--no-progress", code=1)
    library.add(f"{origin.server.url}/other.png")
    done = library.run("remove", "1", "--yes", code=1)
    assert "0001-0.png" in done.errors
    assert [record["title"] for record in library.records()] == ["other.png"]
    library.run("verify")


def test_the_terminal_program_names_what_a_reset_has_left(library, serve, immutable):
    server = serve(lambda request: picture(noise(request.path)))
    library.add(library.list_of([f"{server.url}/1.png"]))
    immutable(library.folder / "list")
    done = subprocess.run(
        library.command("imgdl-tui", "--plain"), env=library.environment(), input=b"reset\nyes\nquit\n",
        capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "not all files are deleted" in done.stdout.decode()
    assert "0001-1.png" in done.stdout.decode()


def test_a_library_below_a_long_path_works_or_names_the_limit(library, serve):
    server = serve(lambda request: picture(noise(request.path)))
    sources = library.list_of([f"{server.url}/1.png"])
    results = {}
    for length in (200, 400, 440, 478, 479, 490, 520, 700, 1200):
        place = library.home
        while len(str(place)) + 102 < length:
            place /= "x" * 100
        place /= "y" * (length - len(str(place)) - 1)
        place.mkdir(parents=True)
        other = Library(place)
        try:
            done = other.add(sources, code=None)
            if done.code == 0:
                assert list(other.files().values()) == [noise("/1.png")]
            results[length] = done
        finally:
            other.close()
    working = [length for length, done in results.items() if done.code == 0]
    assert working == sorted(results)[: len(working)]
    assert 440 in working
    for length, done in results.items():
        assert done.code == 0 or "bytes" in done.errors, (length, done)


def test_a_name_longer_than_the_file_system_allows_is_shortened(library, serve):
    server = serve(lambda request: picture(noise(request.path)))
    library.add(library.list_of([f"{server.url}/{'é' * 300}.png", f"{server.url}/{'a' * 300}.png"]))
    names = library.names()
    assert len(names) == 2
    assert all(len(name.encode()) <= 255 and name.endswith(".png") for name in names)
