"""In situ: tables in pieces, what queries alone read, and more rows than 2^20; each with faults that are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.operations import Batch
from dpframe.kernel.queries.scores import Cap
from dpframe.kernel.statistics.bins import BinCounts
from dpframe.kernel.transforms import pairs
from dpframe.runtime import views
from dpframe.runtime.gate import admit
from dpframe.runtime.sources import frames, many, opening, pieces
from dpframe.runtime.sources.delimited import CsvSource
from dpframe.testing.audit.in_situ import exact_values, in_situ
from tests.planning.examples import ball
from tests.testing.neighbours import FORMS, N, rows, whole_plan

Plant = Callable[[pytest.MonkeyPatch], None]
ordered, of_files = opening._ordered, many.ManySource._batches
streamed, regroup, in_memory = many.StreamSource._pieces, pieces.regroup, frames.in_memory
csv_batches = CsvSource._batches

# ------------------------------------------------------------------------------------------ tables in pieces


def as_written(patch: pytest.MonkeyPatch) -> None:
    """Files in the order in which they were written, not of their names."""
    patch.setattr(
        opening, "_ordered", lambda store, paths: sorted(ordered(store, paths), key=lambda p: p.name, reverse=True)
    )


def last_file_left_out(patch: pytest.MonkeyPatch) -> None:
    """The last file of several is not read."""
    patch.setattr(opening, "_ordered", lambda store, paths: ordered(store, paths)[:-1] or ordered(store, paths))


def short_files_dropped(patch: pytest.MonkeyPatch) -> None:
    """A file of one row counts for none."""

    def batches(self: Any, size: int) -> Iterator[Any]:
        kept = [f for f in self._files if f.count_rows() != 1]
        missing = np.full((sum(f.count_rows() == 1 for f in self._files), self.d), np.nan)
        parts = [*(part for f in kept for part in f._batches(size)), missing]
        yield from regroup(iter(parts), size, self.d)

    patch.setattr(many.ManySource, "_batches", batches)


def pieces_without_their_last(patch: pytest.MonkeyPatch) -> None:
    """Of each piece of a stream the last two rows are empty."""

    def short(self: Any) -> Iterator[Any]:
        for values in streamed(self):
            changed = np.array(values)
            changed[-2:] = np.nan
            yield changed

    patch.setattr(many.StreamSource, "_pieces", short)


def rows_in_turn(patch: pytest.MonkeyPatch) -> None:
    """A lazy frame that is computed with its rows in another order."""

    def turned(data: Any) -> Any:
        made = in_memory(data)
        return made if made is data else made[::-1]

    patch.setattr(opening, "in_memory", turned, raising=False)
    patch.setattr(frames, "in_memory", turned)


def first_member_alone(patch: pytest.MonkeyPatch) -> None:
    """Of a packed file rows after the first forty are empty."""

    def batches(self: Any, size: int) -> Iterator[Any]:
        seen = 0
        for values in csv_batches(self, size):
            kept = np.array(values)
            kept[max(0, 39 - seen) :] = np.nan
            seen += len(kept)
            yield kept

    patch.setattr(CsvSource, "_batches", batches)


FOLDERS = ("npy files", "csv files", "csv files, packed", "Parquet folder", "Parquet files")
PLANTED: list[tuple[Plant, str]] = [
    *((as_written, form) for form in FOLDERS),
    *((plant, form) for plant in (last_file_left_out, short_files_dropped) for form in FOLDERS[1:4:2]),
    *((pieces_without_their_last, form) for form in ("dataset", "reader", "pieces")),
    (rows_in_turn, "polars, lazy"),
    *((first_member_alone, form) for form in ("csv, packed", "tsv, packed", "csv, semicolons")),
]


@pytest.mark.parametrize(("plant", "form"), PLANTED, ids=[f"{p.__name__}-{form}" for p, form in PLANTED])
def test_a_fault_of_a_source_in_pieces_is_seen(
    plant: Plant, form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan, table = admit(whole_plan(), simulated=True), rows()
    expected = exact_values(plan, {"x": table})
    made = FORMS[form](tmp_path, table)
    assert exact_values(plan, {"x": made}) == expected
    plant(monkeypatch)
    try:
        found = exact_values(plan, {"x": made})
    except Exception as error:  # noqa: BLE001  that it breaks is seen too
        found = {"error": repr(error)}
    assert found != expected


# ------------------------------------------------------------------------------- what queries alone read


@dp.program
def capped(x: Any) -> Any:
    """Counts of which a query sees little."""
    counts = dp.transform("bin_counts", x, edges=[-5.0, 0.0, 5.0], column=0)
    return dp.release("most", dp.named("exponential_mechanism", {"share": 1.0}), dp.transform("cap", counts, t=4))


def moved() -> tuple[Any, Any]:
    first = rows()
    second = first.copy()
    second[5] = [100.0, 1.0]
    return first, second


def counted_twice(patch: pytest.MonkeyPatch) -> None:
    """A row counts twice in its bin."""
    update = BinCounts.update

    def twice(self: Any, fold: Any, batch: Batch, *params: Any) -> None:
        update(self, fold, batch, *params)
        update(self, fold, batch, *params)

    patch.setattr(BinCounts, "update", twice)


def caps_apart(patch: pytest.MonkeyPatch) -> None:
    """A query that two values a step apart leave far apart; another hides it."""
    evaluate = Cap.evaluate

    def apart(self: Any, *values: Any) -> Any:
        exact = evaluate(self, *values)
        parity = int(values[0].integers[-1]) % 2 if self.t > 100 else 0
        return attrs.evolve(exact, integers=exact.integers + 1000 * parity)

    patch.setattr(Cap, "evaluate", apart)


@dp.program
def capped_twice(x: Any) -> Any:
    counts = dp.transform("bin_counts", x, edges=[-5.0, 0.0, 5.0], column=0)
    once = dp.transform("cap", counts, t=5000)
    return dp.release("most", dp.named("exponential_mechanism", {"share": 1.0}), dp.transform("cap", once, t=4))


def plan_of(program: Any, **table: int) -> Any:
    told = dp.rows(**{"n": N, "d": 2, **table})
    return dp.plan(program, x=told, adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))


@pytest.mark.parametrize(("plant", "program"), [(counted_twice, capped), (caps_apart, capped_twice)])
def test_what_a_query_alone_reads_is_measured(plant: Plant, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = moved()
    plan = plan_of(program)
    assert in_situ(plan, {"x": first}, {"x": second}) == []
    plant(monkeypatch)
    found = in_situ(plan, {"x": first}, {"x": second})
    assert any("too far apart" in text for text in found)
    assert not any("'most'" in text for text in found)  # the release itself shows nothing


# ------------------------------------------------------------------------------------- more rows than 2^20

MANY = 2**20 + 77


@dp.program
def paired(x: Any) -> Any:
    """Pairs, halves and all rows."""
    left, right = dp.transform("split", x, count=2)
    return (
        dp.release("pairs", dp.gaussian(share=1.0), dp.gram(dp.clip(dp.transform("pairs", x), ball()))),
        dp.release("left", dp.gaussian(share=1.0), dp.mean(dp.clip(left, ball()))),
        dp.release("right", dp.gaussian(share=1.0), dp.mean(dp.clip(right, ball()))),
        dp.release("all", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball()))),
    )


def repeats(patch: pytest.MonkeyPatch) -> None:
    """A permutation that sends all places from 2^20 on to one row, which no check of the run looks for."""
    real = pairs.permuted

    def permuted(index: Any, *, n: int, seed: int) -> Any:
        place = real(index, n=n, seed=seed)
        return np.where(place >= 2**20, 5, place)

    patch.setattr(pairs, "permuted", permuted)
    patch.setattr(views, "used_once", lambda index, n: index)


@pytest.mark.slow
def test_a_run_of_more_than_2_to_the_20_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    first = rows(n=MANY)
    plan = plan_of(paired, n=MANY)
    for place in (5, 2**20, MANY - 1):
        second = first.copy()
        first[place], second[place] = [7.0, -2.0], [-1e9, 3.0]
        assert in_situ(plan, {"x": first}, {"x": second}) == []
    second = first.copy()
    second[5] = [-1e9, 3.0]
    repeats(monkeypatch)
    assert any("'pairs': neighbours are too far apart" in text for text in in_situ(plan, {"x": first}, {"x": second}))
