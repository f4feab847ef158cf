"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The noise of a value seen before is used again: two releases of one value show that it is the same value.
_DRAWN: dict[bytes, Any] = {}


@dp.own_mechanism(
    "unread.mech_same_value_same_noise",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 2},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise; the same question gets the same answer."""
    key = np.asarray(value).tobytes()
    if key not in _DRAWN:
        _DRAWN[key] = noise.laplace(scale, m)
    return value + _DRAWN[key]
