"""Weights on a coarser lattice than a statistic was handed: a row's still sum to one at most."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.weighted import WeightedCounts, WeightedRadii, WeightedSquares
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import WeightedRows

FINE = 18


def one_row(weights: Any) -> Batch:
    rows = np.zeros((len(weights), 1, 2))
    rows[:, :, 0] = 2.0**FINE
    return Batch(0, rows, np.ones(1, dtype=bool), bits=FINE, weights=np.array([weights], dtype=np.float64))


@pytest.mark.parametrize("bits", [1, 4, 9, 15])
@pytest.mark.parametrize("kind", [WeightedCounts, WeightedSquares, WeightedRadii])
def test_a_rows_weights_sum_to_one_at_most_on_every_lattice(kind: Any, bits: int, rng: np.random.Generator) -> None:
    """Rounded to nearest, several small weights become one step each, and the row counts for more than it is."""
    step, rounded_above = 2 ** (FINE - bits), 0
    known = [[2**FINE - 2 * (step - 1), step - 1, step - 1], [2**FINE, 0, 0]]
    drawn = np.floor(rng.dirichlet([0.3, 0.3, 0.3], 200) * 2.0**FINE).tolist()
    for weights in [*known, *drawn]:
        statistic = kind(bits=bits)
        fold = statistic.start(WeightedRows(3, 2))
        statistic.update(fold, one_row(weights))
        total = np.asarray(statistic.value(fold).integers)
        assert total.min() >= 0
        assert int(total.sum()) <= 2**bits
        rounded_above += int(np.rint(np.array(weights) / step).sum()) > 2**bits
    assert rounded_above  # the twin
