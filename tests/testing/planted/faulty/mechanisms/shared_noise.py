"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.shared_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def shared_noise(value, scale, noise, *, m=3):
    """One draw for all entries."""
    return value + np.full(m, int(noise.laplace(scale)))
