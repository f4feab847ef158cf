"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A value times e to a Gaussian, in floats: a product skips floats, which ones tells the value.
import math


@dp.semimetric("laterh82.ratio", triangle=lambda r: 1.0)
def ratio(a, b):
    """Largest |ln(a/b)| of positive numbers."""
    return float(np.abs(np.log(a / b)).max()) if min(a.min(), b.min()) > 0 else math.inf


@dp.mask("laterh82.noise", semimetric="laterh82.ratio", cost=lambda noise, r: r * r / (2 * noise * noise) * 64 * (1 + 1e-9))
def noisy(value, noise, normals):
    """Each of at most 64 times e to a Gaussian."""
    return value * np.exp(noise * normals(len(value)))
