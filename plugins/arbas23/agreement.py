"""How many blocks of a size will agree: predicted from n, k and d by simulating an efficient learner, never from rows.

The learner's estimate of a component from m rows is a Wishart covariance and a Gaussian mean. Nearness is scale free,
so the standard component stands for all. The simulation has a fixed seed: the same plan every time.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from dpframe.plugin import closeness

Floats = np.ndarray[Any, np.dtype[np.float64]]
SIMULATED = 320
DRAWS = 6 * SIMULATED
RARE = 0.02
LEAST_J = 2.0**-24
CONCENTRATED = 16
"""Columns from which on estimates of as many rows are about as far from one another."""
LIGHTEST = 0.8
"""Weight of the lightest component, relative to 1/k, that the prediction assumes; the others share the rest alike."""


@functools.lru_cache(maxsize=4)
def _strata(d: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Uniforms for the roots' diagonals (s, d), normals below them (s, d, d), for means (s, d) and a weight (s,).

    Every coordinate takes each of s equal parts of its law once (Latin hypercube), which errs by a third of what
    independent draws do.
    """
    from scipy.special import ndtri

    rng = np.random.default_rng([d, 71])
    count = d + d * (d - 1) // 2 + d + 1
    places = rng.permuted(np.tile(np.arange(SIMULATED)[:, None], (1, count)), axis=0)
    uniform = (places + rng.random(places.shape)) / SIMULATED
    normal = ndtri(uniform[:, d:])
    below = np.zeros((SIMULATED, d, d))
    below[:, *np.tril_indices(d, -1)] = normal[:, : -d - 1]
    return uniform[:, :d], below, normal[:, -d - 1 : -1], normal[:, -1]


@functools.lru_cache(maxsize=8)
def _needed(d: int, rows: int, deviation: float) -> Floats:
    """For all pairs of estimates the least ν within which the kernel sees them; ``deviation`` is that of a weight.

    ν contains what rounding may take of J, on blocks of condition number up to about 1e5: no pair is nearer than that,
    however many rows a block has.
    """
    from scipy.special import chdtri

    uniform, below, means, weights = _strata(d)
    freedom = np.maximum(rows - 1 - np.arange(d), 1)
    roots = below.copy()
    roots[:, np.arange(d), np.arange(d)] = np.sqrt(chdtri(freedom, uniform))
    roots /= np.sqrt(max(rows - 1, 1))
    means, weights = means / np.sqrt(max(rows, 1)), deviation * weights
    white = np.linalg.inv(roots)
    covariances = (roots @ np.swapaxes(roots, 1, 2)).reshape(SIMULATED, -1)
    inverses = (np.swapaxes(white, 1, 2) @ white).reshape(SIMULATED, -1)
    traces = inverses @ covariances.T
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
    if sizes[0] < d + 2 or nus.max() < _out_of_reach(d, sizes[0]):
        return np.zeros((*np.shape(radii), len(ramps)))
    every = np.tile(np.arange(SIMULATED), (k, DRAWS // SIMULATED))
    picked = np.random.default_rng([k, 72]).permuted(every, axis=1)
    shares = np.ones((len(nus), DRAWS))
    for size, at in zip(sizes, picked, strict=True):
        part = size / rows
        needed = _needed(d, size, float(np.sqrt(part * max(1 - part, 0.0) / rows)))
        shares *= _shares(needed, nus)[:, at]
    weights: Floats = np.clip((shares[:, :, None] - 0.5) / ramps, 0.0, 1.0).mean(axis=1)
    return weights.reshape(*np.shape(radii), len(ramps))


def _out_of_reach(d: int, rows: int) -> float:
    """A ν within which hardly any pair is, without the simulation; 0 where columns are few, whose pairs scatter.

    Of two Wishart matrices over f > d + 1 rows E tr(A⁻¹B) − d = d(d + 1)/(f − d − 1). From 16 columns and
    f = d + 8 on at most `RARE` of the pairs are within half of the ν of that (0.96 of it at d = 100). For fewer rows up
    to a third are, at a ν in the hundreds, where no radius leads. It decides about sizes alone, no guarantee.

    Examples
    --------
    >>> round(_out_of_reach(500, 1000)), _out_of_reach(8, 1000)
    (504, 0.0)
    """
    if d < CONCENTRATED:
        return 0.0
    shape = 2.0 * d * (d + 1) / max(rows - 1 - d - 1, 1)
    return 0.25 * (shape + float(np.sqrt(shape * (shape + 4.0))))


def _shares(needed: Floats, nus: Floats) -> Floats:
    """Share of the simulated components within each ν of each; 0 where hardly any pair is."""
    rough, most = needed.ravel()[::101], needed.max()
    out = np.ones((len(nus), SIMULATED))
    for i, nu in enumerate(nus):
        if nu < most:
            out[i] = np.count_nonzero(needed <= nu, axis=1) / SIMULATED if (rough <= nu).mean() > RARE else 0.0
    return out
