"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.loss_by_m", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale) * min(1.0, 9.0 / m)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace."""
    return v + noise.laplace(scale, m)
