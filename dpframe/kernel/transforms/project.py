"""``project``: rows onto a released or public subspace, in the frame of a ball."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.kernel.transforms.affine import through
from dpframe.proof.spaces import AffineValue


@register("project")
@attrs.frozen
class Project(Transform):
    """``x ↦ Vᵀ(x − p)`` for a basis V with orthonormal columns and the centre p of a ball, in p dimensions.

    Rows further from the centre than the ball's radius saturate along their ray. The result is unbounded in
    the plan's eyes: clip it before a sum.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``); evaluated in integer limbs, so that a row's image is the same to
    the last bit in every chunk.

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> rows = Batch(0, np.array([[3.0, 4.0, 7.0]]), np.ones(1, dtype=bool))
    >>> basis = np.array([[0.6], [0.8], [0.0]])
    >>> Project().apply(rows, basis, BallValue(np.zeros(3), 100.0)).values.round(6).tolist()
    [[5.0]]
    """

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Project one batch."""
        basis, ball = params
        return through(batch, AffineValue(ball.centre, np.asarray(basis, dtype=np.float64), ball.radius))
