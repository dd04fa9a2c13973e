"""The same as img2dataset, where it is installed: schemas, names, keys, numbers of shards, and who drives whom."""

import contextlib
import functools
import hashlib
import json
import os
import struct
import tarfile
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from imgdl_dataset import driver
from imgdl_dataset.downloader import Downloader
from imgdl_dataset.options import Options
from imgdl_dataset.reader import Reader
from imgdl_dataset.shard import process_shard
from imgdl_dataset.task import read_table, serialize_table

distributor = pytest.importorskip("img2dataset.distributor")
their_downloader = pytest.importorskip("img2dataset.downloader")
their_reader = pytest.importorskip("img2dataset.reader")
resizers = pytest.importorskip("img2dataset.resizer")
writers = pytest.importorskip("img2dataset.writer")

WRITERS = {
    "webdataset": writers.WebDatasetSampleWriter,
    "parquet": writers.ParquetSampleWriter,
    "files": writers.FilesSampleWriter,
}


def png():
    """A grey image of 8 times 8 pixels."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    pixels = zlib.compress((b"\0" + b"\x80" * 8) * 8)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class Images(BaseHTTPRequestHandler):
    """Serves one image for paths that begin with /ok."""

    def do_GET(self):
        found = self.path.startswith("/ok")
        self.send_response(200 if found else 404)
        self.send_header("Content-Length", str(len(png()) if found else 0))
        self.end_headers()
        if found:
            self.wfile.write(png())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    """The address of a server on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Images) as images:
        threading.Thread(target=images.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{images.server_port}"
        images.shutdown()


def downloader(kind, folder, output_format="webdataset", columns=("url",), **values):
    """Makes a downloader of either program from the same arguments."""
    arguments = {
        "sample_writer_class": WRITERS[output_format],
        "resizer": resizers.Resizer(16, "border", False),
        "thread_count": 4,
        "save_caption": "caption" in columns,
        "extract_exif": True,
        "output_folder": str(folder),
        "column_list": list(columns),
        "timeout": 10,
        "number_sample_per_shard": 10,
        "oom_shard_count": 5,
        "compute_hash": "sha256",
        "verify_hash_type": None,
        "encode_format": "jpg",
        "retries": 0,
        "user_agent_token": None,
        "disallowed_header_directives": ["noai"],
    }
    return kind(**arguments | values)


def shard_of_both(tmp_path, table, **values):
    """Lets both programs download the same rows, and returns their folders."""
    for kind, name in ((their_downloader.Downloader, "theirs"), (Downloader, "ours")):
        folder = tmp_path / name
        folder.mkdir()
        path = tmp_path / f"{name}.feather"
        path.write_bytes(serialize_table(table))
        assert downloader(kind, folder, columns=table.column_names, **values)((42, str(path)))[0]
        assert not path.exists()
    return tmp_path / "theirs", tmp_path / "ours"


CASES = {
    "plain": {},
    "no exif": {"extract_exif": False},
    "no hash": {"compute_hash": None},
    "sha512": {"compute_hash": "sha512"},
    "verify": {"compute_hash": "md5", "verify_hash_type": "md5"},
    "parquet": {"output_format": "parquet"},
    "files": {"output_format": "files"},
    "1000": {"number_sample_per_shard": 1000},
    "12": {"number_sample_per_shard": 12},
    "oom": {"oom_shard_count": 7},
}


@pytest.mark.parametrize("case", CASES)
def test_a_shard_has_the_same_files_schema_keys_and_members(worker, server, tmp_path, case):
    columns = {
        "price": pa.array([1.5, None, 2.0], pa.float32()),
        "tags": pa.array([["a"], [], None], pa.list_(pa.string())),
        "id": pa.array([2**60, 1, 2], pa.int64()),
        "caption": pa.array(["x", "y", None], pa.string()),
    }
    if case == "verify":
        # The two programs get different images here; the hash is right for neither.
        columns["md5"] = pa.array(["0" * 32] * 3, pa.string())
    table = pa.table({**columns, "url": [f"{server}/ok1", f"{server}/404", f"{server}/ok2"]})
    table = table.replace_schema_metadata({"origin": "a test"})
    theirs, ours = shard_of_both(tmp_path, table, **CASES[case])
    assert sorted(os.listdir(ours)) == sorted(os.listdir(theirs))
    name = "0000042" if case == "oom" else "00042"
    schemas = [pq.read_schema(folder / f"{name}.parquet") for folder in (theirs, ours)]
    assert schemas[1].equals(schemas[0], check_metadata=True)
    rows = [pq.read_table(folder / f"{name}.parquet").sort_by("key").to_pylist() for folder in (theirs, ours)]
    for theirs_row, ours_row in zip(*rows):
        same = set(theirs_row) & {"key", "url", "caption", "price", "tags", "id"}
        assert {name: ours_row[name] for name in same} == {name: theirs_row[name] for name in same}
    stats = [json.loads((folder / f"{name}_stats.json").read_text()) for folder in (theirs, ours)]
    assert list(stats[1]) == list(stats[0])
    assert list(map(type, stats[1].values())) == list(map(type, stats[0].values()))
    texts = [(folder / f"{name}_stats.json").read_text() for folder in (theirs, ours)]
    assert texts[1].splitlines()[1].index('"') == texts[0].splitlines()[1].index('"')
    if case == "files":
        assert sorted(os.listdir(ours / name)) == sorted(os.listdir(theirs / name))
    elif case != "parquet":
        assert members(ours / f"{name}.tar") == members(theirs / f"{name}.tar")


def members(path):
    """The names in a tar file, and the names inside the JSON of each sample."""
    with tarfile.open(path) as tar:
        result = {}
        for member in tar:
            content = tar.extractfile(member).read()
            result[member.name] = list(json.loads(content)) if member.name.endswith(".json") else None
    return dict(sorted(result.items()))


def test_row_groups_are_the_same(worker, server, tmp_path):
    table = pa.table({"url": [f"{server}/404/{i}" for i in range(250)]})
    groups = []
    for folder in shard_of_both(tmp_path, table, number_sample_per_shard=1000):
        metadata = pq.ParquetFile(folder / "00042.parquet").metadata
        groups.append([metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)])
    assert groups[0] == groups[1] == [100, 100, 50]


def write_input(path, input_format, count, first=0):
    rows = [{"n": i, "LINK": f"http://host/{i}", "TEXT": f"text {i}"} for i in range(first, first + count)]
    if input_format == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)
    elif input_format == "json":
        path.write_text(json.dumps(rows))
    elif input_format == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif input_format == "txt":
        path.write_text("".join(f"{row['LINK']}\n\n" for row in rows))
    else:
        options = pyarrow.csv.WriteOptions(delimiter="," if input_format == "csv" else "\t")
        pyarrow.csv.write_csv(pa.Table.from_pylist(rows), path, options)


@pytest.mark.parametrize("input_format", ["txt", "csv", "tsv", "json", "jsonl", "parquet"])
def test_the_readers_give_the_same_shards(tmp_path, input_format, capsys):
    source = tmp_path / "source"
    source.mkdir()
    for name, count in (("b", 12), ("a", 25), ("a10", 3), (".hidden", 4), ("A", 10)):
        write_input(source / f"{name}.{input_format}", input_format, count, first=len(name) * 1000)
    (tmp_path / "tmp").mkdir()
    done = {1, 3}
    columns = {} if input_format == "txt" else {"caption_col": "TEXT", "save_additional_columns": ["n"]}
    options = Options(str(source), input_format=input_format, url_col="LINK", number_sample_per_shard=10, **columns)
    theirs = their_reader.Reader(
        str(source), input_format, "LINK", columns.get("caption_col"), None, None,
        columns.get("save_additional_columns"), 10, done, str(tmp_path / "tmp"), 0,
    )  # fmt: skip
    ours = Reader(options, 0, lambda shard_id: shard_id not in done)
    assert ours.column_list == theirs.column_list
    expected = {shard_id: read_table(path) for shard_id, path in theirs}
    shards = dict(ours)
    assert list(shards) == list(expected)
    for shard_id, table in shards.items():
        assert table.equals(expected[shard_id])
        assert table.schema.equals(expected[shard_id].schema)


def their_run(distribute, folder, source, kind, **values):
    """Runs img2dataset's reader and one of its distributors over the shards that a folder does not have."""
    folder.mkdir(exist_ok=True)
    (folder / "_tmp").mkdir(exist_ok=True)
    done = {int(name.split("_")[0]) for name in os.listdir(folder) if name.endswith(".json")}
    reader = their_reader.Reader(
        str(source), "txt", "url", None, None, None, None, 10, done, str(folder / "_tmp"), 0
    )  # fmt: skip
    distribute(2, downloader(kind, folder, **values), reader, 1000, 1)
    return done


def check_whole(folder, source):
    urls = source.read_text().split()
    found = [url for path in sorted(folder.glob("*.parquet")) for url in pq.read_table(path)["url"].to_pylist()]
    assert sorted(found) == sorted(urls)
    assert len(list(folder.glob("*_stats.json"))) == -(-len(urls) // 10)


@pytest.fixture
def source(tmp_path, server):
    path = tmp_path / "source.txt"
    path.write_text("".join(f"{server}/{'ok' if i % 3 else 'gone'}/{i}\n" for i in range(35)))
    return path


def test_their_multiprocessing_distributor_drives_our_downloader(worker, source, tmp_path):
    their_run(distributor.multiprocessing_distributor, tmp_path / "out", source, Downloader)
    check_whole(tmp_path / "out", source)
    assert os.listdir(tmp_path / "out" / "_tmp") == []


def one_by_one(_, downloader, reader, *__):
    for row in reader:
        assert downloader(row)[0]


def test_both_programs_resume_a_folder_that_the_other_one_began(worker, source, tmp_path):
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    their_run(one_by_one, theirs, source, their_downloader.Downloader)
    os.remove(theirs / "00002_stats.json")
    options = functools.partial(Options, str(source), output_format="webdataset", number_sample_per_shard=10)
    summary = driver.run(options(output_folder=str(theirs)))
    assert [shard.shard_id for shard in summary.shards] == [2] and summary.is_complete
    check_whole(theirs, source)
    assert driver.run(options(output_folder=str(ours))).is_complete
    os.remove(ours / "00001_stats.json")
    assert their_run(one_by_one, ours, source, their_downloader.Downloader) == {0, 2, 3}
    check_whole(ours, source)


def test_failed_rows_of_their_shards_are_retried(worker, source, tmp_path):
    folder = tmp_path / "out"
    their_run(one_by_one, folder, source, their_downloader.Downloader)
    kept = their_images(folder)
    options = Options(str(source), output_folder=str(folder), output_format="webdataset", number_sample_per_shard=10)
    summary = driver.run(Options(**options.to_dict() | {"retry_failed": True}))
    assert summary.is_complete and summary.successes == 35
    check_whole(folder, source)
    images = their_images(folder)
    assert len(images) == 35 and kept.items() <= images.items()


def their_images(folder):
    images = {}
    for path in folder.glob("*.tar"):
        with tarfile.open(path) as tar:
            for member in tar:
                if member.name.endswith(".jpg"):
                    images[member.name] = hashlib.sha256(tar.extractfile(member).read()).hexdigest()
    return images


def test_webdataset_reads_our_shards(options, worker, table, tmp_path):
    webdataset = pytest.importorskip("webdataset")
    process_shard(options(caption_col="c"), worker, 0, table("ok", "404", "ok", caption=["a", "b", "c"]))
    with contextlib.closing(webdataset.WebDataset(str(tmp_path / "out/00000.tar"), shardshuffle=False)) as samples:
        read = [(sample["__key__"], sample["txt"], json.loads(sample["json"])["key"]) for sample in samples]
    assert read == [("000000000", b"a", "000000000"), ("000000002", b"c", "000000002")]
