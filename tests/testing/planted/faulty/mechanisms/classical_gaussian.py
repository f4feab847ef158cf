"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.classical_gaussian", gives=1, takes="l2", source="Dwork, Roth 2014, Theorem A.1",
                  loss=lambda scale, distance: (dp.round_up(4.85 * distance / scale), 1e-5))
def classical_gaussian(value, scale, noise):
    """Noise sqrt(2·ln(1.25/δ))·Δ/ε with δ = 1e-5."""
    return np.ravel(value) + noise.gaussian(scale, 1)
