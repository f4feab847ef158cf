"""Conditions of theorems on blocks and masks at their edges: one block, one ulp or one order further is refused."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from dpframe.errors import PlanError
from dpframe.proof.families.costs import no_dearer
from dpframe.proof.families.masks import SLACK, excess, mean_cost, shape_cost
from dpframe.proof.families.populous import check_blocks, check_passed_weight
from dpframe.proof.families.registered import _weighing
from dpframe.proof.families.selection import check_passed_agreement, check_selection
from dpframe.proof.spaces import Within
from dpframe.proof.theorems import THEOREMS
from dpframe.proof.theorems.composition import allocations


def taken(check: Any, *values: Any) -> bool:
    try:
        check(*values)
    except PlanError:
        return False
    return True


@pytest.mark.parametrize("t", range(2, 14))
def test_two_neighbourhoods_share_a_block_that_did_not_change(t: int) -> None:
    """More than the majority in each, one block may be another: they must share two. A majority that is one short
    leaves, of an odd number, only the one that changed."""
    for majority in range(1, t + 2):
        shared = 2 * (majority + 1) - t
        chosen = {"majority": majority, "test_threshold": math.nextafter(1.0, 0.0)}
        assert taken(check_selection, chosen, t) == (shared >= 2 and majority < t)
        for ramp in range(1, t + 1):
            assert taken(check_blocks, {"majority": majority, "ramp": ramp}, t) == (
                shared >= 2 and majority + ramp <= t
            )


@pytest.mark.parametrize("check", [check_passed_weight, check_passed_agreement])
@pytest.mark.parametrize("asked", [0.75, 1.0, 3.5])
def test_what_rests_on_a_test_takes_none_that_asks_for_less(check: Any, asked: float) -> None:
    """Not by an ulp: how near two averages are follows from the least that a test lets pass."""
    made = {"r": 0.5, "d": 2}
    value = {**made, "test_threshold": asked}
    assert taken(check, value, {"threshold": asked}, made)
    assert taken(check, value, {"threshold": 2 * asked}, made)
    assert not taken(check, value, {"threshold": math.nextafter(asked, 0.0)}, made)
    assert not taken(check, value, {"threshold": asked / 2}, made)
    assert not taken(check, {**value, "r": math.nextafter(0.5, 0.0)}, {"threshold": asked}, made)


@pytest.mark.parametrize("gamma", [1e-6, 0.01, 0.1, 0.3])
@pytest.mark.parametrize("order", [1.25, 2.0, 3.0])
def test_a_mask_costs_what_the_dearer_end_of_its_range_does(gamma: float, order: float) -> None:
    """A component may be wider or narrower by γ: the costs differ, and either may come."""
    ends = [shape_cost(t, order) for t in (gamma, -gamma / (1 + gamma))]
    moved = order * gamma**2 / (2 * 4.0 * (1 - (order - 1) * gamma))
    assert mean_cost(gamma, 2.0, order) >= moved + gamma**2 * max(ends)
    inside = np.linspace(-gamma / (1 + gamma), gamma, 41)
    assert max(shape_cost(float(t), order) for t in inside) <= max(ends) * (1 + 1e-9)
    assert excess(0.25) > excess(-0.25)


def test_costs_at_other_orders_are_not_compared() -> None:
    """A divergence grows with its order: less at a smaller one is no less."""
    certified = (2.0, 0.1, 8.0, 0.5)
    assert no_dearer((2.0, 0.1, 8.0, 0.4), certified, "renyi")
    assert not no_dearer((1.5, 0.1, 8.0, 0.5), certified, "renyi")
    assert not no_dearer((2.0, 0.1, 4.0, 0.5), certified, "renyi")
    assert not no_dearer((2.0, 0.1, 8.0, 0.6), certified, "renyi")
    assert not no_dearer((2.0, 0.1), certified, "renyi")


def test_a_mask_pays_for_its_rounding() -> None:
    """δ of at least 2^−100, whatever else is stated: by an ulp less is refused."""
    known = {"eta_weight": 1.0, "eta_mean": 1.0, "eta_covariance": 1.0, "k": 2, "d": 2}
    rule, met = THEOREMS["mixture_mask"].rule, ((Within("component", 0.01),),)
    assert rule({**known, "delta": SLACK}, met).delta == SLACK
    for short in (math.nextafter(SLACK, 0.0), SLACK / 2, SLACK * 2.0**-19):
        with pytest.raises(PlanError, match="rounding a mask"):
            rule({**known, "delta": short}, met)


@pytest.mark.parametrize("z", [1.0, 1.5, 4.0])
def test_a_triangle_is_no_narrower_for_longer_sides(z: float) -> None:
    """The constant at 2·z·r is that of longer sides: one below the constant at r separates components too little."""
    known = {"semimetric": "own.line", "r": 0.5, "z": z, "k": 2, "majority": 6, "ramp": 2}
    assert taken(_weighing, {**known, "z_far": z}, 11)
    assert taken(_weighing, {**known, "z_far": 2 * z}, 11)
    assert not taken(_weighing, {**known, "z_far": math.nextafter(z, 0.0)}, 11)


@pytest.mark.parametrize("edits", [(1, 0), (2, 0), (1, 1), (2, 2), (3, 1), (0, 3)])
@pytest.mark.parametrize("parts", [1, 2, 3, 4])
def test_every_way_in_which_edits_fall_into_parts_is_priced(edits: tuple[int, int], parts: int) -> None:
    """One by one into numbered parts, and the numbers forgotten: equal shares in several parts are a way, too."""
    rows = [(1, 0)] * edits[0] + [(0, 1)] * edits[1]
    wanted = set()
    for places in itertools.product(range(parts), repeat=len(rows)):
        held = [
            tuple(sum(row[i] for row, at in zip(rows, places, strict=True) if at == p) for i in (0, 1))
            for p in range(parts)
        ]
        wanted.add(tuple(sorted((one for one in held if one != (0, 0)), reverse=True)))
    assert {tuple(sorted(way, reverse=True)) for way in allocations(*edits, parts)} == wanted
