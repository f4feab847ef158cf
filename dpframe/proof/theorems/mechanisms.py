"""Mechanisms: from metrics to losses, and the exact tails of their thresholds."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.losses import BoundedRange, Concentrated, Gaussian, Laplace, LatticeGaussian, Loss, Pure
from dpframe.proof.roots import boundary, floored
from dpframe.proof.spaces import (
    L1,
    L2,
    Array,
    Counts,
    Domain,
    Flag,
    Index,
    LInf,
    OneSided,
    Scores,
    SparseCounts,
    Symmetric,
    Vector,
)
from dpframe.proof.theorems.base import Metrics, Params, find, number, theorem, up, whole
from dpframe.proof.theorems.declaring import Domains, declare_mechanism
from dpframe.proof.theorems.shaping.base import is_kind, keeps


@theorem("gaussian_mechanism", "loss", "Dong, Roth, Su 2022; docs/theory/notation.md#finite-arithmetic")
def _gaussian_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Rounded Gaussian noise of scale σ on lattice values is post-processing of N(0, σ²): (Δ/σ)-GDP exactly."""
    bound = find(inputs[0], L2).bound
    return Loss.of(Gaussian(up(bound / number(params, "sigma"))))


declare_mechanism("gaussian", "gaussian_mechanism", keeps(Vector, Symmetric, Counts, Array), calibration="sigma")


@theorem("discrete_gaussian_mechanism", "loss", "Canonne, Kamath, Steinke 2020")
def _discrete_gaussian(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Discrete Gaussian noise of scale σ on lattice values is Δ²/2σ² zCDP; on one number its profile is known too.

    The profile holds on any lattice (docs/theory/losses.md, 2.8). Of vectors nothing beyond zCDP is proved.
    """
    ratio = up(find(inputs[0], L2).bound / number(params, "sigma"))
    if whole(params, "entries") == 1:
        return Loss.of(LatticeGaussian(ratio))
    return Loss.of(Concentrated(up(ratio * ratio / 2)))


def _entries(params: Params, inputs: Domains) -> dict[str, Any]:
    domain = is_kind(inputs[0], Vector, Counts)
    return {**params, "entries": domain.d if isinstance(domain, Vector) else domain.m}


declare_mechanism(
    "discrete_gaussian", "discrete_gaussian_mechanism", keeps(Vector, Counts), calibration="sigma", tells=_entries
)


@theorem("laplace_mechanism", "loss", "Ghosh, Roughgarden, Sundararajan 2012")
def _laplace_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Discrete Laplace noise of scale b on lattice values that move by at most Δ in ℓ₁ is Δ/b-DP.

    A coordinate that moves by δ_i has log-probability ratios within |δ_i|/b; they add. For a count that moves
    by one step this is randomised response exactly, so nothing is given away.
    """
    return Loss.of(Pure(up(find(inputs[0], L1).bound / number(params, "scale"))))


declare_mechanism("laplace", "laplace_mechanism", keeps(Vector, Counts), calibration="scale")


LEAST_TAIL = 1e-290
"""Smaller probabilities are too close to the numbers below 2^-1022, which have few digits or none."""


def gaussian_tail(sigma: float, above: float) -> float:
    """P(round(σN) > above) for a whole number ``above``, rounded up: round(x) > a iff x > a + 1/2 (ties up)."""
    return min(1.0, 0.5 * math.erfc((above + 0.5) / sigma / math.sqrt(2)) * (1 + 1e-12))


def laplace_tail(scale: float, above: float) -> float:
    """P(Z > above) for discrete Laplace Z and a whole number ``above >= 0``: e^{−(above+1)/b}/(1+e^{−1/b})."""
    return min(1.0, math.exp(-(above + 1) / scale) / (1 + math.exp(-1 / scale)) * (1 + 1e-12))


@theorem(
    "stable_histogram",
    "loss",
    "Korolova, Kenthapadi, Mishra, Ntoulas 2009; Bun, Nissim, Stemmer 2016; docs/theory/corrections.md#t1",
)
def _stable_histogram(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Noise on occupied bins, published above the exact-tail threshold: the noise's loss, plus δ.

    ``histograms`` m of the same rows are published with Gaussian noise of scale σ₁√m (Laplace: b₁·m), so the core
    does not depend on m, which may be released; τ is the least whole number with m·e·r·P(r + noise > τ) <= δ, where one
    unit (a row, or a block of rows) lies in at most ``each`` e bins of a histogram and counts once in each, and
    neighbours differ by at most ``reach`` r of them (1 where it is not given).

    Proof. At most s <= m·e·r bins are occupied on one side only, in either direction, each by at most r
    units. With q, q' <= s·P(r + noise > τ) <= δ the outputs are P = N x Bern(q) x 0 and Q = N' x 0 x Bern(q'), where N
    and N' are the noise on the common bins. For any set S0 of outputs without one-sided bins and
    y = e^ε·N'(S0): P − e^ε·Q <= q + (1−q)·min(1, y + δ_N) − (1−q')·y, largest at y = 0 or y = 1 − δ_N, so at most
    max(q, q') + (1 − max(q, q'))·δ_N(ε): the core with probability 1 − δ, everything revealed with probability δ.
    """
    m, scale, each = whole(params, "histograms"), number(params, "scale"), whole(params, "each")
    delta = number(params, "delta", high=1.0)
    reach = number(params, "reach") if "reach" in params else 1.0
    if find(inputs[0], LInf).bound > reach or find(inputs[0], OneSided).bound > m * each * reach:
        raise PlanError(f"its threshold is made for bins that neighbours fill with at most {reach:g}")
    if delta < LEAST_TAIL * m * each * max(reach, 1.0):
        raise PlanError(f"no threshold is known for a delta of {delta!r}", fix="raise delta or delta_fraction")
    if params.get("noise") == "gaussian":
        return Loss.of(Gaussian(up(up(find(inputs[0], L2).bound / math.sqrt(m)) / scale)), delta=delta)
    if params.get("noise") == "laplace":
        bound = find(inputs[0], L1).bound
        one = bound / m  # of one histogram: with m·scale in its place, rounding could state less than is drawn
        one = one if Fraction(one) * m == Fraction(bound) else up(one)
        return Loss.of(Pure(up(one / scale)), delta=delta)
    raise PlanError("parameter 'noise' must be 'gaussian' or 'laplace'")


def _levels(params: Params, inputs: Domains) -> dict[str, Any]:
    domain = is_kind(inputs[0], SparseCounts)
    return {**params, "histograms": domain.levels, "each": domain.each}


declare_mechanism(
    "stable_histogram",
    "stable_histogram",
    keeps(SparseCounts),
    calibration="scale delta",
    optional="reach",
    parameters="noise delta_fraction",
    tells=_levels,
)


def histogram_scale(noise: str, scale: float, histograms: int) -> float:
    """Scale of the noise of m histograms, σ₁√m or b₁·m, rounded up.

    Examples
    --------
    >>> histogram_scale("laplace", 3.0, 4), histogram_scale("laplace", 0.1, 3) > 0.3
    (12.0, True)
    """
    if noise == "gaussian":
        return up(scale * math.sqrt(histograms))
    product = scale * histograms
    return product if Fraction(product) == Fraction(scale) * histograms else up(product)


def histogram_threshold(
    noise: str, scale: float, histograms: int, delta: float, each: int = 1, reach: float = 1.0
) -> int:
    """Least whole τ > r with m·e·r·P(r + Z > τ) <= δ, r = ``reach``, Z the exact noise of scale σ₁√m or b₁·m."""
    most = math.ceil(reach)
    bins = histograms * each * most
    tail = gaussian_tail if noise == "gaussian" else laplace_tail
    actual = histogram_scale(noise, scale, histograms)
    low, high = most, most + 1
    while bins * tail(actual, high - most) > delta:
        low, high = high, high * 2
    return int(boundary(lambda tau: bins * tail(actual, tau - most) <= delta, high, low, middle=floored)[0])


@theorem("above_threshold", "loss", "Dwork, Naor, Reingold, Rothblum, Vadhan 2009")
def _above_threshold(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Threshold noise Lap(2Δ/ε), query noise Lap(4Δ/ε), stop at the first ⊤: ε-DP for any number of queries."""
    return Loss.of(Pure(up(find(inputs[0], LInf).bound * number(params, "rate"))))


declare_mechanism(
    "above_threshold",
    "above_threshold",
    lambda params, inputs: Index(is_kind(inputs[0], Counts).m),
    calibration="rate",
    parameters="threshold",
)


@theorem("exponential_mechanism", "loss", "McSherry, Talwar 2007; Dong, Durfee, Rogers 2020")
def _exponential_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """P(j) ∝ exp(rate·s_j): each log-probability ratio lies in an interval of length 2·rate·Δ (bounded range)."""
    return Loss.of(BoundedRange(up(2 * find(inputs[0], LInf).bound * number(params, "rate"))))


def _chosen(params: Params, inputs: Domains) -> Domain:
    scores = is_kind(inputs[0], Counts, Scores, Vector)
    return Index(scores.d if isinstance(scores, Vector) else scores.m)


declare_mechanism("exponential_mechanism", "exponential_mechanism", _chosen, calibration="rate")


@theorem("permute_and_flip", "loss", "McKenna, Sheldon 2020; docs/theory/losses.md#2-events")
def _permute_and_flip(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Permute-and-flip with rate·s_j has exactly the profile of Laplace noise with ε = 2·rate·Δ.

    It is *not* bounded-range. It is the minimum of independent U_j/u_j, U_j uniform, u_j = exp(rate·(s_j − max s)):
    that of any set of candidates has a concave distribution function, a mixture of uniform ones on [0, t], and
    P(S) − e^x·Q(S) is linear in the laws of S's minimum and of the others'; so two candidates are the worst.
    """
    return Loss.of(Laplace(up(2 * find(inputs[0], LInf).bound * number(params, "rate"))))


declare_mechanism("permute_and_flip", "permute_and_flip", _chosen, calibration="rate")


def truncated_laplace_bound(sensitivity: float, epsilon: float, delta: float) -> float:
    """Half-width A = (Δ/ε)·ln(1 + (e^ε − 1)/(2δ)) of the truncated Laplace law, rounded up.

    Where float64 can't hold the ratio the logarithm is at most ε − ln 2δ, less e^{−ε} and plus e^{−700}. The rounding
    of these steps, and of the noise's scale where it is drawn, is below a relative 2^−49; twice that is added.

    Examples
    --------
    >>> round(truncated_laplace_bound(1.0, 1000.0, 1e-7), 4)
    1.0154
    """
    if not delta > 0:
        raise PlanError("the truncated Laplace law takes a positive δ", fix="raise delta or delta_fraction")
    rough = epsilon - math.log(2 * delta)
    log = rough * (1 + 1e-14) if rough > 700 else math.log1p(math.expm1(epsilon) / (2 * delta))
    return up(sensitivity / epsilon * log * (1 + 2.0**-48))


@theorem("truncated_laplace", "loss", "Geng, Ding, Guo, Kumar 2018")
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
        raise PlanError(
            "the truncated Laplace law is cut too short for its δ", fix="widen it to truncated_laplace_bound"
        )
    return Loss.of(Pure(epsilon), delta=delta)


def _tested(params: Params, inputs: Domains) -> Domain:
    if is_kind(inputs[0], Counts).m != 1:
        raise PlanError(f"takes one number, not {inputs[0]}", fix="take a minimum or maximum first")
    return Flag()


declare_mechanism(
    "truncated_laplace_test",
    "truncated_laplace",
    _tested,
    calibration="epsilon delta sensitivity half_width",
    parameters="threshold delta_fraction",
    fails_surely=True,
)
