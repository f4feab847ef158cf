"""What the passes of the practical mixture tell of their result: a function of released values, with no new release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpframe.operations import Quality

from .records import Mixture


def drift(model: Mixture, before: Mixture) -> float:
    """Largest move of a component between two passes, in its own deviations: of its mean, and of log variances."""
    moves = [0.0]
    for j in range(model.weights.size):
        inverse = np.linalg.inv(model.cholesky[j])
        moves.append(float(np.linalg.norm(inverse @ (before.means[j] - model.means[j]))))
        widths = np.linalg.svd(inverse @ before.cholesky[j], compute_uv=False)
        moves.append(float(np.abs(2.0 * np.log(widths)).max()))
    return max(moves)


def signals(models: Sequence[Mixture]):
    return models[-1].noise, [drift(models[-1], m) for m in models[:-1]]
