"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.svt", gives=lambda m: dp.Index(m + 1), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Lyu and others", examples={"m": 4})
def f(v, scale, noise, *, m):
    """First query above a noisy threshold, m for none."""
    t = 10 + noise.laplace(scale, 1)[0]
    z = noise.laplace(2 * scale, m)
    hits = np.flatnonzero(v + z >= t)
    return int(hits[0]) if len(hits) else m
