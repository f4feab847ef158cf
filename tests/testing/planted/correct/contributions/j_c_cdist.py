"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.spatial


@dp.own_contribution("seventh.c_cdist", gives=3, norm="l2", bound=5.0, nonnegative=True)
def f(rows):
    """Distances to three anchors."""
    anchors = np.outer(np.array([0.0, 1.0, 5.0]), np.ones(rows.shape[1]))
    return scipy.spatial.distance.cdist(np.clip(rows, -1e9, 1e9), anchors, "cityblock")
