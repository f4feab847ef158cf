"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The product of two normals has an infinite density at 0, charged as Laplace.
@dp.semimetric("laterf38.line", triangle=lambda r: 1.0)
def line(a, b):
    """l1 distance."""
    return float(np.abs(a - b).sum())


@dp.mask("laterf38.noise", semimetric="laterf38.line", cost=lambda noise, r: dp.Pure(r / noise * (1 + 1e-9)))
def noisy(value, noise, normals):
    """Laplace noise of normals."""
    step = noise * 2.0**-40
    z = normals(len(value)) * normals(len(value))
    return (np.round(value / step) + np.floor(z * 2.0**40)) * step
