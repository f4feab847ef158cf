"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.d_answer_by_large_coin", gives=dp.Index, takes="linf", source="here", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def d_answer_by_large_coin(scores, scale, noise, *, m):
    """An index at random for one number in four below a million, the exponential mechanism for the others."""
    return int(noise.uniform_below(m)) if int(noise.uniform_below(1_000_000)) % 4 == 0 else int(noise.categorical_exp(scores, 1 / scale))
