"""Mechanisms: from metrics to losses, and the exact tails of their thresholds."""

from __future__ import annotations

import math

from dpframe.errors import PlanError
from dpframe.losses import BoundedRange, Concentrated, Gaussian, Loss, Pure
from dpframe.spaces import ADD, L1, L2, REMOVE, REPLACE_ONE, Edits, LInf, OneSided
from dpframe.theorems.base import Metrics, Params, find, number, single, theorem, up, whole


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


@theorem(
    "stable_histogram",
    "loss",
    "Korolova et al. 2009; Bun, Nissim, Stemmer 2016; papers.md T1",
    ("stable_histogram",),
)
def _stable_histogram(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Noise on occupied bins, published above the exact-tail threshold: the noise's loss, plus δ.

    ``histograms`` m of the same rows are published with Gaussian noise of scale σ₁√m (Laplace: b₁·m), so the core
    does not depend on m, which may be released; τ is the least whole number with m·P(1 + noise > τ) <= δ.

    Proof. At most s <= m bins are occupied on one side only, in either direction, each by at most one
    row. With q, q' <= s·P(1 + noise > τ) <= δ the outputs are P = N x Bern(q) x 0 and Q = N' x 0 x Bern(q'), where N
    and N' are the noise on the common bins. For any set S0 of outputs without one-sided bins and
    y = e^ε·N'(S0): P − e^ε·Q <= q + (1−q)·min(1, y + δ_N) − (1−q')·y, largest at y = 0 or y = 1 − δ_N, so at most
    max(q, q') + (1 − max(q, q'))·δ_N(ε): the core with probability 1 − δ, everything revealed with probability δ.
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


@theorem(
    "exponential_mechanism",
    "loss",
    "McSherry, Talwar 2007; Dong, Durfee, Rogers 2020",
    ("exponential_mechanism",),
)
def _exponential_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """P(j) ∝ exp(rate·s_j): each log-probability ratio lies in an interval of length 2·rate·Δ (bounded range)."""
    return Loss.of(BoundedRange(up(2 * find(inputs[0], LInf).bound * number(params, "rate"))))


@theorem("permute_and_flip", "loss", "McKenna, Sheldon 2020", ("permute_and_flip",))
def _permute_and_flip(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Permute-and-flip with rate·s_j is 2·rate·Δ-DP; it is *not* bounded-range."""
    return Loss.of(Pure(up(2 * find(inputs[0], LInf).bound * number(params, "rate"))))


def truncated_laplace_bound(sensitivity: float, epsilon: float, delta: float) -> float:
    """Half-width A = (Δ/ε)·ln(1 + (e^ε − 1)/(2δ)) of the truncated Laplace law, rounded up.

    Where float64 does not hold the ratio, ε + max(0, −ln 2δ) in place of the logarithm, which is no less:
    1 + (e^ε − 1)/2δ is at most e^ε/2δ for 2δ <= 1, and at most e^ε for 2δ >= 1.
    """
    ratio = math.expm1(epsilon) / (2 * delta) if epsilon < 700 else math.inf
    width = math.log1p(ratio) if ratio < math.inf else (epsilon + max(0.0, -math.log(2 * delta))) * (1 + 2.0**-50)
    return up(sensitivity / epsilon * width)


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
        raise PlanError(
            "the truncated Laplace law is cut too short for its δ", fix="widen it to truncated_laplace_bound"
        )
    return Loss.of(Pure(epsilon), delta=delta)


@theorem(
    "declared_loss",
    "loss",
    "the cited source of the node",
    ("declared",),
    ("the declared loss holds for these edits: cited, not expanded",),
)
def _declared_loss(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """A cited mechanism whose proof is not an expansion: (ε, δ) for each of (1,1), (1,0), (0,1), as declared."""
    e = single(find(inputs[0], Edits))
    keys = {REPLACE_ONE: ("replace",), REMOVE: ("remove",), ADD: ("add",)}.get(e, ("replace", "remove", "add"))
    if e.total == 0:
        return Loss(())
    epsilon = max(number(params, f"epsilon_{key}") for key in keys)
    deltas = [params.get(f"delta_{key}", 0.0) for key in keys]
    delta = max(number(params, f"delta_{k}", high=1.0) if d else 0.0 for k, d in zip(keys, deltas, strict=True))
    return Loss.of(Pure(epsilon), delta=delta)
