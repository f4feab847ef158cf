"""``affine``: rows through a released or public affine map."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from dpframe.errors import PlanError
from dpframe.exact import lattice
from dpframe.operations import PARAM, ROWS, Batch, Slot, Transform, same, wants
from dpframe.registry import register
from dpframe.spaces import AffineMap, AffineValue, Domain, Rows


@register("affine")
@attrs.frozen
class Affine(Transform):
    """``x ↦ (x − shift) @ matrix``; rows further than the map's ``scale`` saturate along their ray.

    The result is unbounded in the plan's eyes: clip it before a sum, or count it in bins.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``); evaluated in integer limbs, so that a row's image is the same to
    the last bit in every chunk.
    """

    theorem: ClassVar[str] = "row_map"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS, Slot("map", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """Unbounded rows of the map's output dimension."""
        rows, map_ = wants(inputs[0], Rows, "affine"), wants(inputs[1], AffineMap, "affine")
        if rows.region != "any":
            raise PlanError("affine takes rows in the units of the table", fix="apply affine before the clip")
        same(rows.d, map_.d, "affine")
        return Rows(map_.p)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Map one batch."""
        value: AffineValue = params[0]
        values = lattice.affine(batch.values, batch.live, value.shift, value.matrix, scale=value.scale)
        return attrs.evolve(batch, values=values)
