"""What a division really used, beside what it reserved: by hand, in the result's file, never as the loss."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.planning.results import document
from dpframe.proof.spaces import Outcome

STEP, LEAF = 0.5 / 2.0**2, 0.5 / 3.0**2
"""ρ of a count at noise 2 and at noise 3: under every edit it moves by one."""


@dp.register("test.above")
@attrs.frozen
class Above(dp.Post):
    """Whether a count is above a number."""

    slots = (dp.Slot("count", dp.PARAM),)
    least: float = attrs.field(kw_only=True)

    def output(self, *inputs: Any) -> Any:
        return dp.Flag()

    def apply(self, *values: Any) -> Any:
        return Outcome(bool(values[0][0] > self.least), float(values[0][0]))


def planned(least: float, divide: Any = dp.recurse, adjacency: Any = dp.REPLACE_ONE, max_leaves: int = 8) -> Any:
    @dp.program
    def program(x: Any) -> Any:
        def body(rows: Any, state: Any) -> Any:
            count = dp.release("count", dp.gaussian(noise_multiplier=2.0), dp.count(rows))
            dp.filter_ball(rows, state, name="children")
            return {"split": dp.post("test.above", count, least=least), "left": state, "right": state}

        def leaf(rows: Any, state: Any) -> Any:
            return dp.release("count", dp.gaussian(noise_multiplier=3.0), dp.count(rows))

        start = dp.ball(centre=[0.0], radius=1.0)
        return divide("tree", x, start, body, leaf, max_depth=3, max_leaves=max_leaves)

    n = 1200 if adjacency is dp.REPLACE_ONE else None
    return dp.plan(program, x=dp.rows(n=n, d=1), adjacency=adjacency, budget=dp.zcdp(rho=10.0))


ROWS = np.repeat([[0.0], [9.0]], [1000, 200], axis=0)


@pytest.mark.parametrize("divide", [dp.recurse, dp.worklist])
@pytest.mark.parametrize(
    ("least", "steps", "leaves"),
    [(2000.0, 1, 1), (1100.0, 3, 2), (500.0, 4, 2), (-2000.0, 5, 2)],
    ids=["whole", "one split", "a chain", "all that was reserved"],
)
def test_parts_that_were_made_are_what_is_used(divide: Any, least: float, steps: int, leaves: int) -> None:
    """Both rows share a path until it forks; a part that one only tried to split costs its level too."""
    plan = planned(least, divide)
    result = plan.run(x=ROWS, simulate=1)
    assert plan.spent["rho"] == pytest.approx(5 * STEP + 2 * LEAF)
    assert result.used["rho"] == pytest.approx(steps * STEP + leaves * LEAF)
    assert result.loss["rho"] == pytest.approx(plan.spent["rho"])


@pytest.mark.parametrize("divide", [dp.recurse, dp.worklist])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_nothing_is_split_once_leaves_and_waiting_parts_are_enough(divide: Any, most: int) -> None:
    """Every test passes, so only the limit ends the division: KSSU19's children both inherit k − 1 (C5)."""
    result = planned(-2000.0, divide, max_leaves=most).run(x=ROWS, simulate=1)
    (leaves,) = result.outputs.values()
    assert len(leaves) == most
    assert result.used["rho"] <= result.loss["rho"]


def test_under_add_remove_one_path_is_used() -> None:
    result = planned(500.0, adjacency=dp.ADD_REMOVE).run(x=ROWS, simulate=1)
    assert result.used["rho"] == pytest.approx(3 * STEP + LEAF)
    assert result.used["adjacency"] == "add_remove"


def test_it_stands_in_the_results_file_beside_the_loss() -> None:
    found = document(planned(2000.0).run(x=ROWS, simulate=1))
    assert found["used"].keys() == found["loss"].keys()
    assert found["used"]["rho"] < found["loss"]["rho"]


def test_without_a_division_there_is_none() -> None:
    @dp.program
    def program(x: Any) -> Any:
        return dp.release("count", dp.gaussian(share=1.0), dp.count(x))

    plan = dp.plan(program, x=dp.rows(n=1200, d=1), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=1.0))
    result = plan.run(x=ROWS, simulate=1)
    assert result.used == {}
    assert "used" not in document(result)
