"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise halves at each tenfold beyond 1e6.
@dp.own_mechanism("fifteenth.m_lognoise", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = scale / max(1.0, np.log10(max(abs(float(v[0])), 1.0)) - 5)
    return v[:1] + noise.laplace(b, 1)
