"""Downloads images into shards for machine learning.

The program `imgdl-cli worker` downloads and resizes the images of one shard; this package reads the list of URLs,
distributes the shards, and writes what img2dataset would write.
"""

from .downloader import Downloader
from .driver import run
from .errors import RunStopped, UsageError
from .main import download
from .options import Options
from .progress import Progress
from .summary import Summary

__all__ = ["Downloader", "Options", "Progress", "RunStopped", "Summary", "UsageError", "download", "run"]
