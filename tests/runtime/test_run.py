"""The executor: fused passes, order-free statistics, missing rows, changed files."""

from __future__ import annotations

import attrs
import numpy as np
import pandas as pd
import pytest

import dpframe as dp
from dpframe.errors import DataError
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import register
from dpframe.planning.results import run_plan
from dpframe.proof.spaces import AffineValue, Domain, Outcome, Vector
from dpframe.proof.typed import Ref
from dpframe.runtime import fused
from dpframe.runtime.gate import admit
from dpframe.runtime.run import open_tables
from tests.runtime.small import BUDGET, plan_of, table


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
        ({"x": np.zeros((9, 3))}, "declared n = .* rows. Fix: declare its own, n = 9"),
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


_OUT = np.zeros(2)


@dp.post_function("tests.one_array")
def _ends(counts):
    """The least and the largest count, in an array that the function keeps."""
    _OUT[:] = np.min(counts), np.max(counts)
    return _OUT


def test_what_a_post_keeps_and_writes_into_again_changes_no_result():
    @dp.program
    def program(x):
        first = dp.release("first", dp.laplace(share=1.0), dp.bin_counts(x, edges=[1.0]))
        other = dp.release("other", dp.laplace(share=1.0), dp.bin_counts(x, edges=[50.0]))
        return {"first": _ends(first), "other": _ends(other)}

    plan = dp.plan(program, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(100.0))
    found = plan.run(x=np.arange(100.0)[:, None], simulate=0)
    assert np.abs(found["first"] - [1.0, 99.0]).max() < 5
    assert np.abs(found["other"] - [50.0, 50.0]).max() < 5


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


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"], ["c", "b", "a"], None])
def test_a_public_table_is_read_by_the_names_of_the_private_columns(order):
    """In another order its rows lay elsewhere than the private ones, and the budget was spent on that."""
    frame = pd.DataFrame({"a": [100.0, 101.0], "b": [-50.0, -51.0], "c": 1.0})
    program = dp.program(lambda x, p: dp.release("g", dp.recipe("bks22_gaussian"), x, p))
    declared = {"x": dp.rows(n=2, d=2), "p": dp.public_rows(d=2)}
    plan = dp.plan(program, **declared, adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, 1e-6))
    public = frame[["a", "b"]].to_numpy() if order is None else frame[order]
    opened = open_tables(admit(plan, simulated=True), {"x": frame[["a", "b"]], "p": public})
    assert opened.values[Ref("p")].tolist() == [[100.0, -50.0], [101.0, -51.0]]


@pytest.mark.parametrize(("width", "fix"), [(1, "give a table with 2, or"), (3, "name 2 of them, on")])
def test_a_public_table_of_another_width_is_refused_with_what_helps(width, fix):
    """Of too few columns none can be named."""
    program = dp.program(lambda x, p: dp.release("g", dp.recipe("bks22_gaussian"), x, p))
    declared = {"x": dp.rows(n=2, d=2), "p": dp.public_rows(d=2)}
    plan = dp.plan(program, **declared, adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, 1e-6))
    with pytest.raises(DataError, match=fix):
        open_tables(admit(plan, simulated=True), {"x": np.zeros((2, 2)), "p": np.zeros((2, width))})


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_columns_of_the_public_table_alone_are_no_advice(kind, tmp_path):
    program = dp.program(lambda x, p: dp.release("g", dp.recipe("bks22_gaussian"), x, p))
    declared = {"x": dp.rows(n=2, d=2), "p": dp.public_rows(d=2)}
    plan = dp.plan(program, adjacency=dp.REPLACE_ONE, budget=dp.zcdp(0.5), **declared)
    private = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    public = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "c": [5.0, 6.0]})
    getattr(public, f"to_{kind}")(tmp_path / f"p.{kind}", index=False)
    with pytest.raises(DataError, match=r"table 'p': .*column 'b'.*columns that hold numbers in both tables") as caught:
        plan.run(x=private, p=str(tmp_path / f"p.{kind}"))
    assert "columns=a,c" not in str(caught.value)


def test_columns_of_text_are_told_to_python_too():
    plan = dp.plan(
        dp.program(lambda x: dp.release("g", dp.recipe("coinpress_mean", bound=1.0, scale=1.0), x)),
        adjacency=dp.REPLACE_ONE, budget=dp.zcdp(0.5), x=dp.rows(n=2, d=2),
    )  # fmt: skip
    with pytest.raises(DataError, match=r"--set columns=b \(from Python: pass a table of these columns alone\)"):
        plan.run(x=pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}))


@dp.post_function("test.of_public", gives=lambda known, *, wrong: dp.Vector(2))
def of_public(known, *, wrong):
    """Raises on a public table: what dpframe says of a value, or anything."""
    if wrong == "value":
        return AffineValue(shift=np.zeros((2, 2)), matrix=np.eye(2), scale=1.0)
    return known.missing


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("value", r"node 'asked', .* raised DomainError: .*. Fix: look at"),
        ("name", "node 'asked', which follows from the public table, raised AttributeError. Fix: look at"),
    ],
)
def test_an_error_of_a_public_table_names_its_node_before_anything_is_spent(wrong, words):
    @dp.program
    def program(x, known):
        centre = of_public(known, wrong=wrong, name="asked")
        return {"count": dp.release("count", dp.laplace(share=1.0), dp.count(x)), "centre": centre}

    plan = dp.plan(
        program,
        x=dp.rows(n=10, d=2),
        known=dp.public_rows(d=2),
        adjacency=dp.REPLACE_ONE,
        budget=dp.pure_dp(1.0),
    )
    with pytest.raises(DataError, match=words):
        plan.run(x=np.zeros((10, 2)), known=np.zeros((5, 2)))
