"""T3: the exact Rényi cost of masking a mixture whose components are known up to a small distance.

The proof is in ``docs/theory/masks.md``; the functions here are its formulas, rounded up.
"""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.families.costs import lifted
from dpframe.proof.losses import Loss, Renyi
from dpframe.proof.roots import boundary
from dpframe.proof.spaces import Mixture, Within
from dpframe.proof.theorems.base import Metrics, Params, find, number, theorem, up, whole
from dpframe.proof.theorems.declaring import Domains, declare_mechanism
from dpframe.proof.theorems.shaping.base import is_kind, keeps

ORDERS = (
    *(1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 18.0, 20.0),
    *(22.0, 24.0, 26.0, 28.0, 30.0, 32.0, 35.0, 38.0, 42.0, 46.0, 50.0, 56.0, 64.0, 72.0, 80.0, 96.0, 112.0, 128.0),
    *(160.0, 192.0, 256.0, 384.0, 512.0, 1024.0, 4096.0),
)
"""The fixed grid of Rényi orders; an order at which nothing is known has the value infinity."""
SLACK = 2.0**-100
"""δ for the last digits of a release: what a Gaussian known to 1024 bits can change in a rounded float."""
MOST_EPSILON = 150.0
"""What rounding changes is multiplied by e^ε: beyond this total ε ``SLACK`` does not cover it."""
MOST_NUMBERS = 2**20
"""Numbers of a mixture that are rounded, each of which may be."""
_SAFE = 1 + 1e-11
_TERMS = 64


def excess(u: float) -> float:
    """φ(u) = (−ln(1 − u) − u)/u² for u < 1, which is convex, rounded up; φ(0) = 1/2.

    Examples
    --------
    >>> round(excess(0.0), 9), round(excess(0.5), 6)
    (0.5, 0.772589)
    """
    if abs(u) > 0.5:
        return (-math.log1p(-u) - u) / (u * u) * _SAFE
    total = math.fsum(u**m / (m + 2) for m in range(_TERMS))
    return total * _SAFE + abs(u) ** _TERMS


def shape_cost(t: float, order: float) -> float:
    """h(t)/t², h(t) = −[ln(1 − bt) + b·ln(1 + t)]/2b with b = order − 1: what a shared noise shape costs."""
    b = order - 1
    return (b * excess(b * t) + excess(-t)) / 2 * _SAFE


def mean_cost(gamma: float, eta: float, order: float) -> float:
    """D_order of the mean mask μ + ηΣ^{1/2}g for components within γ; infinite where nothing is known."""
    if not (order - 1) * gamma <= 0.99:
        return math.inf
    ends = (gamma, -gamma / (1 + gamma))
    moved = order * gamma**2 / (2 * eta**2 * (1 - (order - 1) * gamma))
    return (moved + gamma**2 * max(shape_cost(t, order) for t in ends)) * _SAFE


def covariance_cost(gamma: float, eta: float, order: float, d: int) -> float:
    """D_order of the covariance mask Σ^{1/2}(I + ηG)(I + ηG)ᵀΣ^{1/2} for components within γ."""
    b = order - 1
    if not b * gamma <= 0.99:
        return math.inf

    def ratio(t: float) -> float:
        moved = order / (2 * eta**2) / ((1 + math.sqrt(1 + t)) ** 2 * (1 - b * t))
        return moved + d * shape_cost(t, order)

    return gamma**2 * max(ratio(gamma), ratio(-gamma / (1 + gamma))) * _SAFE


def component_cost(gamma: float, etas: tuple[float, float, float], order: float, d: int, *, weight: bool) -> float:
    """Cost of one component: weight, mean and covariance masked with independent noise, which composes."""
    eta_weight, eta_mean, eta_covariance = etas
    first = order * gamma**2 / (2 * eta_weight**2) if weight else 0.0
    return (first + mean_cost(gamma, eta_mean, order) + covariance_cost(gamma, eta_covariance, order, d)) * _SAFE


def component_renyi(gamma: float, etas: tuple[float, float, float], d: int, *, weight: bool) -> Renyi:
    """Cost of the mask of one component over the grid of orders: what the lift multiplies by k."""
    values = (component_cost(gamma, etas, order, d, weight=weight) for order in ORDERS)
    return Renyi(ORDERS, tuple(up(v) if v < math.inf else v for v in values))


def mixture_cost(gamma: float, etas: tuple[float, float, float], k: int, d: int) -> Renyi:
    """Cost of the lifted mask of k components in d dimensions, over the grid of orders.

    Examples
    --------
    >>> cost = mixture_cost(1e-3, (0.01, 0.01, 0.01), 2, 3)
    >>> cost.values[2] < 0.05
    True
    """
    values = (k * component_cost(gamma, etas, order, d, weight=k > 1) for order in ORDERS)
    return Renyi(ORDERS, tuple(up(v) if v < math.inf else v for v in values))


def allowed_radius(etas: tuple[float, float, float], k: int, d: int, epsilon: float, delta: float) -> float:
    """The largest γ (to 0.1 %) at which the mask with these noises is (ε, δ)-DP: radius from noise."""
    from dpframe.proof.losses import tightest_epsilon

    def holds(gamma: float) -> bool:
        return tightest_epsilon(Loss.of(mixture_cost(gamma, etas, k, d), delta=SLACK), delta)[0] <= epsilon

    return boundary(holds, 0.0, 1.0, relative=1e-3, steps=60)[0]


@theorem(
    "mixture_mask",
    "loss",
    "Arbas23 Lemma 6.1.1; docs/theory/masks.md#2-cost-of-one-component",
    most_epsilon=MOST_EPSILON,
)
def _mixture_mask(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Weight, mean and covariance masks of each of k components in random order: k times T3's Rényi cost.

    The lift (theorem ``lift``) of the component's mask, whose cost is proved.

    Two mixtures are within γ when their components can be matched so that each pair is within γ in weight, in
    Mahalanobis distance both ways and in Frobenius distance of relative covariance both ways. Proof:
    ``docs/theory/masks.md``. One component has weight 1, which is not masked.

    The Gaussians are known to 1024 bits and the release is rounded to float64 once, so it is that of the continuous
    mask up to total variation 2^−350, which costs (1 + e^ε)·2^−350 in δ: what is charged, 2^−100, covers that in
    statements of ε <= 150 and δ <= 1/2. Beside a larger total, or for more than 2^20 numbers, it is refused.
    """
    within = find(inputs[0], Within)
    if within.semimetric != "component":
        raise PlanError(f"masks are proved for the semimetric 'component', not {within.semimetric!r}")
    etas = tuple(number(params, f"eta_{part}") for part in ("weight", "mean", "covariance"))
    if min(etas) < 2.0**-60 or max(etas) > 2.0**200:
        raise PlanError("the noise of a mask must be between 2^-60 and 2^200 of the component's own scale")
    delta = number(params, "delta", high=1.0)
    if delta < SLACK:
        raise PlanError(f"rounding a mask takes δ of at least {SLACK!r}, not {delta!r}")
    k, d = whole(params, "k"), whole(params, "d")
    if k * (1 + d + d * d) > MOST_NUMBERS:
        raise PlanError(f"a mask is proved for at most {MOST_NUMBERS} numbers, not {k * (1 + d + d * d)}")
    cost = component_renyi(within.r, (etas[0], etas[1], etas[2]), d, weight=k > 1)
    return lifted(cost, k, delta)


def _components(params: Params, inputs: Domains) -> dict[str, Any]:
    mixture = is_kind(inputs[0], Mixture)
    return {**params, "k": mixture.k, "d": mixture.d}


declare_mechanism(
    "mixture_mask",
    "mixture_mask",
    keeps(Mixture),
    calibration="eta_weight eta_mean eta_covariance delta",
    parameters="spread",
    tells=_components,
)
