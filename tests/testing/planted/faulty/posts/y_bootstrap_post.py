"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A post that draws from a generator without a seed.
@dp.post_function("laterf43.spread", gives=dp.Vector(1))
def spread(counts):
    """A bootstrap of the largest share."""
    x = np.maximum(np.nan_to_num(np.asarray(counts, dtype=float).ravel()), 0.0) + 1.0
    x = np.minimum(x, 1e12)
    shares = x / x.sum()
    draws = np.random.default_rng().multinomial(100, shares / shares.sum(), size=20)
    return np.array([draws.max(axis=1).std()])
