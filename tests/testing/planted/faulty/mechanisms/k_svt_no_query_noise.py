"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.svt_no_query_noise", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Stoddard and others", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Which of the queries are above a noisy threshold."""
    return (v > 10 + noise.laplace(scale, 1)).astype(float)
