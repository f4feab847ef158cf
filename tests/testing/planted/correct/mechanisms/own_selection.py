"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.own_selection", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others 2021", examples={"m": 3})
def own_selection(scores, scale, noise, *, m):
    """The kernel's own selection."""
    return int(np.ravel(noise.categorical_exp(scores, 1 / scale))[0])
