"""Histograms by released bins: values against brute force, shapes, and the declared sensitivities attacked."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import DpframeError
from dpframe.kernel import registry
from dpframe.kernel.families.released_bins import DYADIC, LOWEST, dyadic_bin
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import L1, L2, Array, Counts, Edits, Rows
from dpframe.proof.theorems import THEOREMS

registry.discover()
EDGES = np.array([[0.0, 1.0, 1.0], [5.0, -5.0, 0.0]])
GRIDS = np.array([[0.0, 0.0, 1.0], [1.0, 0.5, 2.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]])
BOXES = np.array([[0.0, 0.5, 1.0, 2.0], [0.0, 0.0, 4.0, 0.5], [0.0, 0.0, 1.0, 0.0]])
CASES: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "dyadic_counts": ({}, ()),
    "marginal_counts": ({}, (EDGES,)),
    "product_counts": ({}, (EDGES,)),
    "column_cells": ({"levels": 4}, (GRIDS,)),
    "box_cells": ({"levels": 3}, (BOXES,)),
}
number = st.sampled_from([-6.0, -5.0, -1.0, 0.0, 0.5, 1.0, 1.5, 5.0, 1e300, 5e-324, math.nan])
rows = st.lists(st.tuples(number, number), max_size=8)


def take(name: str, values: Any, *, cut: int = 0) -> Any:
    """The exact value over two batches that are merged."""
    parameters, released = CASES[name]
    statistic: Any = registry.build(name, parameters)
    table = np.asarray(values, dtype=np.float64).reshape(-1, 2)
    valid = np.isfinite(table).all(axis=1)
    table = np.where(valid[:, None], table, 0.0)
    folds = []
    for at in (slice(0, cut), slice(cut, None)):
        fold = statistic.start(Rows(2), *released)
        statistic.update(fold, Batch(0, table[at], valid[at]), *released)
        folds.append(fold)
    folds[0].merge(folds[1])
    return statistic.value(folds[0]).integers


def flat(value: Any) -> dict[Any, int]:
    """Counts by bin, whatever the form."""
    if isinstance(value, list):
        found = {(l, *i): int(c) for l, (ids, n) in enumerate(value) for i, c in zip(ids.tolist(), n, strict=True)}
    else:
        found = {index: int(c) for index, c in np.ndenumerate(value) if c}
    return found


def by_hand(name: str, table: list[tuple[float, float]]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for row in table:
        if any(math.isnan(v) for v in row):
            continue
        place = [sum(e <= v for e in edges) for v, edges in zip(row, EDGES, strict=True)]
        keys: list[Any] = []
        if name == "product_counts":
            keys = [(4 * place[0] + place[1],)]
        if name == "marginal_counts":
            keys = list(enumerate(place))
        if name == "dyadic_counts":
            keys = [
                (j, i - LOWEST)
                for j, v in enumerate(row)
                for i in range(LOWEST, 1024)
                if v and math.ldexp(0.5, i + 1) < abs(v) <= (math.ldexp(1.0, i + 1) if i < 1023 else math.inf)
            ]
        if name == "column_cells":
            keys = [(0, held(row[0] // 1)), (1, held((row[1] - 0.5) // 2))]
        if name == "box_cells":
            keys = [
                (l, *(held((v - o) // s) for v, o, s in zip(row, box[:2], box[2:], strict=True)))
                for l, box in enumerate(BOXES[:2].tolist())
            ]
        for key in keys:
            found[key] = found.get(key, 0) + 1
    return found


def held(cell: float) -> int:
    return int(min(max(cell, -(2.0**52)), 2.0**52))


@pytest.mark.parametrize("name", CASES)
@given(rows, st.integers(0, 8))
def test_counts_are_what_they_say(name: str, table: Any, cut: int) -> None:
    assert flat(take(name, table, cut=cut)) == by_hand(name, table)


@pytest.mark.parametrize("name", CASES)
@given(rows, rows)
def test_counts_never_move_more(name: str, removed: Any, added: Any) -> None:
    """Also against the bound of half as many histograms, which two columns or levels must break."""
    parameters, released = CASES[name]
    operation = registry.build(name, parameters)
    domains = (Rows(2), *(Array(np.shape(value)) for value in released))
    old, new = flat(take(name, removed)), flat(take(name, added))
    change = [abs(old.get(key, 0) - new.get(key, 0)) for key in {*old, *new}]
    bounds = THEOREMS["histograms"].rule(operation.theorem_inputs(*domains), ((Edits(len(removed), len(added)),),))
    assert sum(change) <= next(m.bound for m in bounds if isinstance(m, L1))
    assert math.hypot(*change) <= next(m.bound for m in bounds if isinstance(m, L2))


@pytest.mark.parametrize(("name", "moved"), [("dyadic_counts", 4), ("marginal_counts", 4), ("product_counts", 2)])
def test_the_bound_is_reached(name: str, moved: int) -> None:
    old, new = flat(take(name, [(0.5, 0.5)])), flat(take(name, [(1.5, 5.0)]))
    assert sum(abs(old.get(key, 0) - new.get(key, 0)) for key in {*old, *new}) == moved


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("marginal_counts", (3, 2)),
        ("marginal_counts", (2,)),
        ("product_counts", (2, 2000)),
        ("column_cells", (4, 2)),
        ("box_cells", (3, 3)),
    ],
)
def test_misfits_are_refused(name: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(DpframeError):
        registry.build(name, CASES[name][0]).output(Rows(2), Array(shape))


def test_a_released_number_of_grids() -> None:
    """The list ends at a size of 0, so the third and fourth grid are not counted."""
    assert len(take("column_cells", [(0.0, 0.0)])) == 2
    assert registry.build("product_counts", {}).output(Rows(2), Array((2, 9))) == Counts(100)


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_dyadic_bins_hold_their_values(value: float) -> None:
    place = int(dyadic_bin(np.array([value]))[0])
    if value == 0:
        assert place == -1
    else:
        assert 0 <= place < DYADIC
        assert Fraction(2) ** (place + LOWEST) < abs(Fraction(value)) <= Fraction(2) ** (place + LOWEST + 1)
