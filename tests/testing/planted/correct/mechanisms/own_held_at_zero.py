"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.own_held_at_zero", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def own_held_at_zero(value, scale, noise, *, m=1):
    """Held at 0 after the noise."""
    return np.maximum(value + noise.laplace(scale, m), 0)
