"""Mixtures that are known, and rows drawn from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe_plugins.arbas23.variation import mixture_tv

TWO = ([0.3, 0.7], [[0.0], [6.0]], [[1.0], [3.0]])


def drawn(truth: Any, n: int, seed: int) -> Any:
    weights, means, sds = (np.array(part) for part in truth)
    rng = np.random.default_rng(seed)
    which = rng.choice(len(weights), size=n, p=weights)
    return means[which] + sds[which] * rng.standard_normal((n, means.shape[1]))


def as_model(truth: Any) -> Any:
    weights, means, sds = (np.array(part) for part in truth)
    return weights, means, np.array([np.diag(s * s) for s in sds])


def error(result: Any, truth: Any, *, scale: float = 1.0, shift: float = 0.0, draws: int = 100_000) -> float:
    assert result.status == "released", result.reason
    found = result["mixture"]
    moved = found.weights, (found.means - shift) / scale, found.covariances / scale**2
    return mixture_tv(moved, as_model(truth), draws=draws).value


# -------------------------------------------------------------------------------- known covariance

CORRELATED = np.array([[2.0, 1.0], [1.0, 3.0]])


def correlated(n: int, seed: int, shift: float = 0.0) -> Any:
    rng = np.random.default_rng(seed)
    means = np.where(rng.random((n, 1)) < 0.3, [[0.0, 0.0]], [[4.0, -3.0]])
    return shift + means + rng.standard_normal((n, 2)) @ np.linalg.cholesky(CORRELATED).T
