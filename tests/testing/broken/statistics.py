"""Broken statistics."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.kernel.exact import folds, lattice
from dpframe.kernel.families.ball_counts import TerrificScore
from dpframe.kernel.families.weighted import WeightedSquares
from dpframe.kernel.operations import Batch, Exact, wants
from dpframe.kernel.statistics.bins import BinCounts
from dpframe.kernel.statistics.count import Count
from dpframe.kernel.statistics.sums import Sum
from dpframe.proof.spaces import Domain, WeightedRows
from tests.testing.broken.base import breaks


@breaks("sensitivity", "sum")
class CitesTheGramTheorem(Sum):
    """A sum at the price of a Gram matrix.

    Formal guarantees
    -----------------
    Sensitivity: wrongly √2 (``bounded_gram``).
    """

    theorem: ClassVar[str] = "bounded_gram"


@breaks("sensitivity", "sum")
class ForgetsTheFactorForReplaceOne(Sum):
    """A sum whose sensitivity is that of one row more.

    Formal guarantees
    -----------------
    Sensitivity: wrongly max(removed, added) (``one_row_more``).
    """

    theorem: ClassVar[str] = "one_row_more"


@breaks("sensitivity", "count")
class SumsWhatItGets(Count):
    """Adds up a column that nothing has bounded."""

    def start(self, domain: Domain, *params: Any) -> Any:
        return Total()

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        numbers = batch.values if batch.weights is None else batch.values[0]
        fold.value += sum(round(min(max(float(x), -1e9), 1e9)) for x in numbers[:, 0])


@breaks("sensitivity", "weighted_squares")
class SquaresForEveryComponent(WeightedSquares):
    """A row's squared distance from every component, as if it were wholly of each."""

    def start(self, domain: Domain, *params: Any) -> Any:
        return folds.SumFold(wants(domain, WeightedRows, "squares").k, self.bits + 6)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        squares = np.stack([lattice.squared_norms(part) for part in batch.values], axis=1)
        fold.update(np.trunc(np.ldexp(squares, self.bits - 2 * batch.bits)))

    def value(self, fold: Any) -> Exact:
        return Exact(fold.value, self.step())


@breaks("sensitivity", "terrific_score")
class AddsItsTerms(TerrificScore):
    """Rows inside and what the annulus lacks, added: a row that moves inwards counts in both."""

    def value(self, fold: Any) -> Exact:
        inner, outer, _ = fold.counts
        return Exact(np.minimum(inner, self.t) + self.t - np.minimum(outer - inner, self.t))


@breaks("sensitivity", "terrific_score")
class CountsTwiceWithARatio(TerrificScore):
    """With a released ratio every row counts twice."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        for _ in params:
            super().update(fold, batch, *params)


@breaks("sensitivity", "bin_counts")
class CountsARowTwice(BinCounts):
    """Adds the row to the next bin, too."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        super().update(fold, batch, *params)
        fold.update(np.where(batch.valid, self.bins(batch.values[:, self.column]) + 1, -1))


@breaks("domain", "count")
class LatticeFollowsTheRows(Count):
    """Divides by the number of rows it saw."""

    def value(self, fold: Any) -> Exact:
        return Exact(np.array([fold.value], dtype=np.int64), Fraction(1, max(fold.value, 1)))


@breaks("domain", "count")
class SaysMoreThanDeclared(Count):
    """Returns the count twice."""

    def value(self, fold: Any) -> Exact:
        return Exact(np.array([fold.value] * 2, dtype=np.int64))


@breaks("totality", "count")
class ReturnsFloats(Count):
    """Leaves the integers."""

    def value(self, fold: Any) -> Exact:
        return Exact(np.array([float(fold.value)]))


@breaks("order", "count")
class CountsEmptyRows(Count):
    """Counts a missing row."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        fold.update(np.ones_like(batch.valid))


@breaks("order", "count")
class CountsChunks(Count):
    """Counts batches, not rows."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        fold.update(batch.valid[:1])


@attrs.define
class Total:
    """A number that adds."""

    value: int = 0

    def merge(self, other: Total) -> None:
        self.value += other.value


KEPT = Total()


@breaks("purity", "count")
class KeepsStateBetweenCalls(Count):
    """Its fold is the same every time."""

    def start(self, domain: Domain, *params: Any) -> Any:
        return KEPT

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        fold.value += int(np.count_nonzero(batch.valid))


@breaks("purity", "count")
class MarksRowsAsSeen(Count):
    """Writes into the batch."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        super().update(fold, batch, *params)
        batch.valid[...] = False
