"""Where float64 ends to be exact: the last blocks, merges and products that still are."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe.kernel.exact import folds, lattice
from dpframe.kernel.exact.folds import ExactSum
from dpframe.kernel.families.weighted_folds import WeightedGramFold

LAST = 2**26 - 1
"""An odd number whose square, on the finest lattice, leaves room for one more in 2^53."""


@pytest.mark.parametrize("rows", [2, 3, 5, 8, 100])
def test_grams_on_the_finest_lattice_are_the_integers(rows: int) -> None:
    """Blocks of four times as many rows pass 2^53: their sum is rounded, and by how much the other rows decide."""
    fold = folds.GramFold(1, 26)
    fold.update(np.full((rows, 1), float(LAST)))
    assert fold.value.tolist() == [[rows * LAST**2]]


@pytest.mark.parametrize("rows", [2, 3, 5, 8, 100])
def test_weighted_grams_on_the_finest_lattice_are_the_integers(rows: int) -> None:
    """As above, where each row has the whole weight of one component."""
    fold = WeightedGramFold(1, 1, bits=26, weight_bits=10)
    fold.update(np.full((1, rows, 1), float(LAST)), np.full((rows, 1), 2.0**10))
    assert fold.value.tolist() == [[[rows * LAST**2]]]


@pytest.mark.parametrize("parts", [2, 3, 9])
def test_merged_sums_remember_how_large_they_may_be(parts: int) -> None:
    """A merge that adds no bound wraps in int64: a row then moves the sum by 2^64."""
    total, sign = ExactSum((2,)), np.array([1, -1])
    for _ in range(parts):
        other = ExactSum((2,))
        other.add(sign * 2**61, 2**61)
        other.add(sign * (2**61 - 1), 2**61)
        total.merge(other)
    assert total.value.tolist() == [parts * (2**62 - 1), -parts * (2**62 - 1)]


@pytest.mark.parametrize("d", [3, 5, 6, 7, 11, 24, 50])
def test_products_are_the_same_bits_in_any_order_of_columns(d: int, rng: np.random.Generator) -> None:
    """Limbs of one bit more pass 2^53 where d is no power of two: then the order of a sum, which BLAS chooses by how
    many rows there are, decides the last bit of a row's image."""
    x = rng.choice([-1.0, 1.0], (4000, d)) * rng.uniform(0.9, 1.0, (4000, d))
    matrix, shift = rng.uniform(0.9, 1.0, (d, 3)), np.zeros(d)
    x[: len(x) // 2] = np.abs(x[: len(x) // 2])
    valid, order = np.ones(len(x), dtype=bool), rng.permutation(d)
    for limbs in (1, 2):
        straight = lattice.affine(x, valid, shift, matrix, scale=0.999, limbs=limbs)
        turned = lattice.affine(x[:, order], valid, shift, matrix[order], scale=0.999, limbs=limbs)
        assert np.array_equal(straight, turned)
