"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Scaled to the length of the value after the noise: the length is bare.
@dp.semimetric("newer24.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer24.noise", semimetric="newer24.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """A noisy direction with its length."""
    made = dp.lattice_gaussian(value, noise, normals)
    length = float(np.linalg.norm(made))
    return made * (float(np.linalg.norm(value)) / length) if length > 0 else made
