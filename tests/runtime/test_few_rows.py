"""What components see of a chunk is made and folded a few rows at a time, with the same bits."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.families.whiten import Whiten
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import AffineValue, WeightedRows, WhiteningValue
from dpframe.runtime import fused
from dpframe.runtime.remote import update
from dpframe.runtime.views import Mapped, MemoryTable, View


@attrs.frozen
class Watched(Whiten):
    """Notes what it was given."""

    given: list[tuple[int, int]] = attrs.field(factory=list, kw_only=True)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        self.given.append((batch.start, len(batch.valid)))
        return super().apply(batch, *params)


@pytest.mark.parametrize(("k", "d", "most"), [(2, 3, 8192), (4, 10, 5888), (30, 20, 384)])
@pytest.mark.parametrize("names", [["weighted_grams"], ["weighted_grams", "weighted_counts", "weighted_radii"]])
def test_components_see_few_rows_at_a_time_and_the_same(k: int, d: int, most: int, names: list[str], rng: Any) -> None:
    rows, valid = rng.normal(size=(20_000, d)) * 3, rng.random(20_000) > 0.1
    rows[rng.random(20_000) < 0.01] *= 1e200
    rows[~valid] = 0.0
    turns = np.linalg.qr(rng.normal(size=(k, d, d)))[0]
    maps = tuple(AffineValue(np.full(d, j / 2), turn, 64.0) for j, turn in enumerate(turns))
    seen = WhiteningValue(maps, np.zeros(k), clip=6.0, anchor=1.0)
    table, watched = MemoryTable(Batch(7, rows, valid)), Watched()
    view = Mapped(table, None, View(table, None), watched, (seen,))
    wanted = [fused.Request(dp.build(name, {}), view, WeightedRows(k, d + 1), ()) for name in names]
    states = [request.start() for request in wanted]
    update(wanted, states, Batch(7, rows, valid))
    assert max(count for _, count in watched.given) == most
    assert [start for start, _ in watched.given] == list(range(7, 20_007, most))
    assert sum(count for _, count in watched.given) == 20_000
    whole = Whiten().apply(Batch(7, rows, valid), seen)
    for request, state in zip(wanted, states, strict=True):
        statistic, at_once = request.statistic, request.start()
        statistic.update(at_once, whole)
        np.testing.assert_array_equal(statistic.value(state).integers, statistic.value(at_once).integers)
