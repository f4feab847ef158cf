"""Expectation maximisation on one block: whitened rows, several k-means++ starts, a fixed limit of steps.

The same rows and the same stream give the same answer; time plays no part.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.plugin import learner

Floats = np.ndarray[Any, np.dtype[np.float64]]
Model = tuple[Floats, Floats, Floats]
STARTS = 4
STEPS = 200
FEW_STEPS = 12
TOLERANCE = 1e-7
MOST_COMPONENTS = 8
RIDGE = 1e-9


def fit(rows: Floats, k: int, generator: np.random.Generator) -> Model:
    """Weights (k,), means (k, d) and covariances (k, d, d) of the likeliest of several starts.

    Parameters
    ----------
    rows : ndarray, shape (m, d)
    k : int
    generator : numpy.random.Generator
        For the starts.

    Raises
    ------
    numpy.linalg.LinAlgError
        When the rows do not span the space or a component collapses: the block is then ⊥.
    """
    centre = rows.mean(axis=0)
    shifted = rows - centre
    root = np.linalg.cholesky(shifted.T @ shifted / len(rows))
    white = np.linalg.solve(root, shifted.T).T
    tried = [_ascend(white, _start(white, k, generator), FEW_STEPS) for _ in range(STARTS if k > 1 else 1)]
    best = max(tried, key=lambda found: found[1])[0]
    weights, means, covariances = _ascend(white, best, STEPS)[0]
    return weights, centre + means @ root.T, root @ covariances @ root.T


def _start(white: Floats, k: int, generator: np.random.Generator) -> Model:
    """k-means++ centres, a few rounds of k-means, and the moments of what is nearest to each."""
    centres = white[generator.integers(len(white))][None]
    for _ in range(1, k):
        far = np.min(((white[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
        centres = np.vstack([centres, white[generator.choice(len(white), p=far / far.sum())]])
    for _ in range(8):
        nearest = np.argmin(((white[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
        hot = np.eye(k)[nearest]
        centres = (hot.T @ white) / np.maximum(hot.sum(axis=0), 1.0)[:, None]
    return _maximise(white, np.eye(k)[nearest] * (1 - 1e-3) + 1e-3 / k)


def _ascend(white: Floats, model: Model, steps: int) -> tuple[Model, float]:
    before = -math.inf
    for _ in range(steps):
        share, likelihood = _expect(white, model)
        model = _maximise(white, share)
        if likelihood - before < TOLERANCE:
            break
        before = likelihood
    return model, before


def _expect(white: Floats, model: Model) -> tuple[Floats, float]:
    """Responsibilities (m, k) and the mean log likelihood."""
    weights, means, covariances = model
    logs = np.empty((len(white), len(weights)))
    for j, (weight, mean, covariance) in enumerate(zip(weights, means, covariances, strict=True)):
        root = np.linalg.cholesky(covariance)
        seen = np.linalg.solve(root, (white - mean).T)
        logs[:, j] = math.log(max(weight, 1e-300)) - np.log(np.diagonal(root)).sum() - (seen * seen).sum(axis=0) / 2
    top = logs.max(axis=1, keepdims=True)
    share = np.exp(logs - top)
    total = share.sum(axis=1, keepdims=True)
    return share / total, float((np.log(total) + top).mean())


def _maximise(white: Floats, share: Floats) -> Model:
    counts = share.sum(axis=0)
    means = (share.T @ white) / counts[:, None]
    d = white.shape[1]
    covariances = np.empty((len(counts), d, d))
    for j in range(len(counts)):
        centred = white - means[j]
        covariances[j] = (share[:, j, None] * centred).T @ centred / counts[j] + RIDGE * np.eye(d)
    return counts / counts.sum(), means, covariances


def _of(k: int) -> Callable[[Floats, np.random.Generator], Model]:
    def em(rows: Floats, generator: np.random.Generator) -> Model:
        return fit(rows, k, generator)

    em.__doc__ = f"EM with {k} components."
    return em


for _k in range(1, MOST_COMPONENTS + 1):
    learner(f"em_{_k}")(_of(_k))
