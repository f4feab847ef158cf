"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.redraw", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace that is never below 0."""
    for _ in range(200):
        out = v + noise.laplace(scale, 1)
        if out[0] >= 0:
            return out
    return np.maximum(out, 0)
