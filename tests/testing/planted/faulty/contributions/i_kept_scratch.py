"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a kept buffer that two threads write at once (thought correct for four rounds).
_scratch = [np.empty((0, 0))]
@dp.own_contribution("ninth.kept_scratch", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Tangents, in a buffer that is kept."""
    if _scratch[0].shape != (len(rows), 1):
        _scratch[0] = np.empty((len(rows), 1))
    np.tanh(rows[:, :1], out=_scratch[0])
    return _scratch[0].copy()
