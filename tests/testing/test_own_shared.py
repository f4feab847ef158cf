"""Noise that many numbers share, or that is even, is refuted; what only looks so is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.testing import check_file
from dpframe.testing.battery import own_shared
from dpframe.testing.battery.reporting import Report
from tests.testing.planted import FAULTY, HEADER

MECHANISM = """
@dp.own_mechanism("shared.{name}", gives=lambda m: m, takes="l1", source="none", examples={{"m": 3}},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def f(value, scale, noise, *, m):
    \"\"\"Laplace noise.\"\"\"
    {body}
"""
RIGHT = {
    "plain": "return value + noise.laplace(scale, m)",
    "coarser": "return (value + noise.laplace(scale, m)) // 16 * 16",
    "signs": "return (value + noise.laplace(scale, m) > 0).astype(np.int64)",
    "in_order": "return np.maximum.accumulate(value + noise.laplace(scale, m))",
}
"""Of which none adds shared or even noise: values that are rounded to multiples, or drawn together, come after it."""
WRONG = {
    "halves": "return value + noise.laplace(scale, m) // 2 * 2",
    "blocks": "return value + np.resize(noise.laplace(scale, m)[:512], m)",
    "tiled": "return value + np.resize(noise.laplace(scale, min(m, 1 << 12)), m)",
    "single": "return value + noise.laplace(scale, m).astype(np.float32).astype(np.int64)",
}


def checked(folder: Path, name: str, body: str) -> Report:
    path = folder / f"shared_{name}.py"
    path.write_text(HEADER + MECHANISM.format(name=name, body=body))
    (report,) = check_file(path)
    return report


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_one_holds(name: str, tmp_path: Path) -> None:
    report = checked(tmp_path, name, RIGHT[name])
    assert report.holds, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_one_is_refuted(name: str, tmp_path: Path) -> None:
    assert not checked(tmp_path, name, WRONG[name]).holds


class Made:
    """A mechanism of values with something added."""

    def __init__(self, noise: Callable[[Any, int], Any]) -> None:
        self.noise, self.rng = noise, np.random.default_rng(3)

    def release(self, exact: Any, calibration: Any, domain: Any, source: Any) -> Any:
        values = np.asarray(exact.integers)
        return values + self.noise(self.rng, len(values))


def test_steps_are_seen_and_small_noise_is_not_taken_for_one() -> None:
    from dpframe.proof.spaces import Counts

    def step(noise: Callable[[Any, int], Any]) -> int:
        made: Any = Made(noise)
        return own_shared._step(made, Counts(4), 1.0)

    assert step(lambda rng, m: 8 * rng.integers(-1000, 1000, m)) % 8 == 0
    assert step(lambda rng, m: rng.integers(-1000, 1000, m)) == 1
    assert step(lambda rng, m: np.zeros(m, dtype=np.int64)) in (0, 1)
    assert step(lambda rng, m: rng.random(m)) == 1


def test_plants_of_shared_noise_are_kept() -> None:
    assert {"x_noise_float32", "x_noise_by_small_index"} <= FAULTY.keys()
