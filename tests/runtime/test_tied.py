"""What the caller's code reads is read in the caller's thread: connections and contexts are bound to theirs."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DataError
from dpframe.planning.results import run_plan
from dpframe.runtime import blocks
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.joined import Joined, OfCategory, Piece
from dpframe.runtime.sources.units import UnitSource
from dpframe.runtime.views import SourceTable, View

N = 3000
ROWS = np.random.default_rng(0).normal(size=(N, 2))
SCALE: ContextVar[float] = ContextVar("scale", default=1.0)


@dp.program
def learn(x: Any) -> dict[str, Any]:
    """A pass that threads fold, and pairs that are gathered."""
    inside = dp.sum(dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0)))
    near = dp.dyadic_counts(dp.pairs(x, seed=1))
    return {
        "sum": dp.release("sum", dp.gaussian(share=0.5), inside),
        "near": dp.release("near", dp.gaussian(share=0.5), near),
    }


def released(data: Any, threads: int | None, n: int = N) -> dict[str, bytes]:
    plan = dp.plan(learn, x=dp.rows(n=n, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    result = run_plan(plan, {"x": data}, simulate=3, threads=threads, chunk=100)
    assert result.status == "released", result.reason
    return {name: np.asarray(value).tobytes() for name, value in result.outputs.items()}


def reader(seen: set[int], columns: int = 2) -> Callable[[], Iterator[Any]]:
    """Hands out rows in a context of the caller's, and notes in which threads."""

    def pieces() -> Iterator[Any]:
        with np.errstate(all="ignore"):  # left in the context that it was entered in
            for at in range(0, N, 200):
                seen.add(threading.get_ident())
                yield ROWS[at : at + 200, :columns] * SCALE.get()

    return pieces


@pytest.mark.parametrize("threads", [1, 2, 3, None])
def test_a_reader_stays_in_its_thread_and_context(threads: int | None) -> None:
    seen: set[int] = set()
    token = SCALE.set(0.5)
    try:
        assert released(reader(seen), threads) == released(0.5 * ROWS, 1)
    finally:
        SCALE.reset(token)
    assert seen == {threading.get_ident()}


def test_a_connection_is_used_where_it_was_made() -> None:
    pd = pytest.importorskip("pandas")
    connection = sqlite3.connect(":memory:")
    pd.DataFrame(ROWS, columns=["a", "b"]).to_sql("t", connection, index=False)
    assert released(lambda: pd.read_sql_query("select * from t", connection, chunksize=200), 2) == released(ROWS, 1)
    connection.close()


def test_one_reader_of_a_connection_is_open_at_a_time() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.sql("create table t as select range::double as a, -range::double as b from range(3000)")
    rows = np.column_stack([np.arange(3000.0), -np.arange(3000.0)])
    query = connection.sql("select * from t order by a")
    for name in ("to_arrow_reader", "fetch_record_batch"):
        if hasattr(query, name):
            assert released(lambda name=name: getattr(query, name)(200), 2) == released(rows, 1)


def test_whatever_is_made_of_a_reader_is_read_there() -> None:
    pd, seen = pytest.importorskip("pandas"), set[int]()
    joined = open_source(Joined((Piece(reader(seen, 1)), Piece(ROWS))))
    units = UnitSource(lambda: iter([pd.DataFrame({"id": [1, 2, 1], "a": ROWS[:3, 0]})]), unit="id", rows=2)
    category = OfCategory(joined, 0, drops=True)
    assert [source.tied for source in (joined, units, category)] == [True] * 3
    assert [open_source(ROWS).tied, open_source(Joined((Piece(ROWS), Piece(ROWS)))).tied] == [False, False]
    index = np.arange(N).reshape(3, -1)
    (first, *_) = blocks._rows_at(View(SourceTable(joined, N), N), index)
    np.testing.assert_array_equal(first[:, 0], ROWS[: N // 3, 0])
    assert seen == {threading.get_ident()}


def test_what_a_reader_asks_of_numpy_ends_with_it() -> None:
    """It is left in the middle when a table is opened, and closed then: outside its own `np.errstate`."""
    before = np.geterr()
    source = open_source(reader(set()))
    assert np.geterr() == before
    rows = source.chunks(100)
    next(rows)
    rows.close()
    assert np.geterr() == before
    assert source.count_rows() == N
    assert np.geterr() == before


@pytest.mark.parametrize("lie", ["words", "error", "rows"])
def test_a_dask_array_is_computed_before_anything_is_spent(lie: str) -> None:
    da = pytest.importorskip("dask.array")

    def block(rows: Any) -> Any:
        if lie == "error":
            raise ValueError("8675309")
        return np.full(rows.shape, "8675309") if lie == "words" else rows[:-1]

    array = da.from_array(ROWS, chunks=(1000, 2)).map_blocks(block, dtype=float, meta=np.zeros((0, 2)))
    with pytest.raises(DataError) as refused:
        released(array, 2)
    assert "8675309" not in str(refused.value)


def test_a_type_is_named_without_what_it_holds() -> None:
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    kinds = pl.Enum(["Jane Doe", "none"])
    for frame, word in (
        (pl.DataFrame({"d": pl.Series(["Jane Doe"], dtype=kinds)}), "'d' (Enum)"),
        (pd.DataFrame({"d": pd.arrays.SparseArray(["Jane Doe"] * 2, fill_value="Jane Doe")}), "'d' (Sparse)"),
    ):
        with pytest.raises(DataError) as refused:
            open_source(frame)
        assert word in str(refused.value)
        assert "Jane" not in str(refused.value)


@pytest.mark.parametrize("path", ["", "a\0.csv", "a\0"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(DataError, match="is no path"):
        open_source(path)
