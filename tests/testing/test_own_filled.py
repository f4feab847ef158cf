"""Tables that fill a type of numbers, and how many rows of them a statistic is asked for."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.kernel import registry
from dpframe.proof.spaces import Rows
from dpframe.testing.battery import own_filled
from dpframe.testing.battery.case import Case


def test_single_precision_moves_by_more_than_a_row() -> None:
    def moved(kind: Any) -> float:
        tables = (table for table in own_filled.full(1, [999.0]) if len(table[1]) > 10_000)
        return max(
            abs(float(np.append(rows, row).astype(kind).sum()) - float(rows.astype(kind).sum()))
            for _, rows, row, _ in tables
        )

    assert moved(np.float32) > 999
    assert moved(np.float64) == 999


@pytest.mark.parametrize(("power", "most"), [(1, 512 * 1000 / 8), (2, 512 * (1000 / 8) ** 0.5)])
def test_rows_are_guessed_by_how_time_grows(power: int, most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that the statistic moves by a power of its rows: 8 seconds for 512, where it may take 1000."""
    now = [0.0]

    @dp.own_statistic(
        f"tests.filled_{power}",
        gives=1,
        sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)},
        source="-",
    )
    def count(rows: Any) -> Any:
        """Its rows."""
        now[0] += 8.0 * (len(rows) / 512) ** power
        return [float(len(rows))]

    case = Case(registry.build(f"tests.filled_{power}", {}), (Rows(2),))
    monkeypatch.setattr(own_filled, "spent", lambda: now[0])
    assert own_filled.affordable(case, 2, 1000.0) == pytest.approx(most)
    assert own_filled.affordable(case, 2, 500.0) == 0.0
    assert own_filled.reach(case, 10**6, 8.0) == 2000


def test_the_fewest_rows_are_enough() -> None:
    counts = [len(rows) for _, rows, _, _ in own_filled.full(2, [2.0, 1e6])]
    assert max(counts) <= own_filled.MOST_FULL
    assert all(itertools.starmap(lambda name, rows, *_: rows.shape[1] == 2, own_filled.full(2, [2.0, 1e6])))
