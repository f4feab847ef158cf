"""What holds no rows of numbers is refused, without a word of what it holds."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError, RunError
from dpframe.runtime.sources import open_source
from tests.runtime.tables import NAN, SECRET, discreet, npy, parquet, refused, write_csv


def structured() -> Any:
    return np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])


OBJECTS = np.array([[SECRET, 1.0]], dtype=object)
NOT_TABLES: dict[str, Callable[[Path], Any]] = {
    "objects": lambda path: OBJECTS,
    "strings": lambda path: np.array([[SECRET]]),
    "complex": lambda path: np.array([[1j]]),
    "dates": lambda path: np.array([["2020-01-01"]], dtype="M8[D]"),
    "structured": lambda path: structured(),
    "scalar": lambda path: np.array(1.0),
    "cube": lambda path: np.zeros((2, 2, 2)),
    "no columns": lambda path: np.zeros((2, 0)),
    "ragged list": lambda path: [[1.0, 2.0], [3.0]],
    "dictionary": lambda path: {"a": [SECRET]},
    "number": lambda path: 3,
    "no file": lambda path: path / "absent.csv",
    "folder": lambda path: path,
    "other ending": lambda path: write_csv(path / "x.xlsx", SECRET),
    "no ending": lambda path: write_csv(path / "x", SECRET),
    "folder called csv": lambda path: (path / "d.csv").mkdir() or path / "d.csv",
    "npy of objects": lambda path: npy(path, OBJECTS),
    "npy of strings": lambda path: npy(path, np.array([[SECRET]])),
    "npy cube": lambda path: npy(path, np.zeros((2, 2, 2))),
    "npy structured": lambda path: npy(path, structured()),
    "npy no magic": lambda path: write_csv(path / "x.npy", f"{SECRET}"),
    "npy empty": lambda path: write_csv(path / "x.npy", ""),
    "npy cut": lambda path: write_csv(path / "x.npy", npy(path, np.zeros((50, 2))).read_bytes()[:-8]),
    "npy bad header": lambda path: write_csv(path / "x.npy", b"\x93NUMPY\x01\x00\x20\x00" + SECRET.encode().ljust(32)),
    "parquet no magic": lambda path: write_csv(path / "x.parquet", SECRET * 20),
    "parquet empty": lambda path: write_csv(path / "x.parquet", ""),
    "parquet cut": lambda path: write_csv(path / "x.parquet", parquet(path).read_bytes()[:-3]),
    "parquet of words": lambda path: words(path, [SECRET, "x"]),
    "parquet of lists": lambda path: words(path, [[1.0], [2.0]]),
    "pandas words": lambda path: pytest.importorskip("pandas").DataFrame({"a": [SECRET]}),
    "pandas categories": lambda path: pytest.importorskip("pandas").DataFrame({"a": [1, 2]}, dtype="category"),
    "pandas names twice": lambda path: pytest.importorskip("pandas").DataFrame([[1, 2]], columns=["a", "a"]),
    "pandas series": lambda path: pytest.importorskip("pandas").Series([1.0]),
    "polars words": lambda path: pytest.importorskip("polars").DataFrame({"a": [SECRET]}),
    "arrow words": lambda path: pytest.importorskip("pyarrow").table({"a": [SECRET]}),
    "arrow array": lambda path: pytest.importorskip("pyarrow").array([1.0]),
    "dask words": lambda path: pytest.importorskip("dask.array").from_array(np.array([[SECRET]])),
}


def words(path: Path, column: list[Any]) -> Path:
    pa = pytest.importorskip("pyarrow")
    importlib.import_module("pyarrow.parquet").write_table(pa.table({"a": column}), path / "x.parquet")
    return path / "x.parquet"


@pytest.mark.parametrize("name", NOT_TABLES)
def test_what_holds_no_rows_of_numbers_is_refused(name: str, tmp_path: Path) -> None:
    refused(NOT_TABLES[name](tmp_path))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["alpa"], "nearest known one is 'alpha'"),
        (["gamma "], "nearest known one is 'gamma'"),
        (["MM"], "nearest known one is 'gamma'"),
        (["city"], "its columns are 'alpha', "),
        ([3], "no column '3'"),
        ([-1], "no column '-1'"),
        ([True], "no column 'True'"),
        ([], "at least one"),
        (["alpha", 0], "each once"),
    ],
)
def test_unknown_columns_name_the_nearest_known_one(columns: list[Any], message: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv", "alpha,beta,gamma\n1,2,3\n")
    assert message in refused(path, columns=columns)


def test_an_integer_names_a_column_before_it_counts_one() -> None:
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame([[1.0, 2.0, 3.0]], columns=[5, 7, 0])
    assert open_source(data, columns=[7, 0]).columns == ("7", "0")
    assert open_source(data, columns=[1]).columns == ("7",)


def typed(path: Path) -> Path:
    """Numbers, text, nulls, numbers that are all missing, numbers."""
    pa = pytest.importorskip("pyarrow")
    columns = {"a": [1.0, 2.0], "t": [SECRET, "x"], "e": pa.nulls(2), "b": pa.array([None, None], pa.float64())}
    importlib.import_module("pyarrow.parquet").write_table(pa.table(columns | {"c d": [1, 2]}), path / "typed.parquet")
    return path / "typed.parquet"


TYPED: dict[str, Callable[[Path], Any]] = {
    "parquet": typed,
    "arrow": lambda path: importlib.import_module("pyarrow.parquet").read_table(typed(path)),
    "polars": lambda path: pytest.importorskip("polars").read_parquet(typed(path), use_pyarrow=True),
    "pandas": lambda path: pytest.importorskip("pandas").DataFrame(
        {"a": [1.0, 2.0], "t": [SECRET, "x"], "e": [None, None], "b": [NAN, NAN], "c d": [1, 2]}
    ),
}


@pytest.mark.parametrize("kind", TYPED)
def test_columns_that_the_schema_types_as_no_numbers_are_named(kind: str, tmp_path: Path) -> None:
    """A column of missing numbers is one of numbers: its cells don't decide. The fix that is given works."""
    data = TYPED[kind](tmp_path)
    told = refused(data)
    assert all(f"'{name}' (" in told for name in "te")
    assert "--set columns='a,b,c d'" in told
    assert "--set columns='a,b,c d'" in refused(data, columns=["t"])
    (chunk,) = open_source(data, columns=["a", "b", "c d"]).chunks(9)
    assert not chunk.valid.any()


@pytest.mark.parametrize("kind", ["arrow", "pandas", "feather", "parquet"])
def test_numbers_that_arrow_encodes_by_a_dictionary_are_numbers(kind: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    column = pa.array([1, None, 3]).dictionary_encode()
    data: Any = pa.table({"a": column})
    if kind == "pandas":
        pandas = pytest.importorskip("pandas")
        data = pandas.DataFrame({"a": pandas.array(column, dtype=pandas.ArrowDtype(column.type))})
    elif kind != "arrow":
        write = "write_feather" if kind == "feather" else "write_table"
        getattr(importlib.import_module(f"pyarrow.{kind}"), write)(data, tmp_path / f"x.{kind}")
        data = tmp_path / f"x.{kind}"
    (chunk,) = open_source(data).chunks(9)
    assert chunk.values[:, 0].tolist() == [1.0, 0.0, 3.0]
    assert chunk.valid.tolist() == [True, False, True]


def test_what_to_write_for_none_is_said() -> None:
    data = [[1, None], [Decimal("0.5"), 2]]
    assert "numpy.asarray(data, dtype=float) makes floats of Decimal" in refused(np.array(data, dtype=object))
    for given in (data, np.asarray(data, dtype=float)):
        (chunk,) = open_source(given).chunks(9)
        assert chunk.valid.tolist() == [False, True]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.pq", "call it 'x.parquet', if it is one"),
        ("x.parq", "call it 'x.parquet', if it is one"),
        ("x.arrow", "call it 'x.feather', if it is one"),
        ("x.IPC", "call it 'x.feather', if it is one"),
        ("x.npz", "numpy.save"),
        ("x.sqlite", "pandas.read_sql"),
    ],
)
def test_another_ending_is_told_what_to_do(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    assert said in refused(tmp_path / name)


@pytest.mark.parametrize("library", ["pandas", "pandas, nullable", "polars", "arrow"])
def test_frames_with_nulls_and_integers(library: str) -> None:
    values = {"a": [1, None, 2**62], "b": [0.5, 1.5, None]}
    if library.startswith("pandas"):
        pandas = pytest.importorskip("pandas")
        data = pandas.DataFrame(values)
        data = data.astype({"a": "Int64", "b": "Float64"}) if library != "pandas" else data
    else:
        module, make = ("polars", "DataFrame") if library == "polars" else ("pyarrow", "table")
        data = getattr(pytest.importorskip(module), make)(values)
    (chunk,) = open_source(data).chunks(9)
    assert chunk.valid.tolist() == [True, False, False]
    np.testing.assert_array_equal(chunk.values, [[1.0, 0.5], [0.0, 0.0], [0.0, 0.0]])


def test_a_failing_dask_block_is_not_quoted() -> None:
    array = pytest.importorskip("dask.array")

    good = [2]

    def fail(block: Any) -> Any:
        good[0] -= 1
        if good[0] < 0:
            raise ValueError(SECRET)
        return block

    data = array.from_array(np.ones((4, 2)), chunks=(2, 2)).map_blocks(fail, dtype=float, meta=np.ones((0, 2)))
    source = open_source(data)
    source.count_rows()
    with pytest.raises(RunError) as caught:
        list(source.chunks(2))
    assert discreet(caught.value)
    with pytest.raises(DataError) as refused:
        open_source(data).count_rows()
    assert discreet(refused.value)
