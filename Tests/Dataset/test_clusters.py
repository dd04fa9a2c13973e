"""Real clusters on this machine with the worker of this checkout, of which a part is killed while it runs."""

import contextlib
import hashlib
import json
import os
import sys
import tarfile
import types
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pyarrow.parquet as pq
import pytest
from clusters import (
    EVENT_SECONDS,
    NODES,
    RESPONSES_BEFORE,
    Origin,
    StandaloneSpark,
    image,
    killed_in_the_middle,
    remove_node,
    shards_with_stats,
    wait_until_all_nodes_are_busy,
)

from imgdl_dataset import driver
from imgdl_dataset.downloader import Downloader
from imgdl_dataset.options import Options
from imgdl_dataset.worker import close_thread_worker

SHARDS = 8
SHARD_SIZE = 5
# The shard on the killed node, and one that its process may begin before it ends too.
MOST_SHARDS_LOST = 2
OBJECT_STORE_BYTES = 100 << 20

pytestmark = pytest.mark.skipif("IMGDL_PROGRAMS" not in os.environ, reason="Tools/checks/datasets builds the worker")


@pytest.fixture
def origin():
    origin = Origin()
    yield origin
    origin.release()
    origin.shutdown()
    origin.server_close()


@pytest.fixture
def paths():
    """The paths of all URLs. The response for the last one of each shard may be held."""
    kinds = ["ok"] * (SHARD_SIZE - 1) + ["gate"]
    return [f"{kinds[number % SHARD_SIZE]}/{number}" for number in range(SHARDS * SHARD_SIZE)]


@pytest.fixture
def source(tmp_path, origin, paths):
    """The list of the URLs."""
    file = tmp_path / "urls.txt"
    file.write_text("".join(f"{origin.url}{path}\n" for path in paths))
    return file


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """The environment that the processes of a cluster inherit."""
    program = tmp_path / "imgdl-cli"
    # The settings of the person who runs the tests must not matter to the worker. Ray needs the same HOME in all tests.
    program.write_text(f'#!/bin/sh\nHOME="{tmp_path}" exec "{os.environ["IMGDL_PROGRAMS"]}/imgdl-cli" "$@"\n')
    program.chmod(0o755)
    for name, value in {
        "IMGDL_BINARY": str(program),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def standalone_spark(tmp_path, environment):
    """A standalone cluster of two workers with one core each."""
    cluster = StandaloneSpark(tmp_path)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def spark_session(tmp_path, environment):
    """Makes the session of a Spark master. Its executors get their environment from the session."""
    sql = pytest.importorskip("pyspark.sql")
    sessions = []

    def make(master):
        settings = {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "512m",
            "spark.executor.memory": "512m",
            "spark.executorEnv.IMGDL_BINARY": os.environ["IMGDL_BINARY"],
            "spark.local.dir": str(tmp_path / "spark"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        builder = sql.SparkSession.builder.master(master)
        for name, value in settings.items():
            builder = builder.config(name, value)
        sessions.append(builder.getOrCreate())
        return sessions[0]

    yield make
    for session in sessions:
        session.stop()


@pytest.fixture
def ray_cluster(environment, monkeypatch):
    """A Ray cluster of two nodes with one processor each, which the environment names."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": OBJECT_STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(NODES - 1):
            cluster.add_node(**node)
        monkeypatch.setenv("RAY_ADDRESS", cluster.address)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def options(source, folder, **values):
    return Options(
        str(source), output_folder=str(folder), output_format="webdataset", input_format="txt", thread_count=8,
        number_sample_per_shard=SHARD_SIZE, allow_private=True, timeout=EVENT_SECONDS,
        sample_deadline=2 * EVENT_SECONDS, **values)  # fmt: skip


def our_downloader(folder):
    """Our downloader, made from the arguments of img2dataset."""
    resizers = pytest.importorskip("img2dataset.resizer")
    writers = pytest.importorskip("img2dataset.writer")
    return Downloader(
        sample_writer_class=writers.WebDatasetSampleWriter, resizer=resizers.Resizer(256, "border", False),
        thread_count=8, save_caption=False, extract_exif=True, output_folder=str(folder), column_list=["url"],
        timeout=EVENT_SECONDS, number_sample_per_shard=SHARD_SIZE, oom_shard_count=5, compute_hash="sha256",
        verify_hash_type=None, encode_format="jpg", retries=0, user_agent_token=None,
        disallowed_header_directives=None, allow_private=True, sample_deadline=2 * EVENT_SECONDS)  # fmt: skip


def their_run(distributor, source, folder):
    """Runs img2dataset's reader and one of its distributors over the shards that a folder does not have."""
    distributors = pytest.importorskip("img2dataset.distributor")
    readers = pytest.importorskip("img2dataset.reader")
    temporary = folder / "_tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    reader = readers.Reader(
        str(source), "txt", "url", None, None, None, None, SHARD_SIZE, shards_with_stats(folder),
        str(temporary), 0)  # fmt: skip
    getattr(distributors, distributor)(NODES, our_downloader(folder), reader, 1000, 1)


def check_whole(folder, origin, paths):
    """Checks that the shards are all there and whole, and have every URL exactly once."""
    names = [f"{shard:05d}" for shard in range(-(-len(paths) // SHARD_SIZE))]
    for suffix in (".tar", ".parquet", "_stats.json"):
        assert sorted(path.name for path in folder.glob(f"*{suffix}")) == [f"{name}{suffix}" for name in names]
    rows = [row for name in names for row in pq.read_table(folder / f"{name}.parquet").to_pylist()]
    assert [row["url"] for row in rows] == [f"{origin.url}{path}" for path in paths]
    assert Counter(row["status"] for row in rows) == {"success": len(paths)}
    for number, row in enumerate(rows):
        assert row["key"] == f"{number // SHARD_SIZE:05d}{number % SHARD_SIZE}"
        assert row["sha256"] == hashlib.sha256(image(number)).hexdigest()
    members = []
    for name in names:
        with tarfile.open(folder / f"{name}.tar") as tar:
            members += tar.getnames()
        stats = json.loads((folder / f"{name}_stats.json").read_text())
        assert stats["count"] == stats["successes"]
    assert members == [f"{row['key']}.{kind}" for row in rows for kind in ("jpg", "json")]


def check_repeated(origin, paths, whole):
    """Checks that the shard on the killed node was run again, and none of those that were whole before."""
    counts = Counter(origin.requests)
    assert counts.keys() == set(paths)
    assert len(whole) == RESPONSES_BEFORE
    assert origin.lost and all(counts[path] > 1 for path in origin.lost)
    repeated = {paths.index(path) // SHARD_SIZE for path, count in counts.items() if count > 1}
    assert not repeated & whole
    assert len(repeated) <= MOST_SHARDS_LOST


def check_no_temporary_files(folder):
    assert not [path.name for path in folder.rglob("*") if path.suffix in (".part", ".feather")]


def test_our_driver_completes_on_spark_when_a_worker_is_killed(
    standalone_spark, spark_session, origin, source, paths, tmp_path
):
    spark_session(standalone_spark.url)
    with killed_in_the_middle(origin, tmp_path / "out", standalone_spark.kill_worker) as whole:
        summary = driver.run(options(source, tmp_path / "out", distributor="pyspark"))
    assert summary.is_complete and not summary.failed_shards
    assert len(summary.shards) == SHARDS and summary.successes == len(paths)
    check_whole(tmp_path / "out", origin, paths)
    check_repeated(origin, paths, whole)
    check_no_temporary_files(tmp_path / "out")


def test_our_driver_completes_on_ray_when_a_node_is_killed(ray_cluster, origin, source, paths, tmp_path):
    with killed_in_the_middle(origin, tmp_path / "out", lambda: remove_node(ray_cluster)) as whole:
        summary = driver.run(options(source, tmp_path / "out", distributor="ray"))
    assert summary.is_complete and not summary.failed_shards
    assert len(summary.shards) == SHARDS and summary.successes == len(paths)
    check_whole(tmp_path / "out", origin, paths)
    check_repeated(origin, paths, whole)
    check_no_temporary_files(tmp_path / "out")


@pytest.mark.parametrize("cluster", ["local[2]", "standalone"])
def test_their_spark_distributor_drives_our_downloader(
    cluster, request, spark_session, origin, source, paths, tmp_path
):
    """The responses are released when two shards run at a time, so both processors have a part in the work."""
    pytest.importorskip("img2dataset.distributor")
    spark_session(request.getfixturevalue("standalone_spark").url if cluster == "standalone" else cluster)
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(wait_until_all_nodes_are_busy, origin)
        busy.add_done_callback(lambda _: origin.release())
        their_run("pyspark_distributor", source, tmp_path / "out")
        busy.result()
    check_whole(tmp_path / "out", origin, paths)
    assert sorted(origin.requests) == sorted(paths)
    check_no_temporary_files(tmp_path / "out")


def test_their_ray_distributor_completes_with_our_downloader_after_a_node_is_killed(
    ray_cluster, origin, source, paths, tmp_path
):
    ray = pytest.importorskip("ray")
    pytest.importorskip("img2dataset.distributor")
    ray.init(address=ray_cluster.address, log_to_driver=False)
    with killed_in_the_middle(origin, tmp_path / "out", lambda: remove_node(ray_cluster)) as whole:
        their_run("ray_distributor", source, tmp_path / "out")
    # Either Ray has repeated the task, or the downloader had time to report a failure, which the distributor ignores.
    assert SHARDS - len(shards_with_stats(tmp_path / "out")) <= MOST_SHARDS_LOST
    their_run("ray_distributor", source, tmp_path / "out")
    check_whole(tmp_path / "out", origin, paths)
    check_repeated(origin, paths, whole)


@pytest.fixture
def shards(environment, origin, tmp_path):
    """The tar files of two shards, in which one URL failed, and the numbers of the images in them."""
    source, folder = tmp_path / "urls.txt", tmp_path / "out"
    paths = [f"{'missing' if number == 3 else 'ok'}/{number}" for number in range(2 * SHARD_SIZE)]
    source.write_text("".join(f"{origin.url}{path}\n" for path in paths))
    summary = driver.run(options(source, folder, disable_all_reencoding=True))
    close_thread_worker()
    assert summary.is_complete and summary.successes == len(paths) - 1
    return sorted(folder.glob("*.tar")), [number for number in range(len(paths)) if number != 3]


def expected_samples(numbers, url):
    return [
        (f"{number // SHARD_SIZE:05d}{number % SHARD_SIZE}", f"{url}ok/{number}", image(number)) for number in numbers
    ]


def test_webdataset_reads_our_shards(shards, origin):
    webdataset = pytest.importorskip("webdataset")
    tars, numbers = shards
    pattern = str(tars[0].parent / f"{{{tars[0].stem}..{tars[-1].stem}}}.tar")
    with contextlib.closing(webdataset.WebDataset(pattern, shardshuffle=False)) as samples:
        found = [(sample["__key__"], json.loads(sample["json"])["url"], sample["jpg"]) for sample in samples]
    assert found == expected_samples(numbers, origin.url)


def test_wids_reads_our_shards(shards, origin, tmp_path, monkeypatch):
    if not has_torch():
        stand_in_for_torch(monkeypatch)
    wids = pytest.importorskip("wids.wids")
    tars, numbers = shards
    index = [{"url": str(tar), "nsamples": wids.compute_num_samples(str(tar))} for tar in tars]
    assert [shard["nsamples"] for shard in index] == [SHARD_SIZE - 1, SHARD_SIZE]
    dataset = wids.ShardListDataset(index, cache_dir=str(tmp_path / "cache"), transformations=[])
    # Samples are read in any order, by their index.
    samples = [dataset[index] for index in reversed(range(len(dataset)))][::-1]
    found = [
        (sample["__key__"], json.loads(sample[".json"].read())["url"], sample[".jpg"].read()) for sample in samples]
    dataset.close()
    assert found == expected_samples(numbers, origin.url)


def has_torch():
    try:
        import torch.distributed  # noqa: F401
    except ImportError:
        return False
    return True


def stand_in_for_torch(monkeypatch):
    """Provides the base classes that wids takes from PyTorch. The rest is for its distributed samplers only."""
    names = ("torch", "torch.distributed", "torch.utils", "torch.utils.data")
    modules = {name: types.ModuleType(name) for name in names}
    modules["torch"].distributed = modules["torch.distributed"]
    modules["torch.utils.data"].Dataset = type("Dataset", (), {"__class_getitem__": classmethod(lambda cls, _: cls)})
    modules["torch.utils.data"].Sampler = object
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")
def test_ray_data_reads_our_shards(shards, origin):
    ray = pytest.importorskip("ray")
    read = pytest.importorskip("ray.data").read_webdataset
    tars, numbers = shards

    def decode(sample):
        """Decodes the metadata only, because images would need Pillow. Ray pickles a nested function whole."""
        return {**sample, "json": json.loads(sample["json"])}

    ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=OBJECT_STORE_BYTES,
             log_to_driver=False)  # fmt: skip
    try:
        rows = read([str(tar) for tar in tars], decoder=decode).take_all()
    finally:
        ray.shutdown()
    found = sorted((row["__key__"], row["json"]["url"], row["jpg"]) for row in rows)
    assert found == expected_samples(numbers, origin.url)
