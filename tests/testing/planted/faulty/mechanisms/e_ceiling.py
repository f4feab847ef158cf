"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.ceiling", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise that never lifts a number beyond what is plausible."""
    x = np.asarray(value)
    return np.minimum(x + noise.laplace(scale, m), x.max() + int(6 * scale))
