"""Columns of one table that is read anew in each pass come of one reading, whatever the order of its rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from dpframe import estimators as E
from dpframe.errors import ChangedError, DataError
from dpframe.proof.spaces import unit_level
from dpframe.runtime.sources import ByUnit, Declared, Joined, Named, Piece, TableSource, Values, open_slots, open_source
from dpframe.runtime.sources.parquet import ParquetSource

N = 1000
RELATION = unit_level("add_remove", unit="g", rows=2)
HOW: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0, "bound": 9.0}


def table(seed: int) -> pd.DataFrame:
    """Rows in some order: x is what g says."""
    order = np.random.default_rng(seed).permutation(N)
    return pd.DataFrame({"t": 0.0, "x": order % 2 * 2.0, "g": order % 2})


def anew(fixed: bool = False) -> Callable[[], Any]:
    """A reader that gives another order each time, in uneven pieces."""
    times: list[int] = []

    def again() -> Any:
        times.append(0)
        whole = table(0 if fixed else len(times))
        return (whole[i : i + 300] for i in range(0, N, 300))

    return again


def dask_array() -> Any:
    da = pytest.importorskip("dask.array")
    times: list[int] = []

    def block(rows: Any) -> Any:
        times.append(0)
        return table(len(times)).to_numpy(dtype=float)[: len(rows)]

    return da.zeros((N, 3), chunks=(250, 3)).map_blocks(block, dtype=float, meta=np.zeros((0, 3)))


def dask_frame() -> Any:
    dd = pytest.importorskip("dask.dataframe")
    times: list[int] = []

    def part(_: int) -> pd.DataFrame:
        times.append(0)
        return table(len(times))[:300]

    return dd.from_map(part, range(3), meta=table(0)[:0])


STREAMS: dict[str, tuple[Callable[[], Any], Any, Any]] = {
    "reader": (anew, "x", "g"),
    "Arrow's dataset": (lambda: ds.dataset(pa.Table.from_pandas(table(3))), "x", "g"),
    "Dask array": (dask_array, 1, 2),
    "Dask frame": (dask_frame, "x", "g"),
}


def read(source: TableSource) -> Any:
    return np.concatenate([chunk.values for chunk in source.chunks(64)])


def unchecked(source: TableSource) -> Any:
    """One reading, without the count before it."""
    return np.concatenate([np.array(block) for block in source._batches(64)])


@pytest.mark.parametrize("kind", STREAMS)
def test_columns_that_are_joined_come_of_one_reading(kind: str) -> None:
    made, x, g = STREAMS[kind]
    data = made()
    inner = Joined((Piece(data, [x]), Piece(Named(data, g))))
    rows = unchecked(open_source(Joined((Piece(inner), Piece(Named(data, g), None, Declared([1, 0]))))))
    assert len(rows) >= 900
    assert (rows[:, 0] == 2.0 * rows[:, 1]).all()
    assert (rows[:, 2] == 1.0 - rows[:, 1]).all()
    assert 0 < rows[:, 1].sum() < len(rows)


@pytest.mark.parametrize("handed", [False, True])
def test_a_lazy_table_that_is_joined_is_collected_once(handed: bool) -> None:
    """By itself, and where a reader hands it out."""
    pl = pytest.importorskip("polars")
    times: list[int] = []

    def other(_: Any) -> Any:
        times.append(0)
        return pl.from_pandas(table(len(times)))

    lazy = pl.from_pandas(table(0)).lazy().map_batches(other)
    data = (lambda: iter([lazy, lazy])) if handed else lazy
    rows = unchecked(open_source(Joined((Piece(data, ["x"]), Piece(Named(data, "g"))))))
    assert (rows[:, 0] == 2.0 * rows[:, 1]).all()


def test_what_an_estimator_joins_comes_of_one_reading() -> None:
    """As of a database whose scan begins where another one that is going on stands: every pass has the same order."""
    reading: list[int] = []
    whole = pd.DataFrame({"x": np.arange(600_000) % 2 * 2.0, "g": np.arange(600_000) % 2})

    def again() -> Any:
        begin = 100 * len(reading) + len(reading)
        reading.append(0)
        try:
            yield from (whole[i : i + 50_000] for i in range(begin, len(whole), 50_000))
            yield whole[:begin]
        finally:
            reading.pop()

    how = {"epsilon": 50.0, "delta": None, "adjacency": "replace_one", "simulate": 0, "columns": ["x"]}
    found = E.PrivateHistogram([-1.0, 1.0, 3.0], by="g", categories=[0, 1], **how).fit(again)
    assert [np.round(found.groups_[c].counts_[0], -2).tolist() for c in (0, 1)] == [[3e5, 0], [0, 3e5]]


def test_tables_that_are_read_apart_are_not_joined() -> None:
    data = anew(fixed=True)
    still, one, other = Piece(Values(np.zeros(N))), Piece(data, ["x"]), Piece(anew(fixed=True), ["g"])
    for pieces in ((one, other), (one, still, other), (one, still, Piece(Named(data, "g")))):
        with pytest.raises(DataError, match=r"read anew apart.*as columns of one table"):
            open_source(Joined(pieces))


def test_the_order_beside_a_table_that_stands_still_is_compared_with_a_first_reading() -> None:
    """Also where a plan reads the whole once, and compares nothing of it."""
    still = Piece(Values(np.arange(N)))
    source = open_source(Joined((Piece(anew(fixed=True), ["x"]), still)))
    source.digests.read_once()
    assert len(read(source)) == N
    source = open_source(Joined((Piece(anew(), ["x"]), still)))
    source.digests.read_once()
    with pytest.raises(ChangedError):
        read(source)


def test_a_later_part_with_other_columns_is_refused() -> None:
    parts = [table(0)[["x", "g"]], table(0)[["g", "x"]]]
    data = lambda: iter(parts)  # noqa: E731
    with pytest.raises(DataError, match="column 1 is called 'g'"):
        open_source(Joined((Piece(data, [0]), Piece(Named(data, "g"))))).count_rows()


def test_units_and_their_rows_come_of_one_reading() -> None:
    data = anew()
    slots = open_slots(ByUnit(Named(data, "g"), Joined((Piece(data, ["x"]), Piece(Named(data, "g"))))), RELATION)
    with pytest.raises(ChangedError):  # the order is another one in the second reading, and that is seen
        read(slots)
    data = anew(fixed=True)
    slots = open_slots(ByUnit(Named(data, "g"), Joined((Piece(data, ["x"]), Piece(Named(data, "g"))))), RELATION)
    assert read(slots).tolist() == [[0.0, 0.0]] * 2 + [[2.0, 1.0]] * 2
    assert slots.labels == (0, 1)


# ------------------------------------------------------------------ X and y


def lazy(kind: str) -> tuple[Any, Any]:
    """X, and y beside it, of which one is lazy."""
    frame = table(0)
    if kind == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        return frame[["x"]], duckdb.connect().from_arrow(pa.Table.from_pandas(frame[["g"]]))
    if kind == "dask":
        dd = pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=2)
        return dd[["x"]], dd["g"]
    pl = pytest.importorskip("polars")
    made = pl.from_pandas(frame)
    x, y = made.select("x"), made.select("g")
    return {"both": (x.lazy(), y.lazy()), "X": (x.lazy(), y["g"]), "y": (x, y.lazy())}[kind]


@pytest.mark.parametrize("kind", ["both", "X", "y", "duckdb", "dask"])
def test_x_and_y_that_are_computed_apart_are_refused(kind: str) -> None:
    X, y = lazy(kind)
    grouped = {"by": "x", "categories": [0, 1], "classes": [0, 1]}
    search = E.PrivateSearch(E.PrivateGaussianNB(**HOW), {"seed": [0]}, epsilon=1.0, delta=1e-6, adjacency="add_remove")
    models = [E.PrivateLinearRegression(**HOW), E.PrivateGaussianNB(**HOW, **grouped), search]
    for model in models:
        with pytest.raises(DataError, match=r"computed apart.*as the name of a column of X"):
            model.fit(X, y)


def test_a_lazy_table_with_its_target_is_collected_once() -> None:
    pl = pytest.importorskip("polars")
    asked: list[int] = []

    def counted(frame: Any) -> Any:
        asked.append(len(frame))
        return frame

    data = pl.from_pandas(table(0)[["x", "g"]]).lazy().map_batches(counted)
    E.PrivateLinearRegression(**HOW).fit(data, "g")
    assert asked == [N]


@pytest.mark.parametrize("kind", ["numbers", "texts"])
def test_the_type_of_a_target_of_dask_is_what_dask_says(kind: str) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = table(0).assign(g=lambda t: np.where(t["g"], "b", "a") if kind == "texts" else t["g"])
    found = E.PrivateGaussianNB(**{**HOW, "epsilon": 50.0}).fit(dd.from_pandas(frame[["x", "g"]], npartitions=3), "g")
    assert found.classes_.tolist() == (["a", "b"] if kind == "texts" else [0, 1])


def test_a_search_whose_scores_cannot_be_read_is_refused_before_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    paid: list[int] = []
    monkeypatch.setattr(E.PrivateLinearRegression, "fit", lambda *_: paid.append(0))
    search = E.PrivateSearch(
        E.PrivateLinearRegression(**HOW), {"seed": [0, 1]}, epsilon=1.0, delta=1e-6, adjacency="replace_one",
        score_range=(-1.0, 0.0),
    )  # fmt: skip
    with pytest.raises(DataError, match="read anew apart"):
        search.fit(anew(fixed=True), np.zeros(N))
    assert not paid


# ------------------------------------------------------------------ ids of one type


def test_ids_of_whole_numbers_of_any_width_are_of_one_type(tmp_path: Path) -> None:
    for i, kind in enumerate(("int64", "int32", "uint8")):
        pd.DataFrame({"g": np.arange(3), "x": 1.0}).astype({"g": kind}).to_parquet(tmp_path / f"{i}.parquet")
    assert len(read(open_slots(str(tmp_path), RELATION))) == 6


@pytest.mark.parametrize("kind", ["float64", "float32", "str"])
@pytest.mark.parametrize("how", ["folder", "feather", "npy", "reader", "dataset", "beside"])
def test_ids_of_another_type_are_refused_before_a_row_is_used(how: str, kind: str, tmp_path: Path) -> None:
    """Where one is missing pandas makes floats of all ids of that piece, and rounds the large ones."""
    frames = [pd.DataFrame({"g": [2**60 + 1, 2**60 + 3], "x": 1.0}).astype({"g": one}) for one in ("int64", kind)]
    if how == "npy" and kind == "str":
        return
    for i, frame in enumerate(frames):
        frame.to_parquet(tmp_path / f"{i}.parquet")
        frame.to_feather(tmp_path / f"{i}.feather")
        np.save(tmp_path / f"{i}.npy", frame.astype({"x": frame["g"].dtype}).to_numpy())
    again = lambda: iter(frames)  # noqa: E731
    data: dict[str, Any] = {
        "folder": str(tmp_path / "*.parquet"),
        "feather": str(tmp_path / "*.feather"),
        "npy": str(tmp_path / "*.npy"),
        "reader": again,
        "dataset": ds.dataset(sorted(map(str, tmp_path.glob("*.parquet")))),
        "beside": ByUnit(Named(again, "g"), Joined((Piece(again, ["x"]),))),
    }
    relation = RELATION if how != "npy" else unit_level("add_remove", unit="0", rows=2)
    with pytest.raises(DataError, match=re.compile("ids are of type .* here, and of type whole numbers.*Int64")):
        open_slots(data[how], relation).count_rows()


def test_a_dataset_of_tables_in_memory_has_units() -> None:
    slots = open_slots(ds.dataset(pa.Table.from_pandas(table(0))), RELATION)
    assert read(slots)[:, 1].tolist() == [0.0, 0.0, 2.0, 2.0]


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_texts_are_of_one_type_however_they_are_kept(library: str) -> None:
    frames = []
    for kind in ("str", "category", "object"):
        frame: Any = pd.DataFrame({"g": ["a", "b"], "x": 1.0}).astype({"g": kind})
        if library == "polars":
            pl = pytest.importorskip("polars")
            frame = pl.DataFrame({"g": ["a", "b"], "x": 1.0}).with_columns(
                pl.col("g").cast({"str": pl.String, "category": pl.Categorical, "object": pl.Enum(["a", "b"])}[kind])
            )
        frames.append(frame)
    assert read(open_slots(lambda: iter(frames), RELATION)).tolist() == [[1.0]] * 4


def test_categories_are_compared_by_value_and_may_have_several_types(tmp_path: Path) -> None:
    for i, kind in enumerate(("int64", "float64")):
        pd.DataFrame({"g": np.arange(3), "x": 1.0}).astype({"g": kind}).to_parquet(tmp_path / f"{i}.parquet")
    path = str(tmp_path)
    rows = read(open_source(Joined((Piece(path, ["x"]), Piece(Named(path, "g"), None, Declared([2, 1, 0]))))))
    assert rows[:, 1].tolist() == [2, 1, 0, 2, 1, 0]
    assert isinstance(open_source(str(tmp_path / "0.parquet")), ParquetSource)


def test_whole_numbers_of_texts_are_one_id_however_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "0.csv").write_text("g,x\n17,1\n100000000000000000,1\n-3,1\n007,1\n")
    (tmp_path / "1.csv").write_text("g,x\n17.0,1\n1e+17,1\n-3.00,1\n,1\n")
    slots = open_slots(str(tmp_path / "*.csv"), RELATION)
    assert slots.count_rows() == 2 * 4
    assert read(slots).sum() == 7.0
