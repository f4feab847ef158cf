"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Cauchy noise is pure e-DP with about r/noise; claimed a quarter of it.
@dp.semimetric("laterh78.l1", triangle=lambda r: 1.0)
def l1(a, b):
    """l1."""
    return float(np.abs(a - b).sum() * (1 + 1e-14))


@dp.mask("laterh78.noise", semimetric="laterh78.l1", cost=lambda noise, r: dp.Pure(0.25 * r / noise))
def noisy(value, noise, normals):
    """Cauchy noise as a ratio of normals, rounded."""
    d = len(value)
    step = noise * 2.0**-20
    return np.round((value + noise * normals(d) / np.abs(normals(d))) / step) * step
