"""One table in every form that a run reads, for the tests of sources."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError
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
