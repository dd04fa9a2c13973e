"""Options that are wrong or not supported are refused by name before any work."""

import json
import numbers
from fractions import Fraction
from pathlib import Path

import pytest

from imgdl_dataset.errors import UsageError
from imgdl_dataset.options import KINDS, Kind, Options

REFUSED = [
    ("bbox_col", {"bbox_col": "boxes"}),
    ("enable_wandb", {"enable_wandb": True}),
    ("output_format tfrecord", {"output_format": "tfrecord"}),
    ("output_format dummy", {"output_format": "dummy"}),
    ("output_format", {"output_format": "zip"}),
    ("input_format", {"input_format": "xml"}),
    ("resize_mode", {"resize_mode": "stretch"}),
    ("upscale_interpolation", {"upscale_interpolation": "sinc"}),
    ("downscale_interpolation", {"downscale_interpolation": "sinc"}),
    ("encode_format", {"encode_format": "gif"}),
    ("encode_quality", {"encode_format": "png"}),
    ("encode_quality must be from 0 to 100 for jpg", {"encode_quality": 101}),
    ("encode_quality", {"encode_quality": -1}),
    ("compute_hash", {"compute_hash": "crc32"}),
    ("verify_hash and compute_hash", {"verify_hash": ["sum", "md5"], "input_format": "csv"}),
    ("verify_hash", {"verify_hash": ["sum"], "input_format": "csv"}),
    ("verify_hash needs an input with columns", {"verify_hash": ["sum", "sha256"]}),
    ("ignore_ssl_certificate must be True or False", {"ignore_ssl_certificate": "yes"}),
    ("reserved column sha256", {"save_additional_columns": ["sha256"], "input_format": "csv"}),
    ("reserved column jpg", {"save_additional_columns": ["jpg"], "input_format": "csv", "output_format": "parquet"}),
    (
        "text is named more than once",
        {"save_additional_columns": ["text"], "caption_col": "text", "input_format": "csv"},
    ),
    ("distributor", {"distributor": "dask"}),
    ("incremental_mode", {"incremental_mode": "append"}),
    ("incremental_mode overwrite", {"incremental_mode": "overwrite", "shard_count": 2}),
    ("damaged", {"damaged": "mend"}),
    ("image_size must be a whole number", {"image_size": "big"}),
    ("image_size must be a whole number", {"image_size": True}),
    ("image_size must be from 1 to 65500", {"image_size": 0}),
    ("number_sample_per_shard", {"number_sample_per_shard": 0}),
    ("timeout must be a number", {"timeout": None}),
    ("max_aspect_ratio", {"max_aspect_ratio": float("nan")}),
    ("skip_reencode must be True or False", {"skip_reencode": "yes"}),
    ("retries", {"retries": -1}),
    ("shard_index must be from 0 to 3", {"shard_index": 4, "shard_count": 4}),
    ("sample_deadline", {"sample_deadline": float("inf")}),
    ("url_list must be a text", {"url_list": ""}),
]


@pytest.mark.parametrize("hint, expected", [
    (str, Kind(str, False, False)),
    (bool, Kind(bool, False, False)),
    (float | None, Kind(float, False, True)),
    (list[str] | None, Kind(str, True, True)),
])
def test_the_kind_of_an_option_is_that_of_its_annotation(hint, expected):
    assert Kind.of(hint) == expected
    assert {KINDS[name].type for name in ("url_list", "caption_col", "save_additional_columns")} == {str}


LIMITS = [
    ("image_size", 1, 65500, 1),
    ("thread_count", 1, 4096, 1),
    ("timeout", 0.001, 86400, 0.0005),
    ("sample_deadline", 0.001, 86400, 0.0005),
    ("shard_deadline", 0.001, 8640000, 0.0005),
    ("max_image_area", 0, 1e15, 1),
    ("max_aspect_ratio", 0, 1e9, 0.5),
    ("min_image_size", 0, 1000000, 1),
    ("retries", 0, 100, 1),
    ("oom_shard_count", 1, 9, 1),
    ("number_sample_per_shard", 1, 10**7, 1),
    ("max_bytes", 1, 2**32, 1),
]


@pytest.mark.parametrize("name, least, largest, step", LIMITS)
def test_the_limits_are_those_of_the_worker(name, least, largest, step):
    for value in (least, largest):
        Options("list.txt", **{name: value}).check()
    for value in (least - step, largest + step):
        with pytest.raises(UsageError, match=f"{name} must be from"):
            Options("list.txt", **{name: value}).check()


@pytest.mark.parametrize("name, largest", [("jpg", 100), ("png", 9), ("webp", 101)])
def test_the_qualities_are_those_of_the_format(name, largest):
    for quality in (0, largest):
        Options("list.txt", encode_format=name, encode_quality=quality).check()
    for quality in (-1, largest + 1):
        with pytest.raises(UsageError, match=f"encode_quality must be from 0 to {largest} for {name}"):
            Options("list.txt", encode_format=name, encode_quality=quality).check()


@pytest.mark.parametrize("theirs, ours", [("bilinear", "linear"), ("BiCubic", "cubic"), ("Lanczos4", "lanczos4")])
def test_interpolations_have_the_names_of_the_worker(theirs, ours):
    options = Options("list.txt", upscale_interpolation=theirs, downscale_interpolation=theirs)
    options.check()
    line = options.shard_line(0, 1, "x.tar")
    assert (line["upscale_interpolation"], line["downscale_interpolation"]) == (ours, ours)


@pytest.mark.parametrize("message, values", REFUSED)
def test_a_wrong_option_is_refused_by_name(message, values):
    with pytest.raises(UsageError, match=message):
        Options(**{"url_list": "list.txt"} | values).check()


class Count:
    """A whole number of another library, as numpy.int64 is one."""

    def __int__(self):
        return 7

    __index__ = __int__


numbers.Integral.register(Count)


def test_paths_and_numbers_of_other_libraries_are_made_plain():
    options = Options(Path("list.txt"), Count(), Path("out"), timeout=Count(), max_aspect_ratio=Fraction(5, 2))
    options.check()
    assert (options.url_list, options.output_folder, options.max_aspect_ratio) == ("list.txt", "out", 2.5)
    assert json.loads(json.dumps(options.to_dict()))["image_size"] == options.timeout == 7


def test_the_defaults_are_right():
    Options("list.txt").check()
    Options("list.txt", encode_format="png", encode_quality=9, max_image_area=1000, timeout=2.5).check()


def test_the_names_and_defaults_are_those_of_img2dataset():
    main = pytest.importorskip("img2dataset.main")
    import inspect

    theirs = {name: parameter.default for name, parameter in inspect.signature(main.download).parameters.items()}
    del theirs["url_list"]
    ours = vars(Options("list.txt"))
    assert {name: ours[name] for name in theirs} == theirs
    assert list(ours)[1 : len(theirs) + 1] == list(theirs)


def test_the_defaults_of_the_shard_line_are_those_of_the_protocol():
    line = Options("list.txt").shard_line(42, 10000, "/srv/00042.tar.part")
    expected = """{"shard":42,"count":10000,"tar":"/srv/00042.tar.part","oom_shard_count":5,
     "oom_sample_per_shard":4,"image_size":256,"resize_mode":"border","resize_only_if_bigger":false,
     "upscale_interpolation":"lanczos","downscale_interpolation":"area","encode_format":"jpg","encode_quality":95,
     "skip_reencode":false,"disable_all_reencoding":false,"min_image_size":0,"max_image_area":null,
     "max_aspect_ratio":null,"extract_exif":true,"compute_hash":"sha256","verify_hash":false,"save_caption":false,
     "timeout":10,"retries":0,"user_agent_token":null,
     "disallowed_header_directives":["noai","noimageai","noindex","noimageindex"],"thread_count":256,"max_per_host":16,
     "sample_deadline":30,"shard_deadline":null,"max_bytes":268435456,
     "damaged":"fail","allow_private":false,"scaled_decoding":false}"""
    assert line == json.loads(expected)
    assert json.loads(json.dumps(line, allow_nan=False)) == line


@pytest.mark.parametrize("number, digits", [(1, 0), (10, 1), (11, 2), (1000, 3), (10000, 4), (12000, 5)])
def test_the_digits_of_a_key(number, digits):
    assert Options("list.txt", number_sample_per_shard=number).oom_sample_per_shard == digits
