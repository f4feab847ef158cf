"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composition: a constant from the environment, set by the row function.
import os
@dp.row_function("fourteenth.composite_env.f", columns=lambda d: d)
def g(values):
    """Rows; sets a variable."""
    os.environ["Q_BOUND"] = str(1.0 + float(len(values) > 0 and np.nan_to_num(values[0, 0]) > 0))
    return values * 1.0
@dp.composite("fourteenth.composite_env")
def f(x, *, share=1.0):
    """A mean with the bound of the environment."""
    ball = dp.bounding_ball(d=x.d, bound=float(os.environ.get("Q_BOUND", "1.0")))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(g(x), ball)))
