"""Sources: every format gives the same rows, malformed files are refused without quoting a cell."""

from __future__ import annotations

import importlib
import os
import re
import traceback
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dpframe.errors import DataError, DpframeError, RunError
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.delimited import CsvSource

NAN, INF = float("nan"), float("inf")
ROWS = np.array(
    [[1.5, -2.0, 0.1], [NAN, 3.0, 4.0], [1e308, -5e-324, -0.0], [7.0, INF, 8.0], [9.0, 10.0, 2.0**60], [0.0, 0.0, 1.0]]
)
LIVE = np.isfinite(ROWS).all(axis=1)
NAMES = ("a", "b", "c")
SECRET = "8675309"


def write_csv(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def npy(path: Path, array: np.ndarray[Any, Any]) -> Path:
    np.save(path / "x.npy", array)
    return path / "x.npy"


def csv(path: Path) -> Path:
    lines = [",".join(NAMES), *(",".join("NA" if np.isnan(v) else repr(float(v)) for v in row) for row in ROWS)]
    return write_csv(path / "x.CSV", "\n".join(lines) + "\n")


def arrow_table() -> Any:
    pa = pytest.importorskip("pyarrow")
    return pa.table(
        {name: pa.array([None if np.isnan(v) else v for v in col]) for name, col in zip(NAMES, ROWS.T, strict=True)}
    )


def parquet(path: Path) -> Path:
    pytest.importorskip("pyarrow.parquet").write_table(arrow_table(), path / "x.parquet", row_group_size=4)
    return path / "x.parquet"


def memory_map(path: Path) -> Any:
    return np.load(npy(path, ROWS), mmap_mode="r")


def dask(chunks: Any, *, known: bool = True) -> Any:
    array = pytest.importorskip("dask.array").from_array(ROWS, chunks=chunks)
    return array if known else array[array.sum(axis=1) != 1e99]


def frame(module: str) -> Any:
    return pytest.importorskip(module).DataFrame(dict(zip(NAMES, ROWS.T.copy(), strict=True)))


# One list drives the tests of every kind of table; all hold ROWS.
TABLES: dict[str, Callable[[Path], Any]] = {
    "array": lambda path: ROWS,
    "Fortran array": lambda path: np.asfortranarray(ROWS),
    "strided array": lambda path: np.repeat(np.repeat(ROWS, 2, axis=0), 2, axis=1)[::2, ::2],
    "big-endian array": lambda path: ROWS.astype(">f8"),
    "masked array": lambda path: np.ma.MaskedArray(np.where(np.isnan(ROWS), 99.0, ROWS), mask=np.isnan(ROWS)),
    "memory map": memory_map,
    "list": lambda path: ROWS.tolist(),
    "npy": lambda path: npy(path, ROWS),
    "npy, Fortran": lambda path: npy(path, np.asfortranarray(ROWS)),
    "npy, big-endian": lambda path: npy(path, ROWS.astype(">f8")),
    "npy, as text": lambda path: str(npy(path, ROWS)),
    "csv": csv,
    "parquet": parquet,
    "pandas": lambda path: frame("pandas"),
    "polars": lambda path: frame("polars"),
    "arrow": lambda path: arrow_table(),
    "arrow batches": lambda path: pytest.importorskip("pyarrow").concat_tables([arrow_table()[:1], arrow_table()[1:]]),
    "dask": lambda path: dask((2, 3)),
    "dask, cut both ways": lambda path: dask((4, 2)),
    "dask, unknown sizes": lambda path: dask((2, 3), known=False),
}


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


@pytest.mark.parametrize("name", TABLES)
def test_every_table_gathers_rows_by_index(name: str, tmp_path: Path) -> None:
    source = open_source(TABLES[name](tmp_path))
    at = np.array([5, 0, 3, 0, 1])
    np.testing.assert_array_equal(source.take(at), np.where(LIVE[at, None], ROWS[at], NAN))
    assert source.take(np.array([], dtype=np.int64)).shape == (0, 3)
    for wrong in ([6], [-1], [0.5], [[0]]):
        with pytest.raises(DataError, match="Fix: "):
            source.take(np.array(wrong))


def test_gathering_spans_many_chunks(tmp_path: Path, rng: np.random.Generator) -> None:
    x = rng.standard_normal((50_000, 2))
    at = rng.integers(0, len(x), 3000)
    np.testing.assert_array_equal(open_source(npy(tmp_path, x)).take(at), x[at])


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "u1", "i8", "u8", ">i4", "g"])
@pytest.mark.parametrize("store", ["array", "npy"])
def test_every_kind_of_number_becomes_float64(dtype: str, store: str, tmp_path: Path) -> None:
    x = np.array([[0, 1], [7, 100]]).astype(dtype)
    if dtype in {"i8", "u8"}:
        x[0, 0] = np.iinfo(dtype).max
    (chunk,) = open_source(x if store == "array" else npy(tmp_path, x)).chunks(9)
    np.testing.assert_array_equal(chunk.values, [[float(v) for v in row] for row in x.tolist()])


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


CSV_TEXTS: dict[str, tuple[str | bytes, list[list[float]]]] = {
    "plain": ("a,b\n1,2\n3,4\n", [[1, 2], [3, 4]]),
    "no last line end": ("a,b\n1,2\n3,4", [[1, 2], [3, 4]]),
    "header only": ("a,b", []),
    "CRLF": ("a,b\r\n1,2\r\n3,4\r\n", [[1, 2], [3, 4]]),
    "CR": ("a,b\r1,2\r3,4\r", [[1, 2], [3, 4]]),
    "byte order mark": (b"\xef\xbb\xbfa,b\n1,2\n", [[1, 2]]),
    "missing": ("a,b\n,NA\nnan,1\n", [[NAN, NAN], [NAN, 1]]),
    "not finite": ("a,b\ninf,-Infinity\nNaN,-nan\n1e999,nan(7)\n", [[INF, -INF], [NAN, NAN], [INF, NAN]]),
    "quoted": ('"a","b"\n"1","2"\n"","NA"\n', [[1, 2], [NAN, NAN]]),
    "signs, points, exponents": ("a,b\n+1.,-.5\n1E3,2e-3\n", [[1, -0.5], [1000, 0.002]]),
    "padded": ("a,b\n 1,\t2 \n", [[1, 2]]),
    "huge integers": ("a,b\n123456789012345678901234567890,9007199254740993\n", [[1.2345678901234568e29, 2.0**53]]),
    "blank lines of one column": ("a\n1\n\n2\n", [[1], [NAN], [2]]),
    "numbered columns": ("0,1\n5,6\n", [[5, 6]]),
    "line end in a name": ('"a\nb",c\n1,2\n', [[1, 2]]),
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", CSV_TEXTS)
def test_csv_is_read_alike_by_both_parsers(name: str, fast: bool, tmp_path: Path) -> None:
    text, expected = CSV_TEXTS[name]
    path = write_csv(tmp_path / "x.csv", text)
    source = CsvSource(path, None)
    pieces = list(source._parsed() if fast and name != "header only" else source._scanned())
    table = np.concatenate(pieces) if pieces else np.empty((0, source.d))
    np.testing.assert_array_equal(table, np.array(expected).reshape(-1, source.d))
    assert open_source(path).count_rows() == len(expected)


def test_other_columns_of_a_csv_may_hold_anything(tmp_path: Path) -> None:
    text = b'name,x,note\n"Ann, B.",1,"two\n\nlines"\nCarl,2,\xff\xfe\n' + b"D,3," + b"long" * 20_000 + b"\n"
    source = open_source(write_csv(tmp_path / "x.csv", text), columns=["x"])
    (chunk,) = source.chunks(9) if source.count_rows() == 3 else ()
    np.testing.assert_array_equal(chunk.values, [[1.0], [2.0], [3.0]])


@given(text=st.text(alphabet='01.e-+,"\n\r NAnaif_x', max_size=40))
@example(text='1"2"\n')
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_arrow_accepts_the_strict_parser_reads_alike(text: str, tmp_path: Path) -> None:
    source = CsvSource(write_csv(tmp_path / "x.csv", "a\n" + text.replace(",", "")), None)
    try:
        fast = np.concatenate([np.empty((0, 1)), *source._parsed()])
    except (OSError, ValueError):
        return
    try:
        slow = np.concatenate([np.empty((0, 1)), *source._scanned()])
    except DataError:
        assert '"' in text  # the strict parser alone refuses text after a closing quote
        return
    np.testing.assert_array_equal(fast, slow)


MALFORMED_CSV: dict[str, tuple[str | bytes, str]] = {
    "empty file": ("", "empty"),
    "blank file": ("\n\n", "blank line"),
    "word": (f"a,b\n1,2\n3,x{SECRET}\n", "line 3 .*'b'"),
    "word in a later block": ("a,b\n" + "1,2\n" * 100_000 + f"x{SECRET},1\n", "line 100002 .*'a'"),
    "unknown word for missing": ("a,b\n1,null\n", "line 2 .*'b'"),
    "blank cell": ("a,b\n1, \n", "line 2 .*'b'"),
    "short line": (f"a,b\n1,2\n{SECRET}\n", "line 3 .*1 cells.*2"),
    "long line": (f"a,b\n1,2,{SECRET}\n", "line 2 .*3 cells.*2"),
    "blank line": ("a,b\n1,2\n\n3,4\n", "line 3 .*1 cells"),
    "blank line, CRLF": ("a,b\r\n1,2\r\n\r\n3,4\r\n", "line 3 .*1 cells"),
    "blank last line": ("a,b\n1,2\n\n", "line 3 .*1 cells"),
    "underscore": ("a\n1_000\n", "line 2 .*'a'"),
    "hexadecimal": ("a\n0x10\n", "line 2 .*'a'"),
    "other digits": ("a\n١٢\n", "line 2 .*'a'"),
    "true": ("a\ntrue\n", "line 2 .*'a'"),
    "no UTF-8": (b"a\n\xff8675309\n", "line 2 .*'a'"),
    "NUL": (b"a\n1\x00\n", "line 2 .*'a'"),
    "endless quote": (f'a,b\n1,2\n"{SECRET},3\n4,5\n', "line 3 .*quote"),
    "after a quote": (f'a,b\n1,2\n"{SECRET}"x,3\n', "line 3"),
    "after line ends in a quote": ('t,b\n"x\n\ny",2\nz,w\n', "line 2 .*'t'"),
    "no header": (f"{SECRET}.5,2\n3,4\n", "line 1 .*names"),
    "one name twice": ("a,b,a\n1,2,3\n", "line 1: the header .*'a,b,a'.* two columns named 'a'.*rename"),
    "trailing comma": ("a,b,\n1,2,\n", "line 1: the header .*'a,b,'.* no name for column 3.*remove the comma"),
    "row index": (",a,b\n0,1,2\n", "line 1: the header .* no name for column 1.*row index"),
    "blank name": ("a, ,b,\n1,2,3,4\n", "line 1: the header .* no name for column 2, 4"),
    "quoted empty name": ('a,""\n1,2\n', "line 1: the header .* no name for column 2"),
    "only empty names": (",\n1,2\n", "line 1: the header .* no name for column 1, 2"),
    "no header, a cell missing": (f"Ann,{SECRET},\n3,4,5\n", "line 1: the header of the CSV file has no name"),
    "no header, numbers and missing": (f"{SECRET},\n3,4\n", "line 1 .*numbers"),
    "UTF-16": ("a,b\n1,2\n".encode("utf-16"), "line"),
}


def discreet(error: BaseException) -> bool:
    """Neither the message nor anything chained to it quotes the table."""
    unchained = error.__cause__ is None and (error.__context__ is None or error.__suppress_context__)
    return unchained and SECRET not in "".join(traceback.format_exception(error)) + repr(error)


def refused(data: Any, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        open_source(data, **options).count_rows()
    assert discreet(caught.value)
    assert caught.value.fix
    return str(caught.value)


@pytest.mark.parametrize("name", MALFORMED_CSV)
def test_malformed_csv_is_refused_by_line_and_column(name: str, tmp_path: Path) -> None:
    text, message = MALFORMED_CSV[name]
    path = write_csv(tmp_path / "x.csv", text)
    assert re.search(message, refused(path))
    with pytest.raises(DataError, match=message):  # before the first chunk
        next(open_source(path).chunks(1))


def structured() -> Any:
    return np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])


OBJECTS = np.array([[SECRET, 1.0]], dtype=object)
NOT_TABLES: dict[str, Callable[[Path], Any]] = {
    "objects": lambda path: OBJECTS,
    "strings": lambda path: np.array([[SECRET]]),
    "complex": lambda path: np.array([[1j]]),
    "booleans": lambda path: np.array([[True]]),
    "dates": lambda path: np.array([["2020-01-01"]], dtype="M8[D]"),
    "structured": lambda path: structured(),
    "scalar": lambda path: np.array(1.0),
    "cube": lambda path: np.zeros((2, 2, 2)),
    "no columns": lambda path: np.zeros((2, 0)),
    "ragged list": lambda path: [[1.0, 2.0], [3.0]],
    "list of words": lambda path: [[SECRET, "x"]],
    "list with words": lambda path: [[1.0, SECRET]],
    "list with None": lambda path: [[1.0, None]],
    "list with too large": lambda path: [[10**400]],
    "dictionary": lambda path: {"a": [SECRET]},
    "number": lambda path: 3,
    "no file": lambda path: path / "absent.csv",
    "folder": lambda path: path,
    "other ending": lambda path: write_csv(path / "x.xlsx", SECRET),
    "no ending": lambda path: write_csv(path / "x", SECRET),
    "folder called csv": lambda path: (path / "d.csv").mkdir() or path / "d.csv",
    "npy of objects": lambda path: npy(path, OBJECTS),
    "npy of strings": lambda path: npy(path, np.array([[SECRET]])),
    "npy of booleans": lambda path: npy(path, np.array([[True]])),
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
    "parquet of booleans": lambda path: words(path, [True, False]),
    "parquet of lists": lambda path: words(path, [[1.0], [2.0]]),
    "pandas words": lambda path: pytest.importorskip("pandas").DataFrame({"a": [SECRET]}),
    "pandas categories": lambda path: pytest.importorskip("pandas").DataFrame({"a": [1, 2]}, dtype="category"),
    "pandas booleans": lambda path: pytest.importorskip("pandas").DataFrame({"a": [True]}),
    "pandas names twice": lambda path: pytest.importorskip("pandas").DataFrame([[1, 2]], columns=["a", "a"]),
    "pandas series": lambda path: pytest.importorskip("pandas").Series([1.0]),
    "polars words": lambda path: pytest.importorskip("polars").DataFrame({"a": [SECRET]}),
    "polars lazy": lambda path: pytest.importorskip("polars").DataFrame({"a": [1.0]}).lazy(),
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
        ([3], "no column '3'"),
        ([-1], "no column '-1'"),
        ([True], "no column 'True'"),
        ([], "none"),
        (["alpha", 0], "not distinct"),
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

    def fail(block: Any) -> Any:
        raise ValueError(SECRET)

    data = array.from_array(np.ones((4, 2)), chunks=(2, 2)).map_blocks(fail, dtype=float, meta=np.ones((0, 2)))
    with pytest.raises(RunError) as caught:
        list(open_source(data).chunks(2))
    assert discreet(caught.value)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"1,2,3\n")


def touch(path: Path) -> None:
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))


def shorten(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("change", [append, touch, shorten, Path.unlink])
@pytest.mark.parametrize("make", ["npy", "csv", "parquet"])
def test_a_changed_file_ends_the_run(make: str, change: Callable[[Path], None], tmp_path: Path) -> None:
    source = open_source(path := TABLES[make](tmp_path))
    mark = source.fingerprint()
    assert mark == (path.stat().st_size, path.stat().st_mtime_ns)
    source.count_rows()
    source.check_unchanged(mark)
    change(path)
    with pytest.raises(RunError, match="changed during the run"):
        source.check_unchanged(mark)
    with pytest.raises(RunError, match="changed during the run"):
        list(source.chunks(1))


@pytest.mark.parametrize("change", [append, touch, shorten, Path.unlink])
@pytest.mark.parametrize("make", ["npy", "csv", "parquet"])
def test_a_file_that_changes_during_a_pass_ends_it(make: str, change: Callable[[Path], None], tmp_path: Path) -> None:
    source = open_source(path := TABLES[make](tmp_path))
    chunks = source.chunks(1)
    next(chunks)
    change(path)
    with pytest.raises(RunError, match="changed during the run") as caught:
        list(chunks)
    assert discreet(caught.value)


def test_tables_in_memory_have_no_fingerprint() -> None:
    source = open_source(ROWS)
    assert source.fingerprint() is None
    source.check_unchanged(None)


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
