"""``clip_ball``: rows into the unit ball of a released or public frame."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from dpframe.exact import lattice
from dpframe.operations import PARAM, ROWS, Batch, Slot, Transform, same, wants
from dpframe.registry import register
from dpframe.spaces import Ball, BallValue, Domain, Rows, lattice_bits
from dpframe.transforms.partition import table_rows


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
    papers.md §0, "Centre first" and "Finite arithmetic".
    """

    theorem: ClassVar[str] = "row_map"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS, Slot("ball", PARAM))
    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def output(self, *inputs: Domain) -> Domain:
        """Rows of the unit ball."""
        rows, ball = table_rows(inputs[0], "clip_ball"), wants(inputs[1], Ball, "clip_ball")
        same(rows.d, ball.d, "clip_ball")
        return Rows(rows.d, "unit_ball")

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Clip one batch."""
        ball: BallValue = params[0]
        values = lattice.to_ball(batch.values, batch.live, ball.centre, ball.radius, self.bits)
        return attrs.evolve(batch, values=values, bits=self.bits)
