"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Nothing is claimed of small noise, and no plan uses it there.
@dp.own_mechanism("twentyfirst.c_infinite", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.round_up(distance / scale) if distance < scale / 5 else np.inf, source="the docstring", examples={"m": 3})
def c_infinite(value, scale, noise, *, m):
    """Laplace noise on numbers."""
    return value + noise.laplace(scale, m)
