"""``cap``, ``minimum``, ``maximum``: 1-Lipschitz maps of score vectors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.operations import VALUE, Exact, Query, Slot, Steps, wants
from dpframe.registry import register
from dpframe.spaces import Counts, Domain, positive_whole


@register("cap")
@attrs.frozen
class Cap(Query):
    """min(score, t), coordinate by coordinate.

    Formal guarantees
    -----------------
    Sensitivity: 1-Lipschitz in ℓ∞ (``lipschitz_scores``).
    """

    theorem: ClassVar[str] = "lipschitz_scores"
    slots: ClassVar[tuple[Slot, ...]] = (VALUE,)
    t: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """As many scores."""
        return wants(inputs[0], Counts, "cap")  # type: ignore[no-any-return]

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """The scores' own."""
        return steps[0]

    def evaluate(self, *values: Any) -> Exact:
        """Cap on the lattice."""
        value: Exact = values[0]
        scores = np.asarray(value.integers)
        top = int(self.t / value.step)
        most = top if scores.dtype == object else min(top, 2**63 - 1)  # no int64 is above that
        return Exact(np.minimum(scores, most), value.step)


@attrs.frozen
class _Extremum(Query):
    """One number from several scores."""

    theorem: ClassVar[str] = "lipschitz_scores"
    slots: ClassVar[tuple[Slot, ...]] = (Slot("values", variadic=True),)

    def output(self, *inputs: Domain) -> Domain:
        """One score."""
        if not inputs:
            raise PlanError(f"{self.name} takes at least one input", fix="give it scores")
        for domain in inputs:
            wants(domain, Counts, self.name)
        return Counts(1)

    def claims(self, *inputs: Domain) -> dict[str, Any]:
        """The result is one number, so ℓ₁, ℓ₂ and ℓ∞ agree."""
        return {**self.parameters(), "scalar": True}

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """That of all the scores."""
        if len(set(steps)) > 1:
            found = ", ".join(sorted(str(step) for step in set(steps)))
            raise PlanError(
                f"{self.name} takes scores on one lattice, not in steps of {found}", fix="give all the same bits"
            )
        return steps[0]

    def _all(self, values: tuple[Any, ...]) -> tuple[Any, Any]:
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
