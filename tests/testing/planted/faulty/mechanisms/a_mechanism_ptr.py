"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: propose-test-release: passes where a noisy gap is above 3 scales, then bare median index; delta .001 said, truth e^-3/2.
@dp.own_mechanism("fourteenth.mechanism_ptr", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: (dp.round_up(2 * distance / scale), 1e-3), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """The winner where its lead is large, else 0."""
    v = np.ravel(value)
    lead = np.sort(v)[-1] - np.sort(v)[-2]
    return int(np.argmax(v)) if lead + int(np.ravel(noise.laplace(scale, 1))[0]) > 3 * scale else 0
