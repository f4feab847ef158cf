"""How many blocks of a size will agree: predicted from n, k and d by simulating an efficient learner, never from rows.

The learner's estimate of a component from m rows is a Wishart covariance and a Gaussian mean. Nearness is scale free,
so the standard component stands for all. The simulation has a fixed seed: the same plan every time.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from dpframe.theorems.populous import closeness

Floats = np.ndarray[Any, np.dtype[np.float64]]
SIMULATED = 320
DRAWS = 2048
LIGHTEST = 0.8
"""Weight of the lightest component, relative to 1/k, that the prediction assumes; the others share the rest alike."""


@functools.lru_cache(maxsize=256)
def _distances(d: int, rows: int) -> tuple[Floats, Floats]:
    """Symmetric relative covariance distance J and the larger Mahalanobis distance of all pairs of estimates."""
    rng = np.random.default_rng([d, 71])
    normal, means = rng.standard_normal((SIMULATED, d, d)), rng.standard_normal((SIMULATED, d))
    roots = np.tril(normal, -1)
    freedom = np.maximum(rows - 1 - np.arange(d), 1)
    roots[:, np.arange(d), np.arange(d)] = np.sqrt(rng.chisquare(freedom, (SIMULATED, d)))
    roots /= np.sqrt(max(rows - 1, 1))
    white = np.linalg.inv(roots)
    covariances = (roots @ np.swapaxes(roots, 1, 2)).reshape(SIMULATED, -1)
    inverses = (np.swapaxes(white, 1, 2) @ white).reshape(SIMULATED, -1)
    traces = inverses @ covariances.T
    means /= np.sqrt(max(rows, 1))
    squares = (means[:, :, None] * means[:, None]).reshape(SIMULATED, -1)
    turned = (inverses.reshape(SIMULATED, d, d) @ means[:, :, None])[:, :, 0]
    own = (turned * means).sum(axis=1)
    seen = np.sqrt(np.maximum(inverses @ squares.T - 2 * turned @ means.T + own[:, None], 0.0))
    return traces + traces.T - 2 * d, np.maximum(seen, seen.T)


@functools.lru_cache(maxsize=256)
def _near(d: int, rows: int, r: float) -> Floats:
    """Share of the simulated components that are near each of them."""
    nu = closeness(r)
    covariances, means = _distances(d, rows)
    near: Floats = ((covariances <= nu * nu / (1 + nu)) & (means <= nu)).mean(axis=1)
    return near


def agreement(rows: int, d: int, k: int, r: float, ramps: Floats) -> Floats:
    """Mean weight of a block of ``rows`` rows, for each ramp as a fraction of the blocks.

    Examples
    --------
    >>> agreement(2000, 2, 2, 0.7, np.array([0.45])).round(1).tolist()
    [1.0]
    >>> agreement(100, 2, 2, 0.7, np.array([0.45])).tolist()
    [0.0]
    """
    light = rows * LIGHTEST / k if k > 1 else rows
    sizes = [int(light)] + [int((rows - light) / max(k - 1, 1))] * (k - 1)
    if sizes[0] < d + 2:
        return np.zeros(len(ramps))
    picked = np.random.default_rng([k, 72]).integers(SIMULATED, size=(k, DRAWS))
    shares = np.prod([_near(d, size, r)[at] for size, at in zip(sizes, picked, strict=True)], axis=0)
    weights: Floats = np.clip((shares[:, None] - 0.5) / ramps, 0.0, 1.0).mean(axis=0)
    return weights
