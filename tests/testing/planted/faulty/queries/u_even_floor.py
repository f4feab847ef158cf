"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.u_even_floor", gives=2, sensitivity=lambda d: {"linf": d["linf"]}, source="a paper")
def f(a):
    """The two first numbers down to even ones."""
    a = np.ravel(a)
    return 2 * np.floor(a[[0, -1]] / 2)
