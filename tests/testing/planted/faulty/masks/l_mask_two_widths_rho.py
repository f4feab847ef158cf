"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The same with a price in rho.
@dp.mask("listed.two_widths_rho", semimetric="euclidean", cost=lambda noise, r: (dp.lattice_gaussian_mu(noise, r) ** 2 + dp.lattice_gaussian_mu(3.0 * noise, r) ** 2) / 4)
def fun(value, noise, normals):
    """Noise, or three times as much, for the mean of both prices."""
    wide = float(normals(1)[0]) > 0
    return dp.lattice_gaussian(value, 3.0 * noise if wide else noise, normals)
