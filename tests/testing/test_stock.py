"""A stock of draws is the sampler's own stream, each draw handed out once."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe.kernel.noise import SeededSource
from dpframe.kernel.own.sampler import Sampler
from dpframe.testing.battery.stock import STOCK, Stocked

NAMES = ("laplace", "gaussian", "rounded_gaussian", "geometric")


class Twice(Stocked):
    """Broken: it hands out the same draws again."""

    def _handed(self, name, draw, scale, size):
        found = super()._handed(name, draw, scale, size)
        self._stock[name, scale] = self._stock[name, scale][0], 0
        return found


def handed(sampler: Sampler, name: str, sizes: list[int]) -> np.ndarray:
    return np.concatenate([np.ravel(getattr(sampler, name)(3.7, size)) for size in sizes])


@pytest.mark.parametrize("name", NAMES)
def test_each_draw_is_handed_out_once_and_in_order(name: str) -> None:
    sizes = [1, 7, 300, 0, 88]
    whole = getattr(Sampler(SeededSource(4)), name)(3.7, STOCK)[: sum(sizes)]
    assert np.array_equal(handed(Stocked(SeededSource(4)), name, sizes), whole)
    assert not np.array_equal(handed(Twice(SeededSource(4)), name, sizes), whole)


def test_a_stock_that_is_used_up_is_drawn_anew() -> None:
    noise = Stocked(SeededSource(5))
    first, second = noise.laplace(2.0, STOCK), noise.laplace(2.0, STOCK)
    assert not np.array_equal(first, second)
    assert noise.laplace(2.0, STOCK + 1).shape == (STOCK + 1,)


def test_scales_have_stocks_of_their_own_and_shapes_are_kept() -> None:
    noise = Stocked(SeededSource(6))
    assert noise.gaussian(1.0).shape == ()
    assert noise.gaussian(1.0, (2, 3)).shape == (2, 3)
    assert abs(float(noise.laplace(1e6, 1000).astype(float).std())) > 1e4 > abs(float(noise.laplace(1.0, 1000).std()))


def test_what_is_handed_out_is_the_callers_own() -> None:
    noise = Stocked(SeededSource(7))
    kept = noise.laplace(2.0, 5)
    copy = kept.copy()
    kept[:] = 0
    again = Stocked(SeededSource(7)).laplace(2.0, 5)
    assert np.array_equal(again, copy)
