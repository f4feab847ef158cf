"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("seventh.bigchunk", gives=1, norm="linf", bound=1.0)
def f(rows):
    """A cell, lightened when there is much of it."""
    v = rows[:, :1]
    return v / (1 + (len(v) > 30000))
