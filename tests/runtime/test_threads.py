"""Threads that each read a part of the table: the same bits for any number of them, and every change is noticed."""

from __future__ import annotations

import itertools
import os
import platform
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import ChangedError
from dpframe.planning.results import run_plan
from dpframe.runtime import fused, threads
from dpframe.runtime.sources import arrays, base, digest
from dpframe.runtime.sources.units import ByUnit, UnitSource
from dpframe.runtime.views import SourceTable
from tests.runtime.test_cluster import UNIT, N, bits, files, planned


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """A table of several units, which are made small."""
    monkeypatch.setattr(digest, "UNIT_ROWS", UNIT)
    x = rng.normal(size=(N, 2))
    x[[3, 700, N - 1], 1] = np.nan
    return x


@given(
    n=st.integers(0, 10**7),
    parts=st.integers(1, 40),
    groups=st.none() | st.lists(st.integers(1, 10**6), max_size=30),
)
def test_cuts_are_between_units_and_near_where_a_reading_may_begin(
    n: int, parts: int, groups: list[int] | None
) -> None:
    starts = None if groups is None else np.unique(np.cumsum([0, *groups]).clip(0, max(n - 1, 0)))
    cuts = digest.unit_cuts(n, parts, starts)
    assert (cuts[0], cuts[-1], len(cuts)) == (0, n, parts + 1)
    assert cuts == sorted(cuts)
    for cut in cuts[1:-1]:
        assert cut == n or cut % digest.UNIT_ROWS == 0
        if starts is not None and cut < n:
            behind = starts[starts <= cut].max()
            assert cut - behind < digest.UNIT_ROWS


def test_any_number_of_threads_gives_the_bits_of_one(
    rows: np.ndarray[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pd = pytest.importorskip("pandas")
    plan, seen, apart = planned(), [], SourceTable.apart
    monkeypatch.setattr(SourceTable, "apart", lambda *a: seen.append(made := apart(*a)) or made)
    tables = files(rows, tmp_path) | {"array": rows, "frame": pd.DataFrame(rows), "float32": rows.astype(np.float32)}
    local = {}
    for name, table in tables.items():
        local[name] = bits(run_plan(plan, {"x": table}, simulate=3, threads=1))
        before = len(seen)
        assert bits(run_plan(plan, {"x": table}, simulate=3, threads=3, chunk=100)) == local[name], name
        assert len(seen) == before + 2  # passes
        assert all(made is None for made in seen[before:]) == (name in {"x.csv", "x.feather"})
    assert all(found == local["array"] for name, found in local.items() if name != "float32")


@pytest.mark.parametrize("rows_a_unit", [1, 4])
def test_slots_of_units_are_read_in_parts(rows: np.ndarray[Any, Any], rows_a_unit: int) -> None:
    ids = np.arange(len(rows)) * 7919 % (len(rows) // 3)
    source = UnitSource(ByUnit(ids, rows), unit="user", rows=rows_a_unit)
    whole = list(source.chunks(100))
    cuts = source.cuts(3)
    assert cuts[1:-1] == [UNIT * (-(-cuts[-1] // UNIT) * i // 3) for i in (1, 2)]
    parts = [chunk for a, b in itertools.pairwise(cuts) for chunk in source.part(a, b, 111, source.digests.anew())]
    for field in ("values", "valid"):
        np.testing.assert_array_equal(*(np.concatenate([getattr(c, field) for c in of]) for of in (whole, parts)))


@pytest.mark.usefixtures("run_errors")
@pytest.mark.parametrize("at", [0, UNIT + 5, N - 2])
def test_a_table_that_changes_between_passes_ends_the_run(rows: np.ndarray[Any, Any], at: int) -> None:
    """The broken twin, which keeps each part's digests to itself, releases."""

    def run() -> Any:
        x = rows.copy()

        def watch(turn: int, percent: int | None) -> None:
            if turn == 2:
                x[at, 0] = 17.0

        return run_plan(planned(), {"x": x}, simulate=3, threads=3, progress=watch)

    result = run()
    assert (result.status, result.reason) == ("failed", "the table changed during the run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digest.Digests, "agree", lambda *_: None)
        assert run().status == "released"


@pytest.mark.usefixtures("run_errors")
def test_a_part_that_fails_ends_the_others(rows: np.ndarray[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The other thread would go on for a million batches."""
    got, failing = [], threading.Event()

    def between(self: Any, start: int, stop: int, count: int) -> Iterator[Any]:
        if start:
            failing.set()
            raise digest.changed()
        failing.wait(10)
        for at in range(10**6):
            got.append(at)
            yield np.zeros((1, 2))

    monkeypatch.setattr(arrays.ArraySource, "between", between)
    monkeypatch.setattr(base.TableSource, "cuts", lambda *_: [0, UNIT, N])
    result = run_plan(planned(), {"x": rows}, simulate=3, threads=2)
    assert (result.status, result.reason) == ("failed", "the table changed during the run")
    assert len(got) < 10**6


def test_items_that_are_made_ahead_are_the_same_ones_and_so_is_their_error() -> None:
    def items() -> Iterator[int]:
        yield from range(5)
        raise digest.changed()

    got = []
    with pytest.raises(ChangedError):
        got.extend(item for item in threads.ahead(items(), False) if got.append(item))
    assert got == list(range(5))
    assert list(threads.ahead(iter(()), False)) == []
    assert next(threads.ahead(iter([7, 8]), False)) == 7


def test_there_is_a_thread() -> None:
    assert threads.workers() >= 1


FRESH = """
import resource, threading, numpy
from dpframe.runtime.threads import keep_memory
def pages():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(40):
        numpy.ones(2**17)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
for before in (lambda: None, keep_memory):
    before()
    thread = threading.Thread(target=pages)
    thread.start()
    thread.join()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="elsewhere nothing is set")
def test_memory_that_is_freed_is_used_again_where_dask_sets_it_otherwise() -> None:
    """40 blocks of 1 MiB are 10,240 pages of 4 KiB; a block that is used again is fetched once."""
    environment = os.environ | {"MALLOC_TRIM_THRESHOLD_": "65536"}
    done = subprocess.run([sys.executable, "-c", FRESH], env=environment, capture_output=True, text=True, check=True)
    given_back, kept = (int(line) * resource.getpagesize() / 2**20 for line in done.stdout.split())
    assert given_back >= 30
    assert kept <= 5


FORKED = """
import contextlib, os, numpy
from threadpoolctl import threadpool_info, threadpool_limits
from dpframe.runtime.threads import one_thread
def threads():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("Threads:"))
def told():
    return sorted({info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"})
with one_thread("blas"):
    print(*told(), end=" ")
print(*told(), flush=True)
one_thread("blas")
for limited in (lambda: one_thread("blas"), lambda: threadpool_limits(1, user_api="blas")):
    child = os.fork()
    if child == 0:
        with limited():
            pass
        print(threads(), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_a_fork_with_one_thread_starts_no_others_only_to_be_told_so_again() -> None:
    """Each of them would spin for a while; the last line is what the library itself does, where it has OpenBLAS."""
    environment = os.environ | {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", FORKED], env=environment, capture_output=True, text=True, check=True)
    told, alone, asked = done.stdout.splitlines()
    assert told == "1 2"
    assert int(alone) == 1 < int(asked)


@given(sizes=st.lists(st.integers(0, 6), min_size=1, max_size=8), count=st.integers(2, 5))
def test_each_batch_of_each_part_is_worked_on_once(sizes: list[int], count: int) -> None:
    read: list[list[int]] = [[] for _ in sizes]
    done: list[list[Any]] = []

    def part(i: int) -> Iterator[Any]:
        for j in range(sizes[i]):
            read[i].append(j)
            yield i, j

    def work(batches: Any) -> None:
        done.append([*batches])

    fused._together([part(i) for i in range(len(sizes))], work, count)
    assert len(done) == count
    assert sorted(itertools.chain(*done)) == [(i, j) for i, size in enumerate(sizes) for j in range(size)]
    assert read == [[*range(size)] for size in sizes]  # a part is read in its order, whichever threads read it


@pytest.mark.parametrize("parts", [[["a"], ["b", "c"]], [["b", "c"]], [["a"], ["b", "c"], []]])
def test_what_is_left_of_the_last_part_is_shared(parts: list[list[str]]) -> None:
    """Two batches of one part are in the hands of two threads at once, else one would wait for ever."""
    both = threading.Barrier(2)

    def work(batches: Any) -> None:
        for batch in batches:
            if batch in "bc":
                both.wait(60)

    fused._together(parts, work, 2)  # type: ignore[arg-type]
    assert not both.broken
