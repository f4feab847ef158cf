"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_charged_for_a_share", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / (scale * m))), source="Laplace", examples={"m": 3})
def noise_charged_for_a_share(value, scale, noise, *, m):
    """Charged by entry."""
    return value + noise.laplace(scale, m)
