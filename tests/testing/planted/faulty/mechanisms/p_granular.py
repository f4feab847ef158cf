"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a count rounded to fours before noise in fours (granularity without its share).
@dp.own_mechanism("sixteenth.granular", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return 4 * (np.round(v[:1] / 4).astype(int) + noise.laplace(max(scale / 4, 0.3), 1))
