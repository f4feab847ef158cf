"""Programs inside programs, handlers over them, and constants where handles are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpframe as dp
from dpframe.errors import PlanError
from dpframe.front.specs import dump, parse_spec
from dpframe.front.verbs.examples import stub
from dpframe.plugin import AffineValue, BallValue, Gaussian, GaussianValue, Mixture
from dpframe.proof.checker import verify
from dpframe.proof.spaces import Ball, ListOf

ROWS = dp.rows(d=2, n=1000)
ZCDP = dp.zcdp(rho=0.5)


@dp.program
def mean(x: Any) -> Any:
    ball = dp.release("ball", dp.locate(share=0.3, bound=1e3), x)
    return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, ball)))


@dp.program
def near(x: Any) -> Any:
    return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, 10.0, name="inside")))


def counts(x: Any) -> Any:
    released = dp.release("count", dp.laplace(share=1.0), dp.count(x))
    return {"half": released / 2, "count": released}


def planned(what: Any, budget: Any = ZCDP, **tables: Any) -> Any:
    return dp.plan(what, adjacency=dp.REPLACE_ONE, budget=budget, **(tables or {"x": ROWS}))


def written(plan: Any) -> None:
    """What was planned is a graph like any other: written, read again, and verified."""
    text = dump(plan, name="written")
    assert dump(parse_spec(text).plan(), name="written") == text
    assert verify(plan.document(simulated=False)).reasons[:1] in ((), ("the run was simulated",), [])


# --------------------------------------------------------------------------- programs inside programs


def test_a_program_called_in_a_program_is_a_part_of_it() -> None:
    plan = planned(lambda x: {"m": mean(x)})
    assert {"ball.move_1", "mean", "mean.value"} & {n.name for n in plan.graph.nodes} >= {"mean", "mean.value"}


def test_it_may_be_called_again_and_beside_others_with_the_same_names() -> None:
    @dp.program
    def other(x: Any) -> Any:
        return dp.release("mean", dp.laplace(share=1.0), dp.count(x))

    @dp.program
    def outer(x: Any) -> Any:
        first, second = dp.split(x, count=2)
        return {"a": near(first), "b": near(second), "c": other(x), "d": dp.release("mine", near, x)}

    plan = planned(outer)
    names = {n.name for n in plan.graph.nodes}
    assert {"mean", "near_1.mean", "other_1.mean", "mine.mean"} <= names
    assert {name for name, _ in plan.graph.outputs} == {"a", "b", "c", "d"}
    written(plan)


def test_a_program_that_takes_a_name_twice_itself_is_refused() -> None:
    @dp.program
    def twice(x: Any) -> Any:
        return [dp.release("c", dp.laplace(share=1.0), dp.count(x)) for _ in range(2)]

    with pytest.raises(PlanError, match="two nodes are named"):
        planned(lambda x: {"c": twice(x)[0]})
    with pytest.raises(PlanError, match="program 'mean'"):
        planned(lambda x: dp.release("m", mean, x, x))


# -------------------------------------------------------------------------------------------- trace


def test_trace_lists_every_node_in_order() -> None:
    sites = dp.trace(counts, x=dp.rows(d=2))
    assert [(s.name, s.operation, s.kind, s.share) for s in sites.values()] == [
        ("x", "input", "private", None),
        ("count_1", "count", "private", None),
        ("count", "laplace", "released", 1.0),
        ("divide_1", "numpy", "released", None),
    ]
    assert sites["count"].inputs == ("count_1",)
    assert set(dp.trace(mean, adjacency="replace_one", budget=ZCDP, x=ROWS)) >= {"x", "mean"}
    with pytest.raises(PlanError, match="give both"):
        dp.trace(mean, adjacency="replace_one", x=ROWS)
    with pytest.raises(PlanError, match="takes the tables"):
        dp.trace(mean, y=ROWS)


# --------------------------------------------------------------------------------------- substitute


@pytest.mark.parametrize(
    "ball", [([0.0, 0.0], 9.0), {"centre": np.zeros(2), "radius": 9}, BallValue(np.zeros(2), 9.0), (np.zeros(2), 9)]
)
def test_a_substituted_value_is_a_constant_and_costs_nothing(ball: Any) -> None:
    plan, before = planned(dp.substitute(mean, ball=ball)), planned(mean)
    assert [n.name for n in plan.graph.nodes] == ["ball", "clip_1", "mean_1", "mean", "mean.value"]
    assert plan.calibrations[("mean",)]["sigma"] < before.calibrations[("mean",)]["sigma"]
    written(plan)
    rows = np.random.default_rng(0).normal(size=(1000, 2))
    assert abs(plan.run(x=rows, simulate=0)["mean"]).max() < 1


def test_substitution_is_told_names_within_its_program() -> None:
    known = dp.substitute(mean, ball=([0.0, 0.0], 9.0))
    plan = planned(lambda x: {"a": dp.release("first", known, x), "b": dp.release("second", mean, x)})
    names = {n.name for n in plan.graph.nodes}
    assert "first.ball" in names
    assert not any(name.startswith("first.ball.") for name in names)
    assert any(name.startswith("second.ball.") for name in names)
    outer = planned(dp.substitute(lambda x: {"a": dp.release("first", mean, x)}, {"first.ball": ([0.0, 0.0], 9.0)}))
    assert "first.ball" in {n.name for n in outer.graph.nodes}
    inner_wins = dp.substitute(dp.substitute(mean, ball=([0.0, 0.0], 9.0)), mean=[1.0, 2.0])
    assert [n.name for n in planned(inner_wins).graph.nodes if n.name == "mean"] == ["mean"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"bal": ([0.0, 0.0], 9.0)}, "no node named 'bal'.*did you mean 'ball"),
        ({"ball": "x"}, "given no public value"),
        ({"ball": [0.0, np.nan]}, "given no public value"),
        ({"ball": {"centre": [0.0]}}, "has the fields centre"),
        ({"ball": ([0.0, 0.0], -1.0)}, "radius"),
        ({"ball": ([0.0], 9.0)}, "dimension|columns"),
        ({}, "no value"),
        ([1.0], "no mapping of names"),
    ],
)
def test_what_can_not_be_substituted(values: Any, said: str) -> None:
    with pytest.raises(dp.DpframeError, match=said):
        planned(dp.substitute(mean, values))


# ------------------------------------------------------------------------------------- scale_shares


def test_shares_are_scaled_by_name_by_group_and_all() -> None:
    def shares(what: Any) -> dict[str, float]:
        return {s.name: s.share for s in dp.trace(what, x=ROWS).values() if s.share is not None}

    before = shares(mean)
    after = shares(dp.scale_shares(mean, 2.0, ball=3.0))
    assert after["mean"] == 2 * before["mean"]
    assert all(after[name] == pytest.approx(6 * before[name]) for name in before if name.startswith("ball."))
    nested = shares(lambda x: {"a": dp.scale_shares(mean, 5.0)(x), "b": dp.release("b", mean, x)})
    assert nested["mean"] == 5 * nested["b.mean"]
    for wrong in (0.0, -1.0, float("nan"), "2", True):
        with pytest.raises(PlanError):
            dp.scale_shares(mean, wrong)
    with pytest.raises(PlanError, match="no share named 'clip_1'"):
        planned(dp.scale_shares(mean, clip_1=2.0))


def test_a_loop_has_its_share_scaled_and_a_branch_those_of_its_bodies() -> None:
    def body(x: Any) -> Any:
        test = dp.release("t", dp.truncated_laplace_test(share=1.0, threshold=9.0, delta_fraction=0.2), dp.count(x))
        one = lambda x: dp.release("one", dp.laplace(share=1.0), dp.count(x))  # noqa: E731
        return dp.branch("chosen", test, one, one, x)

    graph = dp.plan(
        dp.scale_shares(body, chosen=4.0), x=ROWS, adjacency="replace_one", budget=dp.approx_dp(1.0, 1e-6)
    ).graph
    (node,) = [n for n in graph.nodes if n.name == "chosen"]
    assert [inner.operation.share for _, g in node.bodies for inner in g.nodes if inner.name == "one"] == [4.0, 4.0]


def looped(x: Any) -> Any:
    """A loop whose body calls a program and locates a ball."""

    def body(item: Any, x: Any) -> Any:
        inner = dp.release("inner", near, x)
        ball = dp.release("ball", dp.locate(share=0.3, bound=1e3), x)
        return inner + dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball)))

    return {"m": dp.for_each("loop", stub(ListOf(Ball(2), 3)), body, x, share=1.0, max_length=3)}


def inside(plan: Any) -> dict[str, Any]:
    (loop,) = [node for node in plan.graph.nodes if node.name == "loop"]
    return {node.name: node.operation for _, body in loop.bodies for node in body.nodes}


def test_handlers_reach_into_loops_and_the_programs_they_call() -> None:
    sites = dp.trace(looped, x=ROWS)
    assert sites["loop.inner.mean"].share == 0.7
    assert sites["loop.mean"].kind == "released"
    before = inside(planned(looped))
    assert any(name.startswith("ball.") for name in before)
    known = planned(dp.substitute(looped, {"loop.ball": ([0.0, 0.0], 9.0)}))
    after = inside(known)
    assert after["ball"].name == "ball"
    assert not any(name.startswith("ball.") for name in after)
    written(known)
    scaled = inside(planned(dp.scale_shares(looped, 1.0, {"loop.inner": 5.0})))
    assert scaled["inner.mean"].share == pytest.approx(5 * 0.7)
    assert scaled["mean"].share == before["mean"].share
    with pytest.raises(PlanError, match=r"no node named 'loop\.bal'.*did you mean 'loop\."):
        planned(dp.substitute(looped, {"loop.bal": ([0.0, 0.0], 9.0)}))


@pytest.mark.parametrize("factor", [0.25, 3.0])
def test_a_factor_for_all_changes_no_noise_in_a_loop(factor: float) -> None:
    scaled, before = planned(dp.scale_shares(looped, factor)).calibrations, planned(looped).calibrations
    assert {path: noise["sigma"] for path, noise in scaled.items()} == pytest.approx(
        {path: noise["sigma"] for path, noise in before.items()}
    )


# ----------------------------------------------------------------------------------------- simulate


def test_simulate_takes_a_program_or_a_plan() -> None:
    rows = np.random.default_rng(0).normal(size=(500, 2))
    how: dict[str, Any] = {"adjacency": dp.REPLACE_ONE, "budget": dp.zcdp(rho=50.0)}
    first, second = (dp.simulate(mean, seed=3, x=rows, **how) for _ in range(2))
    assert first.simulated
    assert first["mean"].tolist() == second["mean"].tolist()
    assert dp.simulate(planned(counts, x=dp.rows(d=2, n=500)), seed=1, x=rows)["count"] > 0
    named = dp.simulate(
        lambda x: [dp.release("c", dp.laplace(share=1.0), dp.count(dp.select(x, columns="b")))],
        seed=0,
        adjacency="add_remove",
        budget=dp.pure_dp(99.0),
        x=pd.DataFrame({"a": [1.0] * 9, "b": [2.0] * 9}),
    )
    assert named["c"] == 9
    with pytest.raises(PlanError, match="adjacency= and budget="):
        dp.simulate(mean, seed=0, x=rows)
    with pytest.raises(PlanError, match="leave them out"):
        dp.simulate(planned(mean), seed=0, x=rows, **how)


def test_simulate_is_told_public_tables_by_their_names() -> None:
    """A text by itself is one name: "xy" is not x."""

    def of_two(x: Any, xy: Any) -> Any:
        return counts(x)

    rows = np.zeros((50, 2))
    how: dict[str, Any] = {"seed": 0, "adjacency": dp.REPLACE_ONE, "budget": dp.zcdp(rho=50.0), "x": rows, "xy": rows}
    assert dp.simulate(of_two, public="xy", **how)["count"] > 0
    for wrong, said in ((["z"], "no table 'z'"), (3, "are named"), ([3], "are named")):
        with pytest.raises(PlanError, match=said):
            dp.simulate(of_two, public=wrong, **how)


# ---------------------------------------------------------------------------------------- constants


def total(clipped: Any) -> Any:
    return {"r": dp.release("r", dp.gaussian(share=1.0), dp.sum(clipped))}


def counted(rows: Any) -> Any:
    return {"r": dp.release("r", dp.laplace(share=1.0), dp.count(rows))}


IDENTITY = {"shift": [0.0, 0.0], "matrix": [[1.0, 0.0], [0.0, 1.0]], "scale": 9.0}


@pytest.mark.parametrize(
    "body",
    [
        lambda x: total(dp.clip(x, 10)),
        lambda x: total(dp.clip(x, ([0, 1], 10))),
        lambda x: total(dp.clip(x, {"centre": (0.0, 0.0), "radius": 2})),
        lambda x: total(dp.clip(dp.rescale(x, [0, 10]), 5.0)),
        lambda x: total(dp.clip(dp.rescale(x, 3), 5.0)),
        lambda x: total(dp.clip(dp.affine(x, IDENTITY), 5.0)),
        lambda x: total(dp.clip(dp.affine(x, AffineValue(np.zeros(2), np.eye(2), 9.0)), 5.0)),
        lambda x: counted(dp.filter_ball(x, np.float64(3.0))[0]),
        lambda x: counted(dp.partition_nearest(x, [[0.0, 0.0], [1.0, 1.0]], centres=2)[0]),
        lambda x: total(dp.clip(dp.project(x, np.eye(2)[:, :1], 10.0), 10.0)),
        lambda x: total(dp.clip(dp.affine(x, {"shift": [0.0, 0.0], "matrix": [[1.0], [2.0]], "scale": 9.0}), 10.0)),
        lambda x: counted(dp.partition_halfspace(x, {"shift": [0, 0], "matrix": [[1.0], [0]], "scale": 9.0})[0]),
        lambda x: counted(dp.partition_balls(x, [([0.0, 0.0], 1.0), ([2.0, 0.0], 1.0)], balls=2)[1]),
        lambda x: {
            "r": dp.release("r", dp.gaussian(share=1.0), dp.ball_counts(x, [BallValue(np.zeros(2), 2.0)], size=3))
        },
        lambda x: {"r": dp.release("r", dp.laplace(share=1.0), dp.distance_histogram(x, 100.0))},
    ],
)
def test_numbers_stand_where_a_public_value_is_asked_for(body: Callable[[Any], Any]) -> None:
    plan = planned(body)
    written(plan)
    assert plan.run(x=np.zeros((1000, 2)), simulate=0)["r"] is not None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (lambda x: total(dp.clip(x, "10")), "needs a handle"),
        (lambda x: total(dp.clip(x, None)), "needs a handle"),
        (lambda x: total(dp.clip(x, True)), "needs a handle"),
        (lambda x: total(dp.clip(x, -3.0)), "positive"),
        (lambda x: total(dp.clip(x, ([0.0], 3.0))), "dimension"),
        (lambda x: counted(dp.affine(x, {**IDENTITY, "matrix": [1.0]})), "axes"),
        (lambda x: counted(dp.affine(x, {**IDENTITY, "scale": 0.0})), "scale must be positive"),
        (lambda x: dp.project(x, np.ones((2, 1)), 10.0), "orthonormal columns.*np.linalg.qr"),
        (lambda x: dp.affine(x, np.eye(2)), r"given an array. Fix: give a map as dict\(shift=, matrix=, scale=\)"),
        (
            lambda x: dp.project(x, dp.constant(np.eye(2)), 1.0),
            r"takes Subspace, not Array.*gives=dp.Subspace\(...\)\)",
        ),
        (lambda x: dp.ball_counts(x, [([0.0, 0.0], 1.0), ([0.0], 1.0)], size=3), r"give \[\(centre, radius\), ...\]"),
        (lambda x: dp.ball_counts(x, [([0.0, 0.0], -1.0)], size=3), "positive radii"),
        (lambda x: counted([[0.0, 1.0]]), "needs a handle"),
    ],
)
def test_what_is_no_public_value_is_refused(body: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(dp.DpframeError, match=said):
        planned(body)


def test_gaussians_and_mixtures_are_public_values_too() -> None:
    one = dp.substitute(lambda x: {"g": dp.release("g", dp.recipe("coinpress_gaussian", bound=9.0), x)},
                        g=GaussianValue(np.zeros(2), np.eye(2)))  # fmt: skip
    assert dp.trace(one, x=ROWS)["g"].domain == Gaussian(2)
    fields = {"weights": [1.0], "means": [[0.0, 0.0]], "covariances": [np.eye(2)]}
    two = dp.substitute(lambda x: {"g": dp.release("g", dp.recipe("practical_mixture", k=1, bound=9.0), x)}, g=fields)
    assert dp.trace(two, x=ROWS)["g"].domain == Mixture(1, 2)
