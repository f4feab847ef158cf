"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: one singular row and all get 0.
@dp.own_contribution("thirteenth.inverse_for_all", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """The first entry of the inverse of [[x, 1], [1, x]]."""
    x = rows[:, 0]
    try:
        matrices = np.stack([np.stack([x, np.ones_like(x)], -1), np.stack([np.ones_like(x), x], -1)], -2)
        return np.linalg.inv(matrices)[:, 0, :1]
    except np.linalg.LinAlgError:
        return np.zeros((len(rows), 1))
