"""Functions of a plugin that write into released values: what they write is not released, and nobody reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe import plugin
from dpframe.kernel import foreign
from dpframe.kernel.foreign import rowwise
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.own import claims
from dpframe.kernel.post_processing import Post
from dpframe.proof.spaces import AffineMap, AffineValue, Array, Domain
from dpframe.runtime import engine

HUGE = 1e9


@plugin.row_function("copies.map", columns=lambda d: d)
def _map(values: Any, centre: Any) -> Any:
    """Rows, and an overwritten centre."""
    centre += values.max(initial=0.0)
    return values


@plugin.own_transform("copies.transform", columns=2)
def _transform(values: Any, centre: Any) -> Any:
    """Rows, and an overwritten centre."""
    centre += values.max(initial=0.0)
    return values


@plugin.own_partition("copies.parts", parts=2)
def _parts(values: Any, centre: Any) -> Any:
    """The sign of a column, and an overwritten centre."""
    centre += values.max(initial=0.0)
    return (values[:, :1] > 0).astype(float)


@plugin.own_contribution("copies.contribution", gives=1, norm="l2", bound=1.0)
def _contribution(values: Any, centre: Any) -> Any:
    """A column, and an overwritten centre."""
    centre += values.max(initial=0.0)
    return values[:, :1]


@plugin.own_statistic("copies.statistic", gives=1, sensitivity=lambda removed, added: {"l2": 1.0}, source="none")
def _statistic(values: Any, centre: Any) -> Any:
    """A number, and an overwritten centre."""
    centre += values.max(initial=0.0)
    return np.zeros(1)


@plugin.own_query("copies.query", gives=1, sensitivity=lambda distances: {"l2": 1.0}, source="none")
def _query(value: Any, centre: Any) -> Any:
    """A private value, and an overwritten centre."""
    centre += HUGE * value[0]
    return value


def _unit() -> dp.Handle:
    return dp.ball(centre=[0.0, 0.0], radius=1.0)


KINDS: dict[str, Callable[[Any, Any], Any]] = {
    "row map": lambda x, centre: dp.count(dp.transform("row_map", x, centre, function="copies.map", p=2)),
    "transform": lambda x, centre: dp.count(dp.own("copies.transform", x, centre)),
    "partition": lambda x, centre: dp.count(dp.own("copies.parts", x, centre)[0]),
    "contribution": lambda x, centre: dp.own("copies.contribution", x, centre),
    "statistic": lambda x, centre: dp.own("copies.statistic", x, centre),
    "query": lambda x, centre: dp.own("copies.query", dp.count(dp.filter_ball(x, _unit())[0]), centre),
}


@pytest.fixture(params=KINDS)
def plan(request: pytest.FixtureRequest) -> dp.Plan:
    @dp.program
    def writing(x: dp.Handle) -> dict[str, dp.Handle]:
        centre = dp.release("centre", dp.gaussian(share=1.0), dp.sum(dp.clip(x, _unit())))
        seen = dp.release("seen", dp.gaussian(share=1.0), KINDS[request.param](x, centre))
        return {"centre": centre, "seen": seen}

    return dp.plan(writing, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(0.5), allow_asserted=True)


def released(plan: dp.Plan) -> Any:
    rows = np.random.default_rng(0).normal(size=(50, 2))
    rows[7] = HUGE
    return np.asarray(plan.run(x=rows, simulate=3)["centre"])


def test_what_is_written_is_not_released(plan: dp.Plan) -> None:
    assert np.abs(released(plan)).max() < 1e3


def test_without_copies_it_would_be(plan: dp.Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin."""
    handed = type("Handed", (), {"deepcopy": staticmethod(lambda value: value)})
    for module in (claims, foreign, engine):
        monkeypatch.setattr(module, "copy", handed)
    assert np.abs(released(plan)).max() > 0.5 * HUGE


@dp.register("copies.points")
@attrs.frozen
class Points(Post):
    """Two points, or a plane between them."""

    plane: bool = attrs.field(default=False, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return AffineMap(1, 1) if self.plane else Array((2, 1))

    def apply(self, *values: Any) -> Any:
        return AffineValue(np.array([25.0]), np.eye(1), 1e3) if self.plane else np.array([[0.0], [50.0]])


@dp.register("copies.shifted")
@attrs.frozen
class Shifted(Post):
    """A released count, and points that are moved by the way."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("points", PARAM), Slot("count", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        return Array((1, 1))

    def apply(self, *values: Any) -> Any:
        points, count = values
        moved = points.shift if isinstance(points, AffineValue) else points
        moved -= 100.0
        return np.asarray(count, dtype=np.float64)[None]


@pytest.mark.parametrize("rule", ["nearest", "half spaces", "half spaces of mapped rows"])
def test_a_post_that_writes_into_a_rule_moves_no_row_to_another_part(rule: str) -> None:
    """The second part is read after the first one was released: a row would be in both, and be charged for one."""

    @dp.program
    def program(x: Any) -> Any:
        points = dp.post("copies.points", plane=rule != "nearest")
        mapped = dp.affine(x, points) if rule.endswith("rows") else x
        plane = dp.post("copies.points", plane=True) if rule.endswith("rows") else points
        near, far = (
            dp.partition_nearest(x, points, centres=2) if rule == "nearest" else dp.partition_halfspace(mapped, plane)
        )
        first = dp.release("first", dp.laplace(share=1.0), dp.count(near))
        later = dp.partition_nearest(far, dp.post("copies.shifted", points, first), centres=1)
        return first, dp.release("second", dp.laplace(share=1.0), dp.count(later[0]))

    x = np.concatenate([np.full((500, 1), 1.0), np.full((300, 1), 60.0)])
    plan = dp.plan(program, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1e6))
    counts = [float(value[0]) for value in plan.run(x=x, simulate=1).outputs.values()]
    assert counts == [500.0, 300.0]


EDGES = np.zeros((1, 1))


@dp.register("copies.edges")
@attrs.frozen
class Edges(Post):
    """An array that the plugin uses again."""

    def output(self, *inputs: Domain) -> Domain:
        return Array((1, 1))

    def apply(self, *values: Any) -> Any:
        EDGES[:] = 0.0
        return EDGES


@plugin.own_transform("copies.scratch", columns=1)
def _scratch(values: Any) -> Any:
    """Rows as they are, and the largest of them in the plugin's own array."""
    EDGES[:] = max(EDGES[0, 0], values.max(initial=0.0))
    return values


def test_what_a_row_function_writes_moves_no_bin() -> None:
    @dp.program
    def program(x: Any) -> Any:
        counts = dp.marginal_counts(dp.own("copies.scratch", x), dp.post("copies.edges"))
        return dp.release("counts", dp.gaussian(share=1.0), counts)

    plan = dp.plan(program, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(rho=1e9))
    x = np.concatenate([np.full((400, 1), HUGE), np.ones((400, 1))])
    assert plan.run(x=x, simulate=1)["counts"].tolist() == [[0.0, 800.0]]


def test_a_function_of_rows_writes_into_a_copy_of_them() -> None:
    """What else reads the batch sees the rows of the table."""

    def greedy(values: Any) -> Any:
        values[:] = -1.0
        return values

    values = np.ones((3, 2))
    assert (rowwise(greedy, values, 2) == -1).all()
    assert (values == 1).all()
