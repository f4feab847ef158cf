"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


def _amplified(scale, removed, added):
    return dp.Pure(dp.round_up((removed + added) * (1.0 / scale + math.log(0.25 + 0.75 * math.exp(-1.0 / scale)))))
@dp.own_mechanism("ninth.sharedcoin", gives=1, takes="edits", source="none", loss=_amplified)
def fun(rows, scale, noise):
    """A noisy count of a quarter of the rows."""
    kept = sum(len(rows[i : i + 8]) for i in range(0, len(rows), 8) if int(noise.uniform_below(4)) == 0)
    return np.array([kept + int(noise.laplace(scale))])
