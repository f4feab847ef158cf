"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.halved_from_many_entries", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace", examples={"m": 12})
def halved_from_many_entries(value, scale, noise, *, m=12):
    """Less noise where there are many."""
    return value + noise.laplace(scale / 2 if m > 8 else scale, m)
