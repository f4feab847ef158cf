"""``rank_scores``: how well each of a public list of numbers serves as a quantile of one column."""

from __future__ import annotations

from typing import Any, Literal

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.exact import folds
from dpframe.kernel.exact.integers import add, times
from dpframe.kernel.operations import Batch, Exact, Folds, Statistic
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.bins import increasing
from dpframe.proof.spaces import Domain, positive_whole, whole

SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
"""Of a row: the candidates below it, and those at or below it."""


@register("rank_scores")
@attrs.frozen
class RankScores(Statistic):
    """−max{0, b·#{x < c} − p·N, b·#{x > c} − (b − p)·N} for each candidate c of the p/b quantile, N the valid rows.

    A candidate scores 0 exactly when it is a p/b quantile of the column, ties included, and else minus b times the
    number of rows that are on the wrong side. Whole numbers, so that a selection can be sampled exactly.

    Parameters
    ----------
    candidates : sequence of float
        Public, increasing, in the units of the table.
    numerator, denominator : int
        p and b, with 0 < p < b.
    column : int
        From 0.

    Formal guarantees
    -----------------
    Sensitivity: b·min(removed, added) + max(p, b − p)·|removed − added| in ℓ∞ (``rank_scores``): the number of
    rows is never taken as known.

    References
    ----------
    Smith (2011), with exact ranks in place of interval lengths.

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> median = RankScores(candidates=(1.0, 3.0, 9.0), numerator=1, denominator=2)
    >>> fold = median.start(Rows(1))
    >>> median.update(fold, Batch(0, np.array([[2.0], [3.0], [3.0], [8.0], [7.0]]), np.ones(5, dtype=bool)))
    >>> median.value(fold).integers.tolist()  # 3 is the median
    [-5, 0, -5]
    """

    candidates: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True, validator=increasing)
    numerator: int = attrs.field(kw_only=True, validator=positive_whole)
    denominator: int = attrs.field(kw_only=True, validator=positive_whole)
    column: int = attrs.field(default=0, kw_only=True, validator=whole)

    @denominator.validator
    def _fraction(self, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not self.numerator < value <= 2**20:
            raise PlanError(
                f"a quantile p/b lies strictly between 0 and 1, and b is at most 2^20, not {self.numerator}/{value}",
                fix="use numerator=1, denominator=2",
            )

    def start(self, domain: Domain, *params: Any) -> Any:
        """No row yet."""
        size = len(self.candidates) + 1
        return Folds((folds.HistogramFold(size), folds.HistogramFold(size)))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Rank each row among the candidates."""
        known = np.array(self.candidates, dtype=np.float64)
        values = batch.values[:, self.column]
        for counted, side in zip(fold.each, SIDES, strict=True):
            counted.update(np.where(batch.valid, np.searchsorted(known, values, side=side), -1))

    def value(self, fold: Any) -> Exact:
        """The scores."""
        below, upto = (counted.value for counted in fold.each)
        rows = int(below.sum())
        above, under = rows - np.cumsum(below)[:-1], np.cumsum(upto)[:-1]
        p, b = self.numerator, self.denominator
        left, right = add(times(under, b), -p * rows), add(times(above, b), -(b - p) * rows)
        return Exact(-np.maximum(np.maximum(left, right), 0))
