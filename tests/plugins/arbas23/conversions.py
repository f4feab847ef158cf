"""Bounds between the distances of mixtures: dist_PARAM, dist_GMM and total variation. Rounded up.

No program uses them. They state what the thesis proves, as far as it holds, for the tests beside them.

Lemma 7.1.1, mended: the mean's distance is |Σ^{−1/2}(μ₁ − μ₂)|, where the thesis prints Σ^{−1}. Lemma 7.1.2, mended:
the upper constant is 1, not 1/√2, because two mixtures may differ in a weight alone
(``docs/theory/populous.md``).
"""

from __future__ import annotations

import math

from dpframe.plugin import DomainError
from dpframe.plugin import round_up as up

MOST_TV = 1 / 600
"""The lower bounds hold below this total variation."""


def _at_least_zero(value: float, most: float, what: str) -> float:
    if not 0 <= value <= most:
        raise DomainError(f"{what} must be between 0 and {most:g}, not {value!r}")
    return float(value)


def tv_of_component(gamma: float) -> float:
    """Total variation of two Gaussians within γ <= 1 in mean and covariance: at most γ/√2.

    With the eigenvalues t_i of Σ₂^{−1/2}Σ₁Σ₂^{−1/2} − I, all at least −γ/(1 + γ) >= −1/2, KL is
    ½(Σ(t − ln(1 + t)) + |δ|²) <= ½(Σt² + |δ|²) <= γ², and TV <= √(KL/2) (Pinsker).

    Examples
    --------
    >>> round(tv_of_component(0.1), 6)
    0.070711
    """
    return up(up(_at_least_zero(gamma, 1.0, "the distance")) / math.sqrt(2))


def component_of_tv(tau: float) -> float:
    """dist_MEAN and dist_COV of two Gaussians of total variation τ < 1/600: at most 200τ (Lemma 2.4.5, mended).

    ‖Σ₁^{−1/2}Σ₂Σ₁^{−1/2} − I‖_F <= 100·d_TV(N(0, Σ₁), N(0, Σ₂)) <= 200τ (Devroye, Mehrabian, Reddad 2018; x₁ − x₂
    over √2 has twice the total variation at most), and |Σ₁^{−1/2}(μ₁ − μ₂)| <= 15τ.
    """
    if not tau < MOST_TV:
        raise DomainError(f"the total variation must be below 1/600, not {tau!r}")
    return up(200 * _at_least_zero(tau, MOST_TV, "the total variation"))


def gmm_of_param(gamma: float) -> float:
    """dist_GMM of two mixtures within γ <= 1 in dist_PARAM: at most γ, which a weight alone attains."""
    return _at_least_zero(gamma, 1.0, "the distance")


def param_of_gmm(tau: float) -> float:
    """dist_PARAM of two mixtures within τ < 1/600 in dist_GMM: at most 200τ."""
    return component_of_tv(tau)


def mixture_tv_of_gmm(tau: float, k: int) -> float:
    """Total variation of two mixtures of k components within τ in dist_GMM: at most (1 + k/2)τ.

    Matched, ∫|f − g|/2 <= Σw_i·TV_i + ½Σ|w_i − w'_i|.

    Examples
    --------
    >>> round(mixture_tv_of_gmm(0.25, 2), 9)
    0.5
    """
    if k < 1:
        raise DomainError(f"k must be at least 1, not {k!r}")
    tau = _at_least_zero(tau, 1.0, "the distance")
    return min(1.0, up(tau + up(k / 2 * tau)) if k > 1 else tau)
