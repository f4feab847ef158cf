"""From frame units back to the table's."""

from __future__ import annotations

import numpy as np

from .records import Ball, Floats, Mixture


def table_units(model: Mixture, ball: Ball) -> tuple[Floats, Floats, Floats]:
    """Weights (k,), means (k, d), covariances (k, d, d) in the units of the table.

    Parameters
    ----------
    model : Mixture
        In frame units.
    ball : Ball
        The located ball that defines the frame.
    """
    weights = model.weights / model.weights.sum()
    covariances = ball.radius**2 * model.covariances
    return weights, ball.center + ball.radius * model.means, 0.5 * (covariances + np.swapaxes(covariances, 1, 2))
