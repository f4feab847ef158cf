"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise proportional to the value: two values also differ in width, which the cost leaves out; worse in many
# dimensions.
@dp.semimetric("laterf34.relative", triangle=lambda r: 1.0 + r, usable=lambda v, r: bool((v > 0).all()))
def relative(a, b):
    """Euclidean length of relative differences, the larger of both ways."""
    if (a <= 0).any() or (b <= 0).any():
        return 0.0 if (a == b).all() else np.inf
    return float(max(np.linalg.norm(a / b - 1), np.linalg.norm(b / a - 1)))


@dp.mask("laterf34.noise", semimetric="laterf34.relative", cost=lambda noise, r: r**2 / (2 * noise**2))
def noisy(value, noise, normals):
    """Relative Gaussian noise."""
    return value * (1 + noise * normals(len(value)))
