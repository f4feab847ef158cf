"""A plugin's function of rows is asked with one thread of BLAS, in whatever reading: a row keeps its part."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import dpframe.plugin as dp
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.operations import Exact
from dpframe.kernel.registry import build
from dpframe.planning.results import run_plan
from dpframe.runtime import blocks, engine, fused, threads, views
from tests.papers import own_semimetric

assert own_semimetric
BUDGET, N = dp.approx_dp(epsilon=1.0, delta=1e-6), 600


def most_threads() -> int:
    return max(found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas")


@dp.own_partition("test.part_by_threads", parts=2, examples={})
def part_by_threads(rows: Any) -> Any:
    """Stands for a product of matrices on the edge of which all rows lie: its last digits differ like this."""
    return np.full(len(rows), int(most_threads() > 1))


@dp.own_transform("test.image_by_threads", columns=1, examples={})
def image_by_threads(rows: Any) -> Any:
    """Its own number of threads for each row."""
    return np.full((len(rows), 1), float(most_threads()))


def learned(rows: Any) -> Any:
    made = dp.block_learner(rows, learner="papers.scale", t=6, item="vector", size=[1])
    return dp.block_weight(made, r=1.0, d=1, majority=3, ramp=3)


def in_two_parts(x: Any) -> Any:
    """Rows of a part are counted in one reading, those of the other one are handed to blocks in another."""
    parts = dp.own("test.part_by_threads", x)
    counted = dp.release("count", dp.laplace(share=1.0), dp.count(parts[0]))
    return {"count": counted, "weight": dp.release("weight", dp.laplace(share=1.0), learned(parts[1]))}


def rows_in_each_part(patch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many rows of the table are counted, and how many are in blocks."""
    plan = dp.plan(in_two_parts, x=dp.rows(n=N, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    exact, given = [], []

    def learn(name: str, seed: int, listed: list[Any]) -> list[Any]:
        given.extend(len(rows) for _, rows in listed)
        return [None] * len(listed)

    def release(self: Any, value: Any, *rest: Any) -> Any:
        exact.append(int(value.integers[0]))
        return own(self, value, *rest)

    own = LaplaceMechanism.release
    patch.setattr(blocks, "run_isolated", learn)
    patch.setattr(LaplaceMechanism, "release", release)
    with threadpool_limits(2, user_api="blas"):
        assert run_plan(plan, {"x": np.zeros((N, 1))}, simulate=0).status == "released"
    return max(exact), sum(given)


@pytest.mark.usefixtures("run_errors")
def test_a_row_is_in_the_same_part_in_every_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin reads rows for blocks with as many threads as there are: all rows are in both parts."""
    with monkeypatch.context() as patch:
        assert rows_in_each_part(patch) == (N, 0)
    with monkeypatch.context() as patch:
        patch.setattr(blocks, "reading", contextlib.nullcontext)
        assert rows_in_each_part(patch) == (N, N)


@pytest.mark.usefixtures("run_errors")
@pytest.mark.parametrize("room", [fused, views])
def test_rows_that_are_gathered_and_rows_that_are_folded_have_one_image(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broken twin of each of the two."""

    def program(x: Any) -> Any:
        seen = dp.own("test.image_by_threads", x)
        made = seen if room is fused else dp.transform("sampled_rows", seen, rows=N)
        edges = {"edges": [1.5]}
        return dp.release("counts", dp.laplace(share=1.0), dp.transform("bin_counts", made, **edges))

    plan = dp.plan(program, x=dp.rows(n=N, d=1), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1000.0, 1e-6))

    def counts() -> Any:
        with threadpool_limits(2, user_api="blas"):
            return run_plan(plan, {"x": np.zeros((N, 1))}, simulate=0)["counts"].tolist()

    assert counts() == [N, 0]
    monkeypatch.setattr(room, "reading", contextlib.nullcontext)
    assert counts() == [0, N]


@dp.semimetric("test.by_threads", triangle=lambda r: 1.0, many=True)
def by_threads(a: Any, rows: Any) -> Any:
    """Near by one thread, far by more."""
    return np.full(len(rows), 0.0 if most_threads() == 1 else 9.0)


def test_whether_blocks_are_near_does_not_depend_on_what_else_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here another run reads while the test looks at the blocks; the broken twin finds them near then only."""
    asked = build("registered_agreement", {"semimetric": "test.by_threads", "r": 1.0, "d": 1})
    listed = Exact([(np.zeros(1),)] * 3)

    def agreement() -> list[int]:
        with threadpool_limits(2, user_api="blas"):
            with threads.reading():
                beside = engine.Deferred(asked, (listed,)).value()
            return [int(found.integers[0]) for found in (beside, engine.Deferred(asked, (listed,)).value())]

    assert agreement() == [9, 9]
    monkeypatch.setattr(engine, "reading", contextlib.nullcontext)
    assert agreement() == [9, 0]


def test_a_reading_that_ends_leaves_others_their_one_thread() -> None:
    """Runs may overlap; the broken twin's limits end with the reading that began first."""

    def overlapping(reading: Any) -> list[int]:
        begun, ended, seen = threading.Event(), threading.Event(), []

        def other() -> None:
            with reading():
                begun.set()
                ended.wait(10)
                seen.append(most_threads())

        with threadpool_limits(2, user_api="blas"):
            thread = threading.Thread(target=other)
            with reading():
                thread.start()
                assert begun.wait(10)
            ended.set()
            thread.join()
            return [*seen, most_threads()]

    before = dict(os.environ)
    assert overlapping(threads.reading) == [1, 2]
    assert dict(os.environ) == before
    assert overlapping(lambda: threads.one_thread("blas")) == [2, 2]


LATER = """
import sys, threadpoolctl
from dpframe.runtime import threads
def blas():
    return [found["num_threads"] for found in threadpoolctl.threadpool_info() if found["user_api"] == "blas"]
known = len(blas())
with getattr(threads, sys.argv[1])(*sys.argv[2:]):
    from scipy import linalg
    print(max(blas()), len(blas()) - known)
"""


def test_a_library_that_is_loaded_while_rows_are_read_has_one_thread() -> None:
    """Else the first reading had more than the next one. SciPy's wheel has a BLAS of its own; in the broken twin it has
    as many threads as there are processors."""
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}

    def told(*how: str) -> list[int]:
        command = [sys.executable, "-c", LATER, *how]
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        return [int(number) for number in found.split()]

    most, more = told("reading")
    assert most == 1
    if more and threads.workers() > 1:
        assert told("one_thread", "blas")[0] > 1
