"""Datasets of Arrow whose files have other types: refused by these alone, whatever one cell holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError
from dpframe.runtime.sources import open_source
from tests.runtime.tables import SECRET

pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")
pq = pytest.importorskip("pyarrow.parquet")

WHOLE, FLOATS = pa.array([1, 2, 3], pa.int64()), pa.array([1.0, 2.0, 3.0])
OTHERS: dict[str, tuple[Any, list[Any]]] = {
    "floats after whole numbers": (WHOLE, [FLOATS, pa.array([1.0, 2.0, 1.5]), pa.array([1.0, 2.0, float("nan")])]),
    "whole numbers after floats": (FLOATS, [WHOLE, pa.array([1, 2, 2**53 + 1])]),
    "wider ones": (WHOLE.cast("int32"), [WHOLE, pa.array([1, 2, 2**40])]),
    "signs": (WHOLE.cast("uint8"), [WHOLE.cast("int8"), pa.array([1, 2, -1], pa.int8())]),
    "numbers after booleans": (pa.array([True, False, True]), [WHOLE, pa.array([1, 0, 7])]),
    "texts": (WHOLE, [pa.array(["1", "2", "3"]), pa.array(["1", "2", SECRET])]),
}
ALIKE: dict[str, tuple[Any, Any]] = {
    "narrower ones": (WHOLE, WHOLE.cast("int16")),
    "narrower floats": (FLOATS, FLOATS.cast("float32")),
    "nothing": (WHOLE, pa.nulls(3)),
}


def files(path: Path, first: Any, second: Any) -> Path:
    for name, column in (("a", first), ("b", second)):
        pq.write_table(pa.table({"x": FLOATS, "y": column}), path / f"{name}.parquet")
    return path


def outcome(table: Any, columns: Any = None) -> str:
    try:
        return f"{open_source(table, columns=columns).count_rows()} rows"
    except DataError as error:
        return str(error)


@pytest.mark.parametrize("form", ["plain", "filtered", "with a schema"])
@pytest.mark.parametrize("name", OTHERS)
def test_no_cell_decides_whether_a_dataset_is_refused(name: str, form: str, tmp_path: Path) -> None:
    first, seconds = OTHERS[name]
    said = set()
    for second in seconds:
        made = ds.dataset(files(tmp_path, first, second))
        if form == "with a schema":
            made = ds.dataset(tmp_path, schema=made.schema)
        said.add(outcome(made.filter(ds.field("x") > 0) if form == "filtered" else made))
        assert outcome(made, ["x"]) == "6 rows"  # what no one uses is not cast
    (one,) = said
    assert "file 'b.parquet' has other types" in one
    assert f"'y' is {seconds[0].type}, not {first.type}" in one
    assert "folder's path" in one
    assert SECRET not in one
    if name != "texts":
        assert [outcome(str(files(tmp_path, first, second))) for second in seconds] == ["6 rows"] * len(seconds)


@pytest.mark.parametrize("name", ALIKE)
def test_types_that_always_fit_are_read(name: str, tmp_path: Path) -> None:
    source = open_source(ds.dataset(files(tmp_path, *ALIKE[name])))
    assert source.count_rows() == 6
    filled = [chunk.valid.tolist() for chunk in source.chunks(10)]
    assert filled == [[True] * 3 + [name != "nothing"] * 3]


def test_all_files_of_a_union_are_looked_at(tmp_path: Path) -> None:
    parts = [tmp_path / name for name in ("left", "right")]
    for part, second in zip(parts, (WHOLE, FLOATS), strict=True):
        part.mkdir()
        files(part, WHOLE, second)
    assert "file 'b.parquet'" in outcome(ds.dataset([ds.dataset(part) for part in parts]))


def test_text_whose_types_are_guessed_is_refused(tmp_path: Path) -> None:
    """Arrow takes the type of a column from the first block: a fraction behind it would end the reading."""
    said = set()
    for last in ("3", "1.5"):
        (tmp_path / "a.csv").write_text("x\n" + "1\n" * 600_000 + last + "\n")
        said.add(outcome(ds.dataset(tmp_path / "a.csv", format="csv")))
    (one,) = said
    assert "guesses a column's type" in one
    assert outcome(str(tmp_path / "*.csv")) == "600001 rows"


def test_a_table_in_memory_is_read_as_before() -> None:
    source = open_source(ds.dataset(pa.table({"x": FLOATS})))
    assert np.concatenate([chunk.values for chunk in source.chunks(2)])[:, 0].tolist() == [1.0, 2.0, 3.0]
