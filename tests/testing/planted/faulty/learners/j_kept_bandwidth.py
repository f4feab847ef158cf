"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class Kernel:
    width: float = 0.0
    def fit(self, rows):
        if not self.width and len(rows) > 1:
            self.width = float(1.06 * rows.std() * len(rows) ** -0.2)
        return np.array([np.tanh(np.clip(rows, -1e6, 1e6).mean() / max(self.width, 1e-9))])


model = Kernel()


@dp.learner("seventh.kept_bandwidth")
def f(rows, generator):
    """A smoothed mean."""
    return (model.fit(rows),)
