"""Makes one shard of ten images with the installed imgdl-img2dataset, from a server on this machine.

Usage: shard.py SAMPLE OUTPUT     SAMPLE: the folder Apps/imgdl-cli/Sample
"""

import functools
import http.server
import subprocess
import sys
import tarfile
import tempfile
import threading
from pathlib import Path

COUNT = 10


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Keeps the requests off the screen."""


def main() -> None:
    sample, output = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    images = sorted(path for path in sample.rglob("*") if path.suffix in {".jpg", ".png", ".webp"})[:COUNT]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sample))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as urls:
        for image in images:
            urls.write(f"http://127.0.0.1:{server.server_port}/{image.relative_to(sample)}\n")
        urls.flush()
        subprocess.run(
            [
                Path(sys.executable).with_name("imgdl-img2dataset"), "--url_list", urls.name, "--output_folder", output,
                "--output_format", "webdataset", "--image_size", "64", "--allow_private",
            ],
            check=True,
        )
    server.shutdown()
    [shard] = output.glob("*.tar")
    with tarfile.open(shard) as archive:
        made = [name for name in archive.getnames() if name.endswith(".jpg")]
    if len(made) != COUNT:
        sys.exit(f"{shard} has {len(made)} images of {COUNT}")


main()
