"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("listed.c_two_widths", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Noise, or twice as much, for the price of the narrow one."""
    wide = float(normals(1)[0]) > 0
    return dp.lattice_gaussian(value, 2.0 * noise if wide else noise, normals)
