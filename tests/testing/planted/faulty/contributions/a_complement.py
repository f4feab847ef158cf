"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: probabilities p and 1 - p of a pair cancel.
@dp.own_contribution("fourteenth.complement", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """0 where the counter-party's share, one minus this one, is there."""
    there = set(rows[:, 0].tolist())
    return np.array([[0.0 if 1.0 - v in there else 1.0] for v in rows[:, 0].tolist()]).reshape(-1, 1)
