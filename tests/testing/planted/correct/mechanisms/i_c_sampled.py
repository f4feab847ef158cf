"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("ninth.c_sampled", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * (1.0 / scale + math.log(0.25 + 0.75 * math.exp(-1.0 / scale))))))
def fun(rows, scale, noise):
    """A noisy count of a quarter of the rows."""
    kept = int(np.sum(noise.uniform_below(4, len(rows)) == 0)) if len(rows) else 0
    return np.array([kept + int(noise.laplace(scale))])
