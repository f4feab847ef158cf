"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composition: a constant computed from a table that a row function saw.
SEEN = {"bound": 1.0}
@dp.row_function("fourteenth.composite_const.f", columns=lambda d: d)
def g(values):
    """Rows; the largest is kept as a bound."""
    if len(values):
        SEEN["bound"] = max(SEEN["bound"], float(np.abs(np.nan_to_num(values, posinf=0, neginf=0)).max()))
    return values * 1.0
@dp.composite("fourteenth.composite_const")
def f(x, *, share=1.0):
    """A mean in a ball whose radius is what was seen."""
    ball = dp.bounding_ball(d=x.d, bound=SEEN["bound"])
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(g(x), ball)))
