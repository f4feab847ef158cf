"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a window of two rows reads behind the batch's end.
@dp.own_contribution("thirteenth.past_the_end", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Whether the number after a row's first one is larger."""
    flat = np.ascontiguousarray(rows)
    both = np.lib.stride_tricks.as_strided(flat, shape=(len(flat), 2), strides=(flat.strides[0], 8))
    return (both[:, 1:] > both[:, :1]).astype(float)
