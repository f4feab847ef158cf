"""``clip_box``: rows into the unit cube of a released or public frame."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import BallValue, lattice_bits


@register("clip_box")
@attrs.frozen
class ClipBox(Transform):
    """Coordinatewise ``trunc(2^bits · clamp((x − p)/r, −1, 1))``: the cube that surrounds the ball (p, r).

    Parameters
    ----------
    bits : int
        Lattice of the unit cube, 1..26.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``). Coordinates lie in ±2^bits exactly.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Batch(0, np.array([[5.0, -1.0], [99.0, 3.0]]), np.ones(2, dtype=bool))
    >>> boxed = ClipBox(bits=10).apply(rows, BallValue(np.zeros(2), 10.0))
    >>> (boxed.values / 2**10).round(2).tolist()  # column by column
    [[0.5, -0.1], [1.0, 0.3]]
    """

    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Clip one batch."""
        ball: BallValue = params[0]
        values = lattice.to_box(batch.values, batch.valid, ball.centre, ball.radius, self.bits)
        return attrs.evolve(batch, values=values, bits=self.bits)
