"""Tables in many files, behind readers, lazily computed: refused in one clear line, and watched in every pass."""

from __future__ import annotations

import gzip
import importlib
import os
import re
import shutil
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError, RunError
from dpframe.front.delimiting import table
from dpframe.runtime.sources import in_memory, open_source
from dpframe.runtime.sources.places import Disk
from tests.runtime.tables import (
    ROWS,
    SECRET,
    arrow_table,
    batches,
    csv,
    csv_glob,
    discreet,
    feather,
    folder,
    frame,
    npy,
    pa_reader,
    packed,
    refused,
    write_csv,
)


def into(path: Path, name: str, columns: dict[str, list[Any]]) -> Path:
    """A folder with one more Parquet file."""
    pa = pytest.importorskip("pyarrow")
    importlib.import_module("pyarrow.parquet").write_table(pa.table(columns), folder(path) / name)
    return path / "f"


def damaged(path: Path, at: Path) -> Path:
    at.write_bytes(at.read_bytes()[:-9] if at.suffix != ".gz" else at.read_bytes()[:-4])
    return path


def failing() -> Any:
    yield ROWS[:2]
    raise ValueError(SECRET)


def linked(path: Path) -> Path:
    (folder(path) / "latest.parquet").symlink_to(path / "f" / "part-0.parquet")
    return path / "f"


def with_folder(path: Path) -> Path:
    (folder(path) / "year=2020").mkdir()
    return path / "f"


def lazily_failing() -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"a": [f"{SECRET}x"]}).lazy().select(polars.col("a").cast(polars.Float64))


NUMBERS: dict[str, list[Any]] = {"a": [1.0], "b": [2.0], "c": [3.0]}
REFUSED: dict[str, tuple[Callable[[Path], Any], str]] = {
    "empty folder": (lambda p: p, "holds no .parquet file.* Fix: .*glob"),
    "folder of hidden files": (lambda p: write_csv(p / "_SUCCESS", "").parent, "holds no .parquet file"),
    "another file in it": (
        lambda p: write_csv(folder(p) / "notes.txt", SECRET).parent,
        r"holds 'notes.txt'.*glob.*f/\*.parquet'",
    ),
    "only another file": (lambda p: write_csv(p / "x.csv", "a\n1\n").parent, r"holds 'x.csv'.*glob.*/\*.csv'"),
    "a folder in it": (with_folder, "'year=2020' is no file.*glob"),
    "one file by two names": (linked, "'latest.parquet' and 'part-0.parquet' are one file.*remove"),
    "another column": (lambda p: into(p, "x.parquet", {"a": [1.0], "z": [2.0]}), "'x.parquet': column 2 is called 'z'"),
    "a column less": (lambda p: into(p, "x.parquet", {"a": [1.0], "b": [2.0]}), "'x.parquet': column 3 has no more"),
    "a column more": (lambda p: into(p, "x.parquet", NUMBERS | {"d": [1]}), "column 4 is called 'd'.*there is none"),
    "another order": (lambda p: into(p, "x.parquet", {"b": [2.0], "a": [1.0], "c": [3.0]}), "column 1 is called 'b'"),
    "words in one": (lambda p: into(p, "x.parquet", NUMBERS | {"b": [SECRET]}), "'x.parquet': column 'b' .*no numbers"),
    "a damaged member": (lambda p: damaged(folder(p), p / "f" / "part-2.parquet"), "'part-2.parquet': the Parquet"),
    "an empty member": (
        lambda p: write_csv(folder(p) / "x.parquet", "").parent,
        "'x.parquet': the Parquet file cannot",
    ),
    "nothing matches": (lambda p: p / "*.parquet", "no file matches .*quote"),
    "only hidden ones match": (lambda p: write_csv(p / "_x.csv", "a\n1\n").parent / "*.csv", "no file matches"),
    "several kinds match": (lambda p: npy(csv(p).parent, ROWS).parent / "x.*", "several kinds, 'x.CSV' and 'x.npy'"),
    "an unknown ending matches": (lambda p: write_csv(p / "x.dat", SECRET).parent / "*.dat", "'x.dat' has no known"),
    "a folder matches": (lambda p: folder(p).parent / "*", "'f' is no file"),
    "a malformed member": (
        lambda p: (
            Path(write_csv(Path(csv_glob(p)).parent / "part9.csv", f"a,b,c\n1,{SECRET}x,2\n")).parent / "part*.csv"
        ),
        "'part9.csv': line 2 of the CSV file, column 'b'",
    ),
    "packed, malformed": (
        lambda p: write_csv(p / "x.csv.gz", gzip.compress(f"a,b\n1,2\n3,{SECRET}x\n".encode())),
        "line 3 of the CSV file, column 'b'",
    ),
    "packed, cut": (lambda p: damaged(packed(p), p / "x.csv.gz"), "cannot be read.*again, completely"),
    "packed, not at all": (lambda p: write_csv(p / "x.csv.gz", f"a,b\n{SECRET},2\n"), "cannot be read. Fix"),
    "packed, of another kind": (lambda p: write_csv(p / "x.npy.gz", SECRET), "no known ending"),
    "feather, cut": (lambda p: damaged(feather(p), p / "x.feather"), "Feather file of version 2.*write_feather"),
    "feather of version 1": (
        lambda p: write_csv(p / "x.feather", f"FEA1{SECRET * 9}FEA1"),
        "Feather file of version 2",
    ),
    "excel": (lambda p: write_csv(p / "x.xlsx", SECRET), r"read_excel\(.*to_parquet.*\.csv\.gz.*folder"),
    "no such path": (lambda p: p / "absent.csv", "there is no file.*folder of .parquet"),
    "commas for semicolons": (lambda p: write_csv(p / "x.csv", f"a;b\n1;{SECRET}\n"), "line 2 .*--delimiter semicolon"),
    "commas for tabs": (lambda p: write_csv(p / "x.csv", f"a\tb\n1\t{SECRET}\n"), "line 2 .*--delimiter tab"),
    "thousands, quoted": (
        lambda p: write_csv(p / "x.csv", f'a,b\n1,"1,{SECRET}"\n'),
        "'b': not .*thousands separators",
    ),
    "thousands, bare": (lambda p: write_csv(p / "x.csv", f"a,b\n1,1,{SECRET}\n"), "3 cells.*thousands separators"),
    "decimal commas": (lambda p: table(write_csv(p / "x.csv", f"a;b\n1;2,{SECRET}\n"), delimiter=";"), "decimal comma"),
    "true in a CSV": (lambda p: write_csv(p / "x.csv", "a\ntrue\n"), "line 2 .*1 and 0 for true"),
    "a delimiter for Parquet": (lambda p: table(folder(p) / "part-0.parquet", delimiter="tab"), "has no delimiter"),
    "a reader": (lambda p: pa_reader(batches()), "read once.*function that opens"),
    "a generator": (lambda p: failing(), "read once.*function that opens"),
    "a function of one reader": (lambda p: partial(next, repeat(failing())), "the same reader each time"),
    "a function of nothing": (lambda p: lambda: None, "does not open a reader"),
    "a function that raises": (lambda p: (p / "absent").open, "does not open a reader"),
    "a function with arguments": (lambda p: lambda x: [ROWS], "does not open a reader"),
    "a reader without tables": (lambda p: lambda: iter(()), "gives no tables"),
    "a reader of words": (lambda p: lambda: [np.array([[f"no {SECRET}"]])], "does not hold numbers"),
    "a reader of several": (lambda p: lambda: [ROWS, ROWS[:, :2]], "column 3 has no more"),
    "a reader that fails": (lambda p: failing, "the reader ended with an error"),
    "a reader of paths": (lambda p: lambda: [csv(p)], "cannot be of type"),
    "a type": (lambda p: dict, "cannot be of type"),
    "lazy, failing": (lambda p: lazily_failing(), "LazyFrame could not be computed.*collect"),
    "relation, failing": (lambda p: relation(f"select '{SECRET}x'::varchar::double as a"), "could not be computed"),
    "relation of words": (lambda p: relation(f"select '{SECRET}x' as a"), "no numbers"),
    "store unknown": (lambda p: f"nowhere://{SECRET}/x.csv", "nowhere://"),
    "stores chained": (lambda p: f"simplecache::file://{csv(p)}", "copies of the table"),
    "remote, absent": (lambda p: f"file://{p}/absent.csv", "there is no file"),
    "a path of 5000 letters": (lambda p: p / f"{'a' * 5000}.csv", "there is no file"),
    "a pipe": (lambda p: pipe(p / "x.csv"), "is no regular file.*save the table in one"),
    "remote, damaged": (lambda p: f"file://{damaged(packed(p), p / 'x.csv.gz')}", "cannot be read. Fix"),
}


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def relation(query: str) -> Any:
    return pytest.importorskip("duckdb").sql(query)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_is_refused_with_a_way_out(name: str, tmp_path: Path) -> None:
    make, message = REFUSED[name]
    assert re.search(message, told := refused(make(tmp_path)), re.DOTALL), told


def test_a_store_is_asked_once_whether_a_path_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be far away, and answers that differ would make one path of two kinds."""
    asked: list[str] = []
    ask = Disk.is_file
    monkeypatch.setattr(Disk, "is_file", lambda store, path: [asked.append(path), ask(store, path)][1])
    there, absent = str(csv(tmp_path)), str(tmp_path / "absent.csv")
    open_source(there)
    refused(absent)
    assert asked == [there, absent]


def test_a_delimiter_is_known_and_of_a_path() -> None:
    for wrong in (lambda: table("x.csv", delimiter="slash"), lambda: table(ROWS, delimiter="tab")):
        with pytest.raises(DataError, match="delimiter"):
            wrong()


@pytest.mark.parametrize(
    "make",
    [
        lambda p: np.array([[True, False]]),
        lambda p: npy(p, np.array([[True, False]])),
        lambda p: [[True, False]],
        lambda p: pytest.importorskip("pandas").DataFrame({"a": [True], "b": [False]}),
        lambda p: pytest.importorskip("pandas").DataFrame({"a": [True], "b": [False]}, dtype="boolean"),
        lambda p: pytest.importorskip("polars").DataFrame({"a": [True], "b": [Decimal(0)]}),
        lambda p: pytest.importorskip("pyarrow").table({"a": [True], "b": [Decimal("0.0")]}),
        lambda p: (
            pytest.importorskip("pyarrow")
            .table({"a": [Decimal("1.0")], "b": [False]})
            .to_pandas(types_mapper=pytest.importorskip("pandas").ArrowDtype)
        ),
        lambda p: relation("select true as a, 0.0::decimal(10, 2) as b"),
    ],
)
def test_booleans_and_decimals_are_numbers(make: Callable[[Path], Any], tmp_path: Path) -> None:
    (chunk,) = open_source(make(tmp_path)).chunks(9)
    assert chunk.values.tolist() == [[1.0, 0.0]]


def test_rows_of_files_keep_their_indices_across_them(tmp_path: Path, rng: np.random.Generator) -> None:
    """Also where units of the digest and chunks span files."""
    x = rng.standard_normal((70_001, 1))
    for name, part in zip("cab", (x[:1], x[1:66_000], x[66_000:]), strict=True):
        np.save(tmp_path / f"{name}.npy", part)
    expected = np.concatenate([x[1:66_000], x[66_000:], x[:1]])
    source = open_source(tmp_path / "*.npy")
    np.testing.assert_array_equal(np.concatenate([chunk.values for chunk in source.chunks(999)]), expected)


def test_what_has_no_order_is_computed_once(tmp_path: Path) -> None:
    """A query that draws anew, as rows in another order would be: one drawing is the table."""
    pytest.importorskip("duckdb")
    drawn = relation("select random() as a from range(5000)")
    source = open_source(drawn)
    first, second = (np.concatenate([c.values for c in source.chunks(100)]) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert in_memory(kept := arrow_table()) is kept
    assert in_memory(frame("polars").lazy()).equals(frame("polars"))


@pytest.mark.slow  # the import takes seconds
def test_dask_frames_of_known_and_unknown_lengths_are_tables() -> None:
    dask = pytest.importorskip("dask.dataframe")
    made = dask.from_pandas(frame("pandas"), npartitions=3)
    for data in (made, made[made["c"] < 1e99]):
        source = open_source(data, columns=["c", "a"])
        (chunk,) = source.chunks(9)
        valid = np.isfinite(ROWS[:, [2, 0]]).all(axis=1)
        np.testing.assert_array_equal(chunk.values, np.where(valid[:, None], ROWS[:, [2, 0]], 0.0))
    assert "no numbers" in refused(made.assign(t=SECRET))


def grow(path: Path) -> None:
    shutil.copy(path / "part-0.parquet", path / "part-9.parquet")


def lose(path: Path) -> None:
    (path / "part-1.parquet").unlink()


def rename(path: Path) -> None:
    (path / "part-0.parquet").rename(path / "part-3.parquet")


def rewrite(path: Path) -> None:
    status = (path / "part-2.parquet").stat()
    os.utime(path / "part-2.parquet", ns=(status.st_atime_ns, status.st_mtime_ns + 1))


def vanish(path: Path) -> None:
    shutil.rmtree(path)


@pytest.mark.parametrize("change", [grow, lose, rename, rewrite, vanish])
@pytest.mark.parametrize("url", ["{}", "{}/*.parquet", "file://{}"])
def test_a_folder_that_changes_ends_the_run(url: str, change: Callable[[Path], None], tmp_path: Path) -> None:
    path = folder(tmp_path)
    source = open_source(url.format(path))
    mark = source.fingerprint()
    source.check_unchanged(mark)
    chunks = source.chunks(1)
    next(chunks)
    change(path)
    with pytest.raises(RunError, match="changed during the run") as caught:
        list(chunks)
    assert discreet(caught.value)
    with pytest.raises(RunError, match="changed during the run"):
        source.check_unchanged(mark)


def test_a_file_that_is_written_between_opening_and_counting_is_a_change(tmp_path: Path) -> None:
    source = open_source(path := folder(tmp_path))
    rewrite(path)
    with pytest.raises(RunError, match="changed during the run"):
        source.count_rows()


def test_a_file_that_comes_between_listing_and_checking_is_a_change(tmp_path: Path) -> None:
    source = open_source(path := folder(tmp_path))
    grow(path)
    with pytest.raises(RunError, match="changed during the run"):
        source.count_rows()


@pytest.mark.parametrize("make", [packed, feather])
def test_a_packed_file_written_over_ends_the_run(make: Callable[[Path], Path], tmp_path: Path) -> None:
    """Other bytes of the same size, with the same time stamp: only the rows tell."""
    source = open_source(path := make(tmp_path), columns=["a"])
    list(source.chunks(2))
    status, content = path.stat(), path.read_bytes()
    path.write_bytes(content[:-9] + bytes(9))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(RunError, match="changed during the run"):
        list(source.chunks(2))


STREAMS: dict[str, Callable[[list[int]], Any]] = {
    "other rows": lambda calls: [ROWS + len(calls)],
    "fewer rows": lambda calls: [ROWS[len(calls) // 3 :]],
    "another order": lambda calls: [ROWS[:: -1 if len(calls) > 4 else 1]],
    "nothing": lambda calls: [ROWS] if len(calls) < 5 else [],
    "words": lambda calls: [ROWS] if len(calls) < 5 else [[[SECRET]]],
    "an error": lambda calls: [ROWS] if len(calls) < 5 else failing(),
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_reader_that_gives_other_rows_ends_the_run(name: str) -> None:
    calls: list[int] = []

    def again() -> Any:
        calls.append(0)
        return STREAMS[name](calls)

    source = open_source(again)
    list(source.chunks(2))
    with pytest.raises(RunError, match="changed during the run") as caught:
        list(chain(source.chunks(2), source.chunks(2)))
    assert discreet(caught.value)
