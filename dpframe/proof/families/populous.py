"""T8: the weights of populous blocks, and their matched average. Proof: ``docs/theory/averaged-populous.md``."""

from __future__ import annotations

import math

from dpframe.errors import PlanError
from dpframe.proof.families import blocks
from dpframe.proof.families.selection import one_block
from dpframe.proof.spaces import OneOf, Within
from dpframe.proof.theorems.base import Metrics, Params, number, one_number, theorem, up, whole
from dpframe.proof.theorems.declaring import BLOCKS, Condition, declare, free

MOST_R = 1.0


def check_blocks(params: Params, t: int) -> tuple[int, int]:
    """The declared ``majority`` m and ``ramp`` l, in blocks: 2m >= t and m + l <= t."""
    majority, ramp = whole(params, "majority"), whole(params, "ramp")
    if 2 * majority < t or majority + ramp > t:
        raise PlanError(
            f"majority {majority} and ramp {ramp} of {t} blocks: neighbourhoods must share a block",
            fix=f"use a majority of at least {(t + 1) // 2} and a ramp of at most {t - majority}",
        )
    return majority, ramp


def rounding(r: float, d: int) -> float:
    """What float64 averages and their triangular roots can add to the distance of two averages."""
    return (1 + r) ** 2 * d * (d + 8) * 2.0**-22


def average_radius(t: int, ramp: int, least: float, r: float, d: int) -> float:
    """γ_avg = TV·r(1 + r) with TV = (1 + (t − 1)/l)/W₀, and what rounding adds.

    Examples
    --------
    >>> round(average_radius(1300, 585, 650.0, 0.7, 2), 4)
    0.0059
    """
    moved = weight_moved(t, ramp, least)
    return up(up(moved * r * (1 + r)) * (1 + 1e-12) + rounding(r, d))


def weight_moved(t: int, ramp: int, least: float) -> float:
    """Total variation between the weightings of two neighbours that both pass: (1 + (t − 1)/l)/W₀, at most 1."""
    return min(1.0, up(up(1 + up((t - 1) / ramp)) / least))


def weight_bound(one: OneOf, ramp: int) -> Metrics:
    """How far one changed block moves W."""
    bound = up(1 + up((one.t - 1) / ramp)) if one.changed else 0.0
    return one_number(bound)


def _radius(params: Params) -> float:
    r = number(params, "r")
    if r > MOST_R:
        raise PlanError(f"r must be at most {MOST_R}, not {r!r}", fix="use r=0.7")
    return r


@theorem("populous_weight", "query", "docs/theory/averaged-populous.md#2-sensitivity-of-w")
def _populous_weight(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """W = Σ clamp((c_i − m)/l, 0, 1), c_i the blocks near block i: one changed block moves it by <= 1 + (t − 1)/l.

    Whether two blocks are near is a function of these two alone, so each other c_i moves by at most 1, its term by
    1/l; the changed block's own term moves by at most 1.
    """
    one = one_block(inputs)
    _radius(params)
    _, ramp = check_blocks(params, one.t)
    return weight_bound(one, ramp)


declare("populous_weight", "query", "populous_weight", (BLOCKS,), blocks.weight, parameters="k d r majority ramp")


def check_passed_weight(average: Params, test: Params, weight: Params) -> None:
    """What ``populous_average`` presupposes of the test it names: declared parameters of the three nodes.

    Raises
    ------
    PlanError
        When the test was made for other neighbourhoods, or passes at less weight than is presupposed.
    """
    for key, value in weight.items():
        if average.get(key) != value:
            raise PlanError(
                f"the test was made with {key}={value!r}, not {average.get(key)!r}", fix=f"give both one {key}"
            )
    if not number(test, "threshold") >= number(average, "test_threshold"):
        raise PlanError(
            f"test_threshold: declared {average.get('test_threshold')!r}, the test has {test.get('threshold')!r}",
            fix="give both the same threshold",
        )


@theorem("populous_average", "query", "docs/theory/averaged-populous.md#5-the-two-averages", (blocks.PASSED,))
def _populous_average(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given W >= W₀ on both sides, the weighted matched averages of two neighbours are within γ_avg.

    Blocks of positive weight, of both sides together, are pairwise within r; their matchings are unique and
    compose; the two weightings differ by TV <= (1 + (t − 1)/l)/W₀; the averaged covariance dominates each
    one's by 1/(1 + r). So γ_avg = TV·r(1 + r), and rounding (``docs/theory/averaged-populous.md``).
    """
    one, r = one_block(inputs), _radius(params)
    whole(params, "k")
    _, ramp = check_blocks(params, one.t)
    least = number(params, "test_threshold", high=float(one.t))
    return (Within("component", average_radius(one.t, ramp, least, r, whole(params, "d"))),)


declare(
    "populous_average",
    "query",
    "populous_average",
    (BLOCKS, free("test")),
    blocks.averaged,
    parameters="k d r majority ramp test_threshold",
    rests_on=Condition("populous_weight", check_passed_weight),
)


def separation(r: float) -> tuple[float, float]:
    """Distances beyond which two components of one block count as separated: of means, and of any part."""
    return r * (2 + r + math.sqrt(1 + r)), (1 + r) ** 3 - 1


def closeness(r: float) -> float:
    """ν = √(1 + r) − 1: two blocks within ν of a third are within r; rounded down."""
    return (math.sqrt(1 + r) - 1) * (1 - 1e-12)
