"""The command line: values as python-fire reads them, shares of Slurm and Kubernetes, and exit codes."""

import importlib.metadata
import inspect
import logging

import pytest

from imgdl_dataset import arguments, command, driver, exits, usage
from imgdl_dataset.errors import RunStopped, UsageError
from imgdl_dataset.options import KINDS
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
    assert arguments.parse(line.split()) == {"url_list": "a.txt", **expected}


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
        arguments.parse(["--url_list", "a", "--colour", "red"])
    with pytest.raises(UsageError, match="--url_list is required"):
        arguments.parse([])


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
    result = arguments.share_of_environment(values, environment)
    assert (result.get("shard_index"), result.get("shard_count")) == expected


def test_a_share_that_is_no_number_is_refused():
    with pytest.raises(UsageError, match="SLURM_PROCID"):
        arguments.share_of_environment({}, {"SLURM_PROCID": "x", "SLURM_NTASKS": "2"})


@pytest.fixture
def outcome(monkeypatch, capsys):
    """Ends a run with a summary or an exception; returns the exit code and the messages."""

    def end(result, *flags):
        def run(options, progress):
            if isinstance(result, BaseException):
                raise result
            return result

        monkeypatch.setattr(driver, "run", run)
        code = command.main(["--url_list", "a.txt", *flags])
        return code, capsys.readouterr().err.replace("imgdl-img2dataset: ", "")

    return end


def summary(count=0, successes=0, before=(0, 0), missing=0, **values):
    """A run over one shard with so many rows, after one that was there before, beside some that are missing."""
    whole = bool(before[0]) + bool(count)
    result = Summary(total_shards=whole + missing, shards_before=bool(before[0]), **values)
    result.count_before, result.successes_before = before
    if count:
        reasons = {"success": successes, "HTTP Error 404: Not Found": count - successes}
        result.add({"count": count, "successes": successes, "failed_to_download": count - successes}
                   | {"failed_to_resize": 0, "status_dict": reasons, "start_time": 0, "end_time": 1}, 1)
    return result


@pytest.mark.parametrize("result, flags, code", [
    (summary(10, 10), "", 0),
    (summary(0, 0), "", 0),
    (summary(10, 9), "", 0),
    (summary(10, 9), "--max_failed 0", 1),
    (summary(100, 71), "--max_failed 0.29", 0),
    (summary(100, 70), "--max_failed 0.29", 1),
    (summary(10, 9), "--max_failed 0.1", 0),
    (summary(10, 8), "--max_failed 0.1", 1),
    (summary(10, 1), "--max_failed 1", 0),
    (summary(10, 0), "--max_failed 1", 3),
    (summary(10, 0, before=(10, 10)), "", 0),
    (summary(10, 0, before=(10, 10)), "--max_failed 0.4", 1),
    (summary(10, 10, before=(10, 9)), "--max_failed 0", 1),
    (summary(10, 10, before=(10, 9)), "--max_failed 0.05", 0),
    (summary(0, 0, before=(10, 0)), "", 3),
    (summary(10, 10, missing=1), "", 75),
    (summary(10, 9, missing=1), "--max_failed 1", 75),
    (summary(0, 0, missing=1), "", 3),
    (summary(10, 10, failed_shards={7: "killed"}), "", 75),
])
def test_the_exit_code_says_how_much_succeeded(outcome, result, flags, code):
    assert outcome(result, *flags.split())[0] == code


def test_a_run_that_ends_early_has_its_exit_code_and_reason(outcome):
    assert outcome(UsageError("image_size must be greater than 0")) == (2, "image_size must be greater than 0\n")
    assert outcome(KeyboardInterrupt()) == (130, "interrupted; run the same command again to continue\n")
    code, messages = outcome(OSError(28, "No space left on device"))
    assert code == 75 and "No space left on device; run the same command again" in messages
    stopped = RunStopped("another run took the lock")
    assert outcome(stopped) == (75, "stopped: another run took the lock\n")
    for done, expected in ((summary(10, 10), 75), (summary(10, 9), 75), (summary(10, 0), 3), (summary(), 75)):
        stopped.summary = done
        assert outcome(stopped)[0] == expected
    stopped.summary = Summary()
    assert outcome(stopped)[0] == 75
    stopped.summary = summary(10, 10, missing=1)
    code, messages = outcome(stopped)
    assert code == 75 and messages.startswith("stopped: another run took the lock\nsome shards are missing; ")


def test_a_fault_of_the_program_has_a_traceback_and_its_own_exit_code(outcome):
    code, messages = outcome(KeyError("shard"))
    assert code == 70 and messages.startswith("Traceback") and "KeyError: 'shard'" in messages


def test_messages_name_the_option_that_helps(outcome):
    assert outcome(summary(1000, 1000))[1] == ""
    assert outcome(summary(1000, 900), "--max_failed", "0")[1] == (
        "100 of 1,000 URLs failed, a larger share than --max_failed 0; --retry_failed downloads them again\n")
    assert outcome(summary(1000, 900), "--max_failed", "0.2")[1] == (
        "100 of 1,000 URLs failed; --retry_failed downloads them again\n")
    assert outcome(summary(1, 1, missing=1))[1] == "some shards are missing; run the same command again to make them\n"
    assert "without --retry_failed to make them" in outcome(summary(1, 1, missing=1), "--retry_failed")[1]
    kept = summary(before=(10, 9))
    kept.fail(0, "killed", remains=True)
    code, messages = outcome(kept, "--retry_failed")
    assert code == 75 and messages.startswith(
        "1 shard was not retried and kept without change; run the same command again to retry\n1 of 10 URLs failed")
    private = summary(3, 3)
    private.status_dict[exits.PRIVATE_ADDRESS] = 2
    assert outcome(private)[1] == (
        "2 URLs lead to this machine or a private network, which --allow_private allows\n")


def test_the_version_is_that_of_the_package_and_of_the_worker(program, monkeypatch, capsys):
    monkeypatch.setenv("IMGDL_BINARY", program)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: {"imgdl-dataset": "7.8.9"}[name])
    assert command.main(["--version"]) == 0
    assert capsys.readouterr().out == "imgdl-img2dataset 7.8.9\nimgdl-cli 1.2.3\n"
    monkeypatch.setenv("IMGDL_BINARY", "/nowhere")
    assert command.main(["--version"]) == 0
    assert "IMGDL_BINARY is /nowhere" in capsys.readouterr().out


@pytest.mark.parametrize("input_format, content, reason", [
    ("csv", b"url,a\nhttp://ok/1,1\nhttp://ok/2,1,2,3\n", "Expected 2 columns, got 4: http://ok/2,1,2,3"),
    ("csv", b"url,a\nhttp://ok/1\n", "Expected 2 columns, got 1"),
    ("tsv", b"url\ta\nhttp://ok/1\t1\t2\n", "Expected 2 columns, got 3"),
    ("jsonl", b'{"url":"http://ok/1"}\n\n{bad\n{"url":"http://ok/1"}\n', "line 3 is not JSON: Expecting property name"),
    ("json", b'[{"url":"http://ok/1"},', "line 1 column 24"),
    ("parquet", b"PAR1 but no parquet", "Parquet magic bytes not found"),
    ("parquet", b"", "Parquet file size is 0 bytes"),
    ("txt.gz", b"http://ok/1", "Not a gzipped file"),
    ("txt", None, "does not exist"),
])
def test_a_list_that_cannot_be_read_is_named_without_a_traceback(
        worker, tmp_path, capsys, input_format, content, reason):
    path = tmp_path / f"list.{input_format}"
    if content is not None:
        path.write_bytes(content)
    line = ["--url_list", str(path), "--input_format", input_format, "--output_folder", str(tmp_path / "out")]
    assert command.main(line) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"imgdl-img2dataset: url_list {'is ' if content is None else ''}{path}")
    assert reason in message and "Traceback" not in message and message.count("\n") == 1


def test_a_scratch_folder_that_cannot_be_made_is_named(worker, tmp_path, capsys):
    (tmp_path / "list.txt").write_text("http://ok/1\n")
    line = ["--url_list", str(tmp_path / "list.txt"), "--output_folder", str(tmp_path / "out")]
    assert command.main([*line, "--scratch_folder", "/dev/null/x"]) == 2
    assert "scratch_folder /dev/null/x cannot be written: Not a directory" in capsys.readouterr().err


def test_the_messages_of_a_run_are_shown_once_and_only_by_the_command(worker, tmp_path, capsys):
    (tmp_path / "list.txt").write_text("")
    for _ in range(2):
        assert command.main(["--url_list", str(tmp_path / "list.txt"), "--output_folder", str(tmp_path / "out")]) == 0
        assert capsys.readouterr().err.count("has no rows") == 1
    assert logging.getLogger("imgdl_dataset").handlers == []


def test_the_help_names_every_option(capsys):
    assert command.main(["--help"]) == 0
    text = capsys.readouterr().out
    named = [line.split()[0] for line in text.splitlines() if line.startswith("  --")]
    assert sorted(named) == sorted(f"--{name}" for name in KINDS if name not in usage.UNSUPPORTED)
    assert all(f"\n{group}:\n" in text for group in ("Input", "Output", "Images", "Downloads", "Distribution"))
    assert "maximum size of the body of a response in bytes (268435456)" in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize(
    "line", ["--image_size 65501", "--max_failed 30", "--max_bytes 0", "--encode_format png", "--timeout 1e6"]
)
def test_a_limit_of_the_worker_is_refused_before_any_work(line, tmp_path, capsys):
    assert command.main(["--url_list", "a.txt", "--output_folder", str(tmp_path / "out"), *line.split()]) == 2
    assert "must be from" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
