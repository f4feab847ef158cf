"""Blocks of vectors in ℓ₂: the weight of those that agree, and their average, proved throughout.

T8 where the semimetric is a norm. Proof: ``docs/theory/averaged-populous.md`` (10).
"""

from __future__ import annotations

import math

from dpframe.proof.families import blocks
from dpframe.proof.families.blocks import PASSED
from dpframe.proof.families.populous import check_blocks, check_passed_weight, weight_bound, weight_moved
from dpframe.proof.families.selection import one_block
from dpframe.proof.spaces import L1, L2
from dpframe.proof.theorems.base import Metrics, Params, number, theorem, up, whole
from dpframe.proof.theorems.declaring import BLOCKS, Condition, declare, free

MOST_BITS = 40


def vector_radius(t: int, ramp: int, least: float, r: float, d: int, bits: int) -> float:
    """How far two averages may be: TV·r, and what rounding to the lattice adds.

    Examples
    --------
    >>> round(vector_radius(1300, 585, 650.0, 1.0, 2, 30), 6)
    0.004955
    """
    lattice = up(up(math.sqrt(d)) * r * 2.0**-bits)
    return up(up(up(weight_moved(t, ramp, least) * up(r + lattice)) + lattice) * (1 + 2.0**-50))


@theorem("block_weight", "query", "docs/theory/averaged-populous.md#2-sensitivity-of-w")
def _block_weight(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As ``populous_weight``, for vectors in ℓ₂ and neighbourhoods of radius r/2: <= 1 + (t − 1)/l."""
    one = one_block(inputs)
    number(params, "r")
    return weight_bound(one, check_blocks(params, one.t)[1])


declare("block_weight", "query", "block_weight", (BLOCKS,), blocks.agreement, parameters="r d majority ramp")


@theorem("block_average", "query", "docs/theory/averaged-populous.md#10-any-convex-semimetric", (PASSED,))
def _block_average(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given W >= W₀ on both sides, the weighted averages of two neighbours are within TV·r in ℓ₂, and rounding.

    Blocks of positive weight are pairwise within r, as r/2 neighbourhoods share an unchanged block; rounded to the
    lattice within r + √d·h. By a maximal coupling the averages are TV·E|x − y| apart, TV <= (1 + (t − 1)/l)/W₀; each is
    rounded to the lattice once more, √d·h/2 each.
    """
    one, d, bits = one_block(inputs), whole(params, "d"), whole(params, "bits")
    _, ramp = check_blocks(params, one.t)
    least = number(params, "test_threshold", high=float(one.t))
    bound = vector_radius(one.t, ramp, least, number(params, "r"), d, bits)
    return (L2(bound), L1(up(bound * up(math.sqrt(d)))))


declare(
    "block_average",
    "query",
    "block_average",
    (BLOCKS, free("test")),
    blocks.selected,
    parameters="r d majority ramp test_threshold bits",
    rests_on=Condition("block_weight", check_passed_weight),
)
