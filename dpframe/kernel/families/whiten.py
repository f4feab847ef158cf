"""``whiten``: rows as seen by the components of a released mixture."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import WhiteningValue, lattice_bits


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
    docs/theory/corrections.md#weighted.
    """

    bits: int = attrs.field(default=18, kw_only=True, validator=lattice_bits)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Whiten, weigh and clip one batch, all components through one affine map."""
        value: WhiteningValue = params[0]
        m, d = batch.values.shape
        k = len(value.maps)
        size = float(np.hypot(value.anchor, value.clip))
        anchor = np.trunc(2.0**self.bits * (value.anchor / size) * (1 - 2.0**-40))
        room = np.floor(np.sqrt(4.0**self.bits - anchor * anchor)) * (1 - 2.0**-30)
        seen = np.empty((k, m, d + 1))
        logs = np.empty((m, k))
        whitened = whitened_rows(batch, value)
        for j in range(k):
            z = whitened[:, j * d : (j + 1) * d]
            norms = lattice.squared_norms(z)
            logs[:, j] = value.log_weights[j] - norms / 2
            factor = room / np.maximum(np.sqrt(norms), max(value.clip, _NEAREST))
            np.trunc(z * factor[:, None], out=seen[j, :, 1:])
            seen[j, :, 0] = np.where(batch.valid, anchor, 0.0)
        weights = lattice.responsibilities(logs, batch.valid, self.bits)
        return attrs.evolve(batch, values=seen, weights=weights, bits=self.bits)


def whitened_rows(batch: Batch, value: WhiteningValue) -> Any:
    """``(x − shift_j) @ matrix_j`` side by side, (m, k·d).

    One product about a common shift, then one offset each; element by element where all matrices are multiples of I.
    """
    factors = [_factor(item.matrix) for item in value.maps]
    z = _scaled(batch, value, factors) if all(f is not None for f in factors) else _mapped(batch, value)
    if not max(z.max(initial=0.0), -z.min(initial=0.0)) <= _FARTHEST:  # also where one is no number
        np.clip(np.nan_to_num(z, copy=False, nan=0.0), -_FARTHEST, _FARTHEST, out=z)
    z[~batch.valid] = 0.0
    return z


def _factor(matrix: Any) -> float | None:
    """The factor of a multiple of I; None for other matrices."""
    factor, d = float(matrix[0, 0]), len(matrix)
    if not factor or (d > 1 and matrix[0, 1]) or np.count_nonzero(matrix) != d:
        return None
    return factor if bool((np.diagonal(matrix) == factor).all()) else None


def _scaled(batch: Batch, value: WhiteningValue, factors: Any) -> Any:
    """``(x − shift_j)·factor_j``: two roundings an element, the same wherever a row stands."""
    m, d = batch.values.shape
    z = np.empty((m, len(factors), d))
    with np.errstate(all="ignore"):
        for j, (item, factor) in enumerate(zip(value.maps, factors, strict=True)):
            np.subtract(batch.values, item.shift, out=z[:, j])
            np.multiply(z[:, j], factor, out=z[:, j])
    return z.reshape(m, len(factors) * d)


def _mapped(batch: Batch, value: WhiteningValue) -> Any:
    shift = np.mean([item.shift for item in value.maps], axis=0)
    if not np.isfinite(shift).all():  # any common point will do, but it must be one
        shift = value.maps[0].shift
    matrix = np.hstack([item.matrix for item in value.maps])
    scale = max(item.scale for item in value.maps)
    offset = np.concatenate([(item.shift - shift) @ item.matrix for item in value.maps])
    z = lattice.affine(batch.values, batch.valid, shift, matrix, scale=scale)
    z -= offset
    return z


_FARTHEST, _NEAREST = 1e100, 2.0**-960
