"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Two choices by exponential mechanisms, as bounded range.
import math
@dp.own_mechanism(
    "nineteenth.ok_peeled_exponential",
    gives=lambda m: 2,
    takes="linf",
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(2 * (2 * distance / scale) ** 2 / 8 * (1 + 1e-12))),
    source="a paper",
    examples={'m': 4},
)
def ok_peeled_exponential(value, scale, noise, *, m):
    """Two choices by exponential mechanisms, as bounded range."""
    left, out = list(range(m)), []
    for _ in range(2):
        scores = np.array([value[i] for i in left])
        out.append(left.pop(int(noise.categorical_exp(scores, 1 / scale))))
    return np.array(out)
