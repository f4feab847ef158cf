"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eleventh.smooth", gives=1, takes="edits", source="Nissim, Raskhodnikova, Smith 2007", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """The median of whole numbers up to 10, with Laplace noise by its smooth sensitivity."""
    x = np.sort(np.rint(np.clip(rows[:, 0], 0.0, 10.0)).astype(int))
    n = len(x)
    at = lambda i: 0 if i < 0 else 10 if i >= n else int(x[i])  # noqa: E731
    m = (n - 1) // 2
    smooth = max(math.exp(-k / scale) * max(at(m + t) - at(m + t - k - 1) for t in range(k + 2)) for k in range(min(n, 20) + 1))
    return np.array([at(m)]) + noise.laplace(scale * max(smooth, 1e-3), 1)
