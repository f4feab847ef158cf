"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.fewer_asked", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale * (1 + 1e-12))), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace for the largest move, each number paid."""
    return v + noise.laplace(scale, m)
