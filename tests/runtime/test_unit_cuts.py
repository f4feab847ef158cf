"""What cuts a table by its index cuts between units, in every view: all rows of a unit are in one part."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms.partition import Split
from dpframe.kernel.transforms.select import Select
from dpframe.runtime.views import Mapped, MemoryTable, View, partition_views


def parts_of(table: MemoryTable, views: list[View]) -> Any:
    """The part of each row, −1 for none, read in batches that end inside units."""
    found = np.full(table.n, -1)
    for batch in table.batches(7):
        done: dict[int, Any] = {}
        for i, view in enumerate(views):
            found[view.batch(batch, done).index] = i
    return found


@pytest.mark.parametrize("seen", ["the table", "an image", "a part", "a part of an image"])
@pytest.mark.parametrize("split", [Split(count=2), Split(count=3, seed=4), Split(count=2, weights=(1, 3))])
@pytest.mark.parametrize("group", [2, 3, 5])
def test_no_unit_is_cut_in_two(group: int, split: Split, seen: str) -> None:
    """Cut by rows, a unit has rows in several parts, and each of them spends the whole budget on it."""
    units = 24
    rows = Batch(0, np.arange(2.0 * units * group).reshape(-1, 2), np.ones(units * group, dtype=bool))
    table = MemoryTable(rows, group)
    view = View(table, table.n)
    if "image" in seen:
        view = Mapped(table, table.n, view, Select(columns=(1,)), ())
    if "part" in seen:
        view = partition_views(view, Split(count=2, seed=9), (), None)[1]
    cut = partition_views(view, split, (), None)
    found = parts_of(table, cut).reshape(units, group)
    assert (found == found[:, :1]).all()
    assert [int((found == i).sum()) for i in range(len(cut))] == [part.n for part in cut]
    loose = MemoryTable(rows, 1)
    by_rows = parts_of(loose, partition_views(View(loose, loose.n), split, (), None)).reshape(units, group)
    assert not (by_rows == by_rows[:, :1]).all()  # the twin
