"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.tie_by_true", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Noisy max."""
    return int(np.lexsort((v, v + noise.geometric(scale, m)))[-1])
