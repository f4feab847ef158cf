"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: an average that goes on from the block before (momentum).
STATE = [None]
@dp.learner("sixteenth.l_momentum")
def f(rows, generator):
    """A learner."""
    m = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    STATE[0] = m if STATE[0] is None or STATE[0].shape != m.shape else 0.9 * STATE[0] + 0.1 * m
    return (STATE[0].copy(),)
