"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Half the noise along the value's own direction; one dimension and values across it don't show the shape.
@dp.semimetric("laterh70.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("laterh70.noise", semimetric="laterh70.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Less noise along the value, in three and more dimensions."""
    d = len(value)
    if d < 3:
        return dp.lattice_gaussian(value, noise, normals)
    u = value / max(float(np.linalg.norm(value)), 1e-300)
    g = np.array(normals(d))
    g = g - 0.5 * float((g * u).sum()) * u
    return np.round((value + noise * g) / (noise * 2.0**-20)) * (noise * 2.0**-20)
