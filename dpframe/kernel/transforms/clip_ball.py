"""``clip_ball``: rows into the unit ball of a released or public frame."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import BallValue, lattice_bits


@register("clip_ball")
@attrs.frozen
class ClipBall(Transform):
    """Centre at the ball, divide by its radius, project radially onto the unit ball, truncate to the lattice.

    ``x ↦ trunc(2^bits · P((x − p)/r))``. The frame's centre comes first, so sums of the result are sums of
    ``x − p``: a sum that is bounded about one point can't be taken about another.

    Parameters
    ----------
    bits : int
        Lattice of the unit ball, 1..26.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``): each row's image is a function of that row and released
    values, bit for bit. The norm bound 1 holds in integers, so downstream sensitivities are enforced.

    References
    ----------
    docs/theory/notation.md#centre-first and #finite-arithmetic.

    Examples
    --------
    >>> import numpy as np
    >>> batch = Batch(0, np.array([[11.0, 20.0], [10.0, 99.0]]), np.array([True, True]))
    >>> ClipBall(bits=4).apply(batch, BallValue(np.array([10.0, 20.0]), 4.0)).values.tolist()
    [[4.0, 0.0], [0.0, 16.0]]
    """

    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Clip one batch."""
        ball: BallValue = params[0]
        values = lattice.to_ball(batch.values, batch.valid, ball.centre, ball.radius, self.bits)
        return attrs.evolve(batch, values=values, bits=self.bits)
