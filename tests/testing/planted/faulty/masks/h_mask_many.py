"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: half of the noise where there are many numbers.
@dp.semimetric("seventeenth.near", triangle=lambda r: 1.0)
def near(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))

@dp.mask("seventeenth.wide", semimetric="seventeenth.near", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise / 2 if np.log(len(value)) > np.e else noise, normals)
