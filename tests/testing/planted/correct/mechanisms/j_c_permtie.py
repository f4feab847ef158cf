"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.c_permtie", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """The noisy winner; of equals one by lot."""
    order = noise.permutation(m)
    z = (value + noise.geometric(scale, m))[order]
    return int(order[int(np.argmax(z))])
