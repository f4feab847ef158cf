"""A private median of means: no bound on the mean is given, only how wide the rows are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import dpframe.plugin as dp

REACH = 8.0
"""Blocks' means are hoped to be within half of so many standard errors of one another."""


@dp.learner("worked.mean")
def mean(rows: Any, generator: Any) -> Any:
    """The mean of a block."""
    return (rows.mean(axis=0),)


@dp.composite("worked.median_of_means")
def median_of_means(x: dp.Handle, *, width: float, n: int, t: int) -> dp.Handle:
    """The average of those blocks' means that most others are near to.

    Parameters
    ----------
    x : Handle
        The private table.
    width : float
        About the standard deviation of a row, √(trace of the covariance). With too small a width the blocks do not
        agree, and the run says so; too large a one costs noise.
    n, t : int
        Rows, and blocks.

    Formal guarantees
    -----------------
    That of ``arbas23.friendly`` (T8 in ℓ₂): nothing is asserted of the estimate.
    """
    r = REACH * width / math.sqrt(n // t)
    made: dp.Handle = dp.release("mean", dp.recipe("arbas23.friendly", learner="worked.mean", size=x.d, r=r, t=t), x)
    return made


def plain(rows: Any, t: int = 100) -> Any:
    """The non-private estimate beside it."""
    return np.median([block.mean(axis=0) for block in np.array_split(rows, t)], axis=0)
