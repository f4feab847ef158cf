"""How many rows a fold adds up in float64 before it goes over to integers: so few that every sum is exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.exact.folds import GramFold, SumFold, sums
from dpframe.kernel.families import weighted_folds
from dpframe.kernel.families.weighted_folds import WeightedGramFold, WeightedHistogramFold

EXACT = 2**53


def sizes(module: Any, patch: pytest.MonkeyPatch) -> list[int]:
    """What blocks a module cuts, as it asks for them."""
    asked, spans = list[int](), module.spans

    def told(rows: int, size: int) -> Any:
        asked.append(size)
        return spans(rows, size)

    patch.setattr(module, "spans", told)
    return asked


@pytest.mark.parametrize("bits", [1, 20, 26])
@pytest.mark.parametrize("d", [1, 3, 100])
def test_the_most_that_a_block_adds_up_is_exact(bits: int, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row's number is at most 2^bits, a product of two 4^bits, a weight 2^bits."""
    asked = sizes(sums, monkeypatch)
    SumFold(d, bits).update(np.zeros((2, d)))
    GramFold(d, bits).update(np.zeros((2, d)))
    of_sums, of_grams = asked
    assert 1 <= of_sums * (math.isqrt(d - 1) + 1) * 2**bits <= EXACT
    assert 1 <= of_grams * 4**bits <= EXACT
    asked = sizes(weighted_folds, monkeypatch)
    WeightedHistogramFold(1, 1, weight_bits=bits).update(np.zeros((2, 1), dtype=np.int64), np.zeros((2, 1)))
    WeightedGramFold(1, d, bits=bits, weight_bits=bits).update([np.zeros((2, d))], np.zeros((2, 1)))
    of_weights, of_weighted = asked
    assert 1 <= of_weights * 2**bits <= EXACT
    assert 1 <= of_weighted * 4**bits <= EXACT
