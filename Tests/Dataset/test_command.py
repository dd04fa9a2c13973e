"""The command line: values as python-fire reads them, shares of Slurm and Kubernetes, and exit codes."""

import inspect

import pytest

from imgdl_dataset import command, driver
from imgdl_dataset.options import UsageError
from imgdl_dataset.summary import Summary

LINES = [
    ("--url_list a.txt --image_size 128", {"image_size": 128}),
    ("--url_list=a.txt --image_size=128", {"image_size": 128}),
    ("--url-list a.txt --image-size 128", {"image_size": 128}),
    ("a.txt 128 out", {"image_size": 128, "output_folder": "out"}),
    ("--url_list a.txt --skip_reencode", {"skip_reencode": True}),
    ("--url_list a.txt --skip_reencode --image_size 1", {"skip_reencode": True, "image_size": 1}),
    ("--url_list a.txt --skip_reencode=True", {"skip_reencode": True}),
    ("--url_list a.txt --skip_reencode false", {"skip_reencode": False}),
    ("--url_list a.txt --noextract_exif", {"extract_exif": False}),
    ('--url_list a.txt --save_additional_columns ["a","b"]', {"save_additional_columns": ["a", "b"]}),
    ("--url_list a.txt --save_additional_columns [a,b]", {"save_additional_columns": ["a", "b"]}),
    ("--url_list a.txt --save_additional_columns a,b", {"save_additional_columns": ["a", "b"]}),
    ("--url_list a.txt --save_additional_columns a", {"save_additional_columns": ["a"]}),
    ("--url_list a.txt --disallowed_header_directives []", {"disallowed_header_directives": []}),
    ('--url_list a.txt --verify_hash ["h","md5"]', {"verify_hash": ["h", "md5"]}),
    ("--url_list a.txt --compute_hash None", {"compute_hash": None}),
    ("--url_list a.txt --output_folder 2024", {"output_folder": "2024"}),
    ("--url_list a.txt --output_folder s3://bucket/a-b", {"output_folder": "s3://bucket/a-b"}),
    ("--url_list a.txt --max_aspect_ratio 2.5", {"max_aspect_ratio": 2.5}),
    ("--url_list a.txt --max_aspect_ratio inf", {"max_aspect_ratio": float("inf")}),
    ("--url_list a.txt --min_image_size 1e2", {"min_image_size": 100}),
    ("--url_list a.txt --encode_quality -1", {"encode_quality": -1}),
    ("--url_list a.txt --max_bytes 1000000", {"max_bytes": 1000000}),
    ("--url_list a.txt --retry_failed --sample_deadline 5", {"retry_failed": True, "sample_deadline": 5}),
]


@pytest.mark.parametrize("line, expected", LINES)
def test_arguments_have_the_values_of_python_fire(line, expected):
    assert command.parse(line.split()) == {"url_list": "a.txt", **expected}


@pytest.mark.parametrize("line, expected", LINES[:-2])
def test_python_fire_reads_the_same(line, expected):
    fire = pytest.importorskip("fire")
    signature = inspect.signature(pytest.importorskip("img2dataset.main").download)

    def record(*values):
        return signature.bind(*values).arguments

    record.__signature__ = signature
    read = fire.Fire(record, line.split())
    for name, value in expected.items():
        theirs = list(read[name]) if isinstance(read[name], tuple) else read[name]
        # Where img2dataset gets a value of another type than it wants, it is at least the same text.
        assert theirs == value or str(theirs).lower() == str(value).lower() or [theirs] == value


def test_an_unknown_option_is_named():
    with pytest.raises(UsageError, match="unknown option --colour"):
        command.parse(["--url_list", "a", "--colour", "red"])
    with pytest.raises(UsageError, match="--url_list is required"):
        command.parse([])


SHARES = [
    ({}, {"SLURM_PROCID": "3", "SLURM_NTASKS": "8"}, (3, 8)),
    ({}, {"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "2"}, (3, 4)),
    ({}, {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_PROCID": "1", "SLURM_NTASKS": "3"}, (4, 6)),
    ({"shard_count": 4}, {"JOB_COMPLETION_INDEX": "2"}, (2, 4)),
    ({}, {"JOB_COMPLETION_INDEX": "2"}, (None, None)),
    ({"shard_count": 1}, {"SLURM_PROCID": "3", "SLURM_NTASKS": "8"}, (None, 1)),
    ({"shard_index": 1, "shard_count": 2}, {"SLURM_PROCID": "3", "SLURM_NTASKS": "8"}, (1, 2)),
    ({"distributor": "ray"}, {"SLURM_PROCID": "3", "SLURM_NTASKS": "8"}, (None, None)),
]


@pytest.mark.parametrize("values, environment, expected", SHARES)
def test_the_share_of_the_shards_comes_from_the_environment(values, environment, expected):
    result = command.share_of_environment(values, environment)
    assert (result.get("shard_index"), result.get("shard_count")) == expected


def test_a_share_that_is_no_number_is_refused():
    with pytest.raises(UsageError, match="SLURM_PROCID"):
        command.share_of_environment({}, {"SLURM_PROCID": "x", "SLURM_NTASKS": "2"})


def test_the_exit_code_says_whether_all_shards_are_there(monkeypatch, capsys):
    def outcome(result):
        def run(options):
            if isinstance(result, BaseException):
                raise result
            return result

        monkeypatch.setattr(driver, "run", run)
        return command.main(["--url_list", "a.txt"])

    assert outcome(Summary(total_shards=2, shards_before=2)) == 0
    assert outcome(Summary(total_shards=2, shards_before=1)) == 75
    assert outcome(Summary(total_shards=None)) == 75
    assert outcome(UsageError("image_size must be greater than 0")) == 64
    assert outcome(KeyboardInterrupt()) == 130
    assert "imgdl-img2dataset: image_size must be greater than 0" in capsys.readouterr().err


def test_the_help_names_every_option(capsys):
    assert command.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"--{name}" in text for name in command.FIELDS)
    assert "maximum size of the body of a response in bytes (268435456)" in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("line", ["--image_size 65501", "--max_bytes 0", "--encode_format png", "--timeout 1e6"])
def test_a_limit_of_the_worker_is_refused_before_any_work(line, tmp_path, capsys):
    arguments = ["--url_list", "a.txt", "--output_folder", str(tmp_path / "out"), *line.split()]
    assert command.main(arguments) == 64
    assert "must be from" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
