"""What the tests share: the package of this checkout, and a worker program that downloads nothing."""

import os
import stat
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "Apps" / "imgdl-dataset" / "src"
sys.path.insert(0, str(SOURCES))
# Processes that the tests start must find the package too.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(SOURCES), os.environ.get("PYTHONPATH"))))


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The path of the fake worker program."""
    path = tmp_path_factory.mktemp("bin") / "imgdl-cli"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{Path(__file__).parent / "fake_worker.py"}" "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def worker(program, monkeypatch):
    """A client whose process is the fake worker."""
    from imgdl_dataset.worker import Worker, close_thread_worker

    monkeypatch.setenv("IMGDL_BINARY", program)
    worker = Worker()
    yield worker
    worker.close()
    close_thread_worker()


@pytest.fixture
def options(tmp_path, worker):
    """Makes options whose output folder is new, and with which the fake worker is found."""
    from imgdl_dataset.options import Options

    def make(**values):
        values.setdefault("output_folder", str(tmp_path / "out"))
        values.setdefault("output_format", "webdataset")
        return Options(**{"url_list": str(tmp_path / "input"), "input_format": "parquet"} | values)

    return make


@pytest.fixture
def start(options, tmp_path):
    """Writes an input of so many URLs, and runs a driver with shards of ten."""
    from imgdl_dataset import driver

    def start_run(count=45, host="ok", **values):
        table = pa.table({"url": pa.array([f"http://{host}/{i}" for i in range(count)], pa.string())})
        pq.write_table(table, tmp_path / "input", row_group_size=17)
        return driver.run(options(number_sample_per_shard=10, **values))

    return start_run


@pytest.fixture
def table():
    """Makes a table of URLs, from the names of hosts."""

    def make(*hosts, **columns):
        urls = pa.array([None if host is None else f"http://{host}/{i}" for i, host in enumerate(hosts)], pa.string())
        return pa.table({**columns, "url": urls})

    return make
