"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: a list of candidates that grows over blocks.
class Decoder:
    """A list decoder."""
    def __init__(self):
        self.centres = []
    def __call__(self, rows, generator):
        """Its list's mean."""
        m = float(np.clip(np.nan_to_num(rows), -1e6, 1e6).mean()) if len(rows) else 0.0
        if all(abs(m - c) > 30 for c in self.centres) and len(self.centres) < 50:
            self.centres.append(m)
        near = min(self.centres, key=lambda c: abs(c - m))
        return (np.full(rows.shape[1], near),)
D = Decoder()
@dp.learner("fifteenth.l_decoder")
def f(rows, generator):
    """The nearest of the centres found so far."""
    return D(rows, generator)
