"""The lower bound for thumbnails: JPEG files decoded at the nearest multiple of an eighth of their size and
encoded again, by libjpeg-turbo alone, without resampling, sandbox, download or store.

Usage: floor.py LIST FOLDER [PROCESSES]
  LIST has one path per line; a file per path is written to FOLDER.
"""

import ctypes
import ctypes.util
import os
import sys
from pathlib import Path

SIDE = 256
QUALITY = 80
SUBSAMPLING_420 = 2


class Codec:
    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("turbojpeg") or "libturbojpeg.so.0")
        for name in ("tjInitCompress", "tjInitDecompress"):
            getattr(self.library, name).restype = ctypes.c_void_p
        self.encoder = ctypes.c_void_p(self.library.tjInitCompress())
        self.decoder = ctypes.c_void_p(self.library.tjInitDecompress())
        self.pixels = ctypes.create_string_buffer(2048 * 2048 * 3)
        self.output = ctypes.create_string_buffer(1 << 20)

    def shrink(self, jpeg):
        size, width, height = ctypes.c_ulong(len(jpeg)), ctypes.c_int(), ctypes.c_int()
        subsampling, colours = ctypes.c_int(), ctypes.c_int()
        self.check(self.library.tjDecompressHeader3(
            self.decoder, jpeg, size, ctypes.byref(width), ctypes.byref(height),
            ctypes.byref(subsampling), ctypes.byref(colours)))
        longest = max(width.value, height.value)
        step = next((n for n in range(1, 9) if longest * n >= SIDE * 8), 8)
        small = [-(-side * step // 8) for side in (width.value, height.value)]
        self.check(self.library.tjDecompressToYUV2(
            self.decoder, jpeg, size, self.pixels, small[0], 1, small[1], 0))
        target = ctypes.cast(self.output, ctypes.c_char_p)
        written = ctypes.c_ulong(len(self.output))
        keep_buffer = 1024
        self.check(self.library.tjCompressFromYUV(
            self.encoder, self.pixels, small[0], 1, small[1], subsampling, ctypes.byref(target),
            ctypes.byref(written), QUALITY, keep_buffer))
        return ctypes.string_at(self.output, written.value)

    @staticmethod
    def check(code):
        if code != 0:
            sys.exit("libjpeg-turbo does not take the picture")


def work(paths, folder, first, step):
    codec = Codec()
    for number in range(first, len(paths), step):
        Path(folder, f"{number}.jpg").write_bytes(codec.shrink(Path(paths[number]).read_bytes()))


def main():
    paths = Path(sys.argv[1]).read_text().split("\n")[:-1]
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count()
    children = []
    for number in range(processes):
        child = os.fork()
        if child == 0:
            work(paths, sys.argv[2], number, processes)
            os._exit(0)
        children.append(child)
    sys.exit(any(os.waitpid(child, 0)[1] for child in children))


main()
