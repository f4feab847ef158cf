"""A memo by a short part of a hash is seen, by a whole one is not; what only sorts by such a part holds."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery import pasts
from dpframe.testing.battery.lab import Lab

SHORT: dict[str, Callable[[bytes], Any]] = {
    "eight digits": lambda text: hashlib.md5(text).hexdigest()[:8],
    "four bytes": lambda text: hashlib.sha256(text).digest()[-4:],
    "a byte": lambda text: hashlib.new("sha1", text).digest()[3],
    "a short hash": lambda text: hashlib.blake2b(text, digest_size=8).digest(),
    "a checksum": lambda text: zlib.crc32(text),  # noqa: PLW0108  looked up when it is asked, as in a plugin
}
WHOLE: dict[str, Callable[[bytes], Any]] = {
    "digits": lambda text: hashlib.md5(text).hexdigest(),
    "bytes": lambda text: hashlib.sha256(text).digest(),
    "most": lambda text: hashlib.sha256(text).hexdigest()[:32],
}


def failures(answer: Callable[[Any], Any]) -> int:
    lab = Lab(np.random.default_rng(0), 1, 1.0, 0.0)
    pasts.attack(lab, answer, [np.array([1.25, 6.5]), np.array([3.0, -2.0])], [], seconds=0.05)
    return len(lab.failures)


def remembered(key: Callable[[bytes], Any]) -> Callable[[Any], Any]:
    seen: dict[Any, float] = {}

    def answer(x: Any) -> Any:
        return seen.setdefault(key(x.tobytes()), float(x.sum()))

    return answer


@pytest.mark.parametrize("name", SHORT)
def test_a_memo_by_a_short_part_is_seen(name: str) -> None:
    assert failures(remembered(SHORT[name])) == 1


@pytest.mark.parametrize("name", WHOLE)
def test_a_memo_by_a_whole_hash_holds(name: str) -> None:
    assert failures(remembered(WHOLE[name])) == 0


@pytest.mark.parametrize("name", SHORT)
def test_what_sorts_by_a_short_part_holds(name: str) -> None:
    assert failures(lambda x: [SHORT[name](row.tobytes()) for row in x]) == 0
