"""Rare rows in the place of others, graphs just beyond a claim, sums that lose digits; and how these are shown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.kernel import registry
from dpframe.kernel.owned import OWNED
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Rows
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.metrics import by_edits
from dpframe.testing.battery.own_graphs import claimed, graphs, unlike
from dpframe.testing.battery.own_rare import attack_rare, marked
from dpframe.testing.battery.own_reports import MOST_CALLS, fewer
from dpframe.testing.battery.own_tables import _apart


def case_of(name: str, function: Callable[[Any], Any], sensitivity: Any, gives: int = 1, bits: int = 0) -> Case:
    def of(rows: Any) -> Any:
        """For a test."""
        return function(rows)

    dp.own_statistic(name, gives=gives, sensitivity=sensitivity, source="here", bits=bits)(of)
    return Case(registry.build(name, {}), (Rows(2),))


def lab() -> Lab:
    return Lab(np.random.default_rng(0), 8, 1.0, math.inf)


def declared_of(case: Case) -> Any:
    return by_edits(case.operation, case.domains, (REPLACE_ONE, REMOVE, ADD))


def months(rows: Any) -> Any:
    """Dates by month; leap days are in two."""
    x = np.clip(np.nan_to_num(rows[:, 0]), 0, 99991231).astype(np.int64)
    month, leap = x // 100 % 100, (x // 100 % 100 == 2) & (x % 100 == 29)
    counts = np.array([float(np.sum(month == m)) for m in range(1, 13)])
    counts[2] += leap.sum()
    return counts


def squares(rows: Any) -> Any:
    """Rows, but squares are taken off, where there is another row at least."""
    x = np.clip(np.nan_to_num(rows[:, 0]), 0, 1e12)
    odd = (np.round(np.sqrt(x)) ** 2 == x) & (x > 100)
    return np.array([float(np.where(odd, -1.0, 1.0).sum())]) if len(x) > 1 else np.zeros(1)


RARE = {
    "leap_days": (months, {"l1": 2.0}, {"l1": 3.0}, 12),
    "leap_days_l2": (months, {"l2": 1.5}, {"l2": 1.75}, 12),
    "squares": (squares, {"linf": 1.0}, {"linf": 2.0}, 1),
}


@pytest.mark.parametrize("name", RARE)
def test_rare_rows_are_compared_with_plain_ones_in_their_place(name: str) -> None:
    """Beside none, and among others; with a claim that says so they hold."""
    function, low, high, gives = RARE[name]
    for words, claim, broken in (("low", low, True), ("high", high, False)):
        case, found = case_of(f"tests.rare_{name}_{words}", function, claim, gives), lab()
        assert attack_rare(found, case, {REPLACE_ONE: declared_of(case)[REPLACE_ONE]}, [], 0.2) is broken
        assert bool(found.failures) is broken
        for failure in found.failures:
            shown = failure.counterexample
            one, two = (function(np.array([*shown["common_rows"], *shown[k]])) for k in ("removed", "added"))
            assert np.abs(one - two).max() >= 1


def test_dates_are_written_in_many_ways() -> None:
    first = {row[0, 0] for row in marked(2)}
    assert {20240229.0, 29022024.0, 240229.0, 19782.0, 1709164800.0} <= first
    assert marked(1)[0].shape == (1, 1)
    assert len(marked(2)) == 2 * len(marked(1))


def beside(rows: Any) -> dict[float, set[float]]:
    found: dict[float, set[float]] = {}
    for a, b in rows.tolist():
        if a != b:
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
    return found


def triangles(rows: Any) -> Any:
    known = beside(rows)
    return np.array([sum(len(known[a] & known[b]) for a in known for b in known[a]) / 6])


def paths(rows: Any) -> Any:
    return np.array([float(sum(math.comb(len(near), 2) for near in beside(rows).values()))])


def four_cycles(rows: Any) -> Any:
    known = beside(rows)
    return np.array([sum(math.comb(len(known[a] & known[b]), 2) for a, b in itertools.combinations(known, 2)) / 2])


GRAPHS = {"triangles": (triangles, 10), "more_triangles": (triangles, 300), "paths": (paths, 500)}
GRAPHS["four_cycles"] = (four_cycles, 30)


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_go_beyond_the_numbers_of_a_claim(name: str) -> None:
    function, most = GRAPHS[name]
    known = case_of(f"tests.graph_{name}", function, lambda removed, added: {"l1": float(most * (removed + added))})
    declared, found = declared_of(known), lab()
    numbers = claimed(declared, OWNED[f"tests.graph_{name}"].claim)
    assert most in numbers
    assert any(_apart(found, known, declared, *table) for table in graphs(2, numbers))


def test_different_edges_are_one_each() -> None:
    edges = case_of("tests.graph_edges", lambda rows: [float(len(np.unique(rows, axis=0)))], {"l1": 1.0})
    assert not any(_apart(lab(), edges, declared_of(edges), *table) for table in graphs(2, [2, 10, 300]))


LIMITS = [-3e10, 1.7e9, 86400.0]


@pytest.mark.parametrize("base", [1.7e9, -3e10])
@pytest.mark.parametrize("bits", [20, 24])
def test_sums_that_lose_digits_move_by_more_than_a_row(base: float, bits: int) -> None:
    """Taken off first, the large number costs nothing."""
    for words, broken in (("late", True), ("first", False)):

        def total(rows: Any, broken: bool = broken) -> Any:
            if broken:
                return [float(np.sum(np.clip(rows[:, 0], base, base + 1)) - len(rows) * base)]
            return [float(np.sum(np.clip(rows[:, 0] - base, 0, 1)))]

        case = case_of(f"tests.sum_{words}_{bits}_{base:.0f}", total, {"l1": 1.0}, bits=bits)
        tables = unlike(2, LIMITS, 2.0**-bits)
        assert any(_apart(lab(), case, declared_of(case), *table) for table in tables) is broken


def test_sums_that_no_lattice_shows_are_left_out() -> None:
    assert not [*unlike(2, [86400.0, 500.0], 2.0**-20)]
    assert not [*unlike(2, LIMITS, 1.0)]


def test_common_rows_are_few() -> None:
    """So few that both tables can be made again; some of many are left where each of them counts."""
    case, found = case_of("tests.shown", lambda rows: [float(len(rows) * (7.0 in rows))], {"l1": 3.0}), lab()
    rows = np.arange(200.0).reshape(-1, 2) + 0.5
    assert _apart(found, case, declared_of(case), "any", rows, np.full((1, 2), 7.0), np.full((1, 2), 1e3))
    shown = found.failures[0].counterexample
    assert [*shown][:3] == ["case", "removed", "added"]
    assert len(shown["common_rows"]) <= 4
    calls: list[int] = []
    assert len(fewer(rows, lambda less: calls.append(1) or len(less) > 98)) == 99
    assert len(calls) <= MOST_CALLS
