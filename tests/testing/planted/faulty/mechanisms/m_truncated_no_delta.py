"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise cut at forty scales, delta forgotten.
@dp.own_mechanism("twelfth.truncated_no_delta", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise, cut where nobody ever sees it."""
    cut = max(int(12 * scale), 1)
    return np.asarray(value) + np.clip(noise.laplace(scale, 1), -cut, cut)
