"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Half of the entries noise of .5 scale, half of 1.5 scale, priced at l1/scale (mean).
@dp.own_mechanism("outside.f12", gives=lambda m: dp.Vector(m), takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 4})
def two_widths(values, scale, noise, *, m):
    """Narrow noise for the first half and wide noise for the second."""
    half = m // 2
    narrow = noise.laplace(scale * 0.5, half)
    wide = noise.laplace(scale * 1.5, m - half)
    return np.asarray(values) + np.concatenate([narrow, wide])
