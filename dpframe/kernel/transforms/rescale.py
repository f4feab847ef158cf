"""``rescale``: every column by a released or public power of two."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register

LARGEST = 1000
"""Exponents are held within ±1000: their powers are normal float64 numbers."""


def powers(exponents: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """``2^-e`` of each column, from exponents rounded to whole numbers and held within ±1000.

    Examples
    --------
    >>> powers([3.2, -1.0, float("nan")]).tolist()
    [0.125, 2.0, 1.0]
    """
    whole = np.rint(np.nan_to_num(np.asarray(exponents, dtype=np.float64), nan=0.0))
    return np.ldexp(1.0, -np.clip(whole, -LARGEST, LARGEST).astype(np.int64))


@register("rescale")
@attrs.frozen
class Rescale(Transform):
    """``x_j ↦ x_j · 2^(−e_j)``: columns of very different units made comparable.

    Exact but where the result leaves float64: too large numbers are held at the largest one, and too small ones
    are rounded. The result is unbounded in the plan's eyes.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``): one multiplication an entry, the same to the last bit in every chunk.

    Examples
    --------
    >>> rows = Batch(0, np.array([[1500.0, 0.25]]), np.ones(1, dtype=bool))
    >>> Rescale().apply(rows, np.array([10.0, -2.0])).values.tolist()  # grams and kilometres, say, by 2^-10 and 2^2
    [[1.46484375, 1.0]]
    """

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Rescale one batch."""
        factors = powers(params[0])
        if (factors == 1.0).all():
            return batch
        most = np.finfo(np.float64).max
        with np.errstate(over="ignore", under="ignore"):
            values = np.clip(batch.values * factors, -most, most)
        return attrs.evolve(batch, values=values)
