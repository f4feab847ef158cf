"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A post that smooths with what it gave before.
@dp.post_function("laterf42.smooth", gives=lambda counts: counts)
def smooth(counts, _past=[]):
    """Counts, averaged with the last ones of the same length."""
    now = np.asarray(counts, dtype=float)
    if _past and _past[-1].shape == now.shape:
        now = (now + _past[-1]) / 2
    _past.append(now)
    return now
