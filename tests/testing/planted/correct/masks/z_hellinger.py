"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise on square roots, squared again.
@dp.semimetric("laterk40.hellinger", triangle=lambda r: 1.0, usable=lambda v, r: bool((v >= 0).all()))
def hellinger(a, b):
    """l2 distance of square roots."""
    return float(np.sqrt(np.square(np.sqrt(np.maximum(a, 0)) - np.sqrt(np.maximum(b, 0))).sum()) * (1 + 1e-12))


@dp.mask("laterk40.noise", semimetric="laterk40.hellinger", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """The lattice Gaussian of the roots."""
    made = dp.lattice_gaussian(np.sqrt(np.maximum(value, 0.0)), noise, normals)
    return np.clip(made, 0.0, 1e150) ** 2
