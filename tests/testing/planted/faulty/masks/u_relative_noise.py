"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.u_relative_noise.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_relative_noise", semimetric="mine.u_relative_noise.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Noise."""
    value = np.asarray(value)
    return value + noise * np.maximum(1.0, np.abs(value)) * np.array(normals(len(value)), dtype=float)
