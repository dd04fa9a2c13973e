"""The report is one HTML file that is safe to open, for any responses of servers."""

import os
import re
from html.parser import HTMLParser

import pytest

from imgdl_dataset import report
from imgdl_dataset.plots import Bar, areas, bars
from imgdl_dataset.summary import Summary

HOSTILE = "</title></style><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&\x1b\u202e"
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """The elements of a page; an element that is not closed is a mistake."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def filled(reason="HTTP Error 404: Not Found", host="slow.example", shards=3):
    summary = Summary(total_shards=shards + 2, shards_before=1)
    for number in range(shards):
        hosts = {host: {"count": 20, "failed": 20, "ms": 60_000}, "fast.example": {"count": 80, "failed": 0, "ms": 800}}
        summary.add({"count": 100, "successes": 80, "failed_to_download": 20, "failed_to_resize": 0,
                     "start_time": 1_700_000_000.0 + 5 * number, "end_time": 1_700_000_012.0 + 5 * number,
                     "status_dict": {"success": 80, reason: 20}, "hosts": hosts}, number)
    return summary


def test_the_report_has_figures_and_plots():
    page = Page(report.render(filled(), {"image_size": 256}))
    text = " ".join(page.texts)
    assert page.tags.count("svg") == 3
    for expected in ("4 of 5", "80.0 %", "HTTP Error 404: Not Found", "slow.example", "3,000 ms", "image_size",
                     "2023-11-14 22:13:20 UTC"):
        assert expected in text


def test_hostile_texts_stay_texts():
    summary = filled(HOSTILE, HOSTILE)
    summary.fail(4, HOSTILE)
    text = report.render(summary, {HOSTILE: HOSTILE})
    page = Page(text)
    assert "script" not in page.tags and "img" not in page.tags
    assert not any(name.startswith("on") for name, _ in page.attributes)
    assert "\x1b" not in text and "\u202e" not in text


def test_nothing_is_loaded_from_elsewhere():
    page = Page(report.render(filled(), {}))
    assert not {"script", "link", "iframe", "object", "img", "use", "image"} & set(page.tags)
    assert not {"src", "href", "xlink:href"} & {name for name, _ in page.attributes}
    assert any("default-src 'none'" in (value or "") for _, value in page.attributes)


def test_credentials_are_not_shown():
    text = report.render(filled(), {"output_folder": "s3://key:secret@bucket/folder",
                                    "url_list": "https://example.org/list.txt?signature=secret"})
    assert "secret" not in text
    assert "s3://bucket/folder" in text and "https://example.org/list.txt" in text


def test_light_and_dark_have_the_same_colors():
    style = report.STYLE
    names = [set(re.findall(r"(--\w+):", block)) for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)]
    assert len(names) == 2 and names[0] == names[1]
    assert set(re.findall(r"var\((--\w+)\)", style)) <= names[0]


def test_a_run_without_shards_has_a_report():
    summary = Summary(total_shards=1)
    summary.fail(0, "killed\n  log")
    page = Page(report.render(summary))
    assert "killed\n  log" in page.texts and "svg" not in page.tags


def test_many_reasons_and_failed_shards_are_summed_up():
    summary = Summary()
    summary.add({"count": 1000, "successes": 0, "failed_to_download": 1000, "failed_to_resize": 0, "start_time": 1.0,
                 "end_time": 1.0, "status_dict": {f"reason {number}": 1 for number in range(1000)}})
    for shard in range(150):
        summary.fail(shard, "killed")
    text = report.render(summary)
    assert "980 (98.0 %)" in text and "And 50 more." in text


def test_the_file_is_replaced_whole_and_is_no_json(tmp_path):
    report.write(str(tmp_path), "first")
    report.write(str(tmp_path), "second é")
    assert [path.name for path in tmp_path.iterdir()] == ["_report.html"]
    assert (tmp_path / "_report.html").read_text(encoding="utf-8") == "second é"


def test_a_failed_write_leaves_the_old_report(tmp_path, monkeypatch):
    report.write(str(tmp_path), "first")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError):
        report.write(str(tmp_path), "second")
    assert [path.name for path in tmp_path.iterdir()] == ["_report.html"]
    assert (tmp_path / "_report.html").read_text(encoding="utf-8") == "first"


def test_the_report_is_written_by_fsspec():
    fsspec = pytest.importorskip("fsspec")
    report.write("memory://reports/run/", "text")
    with fsspec.open("memory://reports/run/_report.html") as file:
        assert file.read() == b"text"


@pytest.mark.parametrize("largest", [0, 1e-9, 0.3, 1, 9.99, 10, 123456, 1e12])
def test_plots_stay_inside_their_frame(largest):
    text = areas("title", [(0, largest, 0), (10, largest / 2, largest / 2)], "unit")
    for points in re.findall(r'points="([^"]*)"', text):
        for pair in points.split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= 880 and 0 <= y <= 260
    for x, width in re.findall(r'<rect class="\w+" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"',
                               bars("title", [Bar("a", largest, "a"), Bar("b", 0, "b")])):
        assert float(x) + float(width) <= 880
