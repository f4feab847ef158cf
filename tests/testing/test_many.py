"""Faults of statistics that show above some number of rows only: each is refuted, and the statistic as it is holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.exact.folds.histograms import HistogramFold
from dpframe.kernel.operations import Exact
from dpframe.kernel.statistics.bins import BinCounts
from dpframe.kernel.statistics.count import Count
from dpframe.kernel.statistics.gram import SquareSum
from dpframe.kernel.statistics.sums import Mean, Sum
from dpframe.testing import check_operation

Patch = pytest.MonkeyPatch


def wrapped(cls: Any, change: Callable[[Exact], Any]) -> Callable[[Patch], None]:
    """The statistic's value, changed."""
    value = cls.value

    def planted(patch: Patch) -> None:
        patch.setattr(cls, "value", lambda self, fold: Exact(change(value(self, fold)), value(self, fold).step))

    return planted


def small_integers(exact: Exact) -> Any:
    """Wrapped at 2^64, as integers of a machine are."""
    return np.array([(int(v) + 2**63) % 2**64 - 2**63 for v in np.ravel(exact.integers)]).reshape(
        np.shape(exact.integers)
    )


def through_floats(exact: Exact) -> Any:
    """Single precision: a row too many is lost, or counts for many."""
    return np.array([int(np.float32(int(v))) for v in np.ravel(exact.integers)]).reshape(np.shape(exact.integers))


def from_a_thousand(exact: Exact) -> Any:
    """From a thousand rows on one more is counted for each seven hundred."""
    counts = np.asarray(exact.integers)
    return counts + np.where(counts >= 1000, counts // 700, 0) * 5


def raising(exact: Exact) -> Any:
    """An error above 2^40."""
    return np.array([int(v) for v in np.ravel(exact.integers)], dtype=np.int64).reshape(np.shape(exact.integers))


def merged_in_halves(patch: Patch) -> None:
    """A merge of large counts forgets the last digit."""
    merge = HistogramFold.merge

    def planted(self: Any, other: Any) -> None:
        merge(self, other)
        if int(self.value.max(initial=0)) > 10_000:
            self.value &= ~np.int64(1)

    patch.setattr(HistogramFold, "merge", planted)


PLANTED: dict[str, tuple[str, Callable[[Patch], None]]] = {
    "sum, wrapped": ("sum", wrapped(Sum, small_integers)),
    "mean, wrapped": ("mean", wrapped(Mean, small_integers)),
    "squares, wrapped": ("square_sum", wrapped(SquareSum, small_integers)),
    "sum, in floats": ("sum", wrapped(Sum, through_floats)),
    "count, in floats": ("count", wrapped(Count, through_floats)),
    "bins, from a thousand": ("bin_counts", wrapped(BinCounts, from_a_thousand)),
    "squares, raising": ("square_sum", wrapped(SquareSum, raising)),
    "bins, merged": ("bin_counts", merged_in_halves),
}


QUICK = {"squares, raising", "bins, from a thousand"}
NAMES = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in PLANTED]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_refuted(name: str, monkeypatch: Patch) -> None:
    operation, plant = PLANTED[name]
    plant(monkeypatch)
    report = check_operation(operation)
    assert not report.holds
    assert {f.layer for f in report.failures} <= {"sensitivity", "totality", "order"}, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("operation", sorted({operation for operation, _ in PLANTED.values()}))
def test_what_holds_is_not(operation: str) -> None:
    assert check_operation(operation).holds
