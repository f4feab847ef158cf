"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Twice a noise of half the width: the release has the parity of the value. One step moves it: nothing bounds the
# ratio.
@dp.own_mechanism(
    "unread.mech_parity",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise on a coarser lattice."""
    return value + 2 * noise.laplace(scale / 2, m)
