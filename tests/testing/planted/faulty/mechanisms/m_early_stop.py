"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise is drawn again until the answer is not negative.
@dp.own_mechanism("twelfth.early_stop", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy count that is no negative number."""
    for _ in range(50):
        made = np.asarray(value) + noise.laplace(scale, 1)
        if (made >= 0).all():
            return made
    return np.abs(made)
