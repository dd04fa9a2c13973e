"""What tests of whole runs look at and replace."""

import os

import pyarrow.parquet as pq

from imgdl_dataset import executors
from imgdl_dataset.executors.local import LocalExecutor


def shards(tmp_path):
    return sorted(int(name[:5]) for name in os.listdir(tmp_path / "out") if name.endswith("_stats.json"))


def all_urls(tmp_path):
    paths = sorted((tmp_path / "out").glob("*.parquet"))
    return [url for path in paths for url in pq.read_table(path)["url"].to_pylist()]


def replace_tasks(monkeypatch, function):
    monkeypatch.setattr(executors, "create", lambda *_: LocalExecutor(function, 2))
