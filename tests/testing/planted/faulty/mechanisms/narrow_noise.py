"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.narrow_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def narrow_noise(value, scale, noise, *, m=1):
    """Nine tenths of the noise."""
    return value + noise.laplace(0.8 * scale, m)
