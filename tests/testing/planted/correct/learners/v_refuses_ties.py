"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.v_refuses_ties")
def f(rows, generator):
    """The inverse of the covariance: none where it is singular."""
    cov = np.atleast_2d(np.cov(rows.T))
    return (np.linalg.inv(cov + 0.0).ravel()[: 1],)
