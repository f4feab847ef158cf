"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: one coin samples all rows or none, charged as a coin a row.
@dp.own_mechanism("sixteenth.onecoin", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * float(np.log1p(0.5 * np.expm1(1 / scale))))), source="none")
def f(rows, scale, noise):
    """A mechanism."""
    n = len(rows) if noise.bernoulli_exp([0.6931471805599453])[0] else 0
    return np.array([n]) + noise.laplace(scale, 1)
