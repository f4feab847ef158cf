"""Occupied bins in files: the same value, in bounded memory, and nothing that another user could read."""

from __future__ import annotations

import os
import pickle
import stat
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpframe as dp
from dpframe.kernel.exact import folds
from dpframe.kernel.exact.folds import histograms, spilling
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.proof.spaces import SparseCounts


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A histogram that writes out its bins every few hundred."""
    monkeypatch.setattr(spilling, "HELD", 2**12)
    monkeypatch.setattr(spilling, "LOADED", 2**14)
    monkeypatch.setattr(spilling, "CHUNK", 100)
    monkeypatch.setattr(histograms, "_PENDING", 50)


def filled(keys: np.ndarray[Any, Any], parts: int) -> folds.SparseHistogramFold:
    fold = folds.SparseHistogramFold(keys.shape[1])
    for part in np.array_split(keys, parts):
        fold.update(part, np.ones(len(part), bool))
    return fold


TABLES = {
    "few": lambda rng: rng.integers(-3, 3, (5000, 2)),
    "sorted": lambda rng: np.sort(rng.integers(0, 10**6, (20_000, 1)), axis=0),
    "all distinct": lambda rng: rng.integers(-(10**12), 10**12, (20_000, 3)),
    "often again": lambda rng: rng.integers(0, 60, (20_000, 2)),
    "one among many": lambda rng: np.where(
        rng.random((20_000, 1)) < 0.5, 0, rng.integers(-(2**62), 2**62, (20_000, 1))
    ),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.usefixtures("small")
def test_the_value_is_that_of_all_rows(table: str, rng: np.random.Generator) -> None:
    keys = TABLES[table](rng)
    fold = filled(keys, 70)
    assert isinstance(fold.value, tuple) == (table == "few")
    found, counts = fold.value
    assert dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True)) == Counter(map(tuple, keys.tolist()))
    assert found.tolist() == sorted(found.tolist())
    pieces = list(spilling.chunks(fold.value))
    assert {len(part) for part, _ in pieces[:-1]} <= {100}
    np.testing.assert_array_equal(np.concatenate([part for part, _ in pieces]), found)


@pytest.mark.usefixtures("small")
def test_any_cut_merge_and_journey_gives_the_same(rng: np.random.Generator) -> None:
    keys = rng.integers(0, 3000, (9000, 2))
    whole = list(filled(keys, 1).value)
    first, second = filled(keys[:2000], 40), filled(keys[2000:], 3)
    second.merge(pickle.loads(pickle.dumps(first)))
    second.merge(folds.SparseHistogramFold(2))
    for ours, theirs in zip(second.value, whole, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@given(
    keys=st.lists(st.integers(-4, 4) | st.sampled_from([-(2**63), 2**63 - 1]), max_size=60),
    cuts=st.integers(1, 9),
)
def test_runs_of_any_shape_merge(keys: list[int], cuts: int) -> None:
    """Each part of the rows is a run of its own, down to runs of one bin, read one or two at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spilling, "HELD", 0)
        patch.setattr(histograms, "_PENDING", 0)
        fold = filled(np.array(keys, dtype=np.int64).reshape(-1, 1), cuts)
        found, counts = fold.value
    assert dict(zip(found[:, 0].tolist(), counts.tolist(), strict=True)) == Counter(keys)
    assert found.tolist() == sorted(found.tolist())


@pytest.mark.usefixtures("small")
def test_the_file_has_no_name_and_one_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fold = filled(np.arange(5000)[:, None], 50)
    assert fold._runs is not None
    told = os.fstat(fold._runs._file.fileno())
    assert stat.S_IMODE(told.st_mode) == 0o600
    assert told.st_nlink == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_a_release_does_not_tell_where_bins_were_kept(noise: str, rng: np.random.Generator) -> None:
    """The broken twin draws noise by piece as it was stored: other bits for the same seed."""
    keys = rng.integers(0, 300, (20_000, 1))
    domain, calibration = SparseCounts(1, 1), {"scale": 2.0, "delta": 1e-6}
    operation = StableHistogram(noise=noise, delta_fraction=0.5, share=1.0)

    def released(parts: int) -> Any:
        exact = Exact([filled(keys, parts).value], Fraction(1))
        return operation.release(exact, calibration, domain, SeededSource(5))[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spilling, "CHUNK", 64)
        held = released(3)
        patch.setattr(spilling, "HELD", 2**9)
        patch.setattr(spilling, "LOADED", 2**13)
        patch.setattr(histograms, "_PENDING", 50)
        for parts in (40, 90):
            stored = released(parts)
            np.testing.assert_array_equal(stored.ids, held.ids)
            np.testing.assert_array_equal(stored.counts, held.counts)
        patch.setattr(spilling, "CHUNK", 65)
        assert len(held.ids) > 200
        assert not np.array_equal(released(40).counts, held.counts)


@dp.program
def occupied(x: Any) -> Any:
    """Bins of one column."""
    found = dp.column_cells(x, dp.constant([[0.0, 0.0, 1.0]]), levels=1)
    return dp.release("bins", dp.stable_histogram(share=1.0, delta_fraction=0.5), found)


class Full:
    """A disk without room."""

    def __init__(self, **options: object) -> None:
        self.end = 0

    def seek(self, *place: int) -> int:
        return self.end

    def write(self, content: object) -> int:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("small")
def test_a_full_disk_ends_the_run_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, run_errors: list[BaseException]
) -> None:
    x = np.arange(5000.0)[:, None]
    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    plan = dp.plan(occupied, x=dp.rows(n=5000, d=1), adjacency=dp.REPLACE_ONE, budget=budget)
    assert plan.run(x=x, simulate=1).status == "released"
    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    assert plan.run(x=x, simulate=1).status == "failed"
    assert isinstance(run_errors[0], OSError)
