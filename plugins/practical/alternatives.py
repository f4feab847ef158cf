"""Whether the released cells know a better optimum than the result: for the verdict, with no new release."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .deconvolution import Starts, margin, rounds
from .fitting import Full, step
from .records import Mixture
from .subspace import Subspace
from .tree_fits import Fit, Shape
from .trees import Tree

ROUNDS = 40
"""Steps of EM on the cells that lead a mixture to the optimum next to it."""
DEVIATIONS = 3.0
"""Of what chance gains, beyond its mean."""
ENOUGH = 0.5
"""Nats in all that a step by all counts must gain to be followed by another."""


def better(starts: Any, model: Mixture) -> float:
    """Nats a row that the likeliest start gains over a mixture on the cells, beyond what is chance; at least 0.

    Both are led to the optimum of the cells next to them, so that what passes learned within a cell does not count
    against the mixture. 0 where a start came without cells.

    Where all counts were released, they must agree. Of those alone that stand out of the noise a mixture of narrow
    components likes best what stands out by chance: by .1 to .74 nats a row in ten results level with EM (R's tables at
    ε=1), for which all counts speak with at most 7 nats in all.

    Parameters
    ----------
    starts : Starts
        The first mixtures, with their cells.
    model : Mixture
        What passes made of one of them; where the number of components was chosen it may have fewer.

    Examples
    --------
    >>> unit = Mixture([1.0], [[0.0]], [[[1.0]]])
    >>> better(Starts((unit,)), unit)
    0.0
    """
    if not isinstance(starts, Starts) or starts.points is None or starts.space is None:
        return 0.0
    data, space = starts.points, starts.space
    k = max(one.weights.size for one in (model, *starts.candidates))
    models = [seen(as_many(one, k), space) for one in (model, *starts.candidates)]
    scores = step(data, rounds(data, Full.joined(models), ROUNDS))[1]
    gain = max(float(scores[1:].max() - scores[0]) - margin(data, k), 0.0)
    return gain if starts.tree is None or gain <= 0.0 or _agree(starts.tree, models) else 0.0


def as_many(model: Mixture, k: int) -> Mixture:
    """The same density with k components: the first one as often as others lack, which steps of EM never part.

    Examples
    --------
    >>> as_many(Mixture([0.6, 0.4], [[0.0], [5.0]], [[[1.0]], [[2.0]]]), 3).weights.tolist()
    [0.3, 0.3, 0.4]
    """
    most = np.concatenate([np.zeros(k - model.weights.size, dtype=np.intp), np.arange(model.weights.size)])
    shares = model.weights[most]
    shares[most == 0] /= np.count_nonzero(most == 0)
    return Mixture(shares, model.means[most], model.cholesky[most])


def _agree(tree: Tree, models: list[Full]) -> bool:
    """Whether all counts, noise included, prefer some other mixture to the first beyond chance.

    As many free parameters gain half of them in nats by chance, give or take the root of that (Wilks).
    """
    fit = Fit.to(tree)
    try:
        scores = [fit.settled(Shape.of(one), fit.points, ROUNDS, ENOUGH)[1] for one in models]
    except (np.linalg.LinAlgError, ArithmeticError):
        return False
    k, p = models[0].means.shape[1:]
    half = 0.5 * (0.5 * k * (p + 1.0) * (p + 2.0) - 1.0)
    return bool(max(scores[1:]) - scores[0] > half + DEVIATIONS * math.sqrt(half))


def seen(model: Mixture, space: Subspace) -> Full:
    """A mixture in the subspace of the cells, as a batch of one."""
    weights = np.maximum(model.weights, 1e-9)
    covariances = space.basis.T @ model.covariances @ space.basis
    return Full((weights / weights.sum())[None], (model.means @ space.basis)[None], covariances[None])
