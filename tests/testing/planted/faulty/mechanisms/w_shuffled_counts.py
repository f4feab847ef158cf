"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.w_shuffled_counts", gives=lambda m: dp.Counts(m), takes="l1", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def w_shuffled_counts(value, scale, noise, *, m):
    """Counts in random order: nobody knows whose they are."""
    return value[noise.permutation(m)]
