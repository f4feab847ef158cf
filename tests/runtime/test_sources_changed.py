"""A file that changes under a run ends it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import ChangedError, RunError
from dpframe.runtime.sources import TableSource, open_source
from dpframe.runtime.sources.digest import UNIT_ROWS
from tests.runtime.tables import ROWS, TABLES, discreet


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


@pytest.mark.parametrize("make", ["npy", "csv", "parquet"])
def test_a_file_whose_header_was_read_is_the_one_that_is_counted(make: str, tmp_path: Path) -> None:
    source = open_source(path := TABLES[make](tmp_path))
    touch(path)
    with pytest.raises(RunError, match="changed during the run"):
        source.count_rows()


def test_rows_are_not_read_twice_by_the_groups_of_another_file(tmp_path: Path) -> None:
    """Parts of a Parquet file are found by the groups in its footer, as it was when that was read."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

    def write(*sizes: int) -> None:
        schema, at = arrow.schema([("a", arrow.float64())]), 0
        with parquet.ParquetWriter(path, schema) as file:
            for size in sizes:
                file.write_table(arrow.table({"a": np.arange(at, at + size, dtype=float)}, schema=schema))
                at += size

    path, n = tmp_path / "t.parquet", 4 * UNIT_ROWS
    write(3 * UNIT_ROWS - 5, UNIT_ROWS + 5)
    source = open_source(path)
    write(2 * UNIT_ROWS, 2 * UNIT_ROWS)
    with pytest.raises(RunError, match="changed during the run"):
        source.count_rows()
    again = open_source(path)
    assert again.count_rows() == n
    cuts = again.cuts(2)
    parts = [again.part(start, stop, 4096, again.digests.anew()) for start, stop in pairwise(cuts)]
    read = np.concatenate([chunk.values[:, 0] for part in parts for chunk in part])
    np.testing.assert_array_equal(read, np.arange(n))


def test_tables_in_memory_have_no_fingerprint() -> None:
    source = open_source(ROWS)
    assert source.fingerprint() is None
    source.check_unchanged(None)


class Shifting(TableSource):
    """A table of ten rows when it is counted, and of others when it is read."""

    def __init__(self, rows: int) -> None:
        super().__init__(["a", "b"], None)
        self.held = rows

    def _count(self) -> int:
        return 10

    def _batches(self, rows: int) -> Iterator[Any]:
        for start in range(0, self.held, rows):
            yield np.ones((min(rows, self.held - start), 2))


@pytest.mark.parametrize("rows", [0, 9, 11, 25])
@pytest.mark.parametrize("chunk", [3, 10, 64])
def test_a_first_reading_of_another_number_of_rows_ends_the_run(rows: int, chunk: int) -> None:
    """A stream has no stamp, and where rows are read once no digest is compared: their number is all that tells."""
    assert sum(len(piece.valid) for piece in Shifting(10).chunks(chunk)) == 10
    with pytest.raises(ChangedError):
        list(Shifting(rows).chunks(chunk))
    whole, source = Shifting(10), Shifting(min(rows, 9))
    for table in (whole, source):
        table.digests.read_once()
        table.count_rows()
    assert sum(len(piece.valid) for piece in whole.part(0, 10, chunk, whole.digests.anew())) == 10
    with pytest.raises(ChangedError):
        list(source.part(0, 10, chunk, source.digests.anew()))
