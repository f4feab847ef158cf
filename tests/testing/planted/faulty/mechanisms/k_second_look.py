"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.second_look", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)), source="me")
def f(v, scale, noise):
    """Large totals are measured again."""
    first = v + noise.laplace(scale, 1)
    if first[0] > 50:
        return v + noise.laplace(scale / 2, 1)
    return first
