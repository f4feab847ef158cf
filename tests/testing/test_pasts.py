"""What depends on the clock is seen at any hour at which the kit itself runs, and for every input."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery import memos, pasts
from dpframe.testing.battery.lab import Lab


def different(answer: Any, *, seconds: float = 0.5, brief: bool = False) -> list[str]:
    lab = Lab(np.random.default_rng(0), 1, 1.0, 0.0)
    pasts.attack(lab, answer, ["first", "second", "last"], [], seconds=seconds, brief=brief)
    return [failure.message for failure in lab.failures]


def hours(among: range, probe: str) -> Any:
    """Another answer to that probe at these hours."""
    return lambda asked: 1 if asked == probe and time.localtime().tm_hour in among else 0


@pytest.mark.parametrize("brief", [False, True])
@pytest.mark.parametrize("seconds", [0.0, 0.5])
@pytest.mark.parametrize("among", [range(12), range(12, 24), range(0, 24, 2), range(1, 24, 2), range(7, 19)])
def test_halves_of_the_day_are_seen_even_in_no_time(among: range, seconds: float, brief: bool) -> None:
    assert different(hours(among, "last"), seconds=seconds, brief=brief)


@pytest.mark.parametrize("hour", range(24))
def test_single_hours_are_seen(hour: int) -> None:
    assert different(hours(range(hour, hour + 1), "last"))


@pytest.mark.parametrize("day", range(7))
def test_single_days_of_the_week_are_seen(day: int) -> None:
    assert different(lambda asked: asked == "second" and time.localtime().tm_wday == day)


def test_what_does_not_look_at_the_clock_is_left_alone() -> None:
    assert not different(len)


def memo(key: Any) -> Any:
    """What keeps its first answer to each key."""
    kept: dict[Any, Any] = {}
    return lambda asked: kept.setdefault(key(asked), float(asked[0]))


KEYS = {
    "shape and rounded mean": lambda x: (x.shape, round(float(x.mean()), 2)),
    "sum": lambda x: float(x.sum()),
    "numbers in order": lambda x: tuple(np.sort(x)),
    "rounded": lambda x: tuple(np.round(x, 1)),
    "length": len,
}


def after_alike(answer: Any) -> int:
    """Failures of an answer to a vector, after vectors that are like it."""
    probe = np.array([1.265625, 6.53125, 3.21875, 9.0])
    lab = Lab(np.random.default_rng(0), 1, 1.0, 0.0)
    pasts.attack(lab, answer, [probe], [("after others", memos.alike(probe))], seconds=0.1)
    return len(lab.failures)


@pytest.mark.parametrize("name", KEYS)
def test_a_memo_with_a_short_key_is_seen(name: str) -> None:
    assert after_alike(memo(KEYS[name])) == 1


def test_one_with_the_whole_key_is_not() -> None:
    assert after_alike(memo(lambda x: x.tobytes())) == 0


@pytest.mark.parametrize("brief", [False, True])
def test_what_was_set_for_one_thread_is_seen(brief: bool) -> None:
    setting = threading.local()
    setting.digits = 9
    assert different(lambda asked: getattr(setting, "digits", 28), brief=brief)
    assert not different(len, brief=brief)
