"""The executor: fused passes, order-free statistics, missing rows, changed files."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DataError
from dpframe.kernel.operations import Failed, Post
from dpframe.kernel.queries.scores import Minimum
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.count import Count
from dpframe.proof.spaces import Domain, Outcome, Vector
from dpframe.runtime import fused
from dpframe.runtime.run import run_plan

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


@dp.program
def moments(x):
    """Count, mean and Gram of rows clipped to one ball, and a second mean in a released ball."""
    ball = dp.ball(centre=[1.0, 2.0, 3.0], radius=4.0)
    inside = dp.clip(x, ball)
    count = dp.release("count", dp.gaussian(share=0.1), dp.count(x))
    mean = dp.release("mean", dp.gaussian(share=0.3), dp.mean(inside))
    gram = dp.release("gram", dp.gaussian(share=0.3), dp.gram(inside))
    ball2 = dp.post("test.ball_at", mean, name="ball2")
    later = dp.release("later", dp.gaussian(share=0.3), dp.mean(dp.clip(x, ball2)))
    return {"count": count, "mean": mean, "gram": gram, "later": later}


@register("test.ball_at")
@attrs.frozen
class BallAt(Post):
    """A ball of radius 2 around a released point."""

    slots = (attrs.evolve(dp.build("mean_of_ball", {}).slots[0]),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        from dpframe.proof.spaces import Ball

        return Ball(inputs[0].d)

    def apply(self, *values):
        """Centre it."""
        from dpframe.proof.spaces import BallValue

        return BallValue(np.asarray(values[0]), 2.0)


@register("test.always_fails")
@attrs.frozen
class AlwaysFails(Post):
    """A post node that finds no answer."""

    slots = (attrs.evolve(dp.build("mean_of_ball", {}).slots[0]),)

    def output(self, *inputs: Domain) -> Domain:
        """A vector."""
        return Vector(1)

    def apply(self, *values):
        """Fail from released values."""
        return Failed("the count is too small", "use more rows")


def plan_of(program, n, d=3, adjacency=dp.REPLACE_ONE):
    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=adjacency, budget=BUDGET)


def table(rng, n=5000, d=3):
    x = rng.normal(size=(n, d)) * 2 + np.arange(1, d + 1)
    x[::97, 0] = np.nan
    x[1::131, 1] = np.inf
    x[2::211] = 1e308
    return x


def released(result):
    return {k: np.asarray(v).tobytes() for k, v in result.outputs.items()}


@pytest.mark.parametrize(("threads", "chunk"), [(1, 64), (1, 5000), (2, 333), (3, 1), (2, 10_000)])
def test_a_release_does_not_depend_on_chunks_or_threads(rng, threads, chunk):
    x = table(rng, 600 if chunk == 1 else 5000)
    plan = plan_of(moments, len(x))
    base = run_plan(plan, {"x": x}, simulate=3, threads=1, chunk=777)
    other = run_plan(plan, {"x": x}, simulate=3, threads=threads, chunk=chunk)
    assert released(base) == released(other)


def test_a_release_does_not_depend_on_row_order_or_memory_layout(rng):
    x = table(rng)
    plan = plan_of(moments, len(x))
    base = released(run_plan(plan, {"x": x}, simulate=3))
    assert base == released(run_plan(plan, {"x": x[rng.permutation(len(x))]}, simulate=3))
    assert base == released(run_plan(plan, {"x": np.asfortranarray(x)}, simulate=3))


def test_empty_rows_count_nothing(rng):
    x = table(rng)
    kept = x[np.isfinite(x).all(axis=1)]
    plan = dp.plan(moments, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=BUDGET)
    assert released(run_plan(plan, {"x": x}, simulate=9)) == released(run_plan(plan, {"x": kept}, simulate=9))


def test_passes_are_fused_as_the_plan_says(rng, monkeypatch):
    x = table(rng)
    plan = plan_of(moments, len(x))
    calls = []
    take = fused.take
    monkeypatch.setattr(fused, "take", lambda requests, *a, **k: calls.append(len(requests)) or take(requests, *a, **k))
    run_plan(plan, {"x": x}, simulate=1)
    assert calls == [3, 1]
    assert max(plan.passes.values()) == 2


def test_means_are_right_far_from_zero_and_with_missing_rows(rng):
    x = rng.normal(size=(200_000, 2)) + np.array([1e6, -2e6])
    x[::3, 0] = np.nan

    @dp.program
    def far(x):
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, dp.ball(centre=[1e6, -2e6], radius=8.0))))

    result = plan_of(far, len(x), 2).run(x=x)
    assert np.abs(result["mean"] - [1e6, -2e6]).max() < 0.02


def test_secure_noise_differs_and_simulated_noise_repeats(rng):
    x = table(rng)
    plan = plan_of(moments, len(x))
    assert released(plan.run(x=x)) != released(plan.run(x=x))
    one, two = plan.run(x=x, simulate=5), plan.run(x=x, simulate=5)
    assert released(one) == released(two)
    assert one.simulated
    assert "SIMULATED" in repr(one)
    assert released(one) != released(plan.run(x=x, simulate=6))


def test_nodes_have_noise_of_their_own(rng):
    x = np.zeros((100, 3))

    @dp.program
    def twice(x):
        inside = dp.clip(x, dp.ball(centre=[0.0] * 3, radius=1.0))
        first = dp.release("first", dp.gaussian(share=1.0), dp.sum(inside))
        return {"first": first, "second": dp.release("second", dp.gaussian(share=1.0), dp.sum(inside))}

    result = plan_of(twice, 100).run(x=x, simulate=1)
    assert not np.allclose(result["first"], result["second"])


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({}, "missing"),
        ({"x": np.zeros((10, 3)), "y": np.zeros((10, 3))}, "no table 'y'"),
        ({"x": np.zeros((10, 4))}, "4 columns"),
        ({"x": np.zeros((9, 3))}, "declared n"),
        ({"x": np.array([["a", "b", "c"]] * 10)}, "number"),
    ],
)
def test_tables_that_do_not_fit_are_refused_before_anything_is_spent(tables, words):
    plan = plan_of(moments, 10)
    called = []
    with pytest.raises(DataError, match=words):
        run_plan(plan, tables, reserved=lambda: called.append(1))
    assert not called


def test_a_file_that_changes_between_passes_releases_nothing(tmp_path, rng, run_errors):
    path = tmp_path / "x.npy"
    np.save(path, table(rng))
    plan = plan_of(moments, 5000)

    def change() -> None:
        np.save(path, np.zeros((5000, 3)) + 1)
        import os

        os.utime(path, ns=(1, 1))

    result = run_plan(plan, {"x": path}, simulate=1, reserved=change)
    assert result.status == "failed"
    assert "changed during the run" in result.reason


def test_a_failed_post_ends_the_run_with_reason_and_advice(rng):
    @dp.program
    def fails(x):
        count = dp.release("count", dp.gaussian(share=1.0), dp.count(x))
        return {"out": dp.post("test.always_fails", count)}

    result = plan_of(fails, 10).run(x=np.zeros((10, 3)))
    assert result.status == "failed"
    assert result.outputs == {}
    assert result.reason
    assert result.advice
    assert result.loss["epsilon"] <= 1.0


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0, 1e308, -1e308])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_any_table_is_handled(value, n):
    result = plan_of(moments, n).run(x=np.full((n, 3), value))
    assert all(np.isfinite(v).all() for v in result.outputs.values())


def test_an_empty_table_is_handled():
    plan = dp.plan(moments, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=BUDGET)
    assert plan.run(x=np.zeros((0, 3))).status == "released"


@pytest.mark.parametrize("passed", [True, False])
def test_branches_run_the_released_side(passed):
    @dp.program
    def branched(x):
        inside = dp.clip(x, dp.ball(centre=[0.0] * 3, radius=1.0))
        total = dp.count(x)
        threshold = 50.0 if passed else 1e9
        test = dp.release(
            "test",
            dp.truncated_laplace_test(share=0.5, threshold=threshold, delta_fraction=0.1),
            dp.transform("minimum", total),
        )

        def then(inside):
            return dp.release("one", dp.gaussian(share=0.5), dp.sum(inside))

        def otherwise(inside):
            return dp.constant([7.0, 7.0, 7.0])

        return dp.branch("out", test, then, otherwise, inside)

    plan = plan_of(branched, 1000)
    result = plan.run(x=np.ones((1000, 3)), simulate=2)
    assert (result["out"] == 7.0).all() == (not passed)


def test_for_each_shares_its_total_by_the_released_length():
    def run(length):
        @dp.program
        def looped(x):
            points = dp.post("test.points", dp.release("count", dp.gaussian(share=0.1), dp.count(x)), length=length)

            def body(point, x):
                ball = dp.post("test.ball_at", point)
                return dp.release("mean", dp.gaussian(share=1.0), dp.sum(dp.clip(x, ball)))

            return dp.for_each("loop", points, body, x, share=0.9, max_length=5)

        plan = plan_of(looped, 10)
        out = [plan.run(x=np.zeros((10, 3)), simulate=s)["loop"] for s in range(200)]
        return plan, np.array([[np.asarray(v) for v in o] for o in out])

    one_plan, one = run(1)
    four_plan, four = run(4)
    assert one_plan.spent == four_plan.spent
    assert one.shape[1:] == (1, 3)
    assert four.shape[1:] == (4, 3)
    assert 1.65 < four.std() / one.std() < 2.35  # 5 standard deviations of the ratio on either side


@register("test.points")
@attrs.frozen
class Points(Post):
    """Some points."""

    slots = (attrs.evolve(dp.build("mean_of_ball", {}).slots[0]),)
    length: int = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A list."""
        from dpframe.proof.spaces import ListOf

        return ListOf(Vector(3), 5)

    def apply(self, *values):
        """All at 0."""
        return [np.zeros(3)] * self.length


def test_pairs_of_a_sorted_file_look_like_pairs_of_a_shuffled_one(rng):
    x = np.sort(rng.normal(size=(20_000, 1)), axis=0)

    @dp.program
    def spread(x):
        near = dp.transform(
            "distance_histogram", dp.transform("pairs", x), dp.ball(centre=[0.0], radius=4.0), edges=6, ratio=2.0
        )
        return dp.release("histogram", dp.gaussian(share=1.0), near)

    plan = plan_of(spread, len(x), 1)
    sorted_, shuffled = (plan.run(x=v, simulate=1)["histogram"] for v in (x, rng.permutation(x)))
    assert np.abs(sorted_ - shuffled).max() < 500
    assert sorted_[-3:].sum() > 2000


def test_outcomes_are_plain_values():
    assert Outcome(True, 1.0) == Outcome(True, 1.0)


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
