"""What the shards of a run amount to: counts, reasons of failures, rates, and times of hosts."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

LARGEST_STATUS_COUNT = 100_000
"""Distinct messages that are kept; the half of them that is rarest is dropped when there are more."""

LARGEST_HOST_COUNT = 10_000
"""Hosts that are kept; those with the least time are dropped when there are more."""


@dataclass(frozen=True, slots=True)
class ShardRate:
    """How many images a shard had, and when. Times are seconds since 1970."""

    shard_id: int | None
    count: int
    successes: int
    start_time: float
    end_time: float


@dataclass(slots=True)
class HostTimes:
    """The samples of one host."""

    count: int = 0
    failed: int = 0
    ms: int = 0
    """Milliseconds of all samples together."""

    @property
    def mean_ms(self) -> float:
        """The mean time of a sample in milliseconds."""
        return self.ms / self.count if self.count else 0.0


class Hosts:
    """Times by host, with bounded memory."""

    def __init__(self, largest_count: int = LARGEST_HOST_COUNT) -> None:
        """`largest_count` is the number of hosts that are kept when there are twice as many."""
        self._times: dict[str, HostTimes] = {}
        self._largest_count = largest_count

    def __len__(self) -> int:
        return len(self._times)

    def add(self, hosts: Mapping[str, Mapping[str, int]]) -> None:
        """Adds the hosts of a shard: {host: {"count": n, "failed": n, "ms": sum}}."""
        for host, numbers in hosts.items():
            if not host:  # URLs without a host.
                continue
            times = self._times.setdefault(host, HostTimes())
            times.count += numbers["count"]
            times.failed += numbers["failed"]
            times.ms += numbers["ms"]
        if len(self._times) > 2 * self._largest_count:
            slowest = sorted(self._times.items(), key=lambda item: item[1].ms, reverse=True)
            self._times = dict(slowest[: self._largest_count])

    def slowest(self, count: int, least_samples: int = 1) -> list[tuple[str, HostTimes]]:
        """The hosts with the largest mean time, the slowest first."""
        hosts = [item for item in self._times.items() if item[1].count >= least_samples]
        return sorted(hosts, key=lambda item: (-item[1].mean_ms, item[0]))[:count]


class Running:
    """The samples of the shards that are at work on this machine. Any thread may call the methods."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shards: dict[int, tuple[int, int]] = {}

    def add(self, shard_id: int, status: str) -> None:
        """Counts a sample that ended."""
        with self._lock:
            count, successes = self._shards.get(shard_id, (0, 0))
            self._shards[shard_id] = (count + 1, successes + (status == "success"))

    def end(self, shard_id: int) -> None:
        """Forgets the samples of a shard, since the shard ended."""
        with self._lock:
            self._shards.pop(shard_id, None)

    def totals(self) -> tuple[int, int]:
        """Returns how many samples ended, and how many of them succeeded."""
        with self._lock:
            counts = list(self._shards.values())
        return sum(count for count, _ in counts), sum(successes for _, successes in counts)


@dataclass
class Summary:
    """Sums of the shards of a run. One thread changes it; others that read it hold `lock`."""

    total_shards: int | None = None
    """All shards of the input; None while the input has not been read to its end."""
    estimated_shards: int | None = None
    """About how many shards the input has, for the time until `total_shards` is known; None without an estimate."""
    shards_before: int = 0
    """Shards that were complete before the run, and remain as they are."""
    count_before: int = 0
    """The rows of those shards."""
    successes_before: int = 0
    count: int = 0
    successes: int = 0
    failed_to_download: int = 0
    failed_to_resize: int = 0
    status_dict: Counter[str] = field(default_factory=Counter)
    shards: list[ShardRate] = field(default_factory=list)
    hosts: Hosts = field(default_factory=Hosts)
    failed_shards: dict[int, str] = field(default_factory=dict)
    """Shards without a result, each with the reason of its last failure."""
    failed_retries: set[int] = field(default_factory=set)
    """Those of them that were whole before the run, and remain as they were; their failed rows were to be repeated."""
    running: Running = field(default_factory=Running)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)

    @property
    def shards_done(self) -> int:
        """Shards that are complete: those of this run and those before it."""
        return self.shards_before + len(self.shards)

    @property
    def is_complete(self) -> bool:
        """Whether all shards of the input are there."""
        return self.total_shards is not None and self.shards_done >= self.total_shards

    @property
    def success_rate(self) -> float:
        """The part of the samples that succeeded, 0 to 1."""
        return self.successes / self.count if self.count else 0.0

    @property
    def rows_in_all(self) -> int:
        """The rows of all complete shards, those before the run included."""
        return self.count_before + self.count

    @property
    def failures_in_all(self) -> int:
        """The rows of all complete shards that did not succeed."""
        return self.rows_in_all - self.successes_before - self.successes

    def add(self, stats: Mapping[str, Any], shard_id: int | None = None) -> None:
        """Adds the statistics of a complete shard, which is then no failed one."""
        with self.lock:
            self._add(stats, shard_id)

    def fail(self, shard_id: int, reason: str, *, remains: bool = False) -> None:
        """Notes that a try of a shard failed, and whether the shard remains as it was before the run."""
        with self.lock:
            self.running.end(shard_id)
            self.failed_shards[shard_id] = reason
            if remains:
                self.failed_retries.add(shard_id)

    def _add(self, stats: Mapping[str, Any], shard_id: int | None) -> None:
        self.count += stats["count"]
        self.successes += stats["successes"]
        self.failed_to_download += stats["failed_to_download"]
        self.failed_to_resize += stats["failed_to_resize"]
        self.status_dict.update(stats["status_dict"])
        if len(self.status_dict) > LARGEST_STATUS_COUNT:
            self.status_dict = Counter(dict(self.status_dict.most_common(LARGEST_STATUS_COUNT // 2)))
        self.shards.append(
            ShardRate(shard_id, stats["count"], stats["successes"], stats["start_time"], stats["end_time"])
        )
        self.hosts.add(stats.get("hosts", {}))
        if shard_id is not None:
            self.running.end(shard_id)
            self.failed_shards.pop(shard_id, None)
            self.failed_retries.discard(shard_id)

    def top_reasons(self, count: int) -> list[tuple[str, int]]:
        """The most frequent messages of samples that did not succeed."""
        failures = Counter({text: number for text, number in self.status_dict.items() if text != "success"})
        return failures.most_common(count)

    def rates(self, intervals: int) -> list[tuple[float, float, float]]:
        """Start in seconds since the first shard's, successes a second, and failures a second.

        A shard reports only its sums; its samples count as spread evenly over its time.
        """
        if not self.shards or intervals < 1:
            return []
        start = min(shard.start_time for shard in self.shards)
        width = max(max(shard.end_time for shard in self.shards) - start, 1e-3) / intervals
        successes, failures = [0.0] * intervals, [0.0] * intervals
        for shard in self.shards:
            for index, part in _parts(shard, start, width, intervals):
                successes[index] += part * shard.successes
                failures[index] += part * (shard.count - shard.successes)
        return [(index * width, successes[index] / width, failures[index] / width) for index in range(intervals)]


def _parts(shard: ShardRate, start: float, width: float, intervals: int) -> Iterable[tuple[int, float]]:
    """The intervals that a shard lies in, each with the part of its time in it."""
    begin, end = shard.start_time - start, max(shard.start_time, shard.end_time) - start
    first, last = (min(int(time / width), intervals - 1) for time in (begin, end))
    if first == last:
        yield first, 1.0
        return
    for index in range(first, last + 1):
        # The last interval takes what rounding left behind the end.
        limit = end if index == last else (index + 1) * width
        yield index, (limit - max(begin, index * width)) / (end - begin)
