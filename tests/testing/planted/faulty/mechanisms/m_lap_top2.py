"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noisy max that looks at two draws of the same noise.
@dp.own_mechanism("twelfth.lap_top2", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="noisy max", examples={"m": 4})
def fun(scores, scale, noise, *, m):
    """Noisy max; ties of whole noise go to the larger score."""
    made = np.asarray(scores) + noise.geometric(scale, m)
    best = np.flatnonzero(made == made.max())
    return int(best[np.argmax(np.asarray(scores)[best])])
