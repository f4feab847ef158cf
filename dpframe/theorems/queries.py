"""Queries: private values to private values, with their sensitivity."""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.spaces import L1, L2, Edits, LInf, OneOf, Within
from dpframe.theorems.base import Metrics, Params, find, number, theorem, up


@theorem("lipschitz_scores", "query", "elementary", ("cap", "minimum", "maximum"))
def _lipschitz_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Capping, min, max, negation and shifts by constants are 1-Lipschitz in ℓ∞."""
    bound = max(find(m, LInf).bound for m in inputs)
    return (LInf(bound), L1(bound), L2(bound)) if params.get("scalar") else (LInf(bound),)


@theorem("terrific_score", "query", "KSSU19 Lemma 5.7; BKS22 C7", ("terrific_score",))
def _terrific_score(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """min{in, outside, t − annulus}, counts capped at t, is the minimum of three terms that move by max(r, a)."""
    e = find(inputs[0], Edits)
    return (LInf(float(max(e.removed, e.added))),)


@theorem("contest_scores", "query", "BKSW19; AAL21 §2.4", ("contest_scores",))
def _contest_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """S(j) = min_i Γ(j, i), each Γ a constant or a clipped row count: moves by at most max(r, a), n public."""
    e = find(inputs[0], Edits)
    if e.removed != e.added:
        raise PlanError(f"contest scores divide by a public number of rows, not {e}", fix="use replace_one")
    return (LInf(float(e.removed)),)


@theorem("block_candidates", "query", "KSSU19 §6, C12", ("block_counts",))
def _block_candidates(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Counting *blocks* that have a candidate in a released or public set: each changed block moves a count by 1."""
    bound = float(find(inputs[0], OneOf).changed)
    return (LInf(bound),)


@theorem("block_weights", "query", "KSSU19 §6, C12", ("block_sum",))
def _block_weights(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A sum over blocks of one clipped vector each (norm <= 1) moves by at most 2 a changed block."""
    return (L2(2.0 * find(inputs[0], OneOf).changed),)


@theorem("agreement", "query", "Arbas23 Alg 1", ("agreement",))
def _agreement(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Q = mean over blocks of the share of blocks within the radius: one changed block moves it by at most 2/t.

    The changed block's own q moves by at most 1, i.e. Q by 1/t; each other q moves by 1/t, i.e. Q by
    (t−1)/t². Together below 2/t.
    """
    one = find(inputs[0], OneOf)
    if one.changed > 1:
        raise PlanError("is proved for one changed block only", fix="use replace_one")
    return (L1(up(2.0 / one.t)),)


@theorem(
    "close_selection",
    "query",
    "Arbas23 Alg 1, T4",
    ("select_block",),
    ("the test passed: the edge exists inside its branch only",),
)
def _close_selection(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given the passed test, the first block with q_i > θ is within r of its twin's: two neighbourhoods share a block.

    q_i > 1/2 + 1/(2t) on both sides makes the neighbourhoods of the selected blocks share two blocks,
    one of them unchanged; the r-restricted triangle inequality (constant z) bounds the distance by
    2·z·(r/2z) = r. If only one side can pass, the test's own δ pays; T4 composes the two.
    """
    one = find(inputs[0], OneOf)
    if one.changed > 1:
        raise PlanError("is proved for one changed block only", fix="use replace_one")
    theta = number(params, "theta")
    if theta < 0.5 + 1.0 / (2 * one.t):
        raise PlanError(f"theta must be at least 1/2 + 1/(2t) = {0.5 + 1 / (2 * one.t)}, not {theta}")
    if not number(params, "test_threshold") > theta:
        raise PlanError("the test must ask for more than theta, else no block may qualify")
    return (Within(str(params.get("semimetric")), number(params, "r")),)
