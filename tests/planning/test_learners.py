"""A learner that block processes can't import is refused before a run reads or spends anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import PlanError
from dpframe.kernel.registry import learner
from dpframe.planning import learners
from dpframe.planning.results import run_plan
from tests.papers import own_semimetric

assert own_semimetric
N = 600


def program(name: str) -> Any:
    def weigh(x: Any) -> Any:
        made = dp.block_learner(x, learner=name, t=6, item="vector", size=[1])
        return dp.release("weight", dp.laplace(share=1.0), dp.block_weight(made, r=1.0, d=1, majority=3, ramp=3))

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    return dp.plan(weigh, x=dp.rows(n=N, d=1), adjacency=dp.REPLACE_ONE, budget=budget)


def test_a_learner_that_no_block_process_finds_is_refused() -> None:
    """The twin whose module is there runs."""

    @learner("test.lost")
    def lost(rows: Any, rng: Any) -> Any:
        return (rows.mean(axis=0),)

    lost.__module__ = "no_such_module_of_learners"
    spent: list[str] = []
    plan = program("test.lost")
    with pytest.raises(PlanError, match=r"'test\.lost'.*'no_such_module_of_learners'.*--plugins DIR"):
        run_plan(plan, {"x": np.zeros((N, 1))}, simulate=0, reserved=lambda: spent.append("reserved"))
    assert spent == []
    assert program("papers.scale").run(x=np.zeros((N, 1)), simulate=0).status == "released"


def test_it_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(learners, "_FOUND", set())
    monkeypatch.setattr(learners, "run_isolated", lambda name, seed, blocks: asked.append(name) or [()])
    plan = program("papers.scale")
    learners.check_learners(plan.typed)
    learners.check_learners(plan.typed)
    assert asked == ["papers.scale"]
