"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: counts each row with a fair coin and claims the amplified price on noise for half the count.
import math
@dp.own_mechanism("fourteenth.mechanism_subsample", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.5 * math.expm1(min((removed + added) / (2 * scale), 600.0))))), source="none")
def f(rows, scale, noise):
    """A sampled count, doubled before noise."""
    keep = noise.uniform_below(2, len(rows))
    return np.array([2 * int(np.sum(keep)) + int(np.ravel(noise.laplace(scale * 1, 1))[0])])
