"""Whether the released cells know a better optimum than the result: for the verdict, with no new release."""

from __future__ import annotations

from typing import Any

import numpy as np

from .deconvolution import Starts, margin, rounds
from .fitting import Full, step
from .records import Mixture
from .subspace import Subspace

ROUNDS = 40
"""Steps of EM on the cells that lead a mixture to the optimum next to it."""


def better(starts: Any, model: Mixture) -> float:
    """Nats a row that the likeliest start gains over a mixture on the cells, beyond what is chance; at least 0.

    Both are led to the optimum of the cells next to them, so that what passes learned within a cell does not count
    against the mixture. 0 where a start came without cells.

    Parameters
    ----------
    starts : Starts
        The first mixtures, with their cells.
    model : Mixture
        What passes made of one of them.

    Examples
    --------
    >>> unit = Mixture([1.0], [[0.0]], [[[1.0]]])
    >>> better(Starts((unit,)), unit)
    0.0
    """
    if not isinstance(starts, Starts) or starts.points is None or starts.space is None:
        return 0.0
    data, space = starts.points, starts.space
    models = Full.joined([seen(one, space) for one in (model, *starts.candidates)])
    scores = step(data, rounds(data, models, ROUNDS))[1]
    return max(float(scores[1:].max() - scores[0]) - margin(data, model.weights.size), 0.0)


def seen(model: Mixture, space: Subspace) -> Full:
    """A mixture in the subspace of the cells, as a batch of one."""
    weights = np.maximum(model.weights, 1e-9)
    covariances = space.basis.T @ model.covariances @ space.basis
    return Full((weights / weights.sum())[None], (model.means @ space.basis)[None], covariances[None])
