"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("twentyfirst.c_scores", gives=2, norm="l2", bound=1.0)
def c_scores(rows):
    """A logistic layer with public weights."""
    return 1.0 / (1.0 + np.exp(-np.clip(rows @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (rows.shape[1], 2)), -30, 30)))
