"""Rows that are read once in a run are not digested; a table that is read twice always is."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import RunError
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.planning.passes import passes_of
from dpframe.planning.results import run_plan
from dpframe.proof.spaces import Ball, BallValue, Domain
from dpframe.runtime import engine
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.digest import Digests
from tests.planning.examples import plan_of

ONCE = {"simple mean": True, "partition by rule": True, "nested partitions": True, "many parts": True}
AGAIN = {"halves by index": False, "for_each": False, "branch": False, "recurse": False, "blocks and contests": False}
"""Some of the example plans: whether rows are read once, by statistics alone."""


@pytest.mark.parametrize(("case", "once"), (ONCE | AGAIN).items())
def test_what_is_read_once_by_the_plan(case: str, once: bool) -> None:
    """The planner, which shares no code with it, counts one pass wherever the engine says so."""
    graph = plan_of(case).typed
    assert engine.reads_once(graph) is once
    assert not once or max(passes_of(graph).values()) == 1


@register("test.once.ball")
@attrs.frozen
class BallAt(Post):
    """A ball around a released point."""

    slots = (Slot("value", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(2)

    def apply(self, *values: Any) -> Any:
        """Centre it."""
        return BallValue(np.asarray(values[0]), 9.0)


@dp.program
def two_passes(x: Any) -> Any:
    mean = dp.release("first", dp.gaussian(share=0.5), dp.mean(dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=9.0))))
    return dp.release("mean", dp.gaussian(share=0.5), dp.mean(dp.clip(x, dp.post("test.once.ball", mean))))


@dp.program
def one_pass(x: Any) -> Any:
    inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=9.0))
    return {"mean": dp.release("mean", dp.gaussian(share=0.5), dp.mean(inside))}


def planned(program: Any, n: int) -> Any:
    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    return dp.plan(program, x=dp.rows(n=n, d=2), adjacency=dp.REPLACE_ONE, budget=budget)


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Digests]:
    """Digests of the sources that are read, once a reading."""
    seen: list[Digests] = []
    begin = Digests.begin

    def keep(self: Digests) -> None:
        seen.append(self)
        begin(self)

    monkeypatch.setattr(Digests, "begin", keep)
    return seen


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_of_two_passes_are_digested_and_of_one_are_not(readings: list[Digests], threads: int) -> None:
    n = 3 * 2**16 + 5
    x = np.random.default_rng(0).normal(size=(n, 2))
    for program, passes, units in ((one_pass, 1, 0), (two_passes, 2, 4)):
        readings.clear()
        assert run_plan(planned(program, n), {"x": x}, simulate=1, threads=threads).status == "released"
        assert (len(readings), len(readings[0].known)) == (passes, units)
        assert len({id(found) for found in readings}) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_a_plan_that_is_wrongly_said_to_read_once_fails(
    threads: int, monkeypatch: pytest.MonkeyPatch, run_errors: list[Any]
) -> None:
    """The broken twin: whatever was said, no second reading is given that is compared with none."""
    n = 3 * 2**16
    x = np.random.default_rng(0).normal(size=(n, 2))
    assert not engine.reads_once(planned(two_passes, n).typed)
    monkeypatch.setattr("dpframe.runtime.run.reads_once", lambda graph: True)
    result = run_plan(planned(two_passes, n), {"x": x}, simulate=1, threads=threads)
    assert (result.status, result.outputs) == ("failed", {})
    assert "read twice" in str(run_errors[0])
    assert run_plan(planned(one_pass, n), {"x": x}, simulate=1, threads=threads).status == "released"


def test_a_table_that_was_read_before_is_compared() -> None:
    x = np.ones((10, 2))
    source = open_source(x)
    list(source.chunks(10))
    source.digests.read_once()
    x[3, 1] = 2.0
    with pytest.raises(RunError, match="changed"):
        list(source.chunks(10))


def test_a_single_reading_still_sees_that_the_file_changed(tmp_path: Any, run_errors: list[Any]) -> None:
    """A file that is cut while it is read: its size and the number of its rows are looked at, digests or not."""
    np.save(path := tmp_path / "x.npy", np.ones((3000, 2)))
    source = open_source(path)
    source.count_rows()
    source.digests.read_once()
    chunks = source.chunks(100)
    next(chunks)
    np.save(path, np.ones((2000, 2)))
    with pytest.raises(RunError, match="changed during the run"):
        list(chunks)
