"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.d_choice", gives=dp.Index, takes="linf", source="McSherry, Talwar 2007", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def d_choice(scores, scale, noise, *, m):
    """The exponential mechanism, of scores whose least is brought to 0: it changes no difference."""
    return int(noise.categorical_exp(scores - scores.min(), 1 / scale))
