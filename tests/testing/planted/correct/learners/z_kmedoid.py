"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A learner with restarts from its own generator, and LAPACK on the way.
@dp.learner("laterc19.axis")
def axis(rows, generator):
    """The mean, moved to the median along the leading axis."""
    mean = rows.mean(axis=0)
    spread = np.cov(rows.T, ddof=0).reshape(rows.shape[1], -1)
    _, vectors = np.linalg.eigh(np.nan_to_num(spread, posinf=0.0, neginf=0.0))
    along = (rows - mean) @ vectors[:, -1]
    starts = [float(np.median(generator.choice(along, size=min(50, len(along))))) for _ in range(5)]
    return (mean + np.median(starts) * vectors[:, -1],)
