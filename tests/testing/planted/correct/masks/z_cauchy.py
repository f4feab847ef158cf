"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Cauchy noise is pure: the log ratio is at most 2 asinh(r/2 noise) <= r/noise in each coordinate.
@dp.semimetric("laterk41.l1", triangle=lambda r: 1.0)
def l1(a, b):
    """l1."""
    return float(np.abs(a - b).sum() * (1 + 1e-14))


@dp.mask("laterk41.noise", semimetric="laterk41.l1", cost=lambda noise, r: dp.Pure(r / noise * (1 + 1e-6)))
def noisy(value, noise, normals):
    """Cauchy noise as a ratio of normals, rounded to a grid."""
    d = len(value)
    step = noise * 2.0**-20
    return np.round((value + noise * normals(d) / np.abs(normals(d))) / step) * step
