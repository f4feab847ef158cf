"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mean in units of its own deviation; the other value's width differs, which the cost leaves out; two numbers
# only.
@dp.semimetric("laterh71.gauss", triangle=lambda r: (1.0 + r) * 2)
def gauss(a, b):
    """Location in units of the smaller scale, or the log ratio of scales, whichever is larger."""
    if len(a) != 2 or len(b) != 2 or a[1] <= 0 or b[1] <= 0:
        return 0.0 if a.shape == b.shape and (a == b).all() else np.inf
    return float(max(abs(a[0] - b[0]) / min(a[1], b[1]), abs(np.log(a[1] / b[1]))))


@dp.mask("laterh71.noise", semimetric="laterh71.gauss", cost=lambda noise, r: r**2 / (2 * noise**2) * 2 * (1 + 1e-9))
def noisy(value, noise, normals):
    """Noise in the value's own units."""
    g = normals(2)
    made = np.array([value[0] + noise * value[1] * g[0], value[1] * np.exp(noise * g[1])])
    return np.round(made, 6)
