"""The worker's answers to one shard, and whether they are what the protocol demands."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

STATUSES = ("success", "failed_to_download", "failed_to_resize")


def sample_key(shard_line: dict[str, Any], index: int) -> str:
    """Returns the key of the sample with this index in a shard."""
    digits = shard_line["oom_sample_per_shard"]
    return f"{10**digits * shard_line['shard'] + index:0{digits + shard_line['oom_shard_count']}d}"


class AnswerChecker:
    """Checks the lines that answer one shard. After the last one, `done` is True."""

    def __init__(self, shard_line: dict[str, Any]) -> None:
        self.done = False
        self._shard_line = shard_line
        self._counts: Counter[str] = Counter()
        self._next = 0

    def check(self, line: bytes) -> dict[str, Any]:
        """Returns the answer in a line, or raises `ValueError`."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"this line is not JSON: {line[:80]!r}") from error
        if not isinstance(answer, dict):
            raise ValueError(f"this line is not an object: {line[:80]!r}")
        if "failed" in answer:
            return answer
        if "done" in answer:
            self._check_totals(answer)
            self.done = True
            return answer
        self._check_sample(answer)
        self._counts[answer["status"]] += 1
        self._next += 1
        return answer

    def _check_sample(self, answer: dict[str, Any]) -> None:
        if self._next >= self._shard_line["count"]:
            raise ValueError("more answers than samples")
        if answer.get("i") != self._next:
            raise ValueError(f"an answer for sample {answer.get('i')!r} instead of {self._next}")
        if answer.get("status") not in STATUSES:
            raise ValueError(f"the unknown status {answer.get('status')!r}")
        key = sample_key(self._shard_line, self._next)
        if answer.get("key") != key:
            raise ValueError(f"the key {answer.get('key')!r} instead of {key}")
        if answer["status"] != "success" and not isinstance(answer.get("error_message"), str):
            raise ValueError(f"no reason for the failure of sample {self._next}")

    def _check_totals(self, totals: dict[str, Any]) -> None:
        expected = {
            "done": True,
            "shard": self._shard_line["shard"],
            "count": self._shard_line["count"],
            "successes": self._counts["success"],
            "failed_to_download": self._counts["failed_to_download"],
            "failed_to_resize": self._counts["failed_to_resize"],
        }
        if self._next != expected["count"]:
            raise ValueError(f"the end after {self._next} of {expected['count']} answers")
        for name, value in expected.items():
            if totals.get(name) != value:
                raise ValueError(f"the total {name} is {totals.get(name)!r} instead of {value!r}")
