"""``whiten``: rows as seen by the components of a released mixture."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.exact import lattice
from dpframe.operations import PARAM, ROWS, Batch, Slot, Transform, same, wants
from dpframe.registry import register
from dpframe.spaces import Domain, Rows, WeightedRows, Whitening, WhiteningValue, positive_whole


@register("whiten")
@attrs.frozen
class Whiten(Transform):
    """Component j sees ``a_j = (s, P_c(z_j)) / √(s² + c²)``, ``z_j = (x − shift_j) @ matrix_j``, with weight γ_j.

    γ_j ∝ exp(log_weights_j − |z_j|²/2) are soft responsibilities; they sum to at most 1, in integers, so the
    joint contribution over components keeps the norm of one: soft costs no more than hard.

    Parameters
    ----------
    bits : int
        Lattice of the unit ball and of the weights.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``). ``Σ_j γ_j <= 1`` and ``|a_j| <= 1`` hold in integers for every row,
    whatever the released maps are.

    References
    ----------
    papers.md §6, step 6.
    """

    theorem: ClassVar[str] = "row_map"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS, Slot("whitening", PARAM))
    bits: int = attrs.field(default=18, kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """Weighted rows with one extra coordinate, the anchor's."""
        rows, maps = wants(inputs[0], Rows, "whiten"), wants(inputs[1], Whitening, "whiten")
        same(rows.d, maps.d, "whiten")
        return WeightedRows(maps.k, rows.d + 1)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Whiten, weigh and clip one batch."""
        value: WhiteningValue = params[0]
        m, d = batch.values.shape
        k = len(value.maps)
        seen = np.empty((m, k, d + 1))
        logs = np.empty((m, k))
        size = float(np.hypot(value.anchor, value.clip))
        anchor = np.trunc(2.0**self.bits * (value.anchor / size) * (1 - 2.0**-40))
        room = np.floor(np.sqrt(4.0**self.bits - anchor * anchor)) * (1 - 2.0**-30)
        for j, item in enumerate(value.maps):
            z = lattice.affine(batch.values, batch.live, item.shift, item.matrix, scale=item.scale)
            norms = np.einsum("ij,ij->i", z, z)
            logs[:, j] = value.log_weights[j] - norms / 2
            with np.errstate(all="ignore"):
                factor = room / np.maximum(np.sqrt(norms), value.clip)
            seen[:, j, 1:] = np.trunc(z * factor[:, None])
            seen[:, j, 0] = np.where(batch.live, anchor, 0.0)
            lattice.cap_norms(seen[:, j], self.bits)
        weights = lattice.responsibilities(logs, batch.live, self.bits)
        return attrs.evolve(batch, values=seen, weights=weights, bits=self.bits)
