"""The cited statements: what turns edits into metrics and metrics into losses.

A theorem is a pure function of declared numbers. The planner calls it to price a graph, and
:mod:`dpframe.verification` calls it to check a certificate, each with a traversal of its own; a
proof therefore lives here, once, as the docstring of the rule. Metrics come as tuples: all of them
hold at once (a histogram has an ℓ₁ *and* an ℓ₂ bound).

Notation: ``Edits(r, a)`` takes ``r`` rows out and puts ``a`` rows in. All bounds are rounded up.

Examples
--------
>>> THEOREMS["bounded_sum"].rule({}, ((REPLACE_ONE,),))
(L2(bound=2.0),)
>>> THEOREMS["gaussian_mechanism"].rule({"sigma": 4.0}, ((L2(2.0),),)).events[0][0].mu
0.5000000000000001
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

from dpframe.errors import PlanError
from dpframe.losses import BoundedRange, Concentrated, Gaussian, Loss, Pure
from dpframe.spaces import ADD, L1, L2, REMOVE, REPLACE_ONE, Edits, LInf, Metric, OneOf, OneSided, Within

Metrics = tuple[Metric, ...]
Params = Mapping[str, Any]
M = TypeVar("M")


@attrs.frozen
class Theorem:
    """A statement with its source and hypotheses, and the rule that applies it.

    ``operations`` lists the only operations that may cite it, so that a certificate can't swap a
    dear theorem for a cheap one.
    """

    name: str
    kind: str
    statement: str
    source: str
    operations: tuple[str, ...]
    rule: Callable[[Params, tuple[Metrics, ...]], Any]
    hypotheses: tuple[str, ...] = ()


THEOREMS: dict[str, Theorem] = {}


def theorem(
    name: str, kind: str, source: str, operations: tuple[str, ...], hypotheses: tuple[str, ...] = ()
) -> Callable[[Callable[[Params, tuple[Metrics, ...]], Any]], Callable[[Params, tuple[Metrics, ...]], Any]]:
    """Register a rule under ``name``; its docstring's first line is the statement."""

    def keep(rule: Callable[[Params, tuple[Metrics, ...]], Any]) -> Callable[[Params, tuple[Metrics, ...]], Any]:
        statement = (rule.__doc__ or "").strip().splitlines()[0]
        THEOREMS[name] = Theorem(name, kind, statement, source, operations, rule, hypotheses)
        return rule

    return keep


def up(x: float) -> float:
    """Next float above: the result of one rounded operation is at most this far off."""
    return math.nextafter(x, math.inf)


def find(metrics: Metrics, kind: type[M]) -> M:
    """The metric of the wanted kind, or a :class:`PlanError` that names what is there."""
    for metric in metrics:
        if isinstance(metric, kind):
            return metric
    have = ", ".join(type(m).__name__ for m in metrics) or "none"
    raise PlanError(f"needs a private input with a bound in {kind.__name__}, has: {have}")


def number(params: Params, key: str, *, low: float = 0.0, high: float = math.inf) -> float:
    """A finite number strictly between ``low`` and ``high`` from the declared parameters."""
    value = params.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low < value < high:
        raise PlanError(f"parameter {key!r} must be a finite number in ({low}, {high}), not {value!r}")
    return float(value)


def whole(params: Params, key: str, *, low: int = 1) -> int:
    """A whole number of at least ``low`` from the declared parameters."""
    value = params.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise PlanError(f"parameter {key!r} must be a whole number >= {low}, not {value!r}")
    return value


def single(e: Edits) -> Edits:
    """The edits, if each direction touches at most one row; otherwise refuse."""
    if e.removed > 1 or e.added > 1:
        raise PlanError(f"is proved for single-row edits only, not {e}", fix="use replace_one or add_remove")
    return e


# ------------------------------------------------------------------------------------- stability


@theorem("row_map", "stability", "elementary", ("clip_ball", "clip_box", "affine", "project", "whiten", "cells_of"))
def _row_map(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A map that treats every row alike keeps the edits: g(X) and g(X') differ in the images of the edited rows."""
    return (find(inputs[0], Edits),)


@theorem(
    "asserted_row_map", "stability", "elementary", ("row_map",), ("rowwise: asserted by the plugin",)
)
def _asserted_row_map(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As row_map, for a plugin's own vectorised function: that it treats rows one by one is asserted."""
    return (find(inputs[0], Edits),)


@theorem("pairs_by_index", "stability", "papers.md §0, fixed pairing", ("pairs",))
def _pairs_by_index(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Pairs cut from the original row index: each replaced row changes one pair.

    Under ``Edits(m, m)`` the indices are shared by both data sets, so at most m pairs change. Under
    add/remove no index exists, and the rule refuses.
    """
    e = find(inputs[0], Edits)
    if e.removed != e.added:
        raise PlanError(f"pairs by index need a public number of rows, not {e}", fix="use secret_pairs")
    return (e,)


@theorem("secret_matching", "stability", "papers.md §0, fixed pairing", ("secret_pairs",))
def _secret_matching(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A secret uniformly random matching: one row added or removed is at most one pair replaced.

    Couple the matchings: draw a uniform permutation of the larger table and delete the extra row by
    swapping it with the last one. Conditioned on the coupling the pair tables differ in one pair (or
    one pair disappears with the leftover row). Everything released from the pairs is a mixture over the
    coupling, and hockey-stick and Rényi divergences are jointly (quasi-)convex.
    """
    e = single(find(inputs[0], Edits))
    return (REPLACE_ONE,) if e.total == 1 else (Edits(2, 2),)


@theorem("index_blocks", "stability", "papers.md §0, fixed split", ("block_learner",),
         ("limits not binding: asserted", "learner: one random stream a block, no shared state"))
def _index_blocks(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A learner run on t blocks of the original row index: each replaced row changes one block's result."""
    e = find(inputs[0], Edits)
    if e.removed != e.added:
        raise PlanError(f"blocks by index need a public number of rows, not {e}", fix="use replace_one")
    t = whole(params, "t")
    return (OneOf(t, min(t, e.removed)),)


# ----------------------------------------------------------------------------------- sensitivity


def _root(e: Edits) -> float:
    """√(r² + a²): ‖U − V‖ for sums U, V of r and a unit vectors whose inner products are >= 0."""
    return float(max(e.removed, e.added)) if 0 in (e.removed, e.added) else up(math.hypot(e.removed, e.added))


@theorem("live_count", "sensitivity", "elementary", ("count",))
def _live_count(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """The number of non-empty rows moves by at most max(r, a): each row counts 0 or 1."""
    e = find(inputs[0], Edits)
    bound = float(max(e.removed, e.added))
    return (L1(bound), L2(bound), LInf(bound))


@theorem("bounded_sum", "sensitivity", "papers.md §0", ("sum",))
def _bounded_sum(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A sum of contributions of norm at most 1 moves by at most r + a in ℓ₂ (triangle inequality)."""
    return (L2(float(find(inputs[0], Edits).total)),)


@theorem("sum_and_count", "sensitivity", "elementary", ("mean",))
def _sum_and_count(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ(y, 1) over ‖y‖ <= 1 moves by at most 2·min(r, a) + √2·|r − a| in ℓ₂: under replace-one the count is free.

    Pair removed with added rows. Two live rows: ‖(y − y', 0)‖ <= 2. One live, one empty: ‖(y, 1)‖ <= √2. A row
    that is only removed or only added: √2.
    """
    e = find(inputs[0], Edits)
    return (L2(up(2.0 * min(e.removed, e.added) + up(math.sqrt(2.0)) * abs(e.removed - e.added))),)


@theorem("box_sum", "sensitivity", "papers.md §0", ("box_sum",))
def _box_sum(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A sum of rows of [−1, 1]^d moves by at most r + a a coordinate."""
    total, d = float(find(inputs[0], Edits).total), whole(params, "d")
    return (L1(up(d * total)), L2(up(up(math.sqrt(d)) * total)), LInf(total))


@theorem("bounded_gram", "sensitivity", "papers.md §0 and T2", ("gram", "square_sum"))
def _bounded_gram(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ xxᵀ over ‖x‖ <= 1 moves by at most √(r² + a²) in Frobenius norm: ⟨xxᵀ, yyᵀ⟩ = ⟨x, y⟩² >= 0."""
    return (L2(_root(find(inputs[0], Edits))),)


@theorem("histograms", "sensitivity", "papers.md §0 and T1",
         ("distance_histogram", "cells"))
def _histograms(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """m histograms of the same rows: one-hot vectors, so ℓ₁ m(r+a), ℓ₂ √(m(r²+a²)), m·max(r,a) one-sided bins."""
    e, m = find(inputs[0], Edits), whole(params, "histograms")
    worse = float(max(e.removed, e.added))
    l2 = up(math.sqrt(m * (e.removed**2 + e.added**2)))
    return (L1(float(m * e.total)), L2(l2), LInf(worse), OneSided(m * worse))


@theorem("ball_counts", "sensitivity", "papers.md T9", ("ball_counts",))
def _ball_counts(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Counts of rows in released or public sets, which may overlap: each moves by at most max(r, a)."""
    e, m = find(inputs[0], Edits), whole(params, "sets")
    bound = float(max(e.removed, e.added))
    return (LInf(bound), L1(float(m * e.total)))


@theorem("weighted_counts", "sensitivity", "papers.md §6 step 6", ("weighted_counts",))
def _weighted_counts(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ over rows with γ >= 0 and Σ_j γ_j <= 1: ‖γ‖₂ <= ‖γ‖₁ <= 1 and inner products are >= 0."""
    e = find(inputs[0], Edits)
    return (L1(float(e.total)), L2(_root(e)), LInf(float(max(e.removed, e.added))))


@theorem("weighted_sums", "sensitivity", "papers.md §6 step 6", ("weighted_sums",))
def _weighted_sums(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """(Σγ_j z_j)_j has a joint contribution of norm √(Σγ_j²‖z_j‖²) <= Σγ_j <= 1, enforced in integers."""
    return (L2(float(find(inputs[0], Edits).total)),)


@theorem("weighted_grams", "sensitivity", "papers.md §6 step 6", ("weighted_grams",))
def _weighted_grams(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """(Σγ_j z_j z_jᵀ)_j: contributions Σ_j‖γ_j z_j z_jᵀ‖² <= (Σγ_j‖z_j‖²)² <= 1 with inner products >= 0."""
    return (L2(_root(find(inputs[0], Edits))),)


# ---------------------------------------------------------------------------------------- queries


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


@theorem("close_selection", "query", "Arbas23 Alg 1, T4", ("select_block",),
         ("the test passed: the edge exists inside its branch only",))
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


# -------------------------------------------------------------------------------------- mechanisms


@theorem("gaussian_mechanism", "loss", "Dong, Roth, Su 2019; papers.md §0 finite arithmetic", ("gaussian",))
def _gaussian_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Rounded Gaussian noise of scale σ on lattice values is post-processing of N(0, σ²): (Δ/σ)-GDP exactly."""
    bound = find(inputs[0], L2).bound
    return Loss.of(Gaussian(up(bound / number(params, "sigma"))))


@theorem("discrete_gaussian_mechanism", "loss", "Canonne, Kamath, Steinke 2020", ("discrete_gaussian",))
def _discrete_gaussian(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Discrete Gaussian noise of scale σ on lattice values is Δ²/2σ² zCDP (and not charged as GDP)."""
    ratio = up(find(inputs[0], L2).bound / number(params, "sigma"))
    return Loss.of(Concentrated(up(ratio * ratio / 2)))


@theorem("laplace_mechanism", "loss", "Ghosh, Roughgarden, Sundararajan 2012", ("laplace",))
def _laplace_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Discrete Laplace noise of scale b on lattice values that move by at most Δ in ℓ₁ is Δ/b-DP.

    A coordinate that moves by δ_i has log-probability ratios within |δ_i|/b; they add. For a count that moves
    by one step this is randomised response exactly, so nothing is given away.
    """
    return Loss.of(Pure(up(find(inputs[0], L1).bound / number(params, "scale"))))


def gaussian_tail(sigma: float, above: float) -> float:
    """P(round(σN) > above) for a whole number ``above``, rounded up: round(x) > a iff x > a + 1/2 (ties up)."""
    from scipy.special import ndtr

    return min(1.0, float(ndtr(-(above + 0.5) / sigma)) * (1 + 1e-12))


def laplace_tail(scale: float, above: float) -> float:
    """P(Z > above) for discrete Laplace Z and a whole number ``above >= 0``: e^{−(above+1)/b}/(1+e^{−1/b})."""
    return min(1.0, math.exp(-(above + 1) / scale) / (1 + math.exp(-1 / scale)) * (1 + 1e-12))


@theorem("stable_histogram", "loss", "Korolova et al. 2009; Bun, Nissim, Stemmer 2016; papers.md T1",
         ("stable_histogram",))
def _stable_histogram(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Noise on occupied bins, published above the exact-tail threshold: the noise's loss, plus δ.

    ``histograms`` m of the same rows are published with Gaussian noise of scale σ₁√m (Laplace: b₁·m), so the core
    does not depend on m, which may be released; τ is the least whole number with m·P(1 + noise > τ) <= δ.

    Proof. At most s <= m bins are occupied on one side only, in either direction, each by at most one
    row. With q, q' <= s·P(1 + noise > τ) <= δ the outputs are P = N x Bern(q) x 0 and Q = N' x 0 x Bern(q'), where N
    and N' are the noise on the common bins. For any set S0 of outputs without one-sided bins and y =
    e^ε·N'(S0): P − e^ε·Q <= q + (1−q)·min(1, y + δ_N) − (1−q')·y, largest at y = 0 or y = 1 − δ_N, so at most max(q, q')
    + (1 − max(q, q'))·δ_N(ε): the core with probability 1 − δ, everything revealed with probability δ.
    """
    m, scale = whole(params, "histograms"), number(params, "scale")
    delta = number(params, "delta", high=1.0)
    if find(inputs[0], LInf).bound > 1 or find(inputs[0], OneSided).bound > m:
        raise PlanError("is proved for bins that one edit fills with at most one row", fix="use single-row edits")
    if params.get("noise") == "gaussian":
        return Loss.of(Gaussian(up(up(find(inputs[0], L2).bound / math.sqrt(m)) / scale)), delta=delta)
    if params.get("noise") == "laplace":
        return Loss.of(Pure(up(find(inputs[0], L1).bound / (m * scale))), delta=delta)
    raise PlanError("parameter 'noise' must be 'gaussian' or 'laplace'")


def histogram_threshold(noise: str, scale: float, histograms: int, delta: float) -> int:
    """Least whole τ >= 2 with m·P(1 + Z > τ) <= δ, Z the exact discrete noise of scale σ₁√m or b₁·m."""
    tail = gaussian_tail if noise == "gaussian" else laplace_tail
    actual = up(scale * math.sqrt(histograms)) if noise == "gaussian" else scale * histograms
    low, high = 1, 2
    while histograms * tail(actual, high - 1) > delta:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if histograms * tail(actual, middle - 1) > delta else (low, middle)
    return high


@theorem("above_threshold", "loss", "Dwork et al. 2009; KSSU19 §2", ("above_threshold",))
def _above_threshold(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Threshold noise Lap(2Δ/ε), query noise Lap(4Δ/ε), stop at the first ⊤: ε-DP for any number of queries."""
    return Loss.of(Pure(up(find(inputs[0], LInf).bound * number(params, "rate"))))


@theorem("exponential_mechanism", "loss", "McSherry, Talwar 2007; Dong, Durfee, Rogers 2020",
         ("exponential_mechanism",))
def _exponential_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """P(j) ∝ exp(rate·s_j): each log-probability ratio lies in an interval of length 2·rate·Δ (bounded range)."""
    return Loss.of(BoundedRange(up(2 * find(inputs[0], LInf).bound * number(params, "rate"))))


@theorem("permute_and_flip", "loss", "McKenna, Sheldon 2020", ("permute_and_flip",))
def _permute_and_flip(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Permute-and-flip with rate·s_j is 2·rate·Δ-DP; it is *not* bounded-range."""
    return Loss.of(Pure(up(2 * find(inputs[0], LInf).bound * number(params, "rate"))))


def truncated_laplace_bound(sensitivity: float, epsilon: float, delta: float) -> float:
    """Half-width A = (Δ/ε)·ln(1 + (e^ε − 1)/(2δ)) of the truncated Laplace law, rounded up."""
    return up(sensitivity / epsilon * math.log1p(math.expm1(epsilon) / (2 * delta)))


@theorem("truncated_laplace", "loss", "Geng, Ding, Guo, Kumar 2018", ("truncated_laplace_test",))
def _truncated_laplace(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Laplace noise of scale Δ/ε cut at ±A with A >= (Δ/ε)ln(1 + (e^ε − 1)/2δ) is (ε, δ)-DP.

    The density ratio is at most e^ε where both laws live; the mass of one law outside the other's support is
    the truncated tail ∫_{A−Δ}^{A} = (e^{−ε(A−Δ)/Δ} − e^{−εA/Δ})/(2(1 − e^{−εA/Δ})) <= δ for that A.
    """
    bound, reference = find(inputs[0], L1).bound, number(params, "sensitivity")
    if bound > reference:
        raise PlanError(f"the noise is made for sensitivity {reference}, the input has {bound}")
    epsilon, delta = number(params, "epsilon"), number(params, "delta", high=1.0)
    if number(params, "half_width") < truncated_laplace_bound(reference, epsilon, delta):
        raise PlanError("the truncated Laplace law is cut too short for its δ", fix="widen it to truncated_laplace_bound")
    return Loss.of(Pure(epsilon), delta=delta)


@theorem("declared_loss", "loss", "the cited source of the node", ("declared",),
         ("the declared loss holds for these edits: cited, not expanded",))
def _declared_loss(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """A cited mechanism whose proof is not an expansion: (ε, δ) for each of (1,1), (1,0), (0,1), as declared."""
    e = single(find(inputs[0], Edits))
    key = {REPLACE_ONE: "replace", REMOVE: "remove", ADD: "add"}.get(e)
    if key is None:
        return Loss(())
    epsilon = number(params, f"epsilon_{key}")
    delta = params.get(f"delta_{key}", 0.0)
    return Loss.of(Pure(epsilon), delta=number(params, f"delta_{key}", high=1.0) if delta else 0.0)


# -------------------------------------------------------------------- composition, cited by control nodes
# These have no rule of one node: the planner and the verifier each traverse the graph with them.


def _structural(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    raise PlanError("is a rule of composition, not of one node")


def _cite(name: str, source: str, operations: tuple[str, ...], statement: str, *hypotheses: str) -> None:
    THEOREMS[name] = Theorem(name, "composition", statement, source, operations, _structural, hypotheses)


_cite("post_processing", "Dwork, Roth 2014", (), "A function of released values costs nothing.")
_cite("index_partition", "papers.md §0", ("blocks", "split"),
      "Parts cut from the original row index under replace-one: both edits carry one index, the max over parts.")
_cite("rule_partition", "papers.md §0", ("filter_ball", "partition_balls", "partition_nearest", "partition_halfspace"),
      "Parts by a released or public rule: the worst of (1,1) in one part and (1,0), (0,1) in two, composed.")
_cite("secret_labels", "papers.md §0", ("secret_split",),
      "Rows labelled secretly and independently: as a rule partition, for labels never published.",
      "the labels are never released")
_cite("secret_sample", "Balle, Barthe, Gaboardi 2018; papers.md T9", ("subsample",),
      "A secret Poisson sample: ε becomes ln(1 + p(e^ε − 1)) and δ becomes pδ, once for all that runs on it.",
      "the sample's membership and size are never released")
_cite("branch", "adaptive composition", ("branch",), "A released test chooses a body: the worst of the two.")
_cite("for_each", "filters in zCDP, GDP and pure ε", ("for_each",),
      "A fixed total shared by the released number of items is charged once.")
_cite("division", "papers.md C5; KSSU19 Thm 5.8 mended", ("recurse", "worklist"),
      "A shared prefix and then two diverging paths: V11(D) = c11 + max(V11(D-1), V10(D-1) + V01(D-1)).")
