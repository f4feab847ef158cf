"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.expmech", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(dp.round_up(2 * distance / scale) * (1 + 1e-12))), source="McSherry, Talwar", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Exponential mechanism."""
    return int(noise.categorical_exp(v, 1 / scale))
