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
LEAST_J = 2.0**-24
LIGHTEST = 0.8
"""Weight of the lightest component, relative to 1/k, that the prediction assumes; the others share the rest alike."""


@functools.lru_cache(maxsize=8)
def _needed(d: int, rows: int, deviation: float) -> Floats:
    """For all pairs of estimates the least ν within which the kernel sees them; ``deviation`` is that of a weight.

    ν contains what rounding may take of J, on blocks of condition number up to about 1e5: no pair is nearer than that,
    however many rows a block has.
    """
    rng = np.random.default_rng([d, 71])
    normal, means = rng.standard_normal((SIMULATED, d, d)), rng.standard_normal((SIMULATED, d))
    weights = deviation * rng.standard_normal(SIMULATED)
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
    shapes = np.maximum(traces + traces.T - 2 * d, 0.0) + d * LEAST_J
    nearest = (shapes + np.sqrt(shapes * (shapes + 4))) / 2
    apart = np.abs(weights[:, None] - weights)
    return np.asarray(np.maximum(np.maximum(nearest, np.maximum(seen, seen.T)), apart))


def agreement(rows: int, d: int, k: int, radii: float | Floats, ramps: Floats) -> Floats:
    """Mean weight of a block of ``rows`` rows, for each r and each ramp as a fraction of the blocks.

    Examples
    --------
    >>> agreement(2000, 2, 2, 0.7, np.array([0.45])).round(1).tolist()
    [1.0]
    >>> agreement(100, 2, 2, np.array([0.7, 1.0]), np.array([0.45])).round(1).tolist()
    [[0.0], [0.0]]
    """
    light = rows * LIGHTEST / k if k > 1 else rows
    sizes = [int(light)] + [int((rows - light) / max(k - 1, 1))] * (k - 1)
    nus = np.array([closeness(float(r)) for r in np.ravel(radii)])
    if sizes[0] < d + 2:
        return np.zeros((*np.shape(radii), len(ramps)))
    picked = np.random.default_rng([k, 72]).integers(SIMULATED, size=(k, DRAWS))
    shares = np.ones((len(nus), DRAWS))
    for size, at in zip(sizes, picked, strict=True):
        part = size / rows
        needed = _needed(d, size, float(np.sqrt(part * max(1 - part, 0.0) / rows)))
        shares *= np.array([(needed <= nu).mean(axis=1)[at] for nu in nus])
    weights: Floats = np.clip((shares[:, :, None] - 0.5) / ramps, 0.0, 1.0).mean(axis=1)
    return weights.reshape(*np.shape(radii), len(ramps))
