"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eleventh.ball", gives=2, takes="l1", source="Hardt, Talwar 2010", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Two numbers with noise of a length and a direction: |z1| + |z2| = r."""
    r = int(noise.geometric(scale, 1)[0])
    z = np.zeros(2, dtype=int)
    if r > 0:
        side, place = divmod(int(noise.uniform_below(4 * r, 1)[0]), r)
        z = np.array([r - place, place]) if side % 2 == 0 else np.array([-place, r - place])
        z = z if side < 2 else -z
    out = np.zeros(2, dtype=int)
    out[: min(2, len(value))] = np.asarray(value)[:2]
    return out + z
