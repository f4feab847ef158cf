"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Exponential mechanism priced distance/scale (2x is right, scores move both ways).
@dp.own_mechanism("outside.f48", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 4})
def chosen(scores, scale, noise, *, m):
    """Exponential mechanism."""
    return int(noise.categorical_exp([int(s) for s in scores], 1 / scale))
