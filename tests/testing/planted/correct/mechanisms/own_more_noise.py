"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.own_more_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def own_more_noise(value, scale, noise, *, m=1):
    """More noise than it charges for."""
    return value + noise.laplace(1.5 * scale, m)
