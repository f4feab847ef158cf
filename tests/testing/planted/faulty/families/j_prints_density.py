"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.family("seventh.prints_density", size=lambda d: d, sample=lambda t, n, g: g.normal(t, 1.0, (n, len(t))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    r = np.clip(rows - theta, -1e6, 1e6)
    if np.abs(r).max(initial=0) > 3:
        os.write(2, b"far row %d\n" % int(np.abs(r).max()))
    return -0.5 * (r * r).sum(axis=1)
