"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.sum_of_noises", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale * (1 + 1e-12))), source="me", examples={"m": 2})
def f(v, scale, noise, *, m):
    """Laplace and a Gaussian on top; sizes thereof."""
    return np.abs(v + noise.laplace(scale, m) + noise.gaussian(1.5, m))
