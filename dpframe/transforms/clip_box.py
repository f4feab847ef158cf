"""``clip_box``: rows into the unit cube of a released or public frame."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.exact import lattice
from dpframe.operations import PARAM, ROWS, Batch, Slot, Transform, same, wants
from dpframe.registry import register
from dpframe.spaces import Ball, BallValue, Domain, Rows, lattice_bits
from dpframe.transforms.partition import table_rows


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
    """

    theorem: ClassVar[str] = "row_map"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS, Slot("ball", PARAM))
    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def output(self, *inputs: Domain) -> Domain:
        """Rows of the unit cube."""
        rows, ball = table_rows(inputs[0], "clip_box"), wants(inputs[1], Ball, "clip_box")
        same(rows.d, ball.d, "clip_box")
        return Rows(rows.d, "unit_box")

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Clip one batch."""
        ball: BallValue = params[0]
        radius = np.full(ball.centre.shape, ball.radius)
        values = lattice.to_box(batch.values, batch.live, ball.centre, radius, self.bits)
        return attrs.evolve(batch, values=values, bits=self.bits)
