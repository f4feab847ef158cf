"""``log_densities``: how well each of several released mixtures explains a row."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import lattice
from dpframe.kernel.families.whiten import BITS, sight
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import WhiteningValue


@register("log_densities")
@attrs.frozen
class LogDensities(Transform):
    """``x ↦ (l_i(x) − mean l)_i``, ``l_i(x) = log Σ_j exp(log_weights_ij − |z_ij|²/2)`` of m released whitenings.

    Only differences remain, so that clipping cuts what one row says *between* the mixtures, not how likely it is.
    The result is unbounded in the plan's eyes: clip it before a sum.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``): element-wise steps and sums in a fixed order, so that a row's image is
    the same to the last bit in every chunk.

    Examples
    --------
    >>> from dpframe.proof.spaces import AffineValue
    >>> one, other = (
    ...     WhiteningValue((AffineValue(np.array([at]), np.eye(1), 10.0),), np.zeros(1), clip=4.0, anchor=1.0)
    ...     for at in (-3.0, 3.0)
    ... )
    >>> rows = Batch(0, np.array([[2.0], [0.0]]), np.ones(2, dtype=bool))
    >>> LogDensities().apply(rows, one, other).values.round(6).tolist()  # the first row speaks for the second mixture
    [[-6.0, 6.0], [0.0, 0.0]]
    """

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Differences of one batch."""
        logs = [_log_density(batch, value) for value in params]
        mean = logs[0].copy()
        for other in logs[1:]:
            mean += other
        mean /= len(logs)
        values = np.stack([log - mean for log in logs], axis=1)
        values[~batch.valid] = 0.0
        return attrs.evolve(batch, values=values)


def _log_density(batch: Batch, value: WhiteningValue) -> Any:
    """The log density of each row up to a constant, within ±1e100."""
    own = sight(batch, value, BITS)
    for _ in own.blocks:
        pass
    logs = np.clip(own.logs, -_FARTHEST, _FARTHEST)
    top = logs[0]
    for log in logs[1:]:
        top = np.maximum(top, log)
    total = np.zeros(len(top))
    for log in logs:
        total += lattice.exp_det(log - top)
    return top + lattice.log_det(total)


_FARTHEST = 1e100
