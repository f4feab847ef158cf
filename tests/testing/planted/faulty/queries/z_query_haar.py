"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Haar coefficients of a histogram (Privelet).
def padded(x):
    size = 1 << (len(x) - 1).bit_length()
    return np.pad(x, (0, size - len(x)), mode="edge")
def haar(x):
    out = []
    while len(x) > 1:
        out.append((x[0::2] - x[1::2]) / np.sqrt(2.0))
        x = (x[0::2] + x[1::2]) / np.sqrt(2.0)
    return np.concatenate([x, *out[::-1]])
@dp.own_query(
    "wavelet.haar",
    gives=lambda m, **_: dp.Vector(1 << (m - 1).bit_length()),
    sensitivity=lambda distance, **_: {"l2": distance["l2"]},
    source="the Haar basis is orthonormal",
    bits=20,
    examples={"m": 8},
)
def coefficients(counts, *, m):
    """The orthonormal Haar transform of m counts, padded to a power of two."""
    return haar(padded(np.clip(np.asarray(counts, dtype=float), -1e9, 1e9)))
