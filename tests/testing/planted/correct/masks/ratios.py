"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.semimetric("mine.ratios_space", triangle=lambda r: 1.0)
def space(a, b):
    """Largest |ln(a/b)| of positive numbers."""
    return float(np.abs(np.log(a / b)).max()) if min(a.min(), b.min()) > 0 else math.inf

@dp.mask("mine.ratios", semimetric="mine.ratios_space", cost=lambda noise, r: (r + 1e-12) ** 2 / (2 * noise * noise) * 64 * (1 + 1e-9))
def ratios(value, noise, normals):
    """Each of at most 64 times e to a Gaussian."""
    return np.exp(dp.lattice_gaussian(np.log(value), noise, normals))
