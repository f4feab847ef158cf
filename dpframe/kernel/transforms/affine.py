"""``affine``: rows through a released or public affine map."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import AffineValue


def through(batch: Batch, map_: AffineValue) -> Batch:
    """The rows of a batch through a released or public affine map."""
    values = lattice.affine(batch.values, batch.valid, map_.shift, map_.matrix, scale=map_.scale)
    return attrs.evolve(batch, values=values)


@register("affine")
@attrs.frozen
class Affine(Transform):
    """``x ↦ (x − shift) @ matrix``; rows further than the map's ``scale`` saturate along their ray.

    The result is unbounded in the plan's eyes: clip it before a sum, or count it in bins.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``); evaluated in integer limbs, so that a row's image is the same to
    the last bit in every chunk.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Batch(0, np.array([[3.0, 1.0]]), np.ones(1, dtype=bool))
    >>> rotated = AffineValue(np.array([1.0, 1.0]), np.array([[0.0, 1.0], [1.0, 0.0]]), 100.0)
    >>> Affine().apply(rows, rotated).values.round(6).tolist()
    [[0.0, 2.0]]
    """

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Map one batch."""
        return through(batch, params[0])
