"""Neighbouring tables in every form that a source takes, and plans to run on them."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import dpframe as dp
from tests.planning.examples import CASES, ball, plan_of

N = 1000
RUNNABLE = (
    "simple mean", "simple mean, add/remove", "simple mean, user level", "zCDP", "GDP", "partition by rule",
    "partition by rule, add/remove", "halves by index", "for_each", "for_each, zCDP view", "for_each, pure", "branch",
    "recurse", "worklist", "subsample", "subsample, add/remove", "secret pairs and labels", "many parts", "columns",
    "asserted row map",
)  # fmt: skip
"""Cases whose posts can run."""
MORE = (
    "categories", "categories, add/remove", "branch with given", "registered semimetric", "averaging vectors of a part",
    "row expressions",
)  # fmt: skip
"""As well: bodies for each category, learners on blocks of rows, formulas."""
SECRET = ("subsample, add/remove", "secret pairs and labels")
"""A row leaves by becoming empty: of another number of rows other labels would be drawn."""


def rows(seed: int = 0, n: int = N) -> Any:
    """A table with empty rows."""
    table = np.random.default_rng(seed).normal(size=(n, 2)) * 6
    table[::37, 1] = np.nan
    return table


def neighbours(case: str) -> Iterator[tuple[Any, Any]]:
    """Pairs under the case's adjacency: a row moves far, becomes empty, stops being empty, comes, goes."""
    table, adjacency = rows(), CASES[case][1]
    at = [(5,), (0,), (N - 1,)] if adjacency != dp.Edits(3, 3) else [(5, 6, 7), (0, 500, N - 1)]
    for chosen in at:
        table[list(chosen)] = [1e9, -3.0]  # where another row can be opposite
    for chosen in at:
        for value in (np.array([-1e9, 3.0]), np.array([0.1, 0.1]), np.array([np.nan, 1.0])):
            other = table.copy()
            other[list(chosen)] = value
            if adjacency != dp.ADD_REMOVE or (
                case in SECRET and np.isnan(value).any() and np.isfinite(table[chosen[0]]).all()
            ):
                yield table, other
    if adjacency == dp.ADD_REMOVE and case not in SECRET:
        for at_row in (0, 5, N - 1):
            yield table, np.delete(table, at_row, axis=0)
            yield table, np.insert(table, at_row, [[7.0, -2.0]], axis=0)
    alone = np.full((N, 2), np.nan)
    if adjacency == dp.REPLACE_ONE:
        one = alone.copy()
        one[3] = [1.0, 2.0]
        yield alone, one


def text(table: Any) -> str:
    """As CSV."""
    lines = [",".join("" if np.isnan(v) else repr(float(v)) for v in row) for row in table]
    return "\n".join(["a,b", *lines]) + "\n"


def npy(path: Path, table: Any) -> Path:
    """Saved."""
    np.save(path, table)
    return path


def csv(path: Path, table: Any) -> Path:
    """Written."""
    path.write_text(text(table))
    return path


def arrow(table: Any) -> Any:
    """Nulls for missing numbers."""
    import pyarrow as pa

    def column(values: Any) -> Any:
        return pa.array([None if np.isnan(v) else float(v) for v in values], type=pa.float64())

    return pa.table({"a": column(table[:, 0]), "b": column(table[:, 1])})


def parquet(path: Path, table: Any) -> Path:
    """Written, in several row groups."""
    import pyarrow.parquet as pq

    pq.write_table(arrow(table), path, row_group_size=300)
    return path


def pandas(table: Any, dtype: str) -> Any:
    """A frame; nullable types hold NA."""
    import pandas as pd

    return pd.DataFrame({"a": pd.array(table[:, 0], dtype=dtype), "b": pd.array(table[:, 1], dtype=dtype)})


def polars(table: Any) -> Any:
    """Nulls for missing numbers."""
    import polars as pl

    return pl.from_arrow(arrow(table))


def dask(table: Any) -> Any:
    """In uneven blocks."""
    import dask.array as da

    return da.from_array(table, chunks=(317, 1))


def separated(path: Path, table: Any, sign: str) -> Path:
    """CSV with another sign."""
    path.write_text(text(table).replace(",", sign))
    return path


def scanned(path: Path, table: Any) -> Any:
    """A lazy frame of a file, which sorts nothing."""
    import polars as pl

    return pl.scan_parquet(parquet(path, table))


def several(folder: Path, name: str, table: Any, write: Callable[[Path, Any], Any]) -> Path:
    """Files of uneven numbers of rows, one of none, whose names are in the order of rows; written last one first."""
    cuts = [0, 1, 317, 317, len(table) - 100, len(table)]
    for i in range(len(cuts) - 2, -1, -1):
        write(folder / name.format(i), table[cuts[i] : cuts[i + 1]])
    return folder


def packed(path: Path, text: str) -> Path:
    """By gzip, in two members as tools that append write them."""
    lines = text.splitlines(keepends=True)
    parts = ("".join(lines[:40]), "".join(lines[40:]))
    path.write_bytes(b"".join(gzip.compress(part.encode()) for part in parts))
    return path


def feather(path: Path, table: Any) -> Path:
    """Written in small batches."""
    import pyarrow.feather as written

    written.write_feather(arrow(table), path, chunksize=211)
    return path


def dataset(folder: Path, table: Any) -> Any:
    """Of Arrow, of a folder of Parquet files."""
    import pyarrow.dataset as opened

    return opened.dataset(several(folder, "part-{}.parquet", table, parquet))


def stream(table: Any) -> Callable[[], Any]:
    """What opens a reader of Arrow anew each time."""
    import pyarrow as pa

    made = arrow(table)
    return lambda: pa.RecordBatchReader.from_batches(made.schema, made.to_batches(max_chunksize=173))


def pieces(table: Any) -> Callable[[], Any]:
    """What hands out arrays of uneven size, an empty one among them."""
    return lambda: iter([table[:1], table[1:1], table[1:640], table[640:]])


def dask_frame(table: Any) -> Any:
    """Partitions of unknown lengths."""
    import dask.dataframe as dd

    return dd.from_pandas(pandas(table, "float64"), npartitions=3)


def relation(table: Any) -> Any:
    """Of DuckDB."""
    import duckdb

    return duckdb.connect().from_arrow(arrow(table))


FORMS: dict[str, Callable[[Path, Any], Any]] = {
    "array": lambda path, table: table,
    "Fortran array": lambda path, table: np.asfortranarray(table),
    "masked array": lambda path, table: np.ma.MaskedArray(np.nan_to_num(table, nan=9.0), mask=np.isnan(table)),
    "list": lambda path, table: table.tolist(),
    "npy": lambda path, table: npy(path / "x.npy", table),
    "npy, Fortran": lambda path, table: npy(path / "x.npy", np.asfortranarray(table)),
    "csv": lambda path, table: csv(path / "x.csv", table),
    "parquet": lambda path, table: parquet(path / "x.parquet", table),
    "pandas": lambda path, table: pandas(table, "float64"),
    "pandas, nullable": lambda path, table: pandas(table, "Float64"),
    "polars": lambda path, table: polars(table),
    "arrow": lambda path, table: arrow(table),
    "dask": lambda path, table: dask(table),
    "npy files": lambda path, table: f"{several(path, 'x-{}.npy', table, npy)}/x-*.npy",
    "csv, packed": lambda path, table: packed(path / "x.csv.gz", text(table)),
    "tsv, packed": lambda path, table: packed(path / "x.tsv.gz", text(table).replace(",", "\t")),
    "csv, semicolons": lambda path, table: dp.table(separated(path / "x.csv", table, ";"), delimiter="semicolon"),
    "csv files": lambda path, table: f"{several(path, '{}.csv', table, csv)}/*.csv",
    "csv files, packed": lambda path, table: (
        f"{several(path, '{}.csv.gz', table, lambda p, t: packed(p, text(t)))}/*.csv.gz"
    ),
    "Parquet folder": lambda path, table: several(path, "part-{}.parquet", table, parquet),
    "Parquet files": lambda path, table: f"{several(path, 'part-{}.parquet', table, parquet)}/*.parquet",
    "URL": lambda path, table: f"file://{parquet(path / 'x.parquet', table)}",
    "feather": lambda path, table: feather(path / "x.feather", table),
    "dataset": dataset,
    "polars, lazy": lambda path, table: polars(table).lazy(),
    "polars, scanned": lambda path, table: scanned(path / "x.parquet", table),
    "duckdb": lambda path, table: relation(table),
    "reader": lambda path, table: stream(table),
    "pieces": lambda path, table: pieces(table),
    "dask frame": lambda path, table: dask_frame(table),
}
"""What a source can be made of."""


@dp.program
def everything(x: Any) -> Any:
    """A mean and a histogram of all rows, parts by a rule, halves and pairs by index."""
    mean = dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball())))
    near, far = dp.transform("filter_ball", x, ball())
    counts = (
        dp.release("near", dp.laplace(share=1.0), dp.count(near)),
        dp.release("far", dp.laplace(share=1.0), dp.count(far)),
    )
    left, right = dp.transform("split", x, count=2)
    halves = (
        dp.release("left", dp.gaussian(share=1.0), dp.count(left)),
        dp.release("right", dp.gaussian(share=1.0), dp.count(right)),
    )
    few = dp.release("few", dp.gaussian(share=1.0), dp.gram(dp.clip(dp.transform("pairs", x, max_pairs=20), ball())))
    pairs = dp.release("pairs", dp.gaussian(share=1.0), dp.gram(dp.clip(dp.transform("pairs", x), ball())))
    bins = dp.release("bins", dp.laplace(share=1.0), dp.transform("bin_counts", x, edges=[-5.0, 0.0, 5.0], column=0))
    return mean, *counts, *halves, few, pairs, bins


def whole_plan() -> Any:
    """The plan of :func:`everything`."""
    return dp.plan(
        everything, x=dp.rows(n=N, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6)
    )


def observed(case: str, first: Any, second: Any) -> list[str]:
    """What is found in situ."""
    from dpframe.testing.audit.in_situ import in_situ

    return in_situ(plan_of(case), {"x": first}, {"x": second})
