"""`download` takes the place of img2dataset's function of the same name."""

import inspect
import logging

import pyarrow.parquet as pq
import pytest

import imgdl_dataset
from imgdl_dataset import Options, Summary, UsageError, download


@pytest.fixture
def urls(worker, tmp_path):
    """A list of two URLs, of which one succeeds."""
    path = tmp_path / "list.txt"
    path.write_text("http://ok/1\nhttp://404/2\n")
    return str(path)


def test_a_download_has_arguments_and_a_summary(urls, tmp_path):
    summary = download(urls, 128, str(tmp_path / "out"), thread_count=8, output_format="webdataset", progress=False)
    assert isinstance(summary, Summary) and (summary.count, summary.successes) == (2, 1)
    assert (tmp_path / "out/00000.tar").exists()


def test_the_signature_is_that_of_the_options():
    signature = inspect.signature(download)
    assert list(signature.parameters) == list(inspect.signature(Options).parameters)
    assert signature.parameters["max_per_host"].default == 16
    with pytest.raises(TypeError, match="colour"):
        download("list.txt", colour="red")


def test_the_first_arguments_are_those_of_img2dataset():
    theirs = inspect.signature(pytest.importorskip("img2dataset").download).parameters
    ours = inspect.signature(download).parameters
    assert list(ours)[: len(theirs)] == list(theirs)
    assert {name: ours[name].default for name in theirs} == {name: item.default for name, item in theirs.items()}
    # A later version than 1.47 has this one more, as its last.
    assert list(ours)[37] == "ignore_ssl_certificate"


@pytest.mark.parametrize("input_format", ["txt", "txt.gz"])
def test_a_column_of_captions_is_ignored_in_a_list_without_columns(urls, tmp_path, caplog, input_format):
    if input_format == "txt.gz":
        gzip = pytest.importorskip("gzip")
        (tmp_path / "list.txt.gz").write_bytes(gzip.compress((tmp_path / "list.txt").read_bytes()))
        urls = f"{urls}.gz"
    folder = tmp_path / "out"
    download(urls, output_folder=str(folder), input_format=input_format, caption_col="text", progress=False)
    assert f"caption_col text is ignored, because input_format {input_format} has no columns" in caplog.text
    assert caplog.records[0].levelno == logging.WARNING
    assert "caption" not in pq.read_schema(folder / "00000.parquet").names
    # The folder is continued with and without the option, since both runs make the same.
    assert download(urls, output_folder=str(folder), input_format=input_format, progress=False).count == 0


def test_tfrecord_is_refused_by_name(urls):
    with pytest.raises(UsageError, match="output_format tfrecord is not supported: use webdataset, parquet, files"):
        download(urls, output_format="tfrecord")


def test_the_package_exports_what_a_program_needs():
    assert all(hasattr(imgdl_dataset, name) for name in imgdl_dataset.__all__)
    assert {"Downloader", "download", "run"} <= set(imgdl_dataset.__all__)
