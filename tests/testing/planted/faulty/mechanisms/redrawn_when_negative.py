"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.redrawn_when_negative", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def redrawn_when_negative(value, scale, noise, *, m=1):
    """Counts are not negative."""
    made = value + noise.laplace(scale, m)
    for _ in range(50):
        if (made >= 0).all():
            break
        made = value + noise.laplace(scale, m)
    return made
