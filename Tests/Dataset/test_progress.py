"""Sums of shards, and the line that shows them."""

import io
import threading

import pytest

from imgdl_dataset import summary as sums
from imgdl_dataset.progress import Progress, duration, printable
from imgdl_dataset.summary import Hosts, Summary


def stats(count=100, successes=90, start=1000.0, end=1010.0, reasons=None, **others):
    reasons = {"HTTP Error 404: Not Found": count - successes} if reasons is None else reasons
    return {"count": count, "successes": successes, "failed_to_download": count - successes,
            "failed_to_resize": 0, "duration": end - start, "start_time": start, "end_time": end,
            "status_dict": {"success": successes, **reasons}, **others}


class Clock:
    def __init__(self):
        self.time = 0.0

    def __call__(self):
        return self.time


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock():
    return Clock()


def test_shards_add_up():
    summary = Summary(total_shards=3)
    summary.add(stats(), 0)
    summary.add(stats(count=50, successes=0), 1)
    assert (summary.count, summary.successes, summary.failed_to_download) == (150, 90, 60)
    assert summary.status_dict["HTTP Error 404: Not Found"] == 60
    assert summary.success_rate == pytest.approx(0.6)
    assert not summary.is_complete
    summary.add(stats(), 2)
    assert summary.is_complete


def test_a_shard_that_succeeds_later_is_no_failed_one():
    summary = Summary(total_shards=2)
    summary.fail(1, "killed")
    assert summary.failed_shards == {1: "killed"}
    summary.add(stats(), 1)
    assert summary.failed_shards == {}


def test_success_is_no_reason():
    summary = Summary()
    summary.add(stats(reasons={"a": 7, "b": 3}))
    assert summary.top_reasons(1) == [("a", 7)]


def test_rare_messages_are_dropped_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(sums, "LARGEST_STATUS_COUNT", 10)
    summary = Summary()
    summary.add(stats(reasons={"frequent": 10}))
    summary.add(stats(reasons={f"message {number}": 1 for number in range(10)}))
    assert len(summary.status_dict) == 5
    assert summary.top_reasons(1) == [("frequent", 10)]


def test_rates_hold_all_images():
    summary = Summary()
    summary.add(stats(count=100, successes=60, start=1000, end=1010))
    summary.add(stats(count=30, successes=30, start=1005, end=1020))
    summary.add(stats(count=5, successes=5, start=1020, end=1020))
    points = summary.rates(7)
    width = points[1][0] - points[0][0]
    assert width == pytest.approx(20 / 7)
    assert sum(success * width for _, success, _ in points) == pytest.approx(95)
    assert sum(failure * width for _, _, failure in points) == pytest.approx(40)
    assert Summary().rates(7) == []


def test_hosts_add_up_and_are_ordered_by_their_mean_time():
    hosts = {"slow.example": {"count": 1, "failed": 1, "ms": 3000}, "fast.example": {"count": 2, "failed": 0, "ms": 40}}
    summary = Summary()
    summary.add(stats(hosts=hosts))
    summary.add(stats(hosts={**hosts, "": {"count": 1, "failed": 1, "ms": 0}}))
    summary.add(stats())
    (first, slow), (second, fast) = summary.hosts.slowest(5)
    assert (first, slow.count, slow.failed, slow.mean_ms) == ("slow.example", 2, 2, 3000)
    assert (second, fast.count, fast.failed, fast.mean_ms) == ("fast.example", 4, 0, 20)
    assert summary.hosts.slowest(5, least_samples=3) == [(second, fast)]


def test_the_number_of_hosts_is_bounded():
    hosts = Hosts(largest_count=10)
    for number in range(1000):
        hosts.add({f"host{number}": {"count": 1, "failed": 0, "ms": 1}, "slow": {"count": 1, "failed": 0, "ms": 100}})
    assert len(hosts) <= 20
    ((name, times),) = hosts.slowest(1)
    assert (name, times.count) == ("slow", 1000)


@pytest.fixture
def begin(clock):
    """Makes a progress of a summary. A test looks in place of the thread, by `update`."""

    def begin_progress(summary, stream=None, phase=None, **values):
        progress = Progress(io.StringIO() if stream is None else stream, clock=clock, **values)
        progress.begin(summary, phase)
        return progress

    return begin_progress


def test_the_line_has_rate_success_reasons_and_remaining_time(clock, begin):
    summary = Summary(total_shards=12, shards_before=2)
    progress = begin(summary)
    clock.time = 10.0
    summary.add(stats(count=1000, successes=900), 2)
    summary.fail(3, "killed")
    assert progress.line() == ("shards 3/12  failed 1  images 1,000  100.0/s  success 90.0 %  ETA 0:01:30"
                               "  | HTTP Error 404: Not Found 10.0 %")


def test_the_line_counts_the_samples_of_shards_at_work(clock, begin):
    summary = Summary(total_shards=2)
    progress = begin(summary)
    clock.time = 2.0
    for status in ("success", "success", "success", "failed_to_resize"):
        summary.running.add(0, status)
    summary.running.add(1, "success")
    assert progress.line() == "shards 0/2  images 5  2.5/s  success 80.0 %  time 0:00:02"
    summary.add(stats(count=4, successes=3, reasons={}), 0)
    summary.fail(1, "killed")
    assert progress.line().startswith("shards 1/2  failed 1  images 4  2.0/s  success 75.0 %")


def test_without_a_total_the_line_has_the_time_so_far(clock, begin):
    progress = begin(Summary())
    clock.time = 61.0
    assert progress.line() == "shards 0/?  images 0  0.0/s  time 0:01:01"


def test_an_estimate_gives_a_remaining_time_until_the_total_is_known(clock, begin):
    summary = Summary(estimated_shards=12, shards_before=2)
    progress = begin(summary)
    clock.time = 10.0
    summary.add(stats(), 2)
    assert progress.line().startswith("shards 3/~12 ") and "ETA 0:01:30" in progress.line()
    assert not summary.is_complete
    summary.total_shards = 4
    assert progress.line().startswith("shards 3/4 ") and "ETA 0:00:10" in progress.line()


def test_a_file_gets_a_line_after_a_second_then_every_ten_seconds_and_the_last_state(clock, begin):
    summary, stream = Summary(total_shards=40), io.StringIO()
    progress = begin(summary, stream)
    for second in range(25):
        clock.time = float(second)
        progress.update()
        summary.add(stats(), second)
    progress.close()
    lines = stream.getvalue().splitlines()
    assert [line.split("  ")[0] for line in lines] == ["shards 1/40", "shards 11/40", "shards 21/40", "shards 25/40"]
    assert "\r" not in stream.getvalue() and "\x1b" not in stream.getvalue()


def test_a_terminal_gets_one_line_that_fits(clock, begin, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    summary, stream = Summary(total_shards=40), Terminal()
    progress = begin(summary, stream)
    for number in range(2):
        clock.time += 0.5
        summary.add(stats(), number)
        progress.update()
    assert "\n" not in stream.getvalue() and stream.getvalue().count("\r") == 2
    assert all(len(line.replace("\x1b[K", "")) < 40 for line in stream.getvalue().split("\r"))
    progress.say("shard 3 failed\n  log")
    assert stream.getvalue().endswith("\r\x1b[Kshard 3 failed\n  log\n")
    progress.close()
    assert stream.getvalue().endswith("\x1b[K\n")


def test_the_reading_of_a_long_list_is_shown_before_the_first_shard(clock, begin):
    stream = io.StringIO()
    progress = begin(Summary(), stream, phase="reading list.txt")
    progress.update()
    assert stream.getvalue() == ""
    clock.time = 1.5
    progress.update()
    assert stream.getvalue() == "reading list.txt  time 0:00:01\n"
    progress.end_phase()
    assert progress.line().startswith("shards 0/?")


def test_a_run_that_is_refused_leaves_no_line(clock, begin):
    for stream, expected in ((io.StringIO(), ""), (Terminal(), "\r\x1b[K")):
        progress = begin(Summary(), stream, phase="reading list.txt")
        clock.time += 0.5
        progress.update()
        progress.close()
        assert stream.getvalue().endswith(expected) and "\n" not in stream.getvalue()


def test_a_progress_that_is_turned_off_shows_messages_only(clock, begin):
    summary, stream = Summary(), io.StringIO()
    progress = begin(summary, stream, is_shown=False)
    clock.time = 100.0
    summary.add(stats(), 1)
    progress.update()
    progress.say("shard 3 failed")
    progress.close()
    assert stream.getvalue() == "shard 3 failed\n"


def test_a_thread_looks_at_the_summary_until_the_end():
    shown = threading.Event()

    class Stream(Terminal):
        def flush(self):
            shown.set()

    progress = Progress(Stream())
    progress.start(Summary(), "reading list.txt")
    assert shown.wait(timeout=600)
    progress.close()
    assert "progress" not in [thread.name for thread in threading.enumerate()]


def test_messages_of_servers_cannot_control_a_terminal(clock, begin):
    summary, stream = Summary(), io.StringIO()
    progress = begin(summary, stream)
    summary.add(stats(reasons={"HTTP Error 404: \x1b[2J\r\n\u202eevil": 10}))
    clock.time = 1.0
    progress.update()
    assert "\x1b" not in stream.getvalue() and "\u202e" not in stream.getvalue()
    assert r"\x1b[2J\r\n\u202eevil" in stream.getvalue()


def test_texts():
    assert duration(3725.9) == "1:02:05"
    assert printable("é \ud800\x00") == "é \\ud800\\x00"
