"""Faults of the engine, of sources and of views that no single operation shows: each is seen in situ."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError, RunError
from dpframe.kernel.exact.folds import base as folds
from dpframe.kernel.indexing import permuted
from dpframe.kernel.operations import Batch, Exact
from dpframe.kernel.reductions.blocks import BlockLearner
from dpframe.kernel.statistics.sums import Mean
from dpframe.kernel.transforms import pairs
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.kernel.transforms.partition import Split
from dpframe.runtime import fused
from dpframe.runtime.gate import admit
from dpframe.runtime.sources.base import Chunk
from dpframe.runtime.sources.frames import FrameSource
from dpframe.runtime.views import Assignment, Part, SourceTable, View, used_once
from dpframe.testing.audit.in_situ import exact_values, in_situ
from tests.planning.examples import ball
from tests.testing.neighbours import FORMS, N, neighbours, observed, rows, whole_plan

Plant = Callable[[pytest.MonkeyPatch], None]
chunk_of, batches, split_assign = Chunk.of.__func__, SourceTable.batches, Split.assign  # type: ignore[attr-defined]
mean_value, clip = Mean.value, ClipBall.apply


# ----------------------------------------------------------------------------- seen on neighbours


def in_both_halves(patch: pytest.MonkeyPatch) -> None:
    """Rows of the second part are in the first one too."""

    def make(self: Part, batch: Batch, done: dict[int, Any]) -> Batch:
        inner = self.assignment.parent.batch(batch, done)
        return inner.subset(self.assignment.parts(batch, done) >= self.part)

    patch.setattr(Part, "make", make)


def by_valid_rows(patch: pytest.MonkeyPatch) -> None:
    """Halves are cut by rank among the rows that are not empty, over all batches."""
    seen: list[int] = []

    def parts(self: Assignment, batch: Batch, done: dict[int, Any]) -> Any:
        inner = self.parent.batch(batch, done)
        if batch.start == 0:
            seen.clear()
        rank = sum(seen) + np.cumsum(inner.valid)
        seen.append(int(inner.valid.sum()))
        return rank % 2

    patch.setattr(Assignment, "parts", parts)


def centred(patch: pytest.MonkeyPatch) -> None:
    """Each batch is centred before it is clipped."""

    def apply(self: Any, batch: Batch, *params: Any) -> Batch:
        held = np.clip(batch.values, -1e3, 1e3)
        middle = held.sum(axis=0) / 10
        return clip(self, attrs.evolve(batch, values=held - middle), *params)

    patch.setattr(ClipBall, "apply", apply)


def normalised(patch: pytest.MonkeyPatch) -> None:
    """A sum on a lattice that the number of rows decides."""

    def value(self: Any, fold: Any) -> Exact:
        exact = mean_value(self, fold)
        return Exact(exact.integers, exact.step * (1 + int(np.ravel(exact.integers)[-1] * exact.step) % 2))

    patch.setattr(Mean, "value", value)


def row_before(patch: pytest.MonkeyPatch) -> None:
    """A row that is empty is filled with the one before it, until the next."""

    def filled(self: SourceTable, rows: int) -> Any:
        last = np.zeros(self.d)
        for batch in batches(self, rows):
            values = batch.values.copy()
            for i in np.flatnonzero(~batch.valid | (np.arange(len(values)) % 3 > 0)).tolist():
                values[i] = values[i - 1] if i else last
            last = values[-1]
            yield Batch(batch.start, values, np.ones(len(values), dtype=np.bool_))

    patch.setattr(SourceTable, "batches", filled)


ON_NEIGHBOURS: list[tuple[Plant, str]] = [
    (by_valid_rows, "halves by index"),
    (centred, "simple mean"),
    (normalised, "simple mean"),
    (row_before, "simple mean"),
]


@pytest.mark.parametrize(("plant", "case"), ON_NEIGHBOURS, ids=[m[0].__name__ for m in ON_NEIGHBOURS])
def test_it_is_seen_on_neighbours(plant: Plant, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(observed(case, first, second) for first, second in neighbours(case))


@dp.program
def two_halves(x: Any) -> Any:
    left, right = dp.transform("split", x, count=2)
    first = dp.release("first", dp.gaussian(share=1.0), dp.mean(dp.clip(left, ball())))
    return first, dp.release("second", dp.gaussian(share=1.0), dp.mean(dp.clip(right, ball())))


def test_a_row_in_both_halves_costs_more_than_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each node is within its metric: only the composed loss at the distances that were found tells."""
    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    plan = dp.plan(two_halves, x=dp.rows(n=N, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    pairs_ = list(neighbours("halves by index"))
    assert not any(in_situ(plan, {"x": a}, {"x": b}) for a, b in pairs_)
    in_both_halves(monkeypatch)
    found = [text for a, b in pairs_ for text in in_situ(plan, {"x": a}, {"x": b})]
    assert found
    assert all("what the tables show costs" in text for text in found)


# --------------------------------------------------------------------- seen between paths and sources


def last_row_of_a_batch(patch: pytest.MonkeyPatch) -> None:
    """The last row of a full batch of even size is dropped."""

    def short(self: SourceTable, rows: int) -> Any:
        for batch in batches(self, rows):
            keep = slice(None, -1 if len(batch.valid) == rows and rows % 2 == 0 else None)
            yield Batch(batch.start, batch.values[keep], batch.valid[keep])

    patch.setattr(SourceTable, "batches", short)


def last_batch(patch: pytest.MonkeyPatch) -> None:
    """With several threads the last batch is not handed out."""
    together = fused._together
    patch.setattr(fused, "_together", lambda parts, *rest: together([*parts[:-1], list(parts[-1])[:-1]], *rest))


def merged_twice(patch: pytest.MonkeyPatch) -> None:
    """A fold of another thread is added twice."""
    for cls in [c for c in vars(folds).values() if isinstance(c, type) and "merge" in vars(c)]:
        merge = cls.merge

        def twice(self: Any, other: Any, merge: Any = merge) -> None:
            merge(self, other)
            merge(self, other)

        patch.setattr(cls, "merge", twice)


def view_of_a_batch_before(patch: pytest.MonkeyPatch) -> None:
    """What a view made of one batch is kept for the next one of the same size."""
    kept: dict[Any, Any] = {}

    def batch(self: View, given: Batch, done: dict[int, Any]) -> Batch:
        key = (id(self), len(given.valid))
        if key not in kept:
            kept[key] = self.make(given, done)
        return kept[key]

    patch.setattr(View, "batch", batch)


def way(plan: Any, threads: int, chunk: int) -> Any:
    """Exact values on one path, or the error that the kernel noticed by itself."""
    try:
        return exact_values(plan, {"x": rows()}, threads=threads, chunk=chunk)
    except DpframeError as error:
        return str(error)


BETWEEN_PATHS: list[Plant] = [last_row_of_a_batch, last_batch, merged_twice, view_of_a_batch_before]


@pytest.mark.parametrize("plant", BETWEEN_PATHS, ids=[m.__name__ for m in BETWEEN_PATHS])
def test_it_is_seen_between_paths(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = admit(whole_plan(), simulated=True)
    expected = exact_values(plan, {"x": rows()}, threads=1, chunk=1000)
    plant(monkeypatch)
    assert any(way(plan, t, c) != expected for t, c in ((2, 300), (1, 200), (3, 77)))


def missing_frames_are_zeros(patch: pytest.MonkeyPatch) -> None:
    """A slice of a frame without any number is read as zeros."""
    made = FrameSource._batches

    def zeros(self: FrameSource, rows: int) -> Any:
        for values in made(self, rows):
            yield np.zeros_like(values) if np.isnan(values).all() else values

    patch.setattr(FrameSource, "_batches", zeros)


def missing_frames_are_short(patch: pytest.MonkeyPatch) -> None:
    """Rows of a frame that are all missing are left out."""
    made = FrameSource._batches

    def short(self: FrameSource, rows: int) -> Any:
        for values in made(self, rows):
            yield values[~np.isnan(values).all(axis=1)]

    patch.setattr(FrameSource, "_batches", short)


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize("plant", [missing_frames_are_zeros, missing_frames_are_short])
def test_it_is_seen_between_sources(plant: Plant, form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan, missing = admit(whole_plan(), simulated=True), np.full((N, 2), np.nan)
    expected = exact_values(plan, {"x": missing})
    plant(monkeypatch)
    try:
        found = exact_values(plan, {"x": FORMS[form](tmp_path, missing)})
    except Exception as error:  # noqa: BLE001  that it breaks on such a frame is seen too
        found = {"error": repr(error)}
    assert found != expected


# ----------------------------------------------------------------------------- an index that is there twice


@pytest.mark.slow
def test_a_permutation_that_repeats_an_index_beyond_2_to_the_20(monkeypatch: pytest.MonkeyPatch) -> None:
    def repeats(index: Any, *, n: int, seed: int) -> Any:
        place = permuted(index, n=n, seed=seed)
        return np.where(place >= 2**20, 5, place)

    monkeypatch.setattr(pairs, "permuted", repeats)
    made = pairs.Pairs()
    used_once(made.indices(2**20, None), 2**20)
    with pytest.raises(RunError, match="used twice"):
        used_once(made.indices(2**20 + 77, None), 2**20 + 77)


def test_blocks_that_overlap_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpframe.runtime.blocks import learn_blocks
    from dpframe.runtime.progress import Progress

    learner = BlockLearner(learner="test.centre", t=4, item="vector", size=(2,))
    split = BlockLearner.split
    monkeypatch.setattr(BlockLearner, "split", lambda self, n: np.roll(split(self, n), 1, axis=0) // 2 * 2)
    from dpframe.runtime.sources import open_source

    view = View(SourceTable(open_source(rows(n=100)), 100), 100)
    with pytest.raises(RunError, match="used twice"):
        learn_blocks(view, learner, Progress(None))
