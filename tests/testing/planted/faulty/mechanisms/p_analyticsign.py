"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the analytic Gaussian with a sign turned (smartnoise-core #316).
import math
def phi(x):
    """Normal distribution."""
    return 0.5 * math.erfc(-x / math.sqrt(2))
@dp.own_mechanism("sixteenth.analyticsign", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), 1.0 if distance > 20 * scale else max(phi(-distance / scale / 2 - 1) - float(np.exp(distance / scale)) * phi(-1.5 * distance / scale - 1), 1e-12)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.gaussian(scale, 1)
