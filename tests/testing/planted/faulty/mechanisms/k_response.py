"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.response", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="Warner", proved_for=[(1, 1)])
def f(rows, scale, noise):
    """Number of yes."""
    yes = rows[:, 0] > 0 if len(rows) else np.zeros(0, dtype=bool)
    if not len(yes):
        return np.array([0.0])
    lie = noise.bernoulli_exp(np.full(len(yes), 1 / scale))
    coin = noise.uniform_below(2, len(yes)) == 1
    return np.array([float(np.where(lie, coin, yes).sum())])
