"""A file that changes under a run ends it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dpframe.errors import RunError
from dpframe.runtime.sources import open_source
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


def test_tables_in_memory_have_no_fingerprint() -> None:
    source = open_source(ROWS)
    assert source.fingerprint() is None
    source.check_unchanged(None)
