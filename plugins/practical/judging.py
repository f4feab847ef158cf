"""What the passes of the practical mixture tell of their result: a function of released values, with no new release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpframe.plugin import Quality

from .records import Mixture

NOISY, MOVING, STILL = 0.6, 1.0, 0.5
"""Poor above this much noise in a covariance; or where a component moved this far in the last three passes, and
in the last two."""


def drift(model: Mixture, before: Mixture) -> float:
    """Largest move of a component between two passes, in its own deviations: of its mean, and of log variances.

    Examples
    --------
    >>> unit = Mixture([1.0], [[0.0]], [[[1.0]]])
    >>> drift(unit, Mixture([1.0], [[3.0]], [[[2.0]]]))
    3.0
    """
    moves = [0.0]
    for j in range(model.weights.size):
        inverse = np.linalg.inv(model.cholesky[j])
        moves.append(float(np.linalg.norm(inverse @ (before.means[j] - model.means[j]))))
        widths = np.linalg.svd(inverse @ before.cholesky[j], compute_uv=False)
        moves.append(float(np.abs(2.0 * np.log(widths)).max()))
    return max(moves)


def judge(models: Sequence[Mixture]) -> Quality:
    """The verdict on an average of the last passes' mixtures, in their order.

    Poor where the noise of the last pass is more than `NOISY` of some component's covariance (spectral norm, in its
    own metric), or where components still move. It sees noise and passes that have not settled. It can't see that
    a likelihood has better optima, or that rows are no Gaussians.
    """
    last = models[-1]
    at = int(last.noise.argmax())
    noise = float(last.noise[at])
    moved = [drift(last, before) for before in models[:-1]] or [0.0]
    numbers = f"the noise is {noise:.2g} of the covariance of a component with weight {last.weights[at]:.2g}"
    numbers += f" (poor above {NOISY}), and a component moved by up to {max(moved):.2g} of its deviations in the last "
    numbers += f"passes (poor above {MOVING:g})"
    moving = max(moved) > MOVING and moved[-1] > STILL
    if noise <= NOISY and not moving:
        return Quality("good", numbers)
    return Quality("poor", numbers + ": more rows, fewer components or a larger budget make it better")
