"""Def 7.2.1: whether a released mixture is α-statistically learnable, as warnings."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.plugin import DomainError

from .variation import gaussian_tv


def learnable(weights: Any, means: Any, covariances: Any, alpha: float) -> list[str]:
    """What keeps a mixture from being α-statistically learnable: light components, and pairs that are too alike.

    F is α-statistically learnable if min w_i >= α and d_TV(N(μ_i, Σ_i), N(μ_j, Σ_j)) >= α for every pair. Below that no
    learner is promised to find the components, so what was released for them may mean little.

    Parameters
    ----------
    weights, means, covariances : array_like
        A *released* mixture: (k,), (k, d), (k, d, d).
    alpha : float
        In (0, 1).

    Returns
    -------
    list of str
        Warnings; empty if the mixture is learnable. Pairs are decided by the Hellinger distance where it suffices,
        else by a numerical total variation, its stated error in the pair's favour.

    Raises
    ------
    DomainError
        When alpha is not in (0, 1).

    Examples
    --------
    >>> learnable([0.98, 0.02], [[0.0], [9.0]], [[[1.0]], [[1.0]]], 0.05)
    ['component 2 of weight 0.02 is below 0.05: the mixture is not 0.05-statistically learnable']
    """
    if not 0 < alpha < 1:
        raise DomainError(f"alpha must be between 0 and 1, not {alpha!r}")
    weights, means, covariances = (np.asarray(part, dtype=np.float64) for part in (weights, means, covariances))
    end = f"the mixture is not {alpha:.4g}-statistically learnable"
    warnings = [
        f"component {i + 1} of weight {w:.4g} is below {alpha:.4g}: {end}" for i, w in enumerate(weights) if w < alpha
    ]
    for i in range(len(weights)):
        for j in range(i):
            apart = _variation(means[i], covariances[i], means[j], covariances[j], alpha)
            if apart is not None:
                pair = f"components {j + 1} and {i + 1}"
                warnings.append(f"{pair} overlap, their total variation being about {apart:.3g}: {end}")
    return warnings


def _variation(mean: Any, covariance: Any, other_mean: Any, other_covariance: Any, alpha: float) -> float | None:
    """Total variation where it is below α; H² = 1 − BC <= TV."""
    if 1 - overlap(mean, covariance, other_mean, other_covariance) >= alpha:
        return None
    found = gaussian_tv(mean, covariance, other_mean, other_covariance)
    return found.value if found.value + found.error < alpha else None


def overlap(mean: Any, covariance: Any, other_mean: Any, other_covariance: Any) -> float:
    """The Bhattacharyya coefficient ∫√(pq) of two Gaussians."""
    middle = (covariance + other_covariance) / 2
    logs = [float(np.linalg.slogdet(part)[1]) for part in (covariance, other_covariance, middle)]
    step = mean - other_mean
    return float(np.exp(-step @ np.linalg.solve(middle, step) / 8 + (logs[0] + logs[1]) / 4 - logs[2] / 2))
