"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Angle: wrapped mod 2 pi after half the noise.
@dp.semimetric("outside.f39.d", triangle=lambda r: 1.0)
def turn(a, b):
    """Largest turn between two angles, the short way."""
    gap = np.mod(a - b, 2 * np.pi)
    return float(np.sqrt((np.minimum(gap, 2 * np.pi - gap) ** 2).sum()))


@dp.mask("outside.f39", semimetric="outside.f39.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def wrapped(value, noise, normals):
    """Angles with noise, wrapped."""
    return np.mod(dp.lattice_gaussian(value, 0.5 * noise, normals), 2 * np.pi)
