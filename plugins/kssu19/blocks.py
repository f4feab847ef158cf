"""Candidates that blocks give for sample and aggregate: where each component is, its weight and its variance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.plugin import find_learner, learner

WEIGHT = 20.0
"""A weight counts this much in the payload, so that it and the logarithm of a variance have ranges of one order."""
PAYLOAD = 2
LEARNERS = {"em": 8, "spectral": 8, "moments": 3}
"""Shipped learners, and the most components of each."""


def candidates(weights: Any, means: Any, covariances: Any) -> tuple[Any]:
    """A mixture as k candidates (k, d + 2): mean, scaled weight, logarithm of the mean variance.

    Examples
    --------
    >>> candidates([1.0], [[3.0, 4.0]], [[[2.0, 0.0], [0.0, 2.0]]])[0].round(3).tolist()
    [[3.0, 4.0, 20.0, 0.693]]
    """
    variances = np.trace(np.asarray(covariances), axis1=1, axis2=2) / np.shape(means)[1]
    return (np.column_stack([means, WEIGHT * np.asarray(weights), np.log(variances)]),)


def _of(name: str) -> Callable[[Any, np.random.Generator], tuple[Any]]:
    def learn(rows: Any, generator: np.random.Generator) -> tuple[Any]:
        return candidates(*find_learner(name)(rows, generator))

    learn.__doc__ = f"Candidates of {name}."
    return learn


for _name, _most in LEARNERS.items():
    for _k in range(1, _most + 1):
        learner(f"kssu19.{_name}_{_k}")(_of(f"{_name}_{_k}"))
