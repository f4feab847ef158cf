"""Queries: private values to private values, with their sensitivity."""

from __future__ import annotations

import math
from fractions import Fraction

from dpframe.errors import PlanError
from dpframe.proof.spaces import L1, L2, Counts, Edits, LInf, OneOf, Within
from dpframe.proof.theorems.base import Metrics, Params, find, number, theorem, up, whole
from dpframe.proof.theorems.declaring import BLOCKS, ROWS, VALUE, Condition, Slot, declare, free
from dpframe.proof.theorems.shaping import blocks, histograms, rows
from dpframe.proof.theorems.shaping.base import extremum, groups_of, keeps, told, told_of
from dpframe.proof.theorems.shaping.blocks import PASSED


@theorem("lipschitz_scores", "query", "docs/theory/notation.md#lipschitz")
def _lipschitz_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Capping, min, max, negation and shifts by constants are 1-Lipschitz in ℓ∞."""
    bound = max(find(m, LInf).bound for m in inputs)
    return (LInf(bound), L1(bound), L2(bound)) if params.get("scalar") else (LInf(bound),)


declare("cap", "query", "lipschitz_scores", (VALUE,), keeps(Counts), parameters="t")
declare("minimum", "query", "lipschitz_scores", (Slot("values", variadic=True),), extremum, tells=told(scalar=True))
declare("maximum", "query", "lipschitz_scores", (Slot("values", variadic=True),), extremum, tells=told(scalar=True))
declare("group_maximum", "query", "lipschitz_scores", (VALUE,), groups_of, parameters="groups")


@theorem("terrific_score", "query", "KSSU19 Lemma 5.7; docs/theory/corrections.md#c7")
def _terrific_score(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """min{in, outside, t − annulus}, counts capped at t, is the minimum of three terms that move by max(r, a)."""
    e = find(inputs[0], Edits)
    return (LInf(float(max(e.removed, e.added))),)


declare(
    "terrific_score",
    "statistic",
    "terrific_score",
    (ROWS, free("balls"), free("ratio", optional=True)),
    rows.terrific,
    parameters="size t c",
    tells=told_of("sets", "size"),
)


@theorem("contest_scores", "query", "Bun, Kamath, Steinke, Wu 2019; AAL21 §2.4")
def _contest_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """S(j) = min_i Γ(j, i), each Γ a constant or a clipped row count: moves by at most max(r, a), n public."""
    e = find(inputs[0], Edits)
    if not e.keeps_index:
        raise PlanError(f"contest scores divide by a public number of rows, not {e}", fix="use replace_one")
    return (LInf(float(e.removed)),)


declare(
    "contest_scores",
    "statistic",
    "contest_scores",
    (ROWS, free("hypotheses"), free("thresholds")),
    histograms.contest,
    parameters="size n",
)


@theorem("agreement", "query", "Arbas23 Alg 1; docs/theory/populous.md#1-t4-what-it-costs")
def _agreement(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Q = mean over blocks of the share of blocks within the radius: one changed block moves it by at most 2/t.

    The changed block's own q moves by at most 1, i.e. Q by 1/t; each other q moves by 1/t, i.e. Q by
    (t−1)/t². Together below 2/t.
    """
    one = find(inputs[0], OneOf)
    if one.changed > 1:
        raise PlanError(
            f"is proved for one changed block only, {one.changed} may change", fix="use replace_one adjacency"
        )
    bound = up(2.0 / one.t)
    return (L1(bound), L2(bound), LInf(bound))


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


def check_passed_test(select: Params, test: Params, agreement: Params) -> None:
    """What ``select_block`` presupposes of the test it names: declared parameters of the three nodes.

    The caller checks that the test is a ``truncated_laplace_test`` of an ``agreement`` of the same blocks.

    Raises
    ------
    PlanError
        When the test could pass although no block need qualify, or was made for other neighbourhoods.
    """
    for key in ("semimetric", "r", "d"):
        if select.get(key) != agreement.get(key):
            raise PlanError(
                f"the test was made with {key}={agreement.get(key)!r}, not {select.get(key)!r}",
                fix=f"give both one {key}",
            )
    if number(test, "threshold") < number(select, "test_threshold"):
        raise PlanError(
            f"test_threshold: declared {select.get('test_threshold')!r}, the test has {test.get('threshold')!r}",
            fix="give both the same threshold",
        )


@theorem(
    "close_selection",
    "query",
    "Arbas23 Alg 1; docs/theory/populous.md#1-t4-what-it-costs",
    (PASSED,),
)
def _close_selection(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given the passed test, the first block with q_i > θ is within r of its twin's: two neighbourhoods share a block.

    q_i > θ with θt >= ⌈t/2⌉ on both sides means that each neighbourhood, of radius r/2z, holds at least ⌈t/2⌉ + 1
    blocks, so they share two, one of them unchanged; the r-restricted triangle inequality (constant z) bounds
    the distance by 2·z·(r/2z) = r. If only one side can pass, the test's own δ pays; T4 composes the two.
    The test passes only if Q >= test_threshold > θ, and then some q_i >= Q > θ.

    For ``l2`` the vector is rounded to a lattice of step r·2^−bits, which moves each of the two by at most √d/2
    steps: ℓ₂ within r(1 + √d·2^−bits).
    """
    one = find(inputs[0], OneOf)
    if one.changed > 1:
        raise PlanError(
            f"is proved for one changed block only, {one.changed} may change", fix="use replace_one adjacency"
        )
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
    rests_on=Condition("agreement", check_passed_test),
)
