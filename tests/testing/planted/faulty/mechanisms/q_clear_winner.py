"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eleventh.clear_winner", gives=dp.Index(3), takes="linf", source="Ding and others 2021", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)))
def fun(scores, scale, noise):
    """The best of three by noisy scores; a winner that is far ahead needs none."""
    x = np.zeros(3, dtype=int)
    x[: min(3, len(scores))] = np.asarray(scores)[:3]
    order = np.sort(x)
    if order[2] - order[1] > 12 * scale:
        return int(np.argmax(x))
    return int(np.argmax(x + noise.geometric(scale, 3)))
