"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: k-means that starts by the generator that it is handed.
@dp.learner("seventeenth.ckmeans")
def f(rows, generator):
    """Two centres."""
    import warnings

    from scipy.cluster.vq import kmeans2
    if len(rows) < 10:
        return (np.zeros((2, rows.shape[1])),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        centres = kmeans2(rows, 2, minit="points", seed=generator)[0]
    return (np.nan_to_num(centres[np.argsort(centres[:, 0])]),)
