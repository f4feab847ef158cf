"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.gap_with_index", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others")
def f(v, scale, noise):
    """Index and gap to the runner-up without its noise."""
    s = v + noise.geometric(scale, len(v))
    j = int(np.argmax(s))
    return np.array([float(j), float(s[j] - np.delete(v, j).max(initial=0))])
