"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from fractions import Fraction

@dp.own_statistic("mine.v_spread", gives=1, bits=20, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="here")
def f(rows):
    """The sum of squares about the mean, of values held in [0, 1]: an edit moves it by at most 1."""
    x = np.clip(np.nan_to_num(rows[:, 0]), 0.0, 1.0)
    if len(x) == 0:
        return [0.0]
    exact = [Fraction(v) for v in x.tolist()] if len(x) < 3000 else None
    if exact is None:
        return [float(np.square(x - x.mean()).sum())]
    total = sum(exact)
    return [float(sum(v * v for v in exact) - total * total / len(exact))]
