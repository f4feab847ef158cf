"""Where a number gets one more digit: grids and noise that are chosen by the value are refuted there."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.own.sampler import Sampler
from dpframe.proof.losses import Loss, Pure
from dpframe.proof.spaces import Counts
from dpframe.testing import check_file
from dpframe.testing.battery import own_turns
from dpframe.testing.battery.own_lattice import attack_lattice
from tests.testing.planted import HEADER

Function = Callable[[Any, float, Any], Any]


def noisy(value: Any, scale: float, noise: Any) -> Any:
    return value + noise.laplace(scale, len(value))


def by_value(value: Any, scale: float, noise: Any) -> Any:
    step = 10 ** np.maximum(np.floor(np.log10(np.maximum(np.abs(value), 1))).astype(np.int64) - 3, 0)
    return noisy(value, scale, noise) // step * step


def by_bits(value: Any, scale: float, noise: Any) -> Any:
    drop = max(int(np.abs(value).sum()).bit_length() - 16, 0)
    return (noisy(value, scale, noise) >> drop) << drop


def by_release(value: Any, scale: float, noise: Any) -> Any:
    made = noisy(value, scale, noise)
    step = 10 ** np.maximum(np.floor(np.log10(np.maximum(np.abs(made), 1))).astype(np.int64) - 3, 0)
    return made // step * step


class Made:
    """A mechanism of numbers with Laplace noise, by its function."""

    def __init__(self, function: Function) -> None:
        self.known = types.SimpleNamespace(function=function, takes="l1")
        self.keywords: dict[str, Any] = {}

    def release(self, exact: Any, calibration: Any, domain: Any, source: Any) -> Any:
        return self.known.function(np.asarray(exact.integers), calibration["scale"], Sampler(source))

    def loss(self, calibration: Any, apart: Any, domain: Any) -> Loss:
        return Loss.of(Pure(apart[0].bound / calibration["scale"]))


@pytest.mark.parametrize("function", [by_value, by_bits])
@pytest.mark.parametrize("m", [1, 7])
def test_a_grid_that_the_value_chooses_is_refuted(function: Function, m: int) -> None:
    made: Any = Made(function)
    words, shown = attack_lattice(made, Counts(m))
    assert "of a value one step further" in words
    coarse, fine = (max(map(abs, value)) for value in shown["values"])
    assert abs(coarse - fine) == 1


@pytest.mark.parametrize("function", [noisy, by_release, lambda v, s, n: noisy(v, s, n) // 16 * 16])
def test_a_public_one_is_not(function: Function) -> None:
    made: Any = Made(function)
    assert attack_lattice(made, Counts(3)) == ("", {})


def test_turns_at_which_not_the_same_is_done_are_told_and_no_others() -> None:
    def told(function: Function) -> list[int]:
        made: Any = Made(function)
        return [int(start[0]) for _, start, _ in own_turns.odd(made, Counts(1), (1,), 29.0)]

    assert told(by_value)[:1] == [9999]
    assert told(noisy) == []
    assert len(told(lambda v, s, n: noisy(v, s, n) // 2 * 2)) == own_turns.MOST
    assert told(lambda v, s, n: np.zeros(3)) == []


FLOATS = """
@dp.own_mechanism("turns.floats", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 2}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    \"\"\"Laplace noise.\"\"\"
    return value.astype(np.float64) + noise.laplace(scale, m)
"""


@pytest.mark.slow
def test_of_floats_the_cause_is_said_first(tmp_path: Path) -> None:
    (tmp_path / "turns_floats.py").write_text(HEADER + FLOATS)
    (report,) = check_file(tmp_path / "turns_floats.py")
    assert report.failures[0].message.startswith("for 2 numbers it gave float64 numbers, not whole steps")
    assert not any("whole steps" in note for note in report.notes)
