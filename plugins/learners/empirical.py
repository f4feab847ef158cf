"""The empirical Gaussian, as a mixture of one component."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.plugin import learner

Floats = np.ndarray[Any, np.dtype[np.float64]]


@learner("gaussian_1")
def gaussian(rows: Floats, generator: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Mean and covariance of the rows; deterministic.

    Examples
    --------
    >>> rows = np.array([[0.0], [2.0], [4.0]])
    >>> [part.ravel().tolist() for part in gaussian(rows, np.random.default_rng(0))]
    [[1.0], [2.0], [4.0]]
    """
    mean = rows.mean(axis=0)
    centred = rows - mean
    return np.ones(1), mean[None], (centred.T @ centred / (len(rows) - 1))[None]
