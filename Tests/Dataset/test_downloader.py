"""`Downloader` takes the arguments of img2dataset's class, and answers for every shard."""

import enum
import os
import pickle
from types import SimpleNamespace

import pyarrow as pa
import pytest

from imgdl_dataset.downloader import Downloader
from imgdl_dataset.errors import UsageError
from imgdl_dataset.task import serialize_table


class ResizeMode(enum.Enum):
    border = 3


class WebDatasetSampleWriter:
    """Has the name of img2dataset's class, which says what the output is."""


class TFRecordSampleWriter:
    pass


def resizer(**values):
    return SimpleNamespace(
        **{
            "image_size": 64,
            "resize_mode": ResizeMode.border,
            "resize_only_if_bigger": False,
            "upscale_interpolation": 4,
            "downscale_interpolation": 3,
            "encode_params": [1, 90],
            "skip_reencode": False,
            "disable_all_reencoding": False,
            "min_image_size": 10,
            "max_image_area": float("inf"),
            "max_aspect_ratio": float("inf"),
            "blurrer": None,
        }
        | values
    )


@pytest.fixture
def make(tmp_path, worker):
    def make_downloader(**values):
        arguments = {
            "sample_writer_class": WebDatasetSampleWriter,
            "resizer": resizer(),
            "thread_count": 16,
            "save_caption": False,
            "extract_exif": True,
            "output_folder": str(tmp_path / "out"),
            "column_list": ["url"],
            "timeout": 10,
            "number_sample_per_shard": 10,
            "oom_shard_count": 5,
            "compute_hash": "sha256",
            "verify_hash_type": None,
            "encode_format": "jpg",
            "retries": 0,
            "user_agent_token": None,
            "disallowed_header_directives": None,
        }
        return Downloader(**arguments | values)

    return make_downloader


@pytest.fixture
def feather(tmp_path):
    def write(shard_id, *hosts):
        path = tmp_path / f"{shard_id}.feather"
        path.write_bytes(serialize_table(pa.table({"url": [f"http://{host}/{i}" for i, host in enumerate(hosts)]})))
        return str(path)

    return write


def test_a_shard_is_written_and_its_arrow_file_removed(make, feather, tmp_path):
    row = (3, feather(3, "ok", "404"))
    assert make()(row) == (True, row)
    assert sorted(os.listdir(tmp_path / "out")) == ["00003.parquet", "00003.tar", "00003_stats.json"]
    assert not os.path.exists(row[1])


def test_a_task_that_is_repeated_is_a_success(make, feather):
    row = (3, feather(3, "ok"))
    assert make()(row)[0] and make()(row)[0]
    assert make()((3, feather(3, "ok")))[0]
    assert not os.path.exists(row[1])


def test_a_task_without_arrow_file_and_stats_file_fails(make, tmp_path, caplog):
    row = (3, str(tmp_path / "3.feather"))
    assert make()(row) == (False, row)
    assert "shard 3 failed: FileNotFoundError" in caplog.text


def test_a_failure_keeps_the_arrow_file(make, feather, monkeypatch, caplog):
    monkeypatch.setenv("FAKE_FAULT", "dies")
    row = (3, feather(3, "ok", "ok"))
    assert make()(row) == (False, row)
    assert os.path.exists(row[1])
    assert "ended by signal 9" in caplog.text


def test_a_downloader_can_be_pickled_after_use(make, feather):
    downloader = make()
    assert downloader((0, feather(0, "ok")))[0]
    copy = pickle.loads(pickle.dumps(downloader))
    assert copy((1, feather(1, "ok")))[0]


def test_the_resizer_is_read_by_its_attributes(make):
    line = make(resizer=resizer(resize_mode="keep_ratio", upscale_interpolation=2))._options.shard_line(0, 1, "x")
    assert (line["image_size"], line["resize_mode"], line["encode_quality"]) == (64, "keep_ratio", 90)
    assert (line["upscale_interpolation"], line["downscale_interpolation"]) == ("cubic", "area")
    assert line["min_image_size"] == 10 and line["max_image_area"] is None
    assert line["disallowed_header_directives"] == []


def test_certificates_are_ignored_as_a_later_version_of_img2dataset_says(make):
    assert make(ignore_ssl_certificate=True)._options.ignore_ssl_certificate is True
    assert make()._options.ignore_ssl_certificate is False


def test_options_of_this_package_are_additional_arguments(make):
    assert make(allow_private=True, sample_deadline=5)._options.shard_line(0, 1, "x")["allow_private"] is True


@pytest.mark.parametrize(
    "message, values",
    [
        ("tfrecord", {"sample_writer_class": TFRecordSampleWriter}),
        ("sample_writer_class is str", {"sample_writer_class": str}),
        ("bbox_col", {"blurring_bbox_col": "boxes"}),
        ("blurrer", {"resizer": resizer(blurrer=object())}),
        ("upscale_interpolation", {"resizer": resizer(upscale_interpolation=9)}),
        ("verify_hash and compute_hash", {"verify_hash_type": "md5", "column_list": ["md5", "url"]}),
    ],
)
def test_what_is_not_supported_is_refused(make, message, values):
    with pytest.raises(UsageError, match=message):
        make(**values)
