"""Input and output in an object store: a server of the S3 protocol on this machine."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from imgdl_dataset import driver, lock, storage
from imgdl_dataset.downloader import Downloader
from imgdl_dataset.errors import UsageError
from imgdl_dataset.reader import input_files
from imgdl_dataset.shard import process_shard
from imgdl_dataset.task import serialize_table

moto = pytest.importorskip("moto.server")
fsspec = pytest.importorskip("fsspec")
pytest.importorskip("s3fs")


@pytest.fixture(scope="module")
def endpoint():
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint, tmp_path, monkeypatch):
    """The URL of a new bucket."""
    keys = {"key": "testing", "secret": "testing"}
    monkeypatch.setitem(fsspec.config.conf, "s3", {"endpoint_url": endpoint, **keys})
    name = "b" + "".join(character for character in tmp_path.name if character.isalnum()).lower()[:50]
    fsspec.filesystem("s3").mkdir(name)
    yield f"s3://{name}"
    fsspec.filesystem("s3").clear_instance_cache()


@pytest.fixture
def start(options, bucket, tmp_path):
    """Runs a driver whose input and output are in the bucket."""

    def start_run(hosts=("ok",) * 15, **values):
        with storage.open_file(f"{bucket}/in/a.parquet", "wb") as file:
            pq.write_table(pa.table({"url": [f"http://{host}/{i}" for i, host in enumerate(hosts)]}), file)
        values = {"output_folder": f"{bucket}/out", "url_list": f"{bucket}/in", "number_sample_per_shard": 10} | values
        return driver.run(options(**values, scratch_folder=str(tmp_path / "scratch")))

    return start_run


def objects(bucket):
    system, inner = storage.filesystem(bucket)
    return {path.removeprefix(f"{inner}/out/") for path in system.find(f"{inner}/out")}


def test_a_run_and_its_resume(start, bucket, tmp_path):
    assert start().is_complete
    names = {f"0000{i}{end}" for i in (0, 1) for end in (".tar", ".parquet", "_stats.json")}
    assert objects(bucket) == names | {"_report.html", "_imgdl.run"}
    assert list((tmp_path / "scratch").iterdir()) == []
    storage.remove_file(f"{bucket}/out/00001_stats.json")
    summary = start()
    assert summary.is_complete and [shard.shard_id for shard in summary.shards] == [1]
    assert json.loads(storage.read(f"{bucket}/out/00001_stats.json"))["count"] == 5


@pytest.mark.parametrize("output_format", ["webdataset", "parquet", "files"])
def test_failed_rows_are_retried(start, bucket, tmp_path, monkeypatch, output_format):
    monkeypatch.setenv("FAKE_DEAD", str(tmp_path / "dead"))
    hosts = ["a", "b"] * 6
    (tmp_path / "dead").write_text("b")
    assert start(hosts, output_format=output_format).successes == 6
    (tmp_path / "dead").write_text("a")
    assert start(hosts, output_format=output_format, retry_failed=True).successes == 12
    with storage.open_file(f"{bucket}/out/00000.parquet", "rb") as file:
        rows = pq.read_table(file).to_pylist()
    assert {row["status"] for row in rows} == {"success"}
    assert list((tmp_path / "scratch").iterdir()) == []
    if output_format == "files":
        assert {f"00000/00000{i}.jpg" for i in range(10)} <= objects(bucket)


def test_overwrite_empties_the_folder(start, bucket):
    assert start().is_complete
    storage.filesystem(bucket)[0].pipe_file(f"{bucket.removeprefix('s3://')}/out/other", b"")
    assert start(["ok"], incremental_mode="overwrite").is_complete
    assert objects(bucket) == {"00000.tar", "00000.parquet", "00000_stats.json", "_report.html", "_imgdl.run"}


def test_a_second_driver_is_refused(start, options, bucket):
    held = lock.acquire(options(output_folder=f"{bucket}/out"))
    with pytest.raises(UsageError, match="in use by another run"):
        start()
    held.release()
    assert start().is_complete


def test_an_upload_that_fails_leaves_no_stats_file(options, worker, table, bucket, tmp_path, monkeypatch):
    system = type(fsspec.filesystem("s3"))

    def fail(self, path, *_, **__):
        raise OSError(28, "the bucket is full")

    monkeypatch.setattr(system, "put_file", fail)
    values = options(output_folder=f"{bucket}/out", scratch_folder=str(tmp_path / "scratch"))
    with pytest.raises(OSError, match="bucket is full"):
        process_shard(values, worker, 0, table("ok"))
    assert objects(bucket) == set() and list((tmp_path / "scratch").iterdir()) == []


def test_a_downloader_reads_and_removes_a_remote_arrow_file(options, worker, table, bucket):
    with storage.open_file(f"{bucket}/out/_tmp/3.feather", "wb") as file:
        file.write(serialize_table(table("ok", "404")))
    downloader = Downloader.from_options(options(output_folder=f"{bucket}/out"), ["url"])
    row = (3, f"{bucket}/out/_tmp/3.feather")
    assert downloader(row) == (True, row)
    assert downloader(row) == (True, row)
    assert objects(bucket) == {"00003.tar", "00003.parquet", "00003_stats.json"}


def test_a_bucket_that_does_not_exist_is_named_and_not_made(start):
    with pytest.raises(UsageError, match="s3://misspelt/out: there is no bucket misspelt"):
        start(output_folder="s3://misspelt/out")
    with pytest.raises(UsageError, match="url_list is s3://misspelt/in, which does not exist"):
        start(url_list="s3://misspelt/in")
    assert "misspelt" not in fsspec.filesystem("s3").ls("")


def test_missing_credentials_are_named_without_a_traceback(tmp_path, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    fsspec.filesystem("s3").clear_instance_cache()
    with pytest.raises(UsageError, match="url_list s3://some/in cannot be read: Unable to locate credentials"):
        input_files("s3://some/in", "txt")


def test_a_url_of_an_unknown_protocol_is_refused():
    with pytest.raises(UsageError, match="nowhere"):
        storage.exists("nowhere://bucket/x")
