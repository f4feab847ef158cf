"""What a run never tells: empty parts, odd rows, a plugin's remark that fails."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.queries.scores import Minimum
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.count import Count
from dpframe.planning.results import run_plan
from tests.runtime.small import BUDGET, BallAt, plan_of, table


@dp.learner("test.shouting_rows")
def shouting_rows(values):
    """A plugin's row function that returns far more than anyone declared."""
    return values * 1e200


@dp.learner("test.failing_rows")
def failing_rows(values):
    """A plugin's row function that fails on some rows."""
    if (values > 3).any():
        raise ValueError("too large")
    return values


@dp.learner("test.no_empty_rows")
def no_empty_rows(values):
    """A plugin's row function that can't be called without rows."""
    return np.minimum(values, values.max())


@pytest.mark.parametrize("rows", [0, 3])
def test_a_row_map_that_fails_without_rows_never_tells_that_a_part_is_empty(rows):
    @dp.program
    def mapped(x):
        near, _ = dp.transform("filter_ball", x, dp.ball(centre=[0.0], radius=1.0))
        image = dp.transform("row_map", near, function="test.no_empty_rows", p=1)
        return dp.release("count", dp.laplace(noise_multiplier=1e-9), dp.count(image))

    x = np.concatenate([np.zeros((rows, 1)), np.full((50, 1), 9.0)])
    plan = dp.plan(mapped, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.approx_dp(epsilon=1e20, delta=1e-6))
    assert plan.run(x=x, simulate=1)["count"] == rows


@pytest.mark.parametrize("chunk", [7, 4096])
def test_parts_of_parts_are_equal_disjoint_and_cut_by_index(chunk):
    @dp.program
    def quarters(x):
        parts = [
            inner
            for half in dp.transform("split", x, count=2)
            for inner in dp.transform(
                "split", dp.transform("row_map", half, function="test.failing_rows", p=1), count=3
            )
        ]
        line = [float(i) for i in range(-60, 1)]
        return {
            f"part_{i}": dp.release(
                f"part_{i}", dp.laplace(noise_multiplier=1e-6), dp.transform("value_counts", part, values=line)
            )
            for i, part in enumerate(parts)
        }

    x = np.arange(61.0)[:, None]
    plan = dp.plan(
        quarters, x=dp.rows(n=61, d=1), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1e9, delta=1e-6)
    )
    counts = np.array(list(run_plan(plan, {"x": -x}, simulate=1, chunk=chunk).outputs.values()))
    assert (counts.sum(axis=1) == 10).all()
    x[20] = 60.0
    moved = np.array(list(run_plan(plan, {"x": -x}, simulate=1, chunk=chunk).outputs.values()))
    assert np.count_nonzero((counts != moved).any(axis=1)) <= 1


@pytest.mark.parametrize("name", ["pairs", "secret_pairs"])
def test_no_row_makes_the_arithmetic_warn(name):
    """Warnings are errors here: a warning would tell of a row whose difference no float64 holds."""

    @dp.program
    def differences(x):
        inside = dp.clip(dp.transform(name, x), dp.ball(centre=[0.0], radius=1.0))
        return dp.release("squares", dp.gaussian(noise_multiplier=1e-9), dp.square_sum(inside))

    x = np.array([[1.7e308], [-1.7e308]])
    plan = dp.plan(
        differences, x=dp.rows(n=2, d=1), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1e20, delta=1e-6)
    )
    assert plan.run(x=x, simulate=1)["squares"] == pytest.approx(1.0)


@pytest.mark.parametrize("function", ["test.shouting_rows", "test.failing_rows"])
def test_what_a_plugin_contributes_is_clipped_whatever_it_returns(function, rng):
    """Neighbouring tables move the exact sum by at most 2 in frame units, and a failing row empties itself only."""

    @dp.program
    def mapped(x):
        inside = dp.clip(dp.transform("row_map", x, function=function, p=3), dp.ball(centre=[0.0] * 3, radius=1.0))
        return dp.release("sum", dp.gaussian(noise_multiplier=1e-9), dp.sum(inside))

    x = rng.normal(size=(500, 3))
    near = x.copy()
    x[7], near[7] = 1e6, -1e6
    plan = dp.plan(
        mapped, x=dp.rows(n=500, d=3), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1e20, delta=1e-6)
    )
    one, two = (plan.run(x=table, simulate=1)["sum"] for table in (x, near))
    assert np.linalg.norm(one - two) <= 2 + 1e-6


@register("test.remarking")
@attrs.frozen
class Remarking(BallAt):
    """A post node whose remarks divide by the value, or raise."""

    how: str = attrs.field(kw_only=True)

    def remarks(self, value):
        """Remark on the ball's radius."""
        if self.how == "raise":
            raise np.linalg.LinAlgError("singular")
        return [f"radius {np.float64(1.0) / (value.radius - 2.0)}"]


@pytest.mark.parametrize(("how", "said"), [("raise", "could not be made"), ("divide", "radius inf")])
def test_a_remark_that_fails_loses_no_release(rng, how, said):
    @dp.program
    def program(x):
        mean = dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, dp.ball(centre=[0.0] * 3, radius=4.0))))
        return {"ball": dp.post("test.remarking", mean, how=how, name="seen")}

    result = run_plan(plan_of(program, 100), {"x": table(rng, 100)}, simulate=1)
    assert result.status == "released"
    assert len(result.remarks) == 1
    assert said in result.remarks[0]


def test_no_floating_point_warning_tells_of_a_row(monkeypatch):
    """Warnings are errors here: nobody learns which value of a count makes a statistic or a query overflow."""
    value, evaluate = Count.value, Minimum.evaluate

    def divide(inner):
        return lambda self, *args: (inner(self, *args), np.float64(1.0) / np.float64(0.0))[0]

    monkeypatch.setattr(Count, "value", divide(value))
    monkeypatch.setattr(Minimum, "evaluate", divide(evaluate))

    @dp.program
    def program(x):
        least = dp.transform("minimum", dp.count(x), dp.count(x))
        return dp.release("count", dp.gaussian(share=1.0), least)

    plan = dp.plan(program, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=BUDGET)
    assert run_plan(plan, {"x": np.ones((100, 3))}, simulate=1).status == "released"


@pytest.mark.parametrize("rows", [np.zeros((4000, 1)), np.full((4000, 1), 5e-324)], ids=["gaps that underflow", "tiny"])
def test_no_setting_of_numpy_lets_a_row_end_a_run(rows):
    """Whoever calls np.seterr would see by an error how far scores lie apart, or how small a row is."""

    @dp.program
    def program(x):
        scores = dp.rank_scores(x, candidates=list(range(10)), numerator=1, denominator=2)
        middle = dp.release("middle", dp.exponential_mechanism(share=1.0), scores)
        pairs = dp.clip(dp.pairs(x), dp.ball(centre=[0.0], radius=1.0))
        return middle, dp.release("squares", dp.gaussian(share=1.0), dp.square_sum(pairs))

    plan = dp.plan(program, x=dp.rows(n=4000, d=1), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=50.0))
    with np.errstate(all="raise"):
        assert plan.run(x=rows, simulate=1).status == "released"
