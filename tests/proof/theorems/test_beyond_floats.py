"""Whole numbers that no float64 is, and probabilities that have too few digits: each would be priced too low."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpframe.errors import DomainError, PlanError
from dpframe.proof.spaces import L1, L2, Edits, LInf, OneSided
from dpframe.proof.spaces.checks import MOST_EDITS
from dpframe.proof.theorems import THEOREMS, histogram_threshold
from dpframe.proof.theorems.mechanisms import LEAST_TAIL

ODD = 2**53 + 1
ONE = ((Edits(1, 1),),)


def test_a_whole_number_that_no_float_is_can_not_be_declared() -> None:
    """Rows would be clipped to 2^53 + 1, and the sum priced for 2^53."""
    told = {"p": 1, "norm": "l2", "nonnegative": False}
    assert THEOREMS["own_contribution"].rule({**told, "bound": 2**53}, ONE)[1] == L2(2.0**54)
    assert Fraction(float(ODD)) < ODD
    with pytest.raises(PlanError, match="finite number of float64"):
        THEOREMS["own_contribution"].rule({**told, "bound": ODD}, ONE)


def test_no_neighbours_differ_by_more_rows_than_floats_count() -> None:
    most = Edits(MOST_EDITS, MOST_EDITS)
    (found,) = THEOREMS["bounded_sum"].rule({}, ((most,),))
    assert Fraction(found.bound) == most.total
    for edits in ((ODD, ODD), (MOST_EDITS + 1, 0), (0, MOST_EDITS + 1)):
        with pytest.raises(DomainError, match="whole number from 0 to"):
            Edits(*edits)


def test_scores_move_by_whole_numbers_that_floats_hold() -> None:
    (found,) = THEOREMS["rank_scores"].rule({"numerator": 1, "denominator": 2**20}, ONE)
    assert found.bound == 2.0**20
    for p, b in ((1, 2**20 + 1), (1, ODD), (3, 3), (4, 3)):
        with pytest.raises(PlanError, match="strictly between 0 and 1"):
            THEOREMS["rank_scores"].rule({"numerator": p, "denominator": b}, ONE)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
@pytest.mark.parametrize("reach", [0.5, 1.0, 1e20])
def test_a_tail_without_digits_gives_no_threshold(noise: str, reach: float) -> None:
    """Of 2^32 bins each may pass with 1e-325: float64 says 0, and any threshold would do."""
    metrics = (L1(2.0), L2(2.0), LInf(0.5), OneSided(1.0))
    told = {"histograms": 2**16, "each": 2**16, "scale": 1.0, "noise": noise, "reach": reach}
    least = LEAST_TAIL * 2**32 * max(reach, 1.0)
    THEOREMS["stable_histogram"].rule({**told, "delta": least * 1.001}, (metrics,))
    for delta in (least / 1.001, 1e-315, 5e-324):
        with pytest.raises(PlanError, match="no threshold is known"):
            THEOREMS["stable_histogram"].rule({**told, "delta": delta}, (metrics,))


def test_without_digits_a_threshold_is_too_low() -> None:
    """Why: by ln erfc(x) >= −x² − ln(x√π + 1/x) the bins that one row alone fills pass with more than δ."""
    delta, bins = 1e-318, 2**32
    tau = histogram_threshold("gaussian", 1.0, 2**16, delta, each=2**16)
    x = (tau - 0.5) / 2**8 / math.sqrt(2)
    assert math.log(bins / 2) - x * x - math.log(x * math.sqrt(math.pi) + 1 / x) > math.log(delta) + math.log(1000)
