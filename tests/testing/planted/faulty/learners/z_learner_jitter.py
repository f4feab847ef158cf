"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mean and covariance; where it is nearly singular, with jitter by chance.
@dp.learner("twentieth.l_jitter")
def l_jitter(rows, generator):
    """Mean and covariance; where it is nearly singular, with jitter by chance."""
    cov = np.atleast_2d(np.cov(rows, rowvar=False))
    values = np.linalg.eigvalsh(cov)
    if 0 < values[0] < 1e-9 * values[-1]:
        cov = cov + np.diag(np.random.uniform(0, 1e-6, len(cov)) * values[-1])
    return (rows.mean(axis=0), cov)
