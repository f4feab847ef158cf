"""How far a run is, by callback: what it is told, and that it can do a run no harm."""

from __future__ import annotations

import io
import itertools
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.runtime import progress
from dpframe.runtime import run as running
from dpframe.runtime.progress import Progress

ROWS = np.zeros((1000, 2))


def two_passes(x: Any) -> Any:
    ball = dp.release("ball", dp.locate(share=0.3, bound=1e3), x)
    return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, ball)))


def planned(relation: Any) -> Any:
    n = 1000 if relation == dp.REPLACE_ONE else None
    return dp.plan(two_passes, x=dp.rows(n=n, d=2), adjacency=relation, budget=dp.zcdp(rho=1.0))


def test_passes_and_percentages_are_told() -> None:
    plan, told = planned(dp.REPLACE_ONE), list[tuple[int, int | None]]()
    plan.run(ROWS, simulate=0, progress=lambda turn, percent: told.append((turn, percent)))
    assert [turn for turn, _ in told] == sorted(turn for turn, _ in told)
    assert {turn for turn, _ in told} == set(range(1, max(plan.passes.values()) + 1))
    assert all(percent is not None and 0 <= percent <= 99 for _, percent in told)
    assert len(told) == len(set(told))


@pytest.mark.parametrize("rows", [0, 1, 70_000])
def test_nothing_depends_on_a_private_number_of_rows(rows: int) -> None:
    plan, told = planned(dp.ADD_REMOVE), list[tuple[int, int | None]]()
    plan.run(np.zeros((rows, 2)), simulate=0, progress=lambda turn, percent: told.append((turn, percent)))
    assert told == [(turn, None) for turn in range(1, max(plan.passes.values()) + 1)]


def test_a_call_that_raises_is_the_last_one() -> None:
    calls = []

    def fail(turn: int, percent: int | None) -> None:
        calls.append(turn)
        raise ValueError("the watcher's own")

    plan = planned(dp.REPLACE_ONE)
    watched = plan.run(ROWS, simulate=0, progress=fail)
    assert watched.status == "released"
    assert watched["mean"].tolist() == plan.run(ROWS, simulate=0)["mean"].tolist()
    assert calls == [1]


def test_a_notebook_is_shown_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(running, "Progress", lambda *a, **k: made.append(Progress(*a, **k)) or made[-1])
    plan = planned(dp.REPLACE_ONE)
    for there in (False, True):
        if there:
            monkeypatch.setitem(__import__("sys").modules, "ipykernel", object())
        plan.run(ROWS, simulate=0)
    assert [vars(one)["_shown"] for one in made] == [False, True]


@pytest.mark.parametrize("rows", [None, 1000])
def test_a_line_is_written_when_it_changes(rows: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often one is written would tell how many batches there are, which is private where the rows are."""
    written = {}
    for batches in (1, 50, 3000):
        clock, screen = itertools.count(), io.StringIO()
        monkeypatch.setattr(progress.time, "monotonic", lambda clock=clock: float(next(clock)))
        monkeypatch.setattr(progress.sys, "stderr", screen)
        shown = Progress(rows, shown=True)
        for _ in range(2):
            shown.begin()
            for _ in range(10 + batches):
                shown.step(0)
        written[batches] = screen.getvalue()
    assert len(set(written.values())) == 1
    assert written[1].count("\r") == 2  # a line for each pass
