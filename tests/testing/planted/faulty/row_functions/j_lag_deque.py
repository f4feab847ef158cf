"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import collections


class Lag:
    def __init__(self):
        self.seen = collections.deque(maxlen=3)
    def __call__(self, values):
        base = min(self.seen, default=0.0)
        if len(values):
            self.seen.append(float(np.clip(values[-1, 0], -10, 0)))
        return values - (base if len(self.seen) == 3 else 0.0)


lag = Lag()


@dp.row_function("seventh.lag_deque", columns=lambda d: d)
def f(values):
    """Rows less the least of late readings."""
    return lag(values)
