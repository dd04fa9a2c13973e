"""A server for what the tour shows."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build/debug"
PICTURES = ROOT / "Documentation/Tour"


class Origin:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [BUILD / "imgdl-origin", "--port", "0", "--exit-with-stdin", *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
