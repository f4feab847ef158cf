"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SEEN = []

@dp.post_function("mine.u_moving_average_post", gives=lambda counts: dp.Vector(2))
def f(counts):
    """The first two counts, averaged with those before."""
    SEEN.append(np.resize(np.asarray(counts, dtype=float), 2))
    return np.mean(SEEN[-5:], axis=0)
