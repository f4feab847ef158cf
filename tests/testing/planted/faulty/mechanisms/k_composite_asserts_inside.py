"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.composite_asserts_inside_max", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 2})
def mx(v, scale, noise, *, m):
    """Noisy max of pairs; for more the noise of a pair is used again."""
    z = noise.geometric(scale, 2)
    return int(np.argmax(v + np.resize(z, m)))


@dp.composite("eighth.composite_asserts_inside", examples={"levels": [0.0, 1.0, 2.0, 3.0]})
def f(x, *, levels, share=1.0):
    """The commonest."""
    counts = dp.value_counts(x, values=levels)
    return dp.release("c", dp.own("eighth.composite_asserts_inside_max", m=len(levels) + 1, share=share), counts)
