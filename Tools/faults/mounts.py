"""File systems for tests: a small tmpfs, and an ext4 that loses power. They need root and the mount
namespace that `run` creates, with which they disappear, however the tests end."""

import fcntl
import os
import shutil
import struct
import subprocess
import time

from violation import Skipped, Violation

# The ioctl that shuts a file system down at once (ext4 and others). Flag 2 drops the journal that
# was not written.
SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2


def command(*words):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if result.returncode != 0:
        raise OSError(f"{words[0]}: {result.stderr.strip() or result.returncode}")


def need_mounts(rig):
    """Skips the test with the reason if no file systems can be mounted."""
    if not rig.may_mount:
        raise Skipped("needs root and a mount namespace (unshare)")


def need_loop(rig):
    """Skips the test with the reason if no ext4 can be mounted from an image file."""
    need_mounts(rig)
    for program in ("mkfs.ext4", "mount", "umount"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            raise Skipped(f"needs {program}")
    disk = Disk(rig.scratch / "probe", megabytes=8)
    try:
        disk.mount()
        disk.unmount()
    except OSError as error:
        raise Skipped(str(error)) from error
    finally:
        disk.remove()


class Memory:
    """A mounted tmpfs with a limit of bytes or of inodes."""

    def __init__(self, folder, options):
        self.folder = folder
        folder.mkdir(parents=True)
        command("mount", "-t", "tmpfs", "-o", options, "imgdl-faults", folder)

    def resize(self, options):
        command("mount", "-o", f"remount,{options}", self.folder)

    def unmount(self):
        unmount(self.folder)


class Disk:
    """An ext4 file system in an image file."""

    def __init__(self, folder, megabytes=96):
        self.folder = folder
        self.image = folder.with_suffix(".img")
        folder.mkdir(parents=True, exist_ok=True)
        with open(self.image, "wb") as file:
            file.truncate(megabytes << 20)
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        command(shutil.which("mkfs.ext4", path=path), "-q", "-F", "-E", "lazy_itable_init=0",
                self.image)

    def mount(self, options="defaults"):
        command("mount", "-o", f"loop,{options}", self.image, self.folder)

    def cut_power(self):
        """Shuts the file system down: every later call fails, and changes that were not synced are
        lost."""
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(handle)

    def unmount(self):
        unmount(self.folder)

    def remove(self):
        if os.path.ismount(self.folder):
            self.unmount()
        self.image.unlink(missing_ok=True)


def unmount(folder):
    """Unmounts a folder. Retries for 30 s, because a helper that is ending may keep a file open."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return command("umount", folder)
        except OSError as error:
            if time.monotonic() > deadline:
                raise Violation(f"I4: cannot unmount: {error}") from error
            time.sleep(0.05)
