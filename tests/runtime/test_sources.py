"""Sources: every format gives the same rows, malformed files are refused without quoting a cell."""

from __future__ import annotations

import importlib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DpframeError
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.categories import Whole
from dpframe.runtime.sources.columns import select
from dpframe.runtime.sources.joined import Joined, Piece, Values
from dpframe.runtime.sources.parquet import FeatherSource
from tests.runtime.tables import NAMES, NAN, ROWS, TABLES, npy, write_csv
from tests.steps import within

LIVE = np.isfinite(ROWS).all(axis=1)


class Name(str):
    """A name whose comparisons are calls, which can be counted."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)


@pytest.mark.parametrize("chosen", [None, ["5"], [*map(str, range(400))]])
def test_names_are_looked_up_at_once(chosen: list[str] | None) -> None:
    """Each was compared with all others: 30,000 columns took a minute."""
    names = [Name(i) for i in range(400)]
    found = within(4000, lambda: select(names, chosen))
    assert found == (list(range(400)) if chosen is None else [*map(int, chosen)])


def test_a_schema_is_asked_for_its_columns_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It makes all names and types anew each time: a Parquet file of 10,000 columns took two minutes."""
    pa, asked = pytest.importorskip("pyarrow"), list[str]()

    class Asked:
        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            return getattr(schema, name)

    table = pa.table({str(i): [1.0] for i in range(50)})
    schema = table.schema
    importlib.import_module("pyarrow.feather").write_feather(table, tmp_path / "x.feather")
    monkeypatch.setattr(FeatherSource, "_schema", lambda *_: Asked())
    assert open_source(tmp_path / "x.feather").d == 50
    assert len(asked) <= 2


@pytest.mark.parametrize("rows", [1, 2, 4, 100])
@pytest.mark.parametrize("name", TABLES)
def test_every_table_streams_the_same_chunks(name: str, rows: int, tmp_path: Path) -> None:
    source = open_source(TABLES[name](tmp_path))
    assert source.count_rows() == len(ROWS)
    assert source.d == 3
    assert source.columns in {NAMES, ("0", "1", "2")}
    for _ in range(2):
        chunks = list(source.chunks(rows))
        assert [chunk.start for chunk in chunks] == list(range(0, len(ROWS), rows))
        assert all(len(chunk.values) == len(chunk.valid) <= rows for chunk in chunks)
        for chunk in chunks:
            assert chunk.values.dtype == np.float64
            assert chunk.values.flags.c_contiguous
            assert not chunk.values.flags.writeable
        np.testing.assert_array_equal(np.concatenate([c.valid for c in chunks]), LIVE)
        seen = np.concatenate([chunk.values for chunk in chunks])
        expected = np.where(LIVE[:, None], ROWS, 0.0)
        np.testing.assert_array_equal(seen.view(np.int64), expected.view(np.int64))


@pytest.mark.parametrize("name", TABLES)
def test_every_table_selects_columns_by_name_and_position(name: str, tmp_path: Path) -> None:
    source = open_source(TABLES[name](tmp_path), columns=[2, 0])
    assert source.columns in {("c", "a"), ("2", "0")}
    (chunk,) = source.chunks(100)
    valid = np.isfinite(ROWS[:, [2, 0]]).all(axis=1)
    np.testing.assert_array_equal(chunk.valid, valid)  # row 3 lives: its infinity is in no selected column
    np.testing.assert_array_equal(chunk.values, np.where(valid[:, None], ROWS[:, [2, 0]], 0.0))
    again = open_source(TABLES[name](tmp_path), columns=source.columns)
    assert again.columns == source.columns


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "u1", "i8", "u8", ">i4", "g"])
@pytest.mark.parametrize("store", ["array", "npy"])
def test_every_kind_of_number_becomes_float64(dtype: str, store: str, tmp_path: Path) -> None:
    x = np.array([[0, 1], [7, 100]]).astype(dtype)
    if dtype in {"i8", "u8"}:
        x[0, 0] = np.iinfo(dtype).max
    (chunk,) = open_source(x if store == "array" else npy(tmp_path, x)).chunks(9)
    np.testing.assert_array_equal(chunk.values, [[float(v) for v in row] for row in x.tolist()])


def _file(values: Any, folder: Path) -> Path:
    np.save(folder / "cells.npy", values)
    return folder / "cells.npy"


READINGS: dict[str, Callable[[Any, Path], Any]] = {
    "array": lambda values, folder: values,
    "masked array": lambda values, folder: np.ma.masked_array(values),
    "file": _file,
    "file of columns": lambda values, folder: _file(np.asfortranarray(np.stack([values, values], axis=1)), folder),
    "frame": lambda values, folder: importlib.import_module("pandas").DataFrame({"a": values}),
    "vector": lambda values, folder: Joined((Piece(Values(values)),)),
    "vector of whole numbers": lambda values, folder: Joined((Piece(Values(values), reader=Whole()),)),
    "masked vector": lambda values, folder: Joined((Piece(Values(np.ma.masked_array(values)), reader=Whole()),)),
}
CELLS = {
    "a number": np.array([3.0, 1.0], dtype=np.float32),
    "a NaN that signals": np.array([0x7F800001, 0x3F800000], dtype=np.uint32).view(np.float32),
    "a number beyond float64": np.array([np.longdouble("1e4000"), 1.0], dtype=np.longdouble),
}


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("reading", READINGS)
def test_no_cast_warns_of_a_cell(reading: str, cell: str, tmp_path: Path) -> None:
    """Python shows warnings, and here they are errors."""
    chunks = list(open_source(READINGS[reading](CELLS[cell], tmp_path)).chunks(2))
    assert [chunk.valid.tolist() for chunk in chunks] == [[cell == "a number", True]]


def test_huge_integers_in_lists_are_numbers() -> None:
    (chunk,) = open_source([[10**30, 1], [2**70, 2.5]]).chunks(9)
    np.testing.assert_array_equal(chunk.values, [[1e30, 1.0], [2.0**70, 2.5]])


@pytest.mark.parametrize("store", ["array", "npy", "npy, one number"])
def test_one_dimension_is_one_column(store: str, tmp_path: Path) -> None:
    x = np.arange(1.0 if store.endswith("number") else 5.0)
    source = open_source(x if store == "array" else npy(tmp_path, x))
    assert source.columns == ("0",)
    (chunk,) = source.chunks(9)
    np.testing.assert_array_equal(chunk.values, x[:, None])


def test_an_array_is_never_written_nor_shared(rng: np.random.Generator) -> None:
    x = rng.standard_normal((100, 3))
    x[50, 1] = NAN
    before = x.copy()
    chunks = list(open_source(x).chunks(10))
    assert not any(np.shares_memory(chunk.values, x) for chunk in chunks)
    np.testing.assert_array_equal(x, before)
    assert x.flags.writeable


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_what_is_digested_is_what_is_used(kind: Any) -> None:
    """An array that is written to between the digest of a chunk and its use, and put back before the next pass."""
    rows = np.ones((3000, 2), dtype=kind)
    source, found = open_source(rows), []
    for number in (5, 7):
        total = 0.0
        for chunk in source.chunks(512):
            rows[:] = number
            total += float(chunk.values.sum())
            rows[:] = 1
        found.append(total)
    assert found == [6000.0, 6000.0]


@pytest.mark.parametrize("name", ["npy", "csv", "parquet", "array", "pandas"])
@pytest.mark.parametrize("n", [0, 1])
def test_short_tables_are_tables(name: str, n: int, tmp_path: Path) -> None:
    x = np.ones((n, 2))
    data: dict[str, Callable[[], Any]] = {
        "npy": lambda: npy(tmp_path, x),
        "csv": lambda: write_csv(tmp_path / "x.csv", "a,b\n" + "1,1\n" * n),
        "array": lambda: x,
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(x),
        "parquet": lambda: tmp_path / "x.parquet",
    }
    if name == "parquet":
        pa = pytest.importorskip("pyarrow")
        importlib.import_module("pyarrow.parquet").write_table(
            pa.table({"a": x[:, 0], "b": x[:, 1]}), tmp_path / "x.parquet"
        )
    source = open_source(data[name]())
    assert source.count_rows() == n
    assert sum(len(chunk.valid) for chunk in source.chunks(5)) == n


@pytest.mark.parametrize("rows", [0, -5])
def test_chunks_have_at_least_one_row(rows: int) -> None:
    with pytest.raises(DpframeError, match="Fix: "):
        next(open_source(ROWS).chunks(rows))


def long_file(kind: str, path: Path, n: int) -> Path:
    if kind == "csv":
        return write_csv(path / "x.csv", "a,b\n" + "0.123456789,-9.87654321\n" * n)
    if kind == "slow csv":  # a line longer than Arrow's block
        text = "a,b,t,u,v\n1,2" + 3 * ("," + "x" * 100_000) + "\n" + "0.123456789,-9.87654321,,,\n" * n
        return write_csv(path / "x.csv", text)
    return npy(path, np.asfortranarray(np.ones((n, 2))) if kind == "Fortran npy" else np.ones((n, 2)))


@pytest.mark.parametrize("kind", ["npy", "Fortran npy", "csv", "slow csv"])
def test_memory_is_bounded_by_the_chunk(kind: str, tmp_path: Path) -> None:
    """The peak does not grow with the file: three times the rows, the same memory (of Python and of Arrow)."""
    pool = pytest.importorskip("pyarrow").default_memory_pool()
    small = 30_000 if kind == "slow csv" else 400_000
    peaks = []
    for n in (small, 3 * small):
        source = open_source(long_file(kind, tmp_path, n), columns=[0, 1])
        tracemalloc.start()
        arrow = 0
        for chunk in source.chunks(2000):
            arrow = max(arrow, pool.bytes_allocated())
            del chunk
        peaks.append(tracemalloc.get_traced_memory()[1] + arrow)
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 8_000_000  # Arrow reads a few blocks ahead, more or fewer by load; the rows are 13 MB
    assert peaks[1] < 20_000_000
