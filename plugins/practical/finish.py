"""From frame units back to the table's."""

from __future__ import annotations

import math

import numpy as np

from dpframe.plugin import positive_definite

from .records import Ball, Floats, Mixture

ULP = 2.0**-52


def table_units(model: Mixture, ball: Ball) -> tuple[Floats, Floats, Floats]:
    """Weights (k,), means (k, d), covariances (k, d, d) in the units of the table.

    A standard deviation below the float spacing at the ball's centre cannot be told from 0: variances
    get that spacing squared added, so that equal rows give a positive definite matrix, not round-off.

    Parameters
    ----------
    model : Mixture
        In frame units.
    ball : Ball
        The located ball that defines the frame.

    Notes
    -----
    Covariances overflow where the ball's radius exceeds 1e154; the caller checks for finite values.
    """
    weights = model.weights / model.weights.sum()
    spacing = max(ULP * float(np.abs(ball.center).max()), 2.0**-500)
    with np.errstate(over="ignore"):
        covariances = ball.radius**2 * model.covariances + spacing**2 * np.eye(model.means.shape[1])
        covariances = 0.5 * (covariances + np.swapaxes(covariances, 1, 2))
    return weights, ball.center + ball.radius * model.means, covariances


def within(means: Floats, bound: float) -> Floats:
    """Means (k, d) in the ball of this radius around 0: one that lies outside is moved radially onto it.

    All rows lie in the ball, so their means do, and the move brings none farther from any place in it.

    Examples
    --------
    >>> within(np.array([[3.0, 4.0], [1.0, 0.0]]), 2.5).tolist()
    [[1.5, 2.0], [1.0, 0.0]]
    """
    largest = np.maximum(np.abs(means).max(axis=1, keepdims=True), np.finfo(float).tiny)
    lengths = np.linalg.norm(means / largest, axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        outside = lengths > bound / largest
    return np.where(outside, means / largest * (bound / np.maximum(lengths, 1.0)), means)


def is_valid(weights: Floats, means: Floats, covariances: Floats) -> bool:
    """Whether the numbers are a mixture in float64, whatever the columns' units.

    Examples
    --------
    >>> wide = np.array([[[1e18, 0.0], [0.0, 1e-18]]])
    >>> is_valid(np.ones(1), np.zeros((1, 2)), wide), is_valid(np.ones(1), np.zeros((1, 2)), -wide)
    (True, False)
    """
    if not all(np.isfinite(a).all() for a in (weights, means, covariances)) or weights.min() < 0:
        return False
    return positive_definite(covariances) and math.isclose(weights.sum(), 1, abs_tol=1e-9)
