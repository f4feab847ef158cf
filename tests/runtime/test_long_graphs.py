"""Graphs of many nodes: planning and running take work in proportion to the nodes, counted in calls of functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from tests.runtime import small

SIZES = (80, 160, 320)


def chain(nodes: int) -> Any:
    """Posts one after the other: what a loop that looks at all nodes for each would make square."""

    @dp.program
    def program(x: Any) -> Any:
        value = dp.release("sum", dp.gaussian(share=1.0), dp.sum(dp.clip(x, dp.ball(centre=[0.0], radius=3.0))))
        for i in range(nodes - 3):
            value = value * 0.5 if i % 2 else value + 1.0
        return {"value": value}

    return program


def beside(nodes: int) -> Any:
    """Clips, sums and releases that know nothing of each other, in one pass."""

    @dp.program
    def program(x: Any) -> Any:
        balls = [dp.ball(centre=[float(i)], radius=2.0) for i in range(nodes // 3)]
        return {
            f"s{i}": dp.release(f"s{i}", dp.gaussian(share=1.0), dp.sum(dp.clip(x, ball)))
            for i, ball in enumerate(balls)
        }

    return program


def calls(task: Callable[[], Any]) -> int:
    """Calls of Python functions; each item of a generator is one."""
    seen, before = [0], sys.getprofile()

    def count(frame: Any, event: str, _: Any) -> None:
        seen[0] += event == "call"

    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(before)
    return seen[0]


@pytest.mark.parametrize("graph", [chain, beside])
def test_plan_and_run_are_linear_in_the_nodes(graph: Any) -> None:
    planning, running = [], []
    for nodes in (12, *SIZES):  # the first one imports what is imported once
        made: list[dp.Plan] = []
        program = graph(nodes)
        planning.append(
            calls(
                lambda program=program, made=made: made.append(
                    dp.plan(program, x=dp.rows(n=9, d=1), adjacency=dp.REPLACE_ONE, budget=small.BUDGET)
                )
            )
        )
        running.append(calls(lambda plan=made[0]: plan.run(np.zeros((9, 1)), simulate=1)))
    for found in (planning[1:], running[1:]):
        first, second = np.diff(found)
        assert second < 2.2 * first, found  # of twice as many more nodes; of the square of it 4
