"""Nothing is warned of while rows are looked at: in no thread, on no worker, and as before when all are done."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel import foreign
from dpframe.kernel.silence import silent
from dpframe.proof.spaces import Rows
from dpframe.runtime import fused, remote, run
from dpframe.runtime.sources import base, open_source, pieces
from dpframe.runtime.views import SourceTable, View
from tests.runtime.tables import SECRET
from tests.runtime.test_cluster import opened


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """The broken twin: each for itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("around", [silent, alone])
def test_two_that_overlap_are_silent_and_leave_no_silence_behind(around: Any) -> None:
    """The first to enter leaves first, as of two runs in threads of one process."""
    entered, left = threading.Event(), threading.Event()

    def second() -> None:
        with around():
            entered.set()
            left.wait()
            warnings.warn(SECRET, stacklevel=1)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        other = threading.Thread(target=second)
        with around():
            other.start()
            entered.wait()
        left.set()
        other.join()
        inside = len(said)
        warnings.warn("said again", stacklevel=1)
    assert (inside, len(said)) == ((0, 1) if around is silent else (1, 1))


@pytest.mark.parametrize("around", [silent, contextlib.nullcontext])
def test_what_a_function_asks_of_the_filters_ends_with_its_call(monkeypatch: pytest.MonkeyPatch, around: Any) -> None:
    """One makes errors of warnings; of a row another warns, and gives its image nevertheless.

    The broken twin is silent from the start on, and takes nothing back.
    """
    monkeypatch.setattr(foreign, "silent", around)

    def warns() -> int:
        warnings.warn(SECRET, stacklevel=1)
        return 1

    with warnings.catch_warnings(), silent():
        foreign.quiet(warnings.simplefilter, "error")
        found = foreign.quiet(warns)
        assert found == (1 if around is silent else None)
        if around is silent:
            warns()


@pytest.mark.parametrize("quiet", [True, False])
def test_a_fold_on_a_worker_warns_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    """A worker's warnings go to its log. The broken twin is a worker without silence."""
    monkeypatch.setattr(remote, "_settled", lambda: None)
    if not quiet:
        monkeypatch.setattr(remote, "silent", contextlib.nullcontext)
    path = tmp_path / "x.npy"
    np.save(path, np.ones((9, 2)))
    source = opened(path)
    wanted = [fused.Request(dp.build("count", {}), View(SourceTable(source, 9), 9), Rows(2), ())]
    job, update = remote.packed((wanted, [0, 9], 100, source.digests)), remote.update

    def talkative(*arguments: Any) -> None:
        warnings.warn(SECRET, stacklevel=1)
        np.log(-arguments[2].values)
        update(*arguments)

    monkeypatch.setattr(remote, "update", talkative)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert remote.merge(remote.fold(job, 0))[0] == "done"
    assert bool(said) is not quiet


@pytest.mark.parametrize("quiet", [True, False])
def test_what_hands_out_a_table_warns_of_nothing(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    """From the first reading on, which counts the rows: a lazy graph or a reader computes with them."""
    if not quiet:
        for room in (run, base, pieces):
            monkeypatch.setattr(room, "silent", contextlib.nullcontext)

    def reader() -> Iterator[Any]:
        warnings.warn(SECRET, stacklevel=1)
        yield np.log(-np.ones((9, 2)))

    plan = dp.plan(
        lambda x: dp.release("count", dp.laplace(share=1.0), dp.count(x)),
        x=dp.rows(d=2),
        adjacency=dp.ADD_REMOVE,
        budget=dp.pure_dp(epsilon=1.0),
    )
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert plan.run(reader, simulate=1).status == "released"
    assert bool(said) is not quiet


@pytest.mark.parametrize("broken", [(), ("hushed",), ("count",)])
def test_what_counts_or_reads_rows_outside_a_run_is_silent_itself(
    monkeypatch: pytest.MonkeyPatch, broken: tuple[str, ...]
) -> None:
    """An estimator counts rows before there is a run, and a transformer of a pipeline reads private ones.

    The first reader is a broken twin where items are passed on as they come, the second where counting is.
    """
    if "hushed" in broken:
        monkeypatch.setattr(base, "hushed", iter)
    if "count" in broken:
        monkeypatch.setattr(base, "silent", contextlib.nullcontext)
    source = open_source(np.ones((9, 2)))
    between, count = source.between, source._count  # type: ignore[attr-defined]

    def talkative(*span: int) -> Iterator[Any]:
        warnings.warn(SECRET, stacklevel=1)
        yield from between(*span)

    def counting() -> int:
        warnings.warn(SECRET, stacklevel=1)
        return int(count())

    monkeypatch.setattr(source, "between", talkative)
    monkeypatch.setattr(source, "_count", counting)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for _ in source.chunks(4):
            warnings.warn("of the caller's own", UserWarning, stacklevel=1)
    assert len([w for w in said if str(w.message) == SECRET]) == len(broken)
    assert len(said) == 3 + len(broken)  # what is done between chunks is not silent
