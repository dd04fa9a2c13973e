"""A disk that becomes full: it ends no more than it has to, and the work goes on when there is room again."""

import os
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

    MOUNT = 'mount -t tmpfs -o size="$2" none "$1"'
    # The namespace of users that the kernel wants to have for a mount, and the options that enter it.
    USERS, ENTER = ("--map-root-user",), ("--user", "--preserve-credentials")

    def __init__(self, size):
        super().__init__()
        self.disk = self.home / "disk"
        self.disk.mkdir()
        self.folder = self.disk / "library"
        # It keeps the namespace, until its standard input is closed.
        self.keeper = subprocess.Popen(
            ["unshare", *self.USERS, "--mount", "--propagation", "private", "sh", "-c",
             f"( {self.MOUNT} ) >&2 && echo mounted && exec cat", "sh", self.disk, str(size)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
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
        enter = ["nsenter", *self.ENTER, "--mount", "--target", str(self.keeper.pid)]
        return enter + super().command(program, *arguments)


class Quota(SmallDisk):
    """A library in a subvolume of btrfs with a quota, which refuses pages of mapped files as well as writes."""

    MOUNT = """
        set -e
        truncate -s 512M "$1.image"
        mkfs.btrfs -q "$1.image"
        mount -o loop "$1.image" "$1"
        btrfs quota enable "$1"
        btrfs subvolume create "$1/library"
        btrfs qgroup limit "$2" "$1/library"
    """
    # The owner of a loop device is root.
    USERS, ENTER = (), ()


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
    assert "make room" in done.errors
    assert_can_be_reduced(library, server)


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone mounts a loop device")
def test_a_quota_is_a_full_disk(serve, server):
    try:
        library = Quota(12 * MIB)
    except AssertionError:
        pytest.skip("the kernel mounts no btrfs")
    try:
        done = library.add(library.list_of(urls(server)), code=6)
        assert "make room" in done.errors
        assert_can_be_reduced(library, server)
    finally:
        library.close()


def assert_can_be_reduced(library, server):
    assert library.records()[0]["finished"] < COUNT
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
