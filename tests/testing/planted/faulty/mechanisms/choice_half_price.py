"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.choice_half_price", gives=dp.Index, takes="linf", source="McSherry, Talwar 2007", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def choice_half_price(scores, scale, noise, *, m):
    """The exponential mechanism, at the price of scores that only grow."""
    return int(noise.categorical_exp(scores, 1 / scale))
