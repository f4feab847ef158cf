"""One table in every form that a run reads, for the tests of sources."""

from __future__ import annotations

import gzip
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError
from dpframe.front.delimiting import table
from dpframe.runtime.sources import open_source

NAN, INF = float("nan"), float("inf")
ROWS = np.array(
    [[1.5, -2.0, 0.1], [NAN, 3.0, 4.0], [1e308, -5e-324, -0.0], [7.0, INF, 8.0], [9.0, 10.0, 2.0**60], [0.0, 0.0, 1.0]]
)
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


def packed(path: Path) -> Path:
    (path / "x.csv.gz").write_bytes(gzip.compress(csv(path).read_bytes()))
    return path / "x.csv.gz"


def feather(path: Path, **options: Any) -> Path:
    pytest.importorskip("pyarrow.feather").write_feather(arrow_table(), path / "x.feather", **options)
    return path / "x.feather"


def folder(path: Path) -> Path:
    """Three files, written in another order than that of their names, one without rows; and what readers leave out."""
    (path / "f").mkdir(exist_ok=True)
    rows = arrow_table()
    for name, part in {"part-2": rows[4:], "part-0": rows[:4], "part-1": rows[:0]}.items():
        pytest.importorskip("pyarrow.parquet").write_table(part, path / "f" / f"{name}.parquet")
    for name in ("_SUCCESS", ".part-0.parquet.crc"):
        (path / "f" / name).write_text(SECRET)
    return path / "f"


def pa_reader(given: list[Any]) -> Any:
    return pytest.importorskip("pyarrow").RecordBatchReader.from_batches(given[0].schema, given)


def csv_glob(path: Path) -> str:
    header, *lines = csv(path).read_text().splitlines(keepends=True)
    for i in range(0, len(lines), 2):
        write_csv(path / f"part{i}.csv", "".join([header, *lines[i : i + 2]]))
    return str(path / "part*.csv")


def separated(path: Path, sign: str, name: str) -> Path:
    return write_csv(path / name, csv(path).read_text().replace(",", sign))


def batches() -> list[Any]:
    rows = arrow_table()
    return [*rows[:1].to_batches(), *rows[:0].to_batches(), *rows[1:].to_batches()]


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
    "csv.gz": packed,
    "csv, tabs": lambda path: table(separated(path, "\t", "t.csv"), delimiter="tab"),
    "csv, semicolons, by sign": lambda path: table(str(separated(path, ";", "t.csv")), delimiter=";"),
    "tsv": lambda path: separated(path, "\t", "t.tsv"),
    "feather": feather,
    "feather, plain, small batches": lambda path: feather(path, compression="uncompressed", chunksize=2),
    "folder of parquet": folder,
    "glob of parquet": lambda path: folder(path) / "*.parquet",
    "glob of csv": csv_glob,
    "glob of csv.gz": lambda path: packed(path).parent / "*.csv.gz",
    "glob of npy": lambda path: npy(path, ROWS).parent / "?.npy",
    "URL": lambda path: f"file://{csv(path)}",
    "URL, packed": lambda path: f"file://{packed(path)}",
    "URL, npy": lambda path: f"file://{npy(path, ROWS)}",
    "URL, feather": lambda path: f"file://{feather(path)}",
    "URL of a folder": lambda path: f"file://{folder(path)}",
    "URL of a glob": lambda path: f"file://{folder(path)}/p*.parquet",
    "dataset of files": lambda path: pytest.importorskip("pyarrow.dataset").dataset(str(folder(path))),
    "dataset in memory": lambda path: pytest.importorskip("pyarrow.dataset").dataset(batches()),
    "arrow batch": lambda path: arrow_table().to_batches()[0],
    "polars, lazy": lambda path: frame("polars").lazy(),
    "duckdb": lambda path: pytest.importorskip("duckdb").from_arrow(arrow_table()),
    "reader of arrow": lambda path: lambda: pa_reader(batches()),
    "reader of arrays": lambda path: lambda: (ROWS[i : i + 2] for i in range(0, 6, 2)),
    "reader of frames": lambda path: lambda: [frame("pandas")[:3], frame("pandas")[3:]],
    "dask": lambda path: dask((2, 3)),
    "dask, cut both ways": lambda path: dask((4, 2)),
    "dask, unknown sizes": lambda path: dask((2, 3), known=False),
    "dask, masked": lambda path: dask((2, 3)).map_blocks(
        lambda block: np.ma.masked_array(np.where(np.isnan(block), 99.0, block), np.isnan(block))
    ),
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
