"""Exact folds: integers that no order, cut or worker can change, and joint bounds that hold whatever comes in."""

from __future__ import annotations

import itertools
import math
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.errors import DomainError
from dpframe.kernel.exact import folds, lattice
from dpframe.kernel.exact.folds import sums
from dpframe.kernel.families import weighted_folds

BITS, WEIGHT_BITS = 12, 10
D, K = 3, 4

Table = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def components(x: np.ndarray[Any, Any], valid: np.ndarray[Any, Any]) -> tuple[list[np.ndarray[Any, Any]], Any]:
    """Each component's own clipped rows, and the weights of the components."""
    rows = [lattice.to_ball(x - j, valid, np.zeros(D), 2.0 + j, BITS) for j in range(K)]
    logs = np.stack([-lattice.squared_norms(x - j) for j in range(K)], axis=1)
    return rows, lattice.responsibilities(logs, valid, WEIGHT_BITS)


def cells(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(np.floor(np.clip(x, -50, 50) / 2), dtype=np.int64)


def ball(x: np.ndarray[Any, Any], valid: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return lattice.to_ball(x, valid, np.full(D, 0.1), 3.0, BITS)


# One list drives the tests of every fold: how to build it, and what it does with a chunk of rows.
FOLDS: dict[str, tuple[Callable[[], Any], Callable[[Any, Any, Any], None]]] = {
    "count": (folds.CountFold, lambda f, x, valid: f.update(valid)),
    "sum": (lambda: folds.SumFold(D, BITS), lambda f, x, valid: f.update(ball(x, valid))),
    "weights": (
        lambda: folds.SumFold(K, WEIGHT_BITS),
        lambda f, x, valid: f.update(components(x, valid)[1]),
    ),
    "box sum": (
        lambda: folds.SumFold(D, BITS),
        lambda f, x, valid: f.update(lattice.to_box(x, valid, np.zeros(D), 2.0, BITS)),
    ),
    "gram": (lambda: folds.GramFold(D, BITS), lambda f, x, valid: f.update(ball(x, valid))),
    "weighted sum": (
        lambda: weighted_folds.WeightedSumFold(K, D, bits=BITS, weight_bits=WEIGHT_BITS),
        lambda f, x, valid: f.update(*components(x, valid)),
    ),
    "weighted gram": (
        lambda: weighted_folds.WeightedGramFold(K, D, bits=BITS, weight_bits=WEIGHT_BITS),
        lambda f, x, valid: f.update(*components(x, valid)),
    ),
    "weighted histogram": (
        lambda: weighted_folds.WeightedHistogramFold(K, 5, weight_bits=WEIGHT_BITS),
        lambda f, x, valid: f.update(cells(x)[:, :1] + np.arange(K), components(x, valid)[1]),
    ),
    "histogram": (lambda: folds.HistogramFold(9), lambda f, x, valid: f.update(np.where(valid, cells(x)[:, 0], -1))),
    "sparse histogram": (
        lambda: folds.SparseHistogramFold(D),
        lambda f, x, valid: f.update(cells(x), valid),
    ),
}


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return all(map(same, a, b))
    return bool(np.asarray(a).dtype == np.asarray(b).dtype and np.array_equal(a, b))


def value(name: str, x: np.ndarray[Any, Any], valid: np.ndarray[Any, Any], cuts: tuple[int, ...] = ()) -> Any:
    """The value over the table cut at the given rows, each piece in a fold of its own, merged from the last."""
    make, step = FOLDS[name]
    total = make()
    for a, b in reversed(list(itertools.pairwise((0, *cuts, len(x))))):
        part = make()
        step(part, x[a:b], valid[a:b])
        total.merge(part)
    return total.value


@pytest.fixture
def table(rng: np.random.Generator) -> Table:
    return rng.standard_normal((900, D)) * 3, rng.random(900) > 0.1


@pytest.mark.parametrize("name", FOLDS)
@given(data=st.data())
@settings(max_examples=25)
def test_no_order_cut_or_layout_changes_a_value(name: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(st.floats(-9, 9), min_size=D, max_size=D), min_size=1, max_size=20))
    x = np.array(rows)
    valid = np.array(data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x))))
    order = np.array(data.draw(st.permutations(range(len(x)))))
    cuts = tuple(sorted(data.draw(st.lists(st.integers(0, len(x)), max_size=4))))
    expected = value(name, x, valid)
    assert same(value(name, x[order], valid[order], cuts), expected)
    assert same(value(name, np.asfortranarray(x), valid, cuts), expected)
    assert same(value(name, x[valid], valid[valid]), expected)  # empty rows add nothing


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_no_number_of_workers_changes_a_value(name: str, workers: int, table: Table) -> None:
    make, step = FOLDS[name]
    x, valid = np.tile(table[0], (12, 1)), np.tile(table[1], 12)
    blocks = [slice(start, start + 700) for start in range(0, len(x), 700)]

    def work(mine: list[slice]) -> Any:
        fold = make()
        for at in mine:
            step(fold, x[at], valid[at])
        return fold

    with ThreadPoolExecutor(workers) as pool:
        first, *others = pool.map(work, [blocks[w::workers] for w in range(workers)])
    for other in others:
        first.merge(other)
    assert same(first.value, value(name, x, valid))


@pytest.mark.parametrize("name", ["sum", "gram", "weighted gram"])
def test_no_number_of_blas_threads_changes_a_value(name: str, table: Table) -> None:
    control = pytest.importorskip("threadpoolctl")
    seen = []
    for threads in (1, 2, 3):
        with control.threadpool_limits(threads):
            seen.append(value(name, *table))
    assert same(seen[0], seen[1])
    assert same(seen[0], seen[2])


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3, 5, 7, 9, 11, 24, 32, 33])
def test_a_gram_is_the_same_integers_however_it_is_multiplied(
    d: int, small: bool, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "_has_small_products", lambda: small)
    monkeypatch.setattr(sums, "_SMALL", 100 * d * d)
    rows = rng.integers(-(2**18) // d, 2**18 // d, size=(3, 250, d))
    one, several = folds.GramFold(d, 18), weighted_folds.WeightedGramFold(3, d, bits=18, weight_bits=2)
    one.update(rows[0].astype(np.float64))
    several.update(rows[:, :99].astype(np.float64), np.tile([4.0, 0.0, 0.0], (99, 1)))
    assert one.value.tolist() == (rows[0].T @ rows[0]).tolist()
    assert several.value[0].tolist() == (rows[0, :99].T @ rows[0, :99]).tolist()


@pytest.mark.parametrize("name", FOLDS)
def test_an_unfinished_fold_travels_between_processes(name: str, table: Table) -> None:
    make, step = FOLDS[name]
    fold = make()
    step(fold, *table)
    assert same(pickle.loads(pickle.dumps(fold)).value, fold.value)


@pytest.mark.parametrize("name", FOLDS)
def test_an_empty_chunk_is_a_chunk(name: str) -> None:
    make, step = FOLDS[name]
    fold = make()
    step(fold, np.zeros((0, D)), np.zeros(0, bool))
    assert same(fold.value, make().value)


def test_a_float_gram_is_caught(table: Table) -> None:
    """The broken twin: the same clip without the lattice depends on the order of the rows."""
    x = np.tile(table[0], (8, 1))
    x /= np.maximum(1.0, np.linalg.norm(x, axis=1) / 3.0)[:, None]
    halves = x[:3000].T @ x[:3000] + x[3000:].T @ x[3000:]
    assert not np.array_equal(x.T @ x, halves)
    assert not np.array_equal(x.T @ x, x[::-1].T @ x[::-1])


def test_sums_and_grams_are_the_integers(table: Table) -> None:
    q = [[int(v) for v in row] for row in ball(*table)]
    np.testing.assert_array_equal(value("sum", *table), [sum(row[j] for row in q) for j in range(D)])
    gram = [[sum(row[i] * row[j] for row in q) for j in range(D)] for i in range(D)]
    np.testing.assert_array_equal(value("gram", *table), gram)
    assert value("count", *table) == int(table[1].sum())


def test_weighted_values_are_the_truncated_rows(table: Table) -> None:
    rows, weights = components(*table)
    total, gram = value("weighted sum", *table), value("weighted gram", *table)
    for j in range(K):
        t = [
            [math.trunc(int(v) * int(w) / 2**WEIGHT_BITS) for v in row]
            for row, w in zip(rows[j], weights[:, j], strict=True)
        ]
        np.testing.assert_array_equal(total[j], np.sum(t, axis=0))
        root = np.trunc(rows[j] * np.sqrt(weights[:, j, None] / 2**WEIGHT_BITS))
        np.testing.assert_array_equal(gram[j], root.T @ root)


@pytest.mark.parametrize("rows", [1500, 4096])
def test_a_value_beyond_int64_stays_exact(rows: int) -> None:
    q = np.full((rows, 2), 2.0**25)
    q[:, 1] *= -1
    parts = [folds.GramFold(2, 26) for _ in range(3)]
    for part in parts:
        part.update(q)
    first, second, third = parts
    third.merge(second)
    first.merge(third)
    entry = 3 * rows * 2**50
    assert first.value.tolist() == [[entry, -entry], [-entry, entry]]
    assert first.value.dtype == (np.int64 if entry < 2**63 else object)


@given(
    parts=st.lists(st.tuples(st.integers(-(2**53), 2**53), st.integers(2**53, 2**62)), max_size=12),
    cut=st.integers(0, 12),
)
def test_exact_sums_have_no_history(parts: list[tuple[int, int]], cut: int) -> None:
    one, first, second = (folds.ExactSum((1,)) for _ in range(3))
    for i, (number, bound) in enumerate(parts):
        one.add(np.array([number]), bound)
        (first if i < cut else second).add(np.array([float(number)]), bound)
    second.merge(first)
    assert one.value.tolist() == second.value.tolist() == [sum(number for number, _ in parts)]
    assert one.value.dtype == second.value.dtype == np.int64


def anything(draw: st.DrawFn, shape: tuple[int, ...], top: int) -> np.ndarray[Any, Any]:
    numbers = st.integers(-4 * top, 4 * top) | st.sampled_from([top, -top, 0, 2**40])
    size = math.prod(shape)
    return np.array(draw(st.lists(numbers, min_size=size, max_size=size)), dtype=np.float64).reshape(shape)


@given(data=st.data())
def test_the_joint_bound_of_a_row_holds_whatever_comes_in(data: st.DataObject) -> None:
    """Rows off the lattice, weights of more than one or below zero: the kernel enforces the sensitivity."""
    rows = data.draw(st.composite(anything)((K, 1, D), 2**BITS))
    weights = data.draw(st.composite(anything)((1, K), 2**WEIGHT_BITS))
    total = weighted_folds.WeightedSumFold(K, D, bits=BITS, weight_bits=WEIGHT_BITS)
    total.update(rows, weights)
    assert sum(int(v) ** 2 for v in total.value.flat) <= 4**BITS
    gram = weighted_folds.WeightedGramFold(K, D, bits=BITS, weight_bits=WEIGHT_BITS)
    gram.update(rows, weights)
    assert sum(int(g.trace()) for g in gram.value) <= 4**BITS
    places = weighted_folds.WeightedHistogramFold(K, 3, weight_bits=WEIGHT_BITS)
    places.update(rows[:, :, 0].T.astype(np.int64), weights)
    assert places.value.min() >= 0
    assert int(places.value.sum()) <= 2**WEIGHT_BITS


def test_weighted_folds_do_not_see_how_rows_lie_in_memory(rng: np.random.Generator) -> None:
    """By rows, as callers may hand them over, and by columns, as ``whiten`` makes them; some beyond the cap."""
    rows = np.trunc(rng.normal(size=(K, 700, D)) * 2.0**BITS / 2)
    columns = np.ascontiguousarray(rows.transpose(0, 2, 1)).transpose(0, 2, 1)
    weights = np.trunc(rng.random((700, K)) * 2.0**WEIGHT_BITS / K)
    for made in (weighted_folds.WeightedGramFold, weighted_folds.WeightedSumFold):
        one, two = (made(K, D, bits=BITS, weight_bits=WEIGHT_BITS) for _ in range(2))
        one.update(list(rows), weights)
        two.update(columns, weights)
        assert np.array_equal(one.value, two.value)
        assert one.value.any()


def test_truncating_products_breaks_the_bound_that_truncating_rows_keeps() -> None:
    """docs/theory/notation.md: entries of a product, truncated, are further apart than √2·c² under a replacement."""
    x = np.array([[0.98146775, 2.05328383, -1.03476885], [-2.06713286, 0.98930017, -0.99912308]])
    c2 = (x * x).sum(axis=1).max()
    products = np.trunc(x[:, :, None] * x[:, None, :])
    assert np.linalg.norm(products[0] - products[1]) > 1.07 * math.sqrt(2) * c2
    fold = [folds.GramFold(3, 2), folds.GramFold(3, 2)]
    for row, part in zip(x, fold, strict=True):
        part.update(np.trunc(row[None]))
    assert np.linalg.norm(fold[0].value - fold[1].value) <= math.sqrt(2) * c2


@given(keys=st.lists(st.tuples(*[st.integers(-3, 3) | st.sampled_from([-(2**63), 2**63 - 1])] * 2), max_size=40))
def test_sparse_histograms_count_keys_of_any_size(keys: list[tuple[int, int]]) -> None:
    fold = folds.SparseHistogramFold(2)
    for part in (keys[:7], keys[7:]):
        fold.update(np.array(part, dtype=np.int64).reshape(-1, 2), np.ones(len(part), bool))
    found, counts = fold.value
    assert dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True)) == Counter(keys)
    assert found.tolist() == sorted(found.tolist())


def test_sparse_histograms_compact_as_they_grow(rng: np.random.Generator) -> None:
    fold = folds.SparseHistogramFold(1)
    keys = rng.integers(0, 50, (600_000, 1))
    for part in np.split(keys, 300):
        fold.update(part, np.ones(len(part), bool))
    assert fold._waiting <= 2**17
    np.testing.assert_array_equal(fold.value[1], np.bincount(keys[:, 0]))


def test_numbers_outside_the_bins_are_in_no_bin() -> None:
    fold = folds.HistogramFold(2)
    fold.update(np.array([-(2**63), -1, 0, 1, 1, 2, 2**62]))
    assert fold.value.tolist() == [1, 2]


REFUSED: dict[str, Callable[[], object]] = {
    "unclipped sum": lambda: folds.SumFold(1, 4).update(np.full((3, 1), 17.0)),
    "unclipped gram": lambda: folds.GramFold(1, 4).update(np.full((3, 1), 17.0)),
    "nan": lambda: folds.GramFold(1, 4).update(np.array([[math.nan], [0.0]])),
    "nan sum": lambda: folds.SumFold(1, 4).update(np.array([[math.nan], [0.0]])),
    "width": lambda: folds.GramFold(2, 4).update(np.zeros((3, 1))),
    "vector": lambda: folds.SumFold(2, 4).update(np.zeros(3)),
    "components": lambda: weighted_folds.WeightedSumFold(2, 1, bits=4, weight_bits=4).update(
        np.zeros((3, 5, 1)), np.zeros((5, 2))
    ),
    "weights": lambda: weighted_folds.WeightedGramFold(2, 1, bits=4, weight_bits=4).update(
        np.zeros((2, 5, 1)), np.zeros((4, 2))
    ),
    "keys": lambda: folds.SparseHistogramFold(2).update(np.zeros((3, 1), np.int64), np.ones(3, bool)),
    "bits": lambda: folds.GramFold(2, 27),
    "weight bits": lambda: weighted_folds.WeightedSumFold(2, 2, bits=4, weight_bits=0),
    "bins": lambda: folds.HistogramFold(0),
    "other width": lambda: folds.SumFold(2, 4).merge(folds.SumFold(3, 4)),
    "other lattice": lambda: folds.GramFold(2, 4).merge(folds.GramFold(2, 5)),
    "other bins": lambda: folds.HistogramFold(2).merge(folds.HistogramFold(3)),
    "other keys": lambda: folds.SparseHistogramFold(2).merge(folds.SparseHistogramFold(1)),
    "too large at once": lambda: folds.ExactSum((1,)).add(np.array([1]), 2**63),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_calls_are_refused_with_a_fix(name: str) -> None:
    with pytest.raises(DomainError, match="Fix: "):
        REFUSED[name]()
