"""``cap``, ``minimum``, ``maximum``: 1-Lipschitz maps of score vectors."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.operations import Exact, Query
from dpframe.registry import register
from dpframe.spaces import positive_whole


@register("cap")
@attrs.frozen
class Cap(Query):
    """min(score, t), coordinate by coordinate.

    Formal guarantees
    -----------------
    Sensitivity: 1-Lipschitz in ℓ∞ (``lipschitz_scores``).
    """

    t: int = attrs.field(kw_only=True, validator=positive_whole)

    def evaluate(self, *values: Any) -> Exact:
        """Cap on the lattice."""
        value: Exact = values[0]
        return Exact(np.minimum(value.integers, int(self.t / value.step)), value.step)


@attrs.frozen
class _Extremum(Query):
    """One number from several scores."""

    def _all(self, values: tuple[Any, ...]) -> tuple[Any, Any]:
        steps = {v.step for v in values}
        if len(steps) > 1:
            raise PlanError(f"{self.name} takes scores on one lattice", fix="give all the same bits")
        return np.concatenate([np.ravel(v.integers) for v in values]), values[0].step


@register("minimum")
@attrs.frozen
class Minimum(_Extremum):
    """The least of all scores.

    Formal guarantees
    -----------------
    Sensitivity: that of the largest input, in ℓ∞ (``lipschitz_scores``).
    """

    def evaluate(self, *values: Any) -> Exact:
        """The minimum."""
        scores, step = self._all(values)
        return Exact(scores.min(keepdims=True), step)


@register("maximum")
@attrs.frozen
class Maximum(_Extremum):
    """The largest of all scores.

    Formal guarantees
    -----------------
    Sensitivity: that of the largest input, in ℓ∞ (``lipschitz_scores``).
    """

    def evaluate(self, *values: Any) -> Exact:
        """The maximum."""
        scores, step = self._all(values)
        return Exact(scores.max(keepdims=True), step)
