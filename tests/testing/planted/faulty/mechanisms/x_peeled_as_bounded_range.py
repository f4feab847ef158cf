"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Two choices, one after the other, by exponential noise, priced as two exponential mechanisms.
import math
@dp.own_mechanism(
    "nineteenth.peeled_as_bounded_range",
    gives=lambda m: 2,
    takes="linf",
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(2 * (2 * distance / scale) ** 2 / 8)),
    source="a paper",
    examples={'m': 4},
)
def peeled_as_bounded_range(value, scale, noise, *, m):
    """Two choices, one after the other, by exponential noise, priced as two exponential mechanisms."""
    left, out = list(range(m)), []
    for _ in range(2):
        noisy = np.array([value[i] for i in left]) + noise.geometric(scale, len(left))
        out.append(left.pop(int(np.argmax(noisy))))
    return np.array(out)
