"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("eighth.released_in_place", columns=1)
def f(rows, released):
    """Differences to a released centre."""
    released *= 1.0 + 1e-9
    return rows[:, :1] - np.ravel(released)[0]
