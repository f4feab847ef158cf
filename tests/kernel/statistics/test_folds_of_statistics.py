"""Statistics are the same whole numbers for every chunking, order and merge, and right on small tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.operations import Batch, Exact, lattice_step
from dpframe.kernel.statistics.sums import on_lattice
from tests.proof.theorems.neighbours import Case, numbers
from tests.proof.theorems.test_sensitivity import CASES


def values_of(case: Case, rows: list[Any], cuts: list[int], order: np.ndarray[Any, Any]) -> Any:
    chosen = [rows[i] for i in order]
    ends = [0, *cuts, len(rows)]
    folds = []
    for a, b in zip(ends, ends[1:], strict=False):  # noqa: RUF007
        fold = case.statistic.start(case.domains[0], *case.params)
        valid = np.array([row is not None for row in chosen[a:b]], dtype=np.bool_)
        values = np.array([[0.0] * case.d if row is None else row for row in chosen[a:b]]).reshape(b - a, case.d)
        piece = Batch(a, values, valid)
        if case.transform is not None:
            piece = case.transform.apply(piece, *case.transform_params)
        case.statistic.update(fold, piece, *case.params)
        folds.append(fold)
    first, *others = folds
    for other in others:
        first.merge(other)
    return numbers(case.statistic.value(first))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_chunks_order_and_merging_can_not_be_seen(case: Case, rng: np.random.Generator) -> None:
    rows = [case.pool[int(i)] for i in rng.integers(len(case.pool), size=40)]
    same = np.arange(40)
    whole = values_of(case, rows, [], same)
    assert values_of(case, rows, [1, 17, 33], same) == whole
    assert values_of(case, rows, [20], rng.permutation(40)) == whole


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_empty_rows_and_empty_tables_count_nothing(case: Case) -> None:
    nothing = case.value([])
    assert numbers(case.value([None, None])) == numbers(nothing)


def by_name(name: str) -> Case:
    (case,) = [c for c in CASES if c.name == name]
    return case


def exact(case: Case, rows: list[Any]) -> list[float]:
    made = case.value(rows)
    return [float(v) for v in np.asarray(made.floats).ravel()]


def test_small_tables() -> None:
    centre, east = (0.5, -0.25), (1.5, -0.25)
    assert exact(by_name("count"), [centre, None, east]) == [2.0]
    assert exact(by_name("sum"), [centre, east, (9.0, -0.25)]) == [2.0, 0.0]
    assert exact(by_name("mean"), [centre, east, None]) == [1.0, 0.0, 2.0]
    assert exact(by_name("gram"), [east, (0.5, 0.75)]) == [1.0, 0.0, 0.0, 1.0]
    assert exact(by_name("square_sum"), [east, (0.5, 0.25)]) == [1.25]
    assert exact(by_name("box_sum"), [(9.0, 9.0), (9.0, -9.0)]) == [2.0, 0.0]
    assert exact(by_name("bins"), [(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), (0.5, 0.0)]) == [1.0, 2.0, 1.0]
    assert exact(by_name("values"), [(3.0, 0.0), (0.0, 0.0), (0.1, 0.0)]) == [1.0, 1.0, 1.0]
    assert exact(by_name("ball_counts"), [(0.0, 0.0), (2.0, 0.0)]) == [1.0, 2.0, 2.0, 2.0]


def test_distances_fall_in_geometric_bins() -> None:
    found = exact(by_name("distances"), [(0.5, -0.25), (1.5, -0.25), (1.6, -0.25), (100.0, 0.0)])
    assert found == [1.0, 0, 0, 0, 0, 0, 0, 1.0, 2.0]


def test_on_lattice_coarsens_toward_zero_and_refines_exactly() -> None:
    values = np.array([[7.0, -7.0, 8.0]])
    batch = Batch(0, values, np.array([True]), bits=3)
    assert on_lattice(batch, 1).tolist() == [[1.0, -1.0, 2.0]]
    assert on_lattice(batch, 5).tolist() == [[28.0, -28.0, 32.0]]
    assert on_lattice(batch, 3) is values


def test_exact_values_know_their_step() -> None:
    made = Exact(np.array([3, -1], dtype=object), lattice_step(2))
    assert made.floats.tolist() == [0.75, -0.25]
    assert math.isclose(float(lattice_step(20)), 2.0**-20)
