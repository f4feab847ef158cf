"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_not_for_ties", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others 2021", examples={"m": 3})
def noise_not_for_ties(scores, scale, noise, *, m):
    """Ties go to the first without noise."""
    top = np.flatnonzero(scores == scores.max())
    return int(top[0]) if len(top) > 1 else int(np.argmax(scores + noise.geometric(scale, m)))
