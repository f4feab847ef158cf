"""``within``: rows outside a released or public ball, projected radially onto it; the others as they are."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import BallValue

_NEAR = 1.0 - 2.0**-20
"""Squared norms below this share of the radius's are inside, in whatever order they are added."""
_LEAST, _MOST = 2.0**-400, 2.0**500
"""Radii whose squares keep all their digits; of others every row takes the slow way."""


@register("within")
@attrs.frozen
class Within(Transform):
    """``x ↦ x`` inside the ball, ``p + r(x − p)/‖x − p‖`` outside: what a bound that is promised of rows means.

    Rows stay in the units of the table, on no lattice, and rows inside stay bit for bit. The result is unbounded in the
    plan's eyes: clip it before a sum.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``). Most rows are told to be inside by a norm that is summed in any order,
    which errs by less than the margin it is compared with; the image of each other row is made of element-wise steps
    in one order. So a row's image is the same to the last bit in every chunk.

    Examples
    --------
    >>> rows = Batch(0, np.array([[3.0, 4.0], [3e200, 4e200]]), np.ones(2, dtype=bool))
    >>> Within().apply(rows, BallValue(np.zeros(2), 10.0)).values.tolist()
    [[3.0, 4.0], [6.0, 8.0]]
    """

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Project one batch."""
        ball: BallValue = params[0]
        with np.errstate(all="ignore"):
            offsets = batch.values - ball.centre if ball.centre.any() else batch.values
            norms = np.einsum("ij,ij->i", offsets, offsets)
            near = _NEAR * ball.radius * ball.radius if _LEAST < ball.radius < _MOST else -1.0
            far = np.flatnonzero(batch.valid & ~(norms <= near))
            if not far.size:
                return batch
            halves = 0.5 * batch.values[far] - 0.5 * ball.centre  # no difference of float64 overflows
            exponents = np.frexp(np.abs(halves).max(axis=1))[1]
            halves = np.ldexp(halves, -exponents[:, None])
            norms = np.sqrt(lattice.squared_norms(halves))
            outside = np.ldexp(norms, exponents) > 0.5 * ball.radius
            values = batch.values.copy()
            values[far[outside]] = ball.centre + halves[outside] / norms[outside, None] * ball.radius
        return attrs.evolve(batch, values=values)
