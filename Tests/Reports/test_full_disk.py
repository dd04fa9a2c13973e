"""A disk that becomes full: it ends no more than it has to, and the work goes on when there is room again."""

import pathlib
import subprocess

import pytest

from library import Library, wait_until
from pictures import noise
from raw_server import picture

COUNT = 40
MIB = 1 << 20


class SmallDisk(Library):
    """A library on a disk in memory, which only its programs see: they run in a mount namespace of their own."""

    MOUNT = 'mount -t tmpfs -o size="$1" none "$2" && echo mounted && exec cat'

    def __init__(self, size):
        super().__init__()
        self.disk = self.home / "disk"
        self.disk.mkdir()
        self.folder = self.disk / "library"
        # It keeps the namespace, until its standard input is closed.
        self.keeper = subprocess.Popen(
            ["unshare", "--map-root-user", "--mount", "--propagation", "private", "sh", "-c", self.MOUNT, "sh",
             str(size), self.disk], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.keeper.stdout.readline() == b"mounted\n"

    def close(self):
        super().close()
        self.keeper.stdin.close()
        self.keeper.wait()
        self.keeper.stdout.close()

    @property
    def view(self):
        return self.inside(self.folder)

    def inside(self, path):
        return pathlib.Path(f"/proc/{self.keeper.pid}/root{path}")

    def command(self, program, *arguments):
        enter = ["nsenter", "--user", "--mount", "--preserve-credentials", "--target", str(self.keeper.pid)]
        return enter + super().command(program, *arguments)


@pytest.fixture
def library():
    library = SmallDisk(6 * MIB)
    yield library
    library.close()


@pytest.fixture
def server(serve):
    """Pictures that need three times as much as there is."""
    return serve(lambda request: picture(noise(request.path, 400, 400), ETag=f'"{request.path}"'))


def urls(server, count=COUNT):
    return [f"{server.url}/{number}.png" for number in range(count)]


def test_a_full_disk_is_named_and_the_library_can_be_reduced(library, server):
    done = library.add(library.list_of(urls(server)), code=6)
    assert "No space left on device" in done.errors
    assert "free" in done.errors and "needed" in done.errors
    [record] = library.records()
    assert 0 < record["finished"] < COUNT
    assert len(library.resources()) == COUNT
    library.run("verify")
    library.run("remove", 1, "--yes")
    assert library.records() == []
    library.add(library.list_of(urls(server, 3)))
    assert [record["finished"] for record in library.records()] == [3]


def test_imgdld_says_that_the_disk_is_full_and_goes_on_when_there_is_room(library, server):
    ballast = library.inside(library.disk / "ballast")
    ballast.write_bytes(bytes(4 * MIB))
    library.start_daemon()
    library.call("POST", "/v1/sources", {"file": str(library.list_of(urls(server, 6)))})
    status, problem = wait_until(lambda: (found := library.call("GET", "/v1/health"))[0] == 507 and found)
    assert problem["code"] == "diskFull"
    assert library.call("GET", "/v1/status")[1]["failure"]["code"] == "diskFull"
    ballast.unlink()
    wait_until(lambda: library.call("GET", "/v1/health")[0] == 200 and library.records()[0]["finished"] == 6)
    assert all(server.count(f"/{number}.png") <= 4 for number in range(6))
