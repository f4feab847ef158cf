"""Block reductions run end to end: learners in processes of their own, tests, selections and averages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Handle
from tests.kernel.queries import learners

T, ROWS = 24, 50
assert learners


def blocks_of(x: Handle, learner: str, item: str, size: list[int]) -> Handle:
    made: Handle = dp.transform("block_learner", x, learner=learner, t=T, item=item, size=size)
    return made


def populous(x: Handle) -> Handle:
    blocks = blocks_of(x, "tests.mean", "vector", [2])
    mechanism = dp.truncated_laplace_test(noise_multiplier=0.15, threshold=0.6, delta_fraction=0.5)
    test = dp.release("test", mechanism, dp.transform("agreement", blocks, r=2.0, d=2))
    chosen = dp.transform("select_block", blocks, test, r=2.0, d=2, theta=0.5, test_threshold=0.6)

    def mask(value: Handle) -> Handle:
        return dp.release("mask", dp.gaussian(noise_multiplier=0.1), value)

    def refuse(value: Handle) -> Handle:
        return dp.constant([999.0, 999.0])

    return {"answer": dp.branch("answer", test, mask, refuse, chosen), "test": test}  # type: ignore[return-value]


def plan_of(program: Any) -> Any:
    return dp.plan(
        dp.program(program),
        x=dp.rows(n=T * ROWS, d=2),
        adjacency=dp.REPLACE_ONE,
        budget=dp.approx_dp(epsilon=500.0, delta=1e-2),
    )


def table(rng: np.random.Generator, bad: int = 0) -> Any:
    values = rng.standard_normal((T * ROWS, 2)) + np.array([3.0, -2.0])
    values[:bad] = 1e6
    return values


@pytest.mark.slow
def test_a_populous_mean_is_released_when_most_blocks_agree(rng: np.random.Generator) -> None:
    plan = plan_of(populous)
    result = plan.run(x=table(rng, bad=1), simulate=1)  # one block fails
    assert result["test"].passed
    assert result["answer"] == pytest.approx([3.0, -2.0], abs=1.5)
    refused = plan.run(x=table(rng, bad=400), simulate=1)
    assert not refused["test"].passed
    assert refused["answer"].tolist() == [999.0, 999.0]


@pytest.mark.slow
def test_candidates_are_found_and_averaged(rng: np.random.Generator) -> None:
    def aggregate(x: Handle) -> Handle:
        blocks = blocks_of(x, "tests.two_means", "points", [2, 2])
        total = dp.transform("block_sum", blocks, dp.ball(centre=[-4.0, 0.0], radius=2.0), k=2, d=2)
        return dp.release("left", dp.gaussian(noise_multiplier=0.05), total)

    sides = rng.choice([-4.0, 4.0], T * ROWS)
    values = np.column_stack([sides, np.zeros(T * ROWS)]) + 0.1 * rng.standard_normal((T * ROWS, 2))
    result = plan_of(aggregate).run(x=values, simulate=1)
    assert result["left"] == pytest.approx([-4.0, 0.0], abs=0.1)
