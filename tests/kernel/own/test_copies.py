"""Functions of a plugin that write into released values: what they write is not released, and nobody reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe import plugin
from dpframe.kernel.own import claims
from dpframe.kernel.own import rows as own_rows
from dpframe.kernel.transforms import row_map

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
    for module in (claims, own_rows, row_map):
        monkeypatch.setattr(module, "copy", handed)
    assert np.abs(released(plan)).max() > 0.5 * HUGE
