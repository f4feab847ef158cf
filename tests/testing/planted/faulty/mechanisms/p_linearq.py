"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a count of a Poisson sample of a half, charged half of ε (amplification by q·ε).
@dp.own_mechanism("sixteenth.linearq", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(0.5 * (removed + added) / scale)), source="none")
def f(rows, scale, noise):
    """A mechanism."""
    keep = noise.bernoulli_exp(np.full(len(rows), 0.6931471805599453)) if len(rows) else np.zeros(0, bool)
    return np.array([int(np.sum(keep))]) + noise.laplace(scale, 1)
