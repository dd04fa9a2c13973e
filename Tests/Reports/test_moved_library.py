"""Libraries whose folder is moved, or disappears below a running imgdld."""

import shutil

import pytest

from library import Library
from pictures import noise
from raw_server import picture

COUNT = 6


@pytest.fixture
def sources(library, serve):
    server = serve(lambda request: picture(noise(request.path)))
    return library.list_of(f"{server.url}/{number}.png" for number in range(COUNT))


def test_a_moved_library_works_as_before(library, sources):
    library.add(sources)
    moved = library.home / "elsewhere" / "pictures"
    # A copy has no hard links, as on another file system.
    shutil.copytree(library.folder, moved)
    shutil.rmtree(library.folder)
    library.folder = moved
    assert [record["finished"] for record in library.records()] == [COUNT]
    library.run("verify", "--read-data")
    library.run("refresh", 1)
    library.run("reload", 1, "--quiet")
    rows = library.run("export", 1, "--format", "jsonl").out.splitlines()
    assert len(rows) == COUNT
    assert len(library.files()) == COUNT


def test_a_library_is_made_again_if_its_folder_was_removed_below_imgdld(library, sources):
    library.start_daemon()
    library.add(sources)
    shutil.rmtree(library.folder)
    # This command stops the program that has lost its folder, or waits for its end.
    library.run("daemon", "stop", code=None)
    again = Library(library.folder)
    try:
        again.add(sources)
        assert len(again.files()) == COUNT
    finally:
        again.close()
