"""T4: the first block that agrees with most, for vectors and for mixtures of Gaussians.

Proofs: ``docs/theory/populous.md``.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpframe.errors import PlanError
from dpframe.proof.families import blocks
from dpframe.proof.families.blocks import PASSED
from dpframe.proof.spaces import L2, OneOf, Within
from dpframe.proof.theorems.base import Metrics, Params, find, number, one_number, theorem, up, whole
from dpframe.proof.theorems.declaring import BLOCKS, Condition, declare, free

MOST_COMPONENTS = 10


def one_block(inputs: tuple[Metrics, ...]) -> OneOf:
    """Lists of block results that differ in one block at most."""
    one = find(inputs[0], OneOf)
    if one.changed > 1:
        raise PlanError(
            f"is proved for one changed block only, {one.changed} may change", fix="use replace_one adjacency"
        )
    return one


def moved_share(one: OneOf) -> Metrics:
    """How far one changed block moves Q: at most 2/t."""
    bound = up(2.0 / one.t) if one.changed else 0.0
    return one_number(bound)


def check_selection(params: Params, t: int) -> None:
    """Two neighbourhoods of more than ``majority`` blocks share two blocks, and a passed test has one."""
    majority, asked = whole(params, "majority"), number(params, "test_threshold", high=1.0)
    if 2 * majority < t or majority >= t:
        raise PlanError(
            f"majority {majority} of {t} blocks: neighbourhoods must share two blocks",
            fix=f"use a majority of {(t + 1) // 2}",
        )
    if not Fraction(asked) > Fraction(majority, t):
        raise PlanError(
            f"the test must ask for more than {majority}/{t}, else no block may qualify", fix="raise its threshold"
        )


def _nu(params: Params) -> float:
    nu = number(params, "nu", high=1.0)
    if whole(params, "k") > MOST_COMPONENTS:
        raise PlanError(f"matches at most {MOST_COMPONENTS} components, not {params['k']}", fix="use a smaller k")
    whole(params, "d")
    return nu


def root_rounding(r: float, d: int) -> float:
    """What two computed triangular roots can add to a distance of r: see ``docs/theory/populous.md``."""
    return (1 + r) * d * (d + 1) * 2.0**-25


def near_within(r: float, d: int) -> float:
    """The largest ν for which a selection is within r, rounded down; 0 where there is none.

    Examples
    --------
    >>> 0.30383 < near_within(0.7, 2) < 0.30385
    True
    """
    left = r - 2 * root_rounding(r, d)
    return max((left / (1 + math.sqrt(1 + left))) * (1 - 1e-12), 0.0) if left > 0 else 0.0


@theorem("mixture_agreement", "query", "Arbas23 Alg 1; docs/theory/populous.md#2-mixtures")
def _mixture_agreement(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Q = mean over blocks of the share of blocks within ν: one changed block moves it by at most 2/t.

    The changed block's own share moves by at most 1, each of the others by 1/t: (1 + (t − 1)/t)/t < 2/t.
    """
    _nu(params)
    return moved_share(one_block(inputs))


declare("mixture_agreement", "query", "mixture_agreement", (BLOCKS,), blocks.weight, parameters="k d nu")


@theorem("close_mixture", "query", "Arbas23 Alg 1; docs/theory/populous.md#2-mixtures", (PASSED,))
def _close_mixture(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given the passed test, the first block near more than m others is within (1 + ν)² − 1 of its twin's.

    Both are within ν of an unchanged block, as 2(m + 1) − t >= 2; the triangle inequality of the component distance
    is d(a, c) <= (1 + x)(1 + y) − 1, which T5's z = 1 + r/2 bounds; bottleneck matchings compose. The triangular
    roots are computed, which adds what ``root_rounding`` says. Proof: ``docs/theory/populous.md``.
    """
    one, nu = one_block(inputs), _nu(params)
    check_selection(params, one.t)
    r = up(up((1 + nu) ** 2) - 1)
    return (Within("component", up(r + root_rounding(r, whole(params, "d")))),)


def check_passed_agreement(select: Params, test: Params, agreement: Params) -> None:
    """What a selection presupposes of the test it names: declared parameters of the three nodes.

    Raises
    ------
    PlanError
        When the test was made for other neighbourhoods, or passes at less agreement than is presupposed.
    """
    for key in agreement:
        if select.get(key) != agreement[key]:
            raise PlanError(
                f"the test was made with {key}={agreement[key]!r}, not {select.get(key)!r}", fix=f"give both one {key}"
            )
    if not number(test, "threshold") >= number(select, "test_threshold"):
        raise PlanError(
            f"test_threshold: declared {select.get('test_threshold')!r}, the test has {test.get('threshold')!r}",
            fix="give both the same threshold",
        )


declare(
    "select_mixture",
    "query",
    "close_mixture",
    (BLOCKS, free("test")),
    blocks.averaged,
    parameters="k d nu majority test_threshold",
    rests_on=Condition("mixture_agreement", check_passed_agreement),
)


@theorem("agreement", "query", "Arbas23 Alg 1; docs/theory/populous.md#1-t4-what-it-costs")
def _agreement(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Q = mean over blocks of the share of blocks within the radius: one changed block moves it by at most 2/t.

    The changed block's own q moves by at most 1, i.e. Q by 1/t; each other q moves by 1/t, i.e. Q by
    (t−1)/t². Together below 2/t.
    """
    return moved_share(one_block(inputs))


declare("agreement", "query", "agreement", (BLOCKS,), blocks.agreement, parameters="semimetric r d")


def triangle_constant(semimetric: str, r: float) -> float:
    """Constant z of the r-restricted triangle inequality d(a, c) <= z·(d(a, b) + d(b, c)), rounded up.

    ``l2`` is a metric: 1. ``component`` (weights, means and covariances of a Gaussian, Mahalanobis both
    ways): 1 + r/2 for every r (docs/theory/corrections.md#t5).
    """
    if semimetric == "l2":
        return 1.0
    if semimetric == "component":
        return up(1.0 + r / 2)
    raise PlanError(f"no triangle constant is known for the semimetric {semimetric!r}", fix="use 'l2' or 'component'")


def neighbourhood(semimetric: str, r: float) -> float:
    """The largest radius with 2·z·radius <= r: two blocks that share a neighbour are within r."""
    radius = r / (2 * triangle_constant(semimetric, r))
    exact = semimetric == "l2" and 2 * radius == r
    return radius if exact else math.nextafter(math.nextafter(radius, 0.0), 0.0)


@theorem("close_selection", "query", "Arbas23 Alg 1; docs/theory/populous.md#1-t4-what-it-costs", (PASSED,))
def _close_selection(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given the passed test, the first block with q_i > θ is within r of its twin's: two neighbourhoods share a block.

    q_i > θ with θt >= ⌈t/2⌉ on both sides means that each neighbourhood, of radius r/2z, holds at least ⌈t/2⌉ + 1
    blocks, so they share two, one of them unchanged; the r-restricted triangle inequality (constant z) bounds
    the distance by 2·z·(r/2z) = r. If only one side can pass, the test's own δ pays; T4 composes the two.
    The test passes only if Q >= test_threshold > θ, and then some q_i >= Q > θ.

    For ``l2`` the vector is rounded to a lattice of step r·2^−bits, which moves each of the two by at most √d/2
    steps: ℓ₂ within r(1 + √d·2^−bits).
    """
    one = one_block(inputs)
    theta, r, semimetric = number(params, "theta", high=1.0), number(params, "r"), str(params.get("semimetric"))
    half = (one.t + 1) // 2
    if Fraction(theta) * one.t < half:
        least = half / one.t if Fraction(half / one.t) * one.t >= half else up(half / one.t)
        raise PlanError(
            f"theta must be at least ⌈t/2⌉/t = {half}/{one.t} for neighbourhoods to share two blocks, not {theta!r}",
            fix=f"use theta={least!r}",
        )
    if not number(params, "test_threshold", high=1.0) > theta:
        raise PlanError("the test must ask for more than theta, else no block may qualify", fix="raise its threshold")
    triangle_constant(semimetric, r)
    if semimetric != "l2":
        return (Within(semimetric, r),)
    moved = up(up(math.sqrt(whole(params, "d"))) * 2.0 ** -whole(params, "bits"))
    return (Within(semimetric, r), L2(up(r * up(1.0 + moved))))


declare(
    "select_block",
    "query",
    "close_selection",
    (BLOCKS, free("test")),
    blocks.selected,
    parameters="semimetric r d theta test_threshold bits",
    rests_on=Condition("agreement", check_passed_agreement),
)
