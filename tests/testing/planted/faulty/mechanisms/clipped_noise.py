"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.clipped_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def clipped_noise(value, scale, noise, *, m=1):
    """No outliers."""
    return value + np.clip(noise.laplace(scale, m), -int(3 * scale), int(3 * scale))
