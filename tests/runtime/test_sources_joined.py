"""Tables put together: each row of its own cells alone, whatever holds them, and no row is read above the kernel."""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe import estimators as E
from dpframe.errors import DataError
from dpframe.front.estimators.naming import column_of
from dpframe.runtime.sources import Declared, Joined, OfCategory, Piece, Texts, Values, Whole, open_source
from dpframe.runtime.sources.base import TableSource
from dpframe.runtime.sources.joined import vector

LABELS = ["a", "b", "a", None, "zz", "c"]


def rows(data: Any) -> Any:
    """All rows of what a description opens, NaN where they are empty."""
    source = data if isinstance(data, TableSource) else open_source(data)
    chunks = list(source.chunks(4))
    return np.concatenate([np.where(c.valid[:, None], c.values, np.nan) for c in chunks])


def frame_of(kind: str, folder: Path) -> Any:
    frame = pd.DataFrame({"x": np.arange(6.0), "g": LABELS})
    if kind == "polars":
        return pl.from_pandas(frame)
    if kind == "arrow":
        return pa.Table.from_pandas(frame)
    path = folder / f"x.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    if kind == "parquet":
        frame.to_parquet(path)
    return frame if kind == "pandas" else path


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "csv", "parquet"])
def test_categories_of_any_table_are_places_in_the_declared_list(kind: str, tmp_path: Path) -> None:
    table = frame_of(kind, tmp_path)
    reader = Declared(["b", "a"])
    by = Piece(column_of(table, "g"), None, reader)
    assert rows(Joined((Piece(table, ["x"]), by))) == pytest.approx(
        np.array([[0, 1], [1, 0], [2, 1], *[[np.nan, np.nan]] * 3]), nan_ok=True
    )
    whole = open_source(Joined((Piece(table, ["x"]), by)))
    kept = rows(OfCategory(whole, 1, drops=False))[:, 0]
    assert kept == pytest.approx([0, np.nan, 2, np.nan, np.nan, np.nan], nan_ok=True)
    assert rows(OfCategory(whole, 1, drops=True))[:, 0].tolist() == [0, 2]


def test_numbers_that_are_equal_are_one_category() -> None:
    read = Declared([1, 0]).objects(np.array([0, 1.0, "1", True, 2, None, np.int8(0)], dtype=object))
    assert read == pytest.approx([1, 0, 0, 0, np.nan, np.nan, 1], nan_ok=True)
    for twice in ([1, "1"], [None], ["a", "a"]):
        with pytest.raises(DataError, match="distinct"):
            Declared(twice)


def test_lengths_must_agree_and_are_not_told() -> None:
    with pytest.raises(DataError, match="inconsistent") as caught:
        open_source(Joined((Piece(np.zeros((4, 1))), Piece(Values(np.zeros(5)))))).count_rows()
    assert not any(digit in caught.value.message for digit in "45")


CELLS = st.sampled_from(["a", "b", "c", "ż", "", None, 1, 0, True, 2.5, float("nan"), b"a"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-5, 5), CELLS), min_size=1, max_size=9), CELLS, st.integers(0, 8), st.integers(0, 3)
)
@pytest.mark.parametrize("drops", [False, True])
def test_neighbours_make_neighbours(drops: bool, table: Any, cell: Any, at: int, place: int) -> None:
    """Under replace-one the same row alone changes; under add/remove the row is there or not, the others stay."""
    at %= len(table)
    other = [*table[:at], (7.0, cell), *table[at + 1 :]] if not drops else [*table[:at], *table[at + 1 :]]

    def kept(records: Any) -> Any:
        cells = np.empty(len(records), dtype=object)
        cells[:] = [c for _, c in records]
        X = np.array([[x] for x, _ in records]).reshape(-1, 1)
        by = Piece(Values(cells), None, Declared(["a", "b", 1, "ż"]))
        texts = Piece(Values(cells), None, Texts()), Piece(Values(cells), None, Whole())
        wholes = open_source(Joined((Piece(X), *texts, by))), open_source(Joined((Piece(X), by)))
        both = [OfCategory(whole, place, drops=drops) for whole in wholes]
        return [rows(one) if one.count_rows() else np.zeros((0, one.d)) for one in both]

    for a, b in zip(kept(table), kept(other), strict=True):
        if drops:
            longer = a.tolist()
            assert len(longer) - len(b) in (0, 1)
            gone = next((i for i, row in enumerate(b) if not np.array_equal(row, a[i], equal_nan=True)), len(b))
            assert np.array_equal(np.delete(a, gone, axis=0)[: len(b)] if len(a) > len(b) else a, b, equal_nan=True)
        else:
            same = [np.array_equal(p, q, equal_nan=True) for p, q in zip(a, b, strict=True)]
            assert [i for i, equal in enumerate(same) if not equal] in ([], [at])


# ------------------------------------------------------------------ nobody above the kernel reads rows

X = np.random.default_rng(0).normal(size=(300, 2))
Y = (X[:, 0] > 0).astype(int)
TABLE = pd.DataFrame(X, columns=["a", "b"]).assign(g=np.where(Y, "u", "v"))
HOW: dict[str, Any] = {"epsilon": 50.0, "delta": 1e-3, "adjacency": "replace_one", "simulate": 0, "bound": 9.0}
BY: dict[str, Any] = {**HOW, "by": "g", "categories": ["u", "v"], "tight": True}
FITS: dict[str, Callable[[], Any]] = {
    "mean": lambda: E.PrivateMean(**HOW, tight=True).fit(X),
    "regression": lambda: E.PrivateLinearRegression(**HOW, tight=True).fit(X, X @ [1.0, 2.0]),
    "found classes": lambda: E.PrivateGaussianNB(**HOW, tight=True).fit(X, np.where(Y, "u", "v")),
    "declared classes": lambda: E.PrivateGaussianNB(**HOW, tight=True, classes=["u", "v"]).fit(TABLE, "g"),
    "by": lambda: E.PrivateMean(**BY).fit(TABLE),
    "by, with y": lambda: E.PrivateGaussianNB(**{**BY, "adjacency": "add_remove"}, classes=[0, 1]).fit(TABLE, Y),
    "search": lambda: E.PrivateSearch(
        E.PrivateGaussianNB(**HOW, tight=True, classes=[0, 1]), {"seed": [0]}, epsilon=50.0, delta=1e-3,
        adjacency="replace_one", simulate=0,
    ).fit(X, Y),
}  # fmt: skip


@pytest.mark.parametrize("name", FITS)
def test_no_row_is_read_above_the_kernel(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks a source for rows stands in the runtime; front code did before, to join, code and cut."""
    asked: list[str] = []
    chunks = TableSource.chunks

    def recorded(self: Any, count: int) -> Any:
        frame = sys._getframe(1)
        asked.append(frame.f_globals["__name__"])
        return chunks(self, count)

    monkeypatch.setattr(TableSource, "chunks", recorded)
    FITS[name]()
    assert asked
    allowed = ("dpframe.runtime.",) if name != "search" else ("dpframe.runtime.", "dpframe.front.estimators.base")
    assert [who for who in asked if not who.startswith(allowed)] == []


def test_a_missing_cell_does_not_decide_whether_true_and_false_are_numbers() -> None:
    for cells in ([True, False, True], [True, None, True]):
        wanted = [math.nan if cell is None else float(cell) for cell in cells]
        for kind in ("boolean", pd.ArrowDtype(pa.bool_())):
            np.testing.assert_array_equal(vector(pd.Series(cells, dtype=kind)).astype(np.float64), wanted)
        np.testing.assert_array_equal(vector(pl.Series(cells)).astype(np.float64), wanted)
        assert vector(pl.Series(cells)).dtype.kind in "bf"


NULLABLE: list[tuple[str, Callable[[list[Any]], Any], Any]] = [
    *((kind, lambda cells, kind=kind: pd.Series(cells, dtype=kind), 1) for kind in ("Int64", "Float64", "boolean")),
    *(
        (kind, lambda cells, kind=kind: pd.Series(cells, dtype=kind), 1)
        for kind in ("int64[pyarrow]", "double[pyarrow]")
    ),
    ("bool[pyarrow]", lambda cells: pd.Series(cells, dtype="bool[pyarrow]"), True),
    ("string", lambda cells: pd.Series(cells, dtype="string"), "a"),
    *(
        (f"category {one!r}", lambda cells, one=one: pd.Series(pd.Categorical(cells, categories=[one])), one)
        for one in (1, True, 1.5, "a")
    ),
    *(
        (f"{kind.__name__} {one!r}", lambda cells, kind=kind, one=one: kind(cells, categories=[one]), one)
        for kind in (pd.Categorical, pd.CategoricalIndex)
        for one in (1, "a")
    ),
    *(
        (str(kind), lambda cells, kind=kind: pl.Series(cells, dtype=kind), one)
        for kind, one in ((pl.Int64, 1), (pl.UInt8, 1), (pl.Boolean, True), (pl.Float32, 1.0), (pl.String, "a"))
    ),
    *(
        (f"arrow {kind}", lambda cells, kind=kind: pa.chunked_array([pa.array(cells, kind)]), one)
        for kind, one in ((pa.int8(), 1), (pa.bool_(), True), (pa.float64(), 1.0), (pa.string(), "a"))
    ),
    ("arrow dictionary", lambda cells: pa.array(cells, pa.int64()).dictionary_encode(), 1),
    ("masked", lambda cells: np.ma.masked_array([1, 1], [cell is None for cell in cells]), 1),
    ("list", list, 1),
]


@pytest.mark.parametrize(("make", "one"), [pytest.param(make, one, id=name) for name, make, one in NULLABLE])
def test_a_missing_cell_does_not_decide_the_type_of_a_target(make: Callable[[list[Any]], Any], one: Any) -> None:
    """It is that of the model's classes: a library's own conversion tells by it whether some label is missing."""
    complete, missing = vector(make([one, one])), vector(make([one, None]))
    assert complete.dtype == missing.dtype
    read = rows(Joined((Piece(Values(missing), reader=Declared([one])),)))
    np.testing.assert_array_equal(read, [[0.0], [math.nan]])


def test_one_label_of_another_type_does_not_change_the_others() -> None:
    class Answer(str, enum.Enum):  # noqa: UP042  StrEnum prints as its value
        YES = "yes"

    for cells, classes in (([Answer.YES] * 3, ["yes"]), ([1.0, 1.0, 1.0], [1.0]), ([True, True, True], [1])):
        for last in (cells[-1], "odd", 5):
            found = rows(Joined((Piece(Values(vector([*cells[:-1], last])), reader=Declared(classes)),)))
            assert found[:2].tolist() == [[0.0], [0.0]]
    texts = Whole()
    assert texts.cells(["١", "12", b"12"]).tolist() == pytest.approx([math.nan, 12.0, 12.0], nan_ok=True)
