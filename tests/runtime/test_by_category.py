"""A table for each category: what runs on it, what neighbours show, and what it is refused for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.proof.checker import verify
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.joined import OfCategory
from dpframe.testing.audit.in_situ import in_situ
from tests.planning.examples import plan_of
from tests.ungated import lie

BUDGET = dp.approx_dp(1.0, 1e-6)
N = 400


def rows(seed: int = 0) -> Any:
    """Two columns and a place in 0, 1, 2; some rows are empty, some of no category."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.normal(size=(N, 2)), rng.choice([0.0, 1.0, 2.0, 7.0], size=N)])
    table[:5, 0] = np.nan
    return table


def paired(x: Any) -> Any:
    """What takes the table's own rows: pairs by index, or secret ones, and blocks."""
    public = any(item.n is not None for item in x.tracer.inputs)
    pairs = dp.pairs(x, seed=0) if public else dp.secret_pairs(x, max_pairs=100)
    gram = dp.gram(dp.clip(pairs, dp.ball(centre=[0.0, 0.0], radius=4.0)))
    found = {"gram": dp.release("gram", dp.gaussian(share=1.0), gram)}
    return {**found, "count": dp.release("count", dp.gaussian(share=1.0), dp.count(x))}


def planned(body: Any, adjacency: Any, categories: int = 3, budget: Any = BUDGET) -> Any:
    table = dp.rows(n=N, d=3) if adjacency is dp.REPLACE_ONE else dp.rows(d=3)
    program = dp.program(lambda x: dp.by_category("each", x, body, categories=categories))
    return dp.plan(program, x=table, adjacency=adjacency, budget=budget)


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
def test_each_category_has_the_rows_of_its_own_and_one_certificate_covers_all(adjacency: Any) -> None:
    plan = planned(paired, adjacency, budget=dp.approx_dp(2000.0, 1e-6))
    assert verify(plan.document(simulated=False)).verified
    table = rows()
    result = plan.run(x=table, simulate=0)
    assert [one.status for one in result["each"]] == ["released"] * 3
    known = np.isfinite(table).all(axis=1)
    counts = [float(one.outputs["count"][0]) for one in result["each"]]
    assert counts == pytest.approx([np.sum(known & (table[:, 2] == k)) for k in range(3)], abs=2.0)
    assert result["each"][0].outputs["gram"].shape == (2, 2)


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
@pytest.mark.parametrize("change", ["category", "row", "none", "empty"])
def test_neighbours_are_as_far_apart_as_is_certified(adjacency: Any, change: str) -> None:
    first = rows()
    other = first.copy()
    if adjacency is dp.ADD_REMOVE:
        other = np.delete(other, 9, axis=0)
    else:
        other[9] = {"category": [90.0, -90.0, (first[9, 2] + 1) % 3], "row": [9.0, 9.0, first[9, 2]],
                    "none": [0.0, 0.0, 7.0], "empty": [np.nan, 0.0, 1.0]}[change]  # fmt: skip
    plan = planned(paired if adjacency is dp.REPLACE_ONE else counted, adjacency)
    assert in_situ(plan, {"x": first}, {"x": other}) == []


def counted(x: Any) -> Any:
    return dp.release("count", dp.gaussian(share=1.0), dp.count(x))


def test_a_charge_for_one_table_is_seen_where_two_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: noise as if the body were charged once."""
    plan = planned(counted, dp.REPLACE_ONE, budget=dp.zcdp(rho=0.1))
    first, other = rows(), rows()
    other[9, 2] = (other[9, 2] + 1) % 3 if other[9, 2] < 3 else 0.0
    first[9], other[9] = [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]
    assert in_situ(plan, {"x": first}, {"x": other}) == []
    less = {path: {k: v * 0.7 for k, v in made.items()} for path, made in plan.calibrations.items()}
    lie(monkeypatch, less)
    assert any("costs" in text for text in in_situ(plan, {"x": first}, {"x": other}))


@pytest.mark.parametrize("drops", [False, True])
def test_a_category_without_rows_is_a_table(drops: bool) -> None:
    source = OfCategory(open_source(rows()), 5, drops=drops)
    assert source.count_rows() == (0 if drops else N)
    assert sum(int(chunk.valid.sum()) for chunk in source.chunks(64)) == 0
    assert source.d == 2


def test_a_category_that_finds_no_answer_fails_alone() -> None:
    table = rows()
    table[table[:, 2] == 1.0, 2] = 0.0
    program = dp.program(lambda x: dp.by_category("each", x, found, categories=2))
    plan = dp.plan(program, x=dp.rows(n=N, d=3), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(20.0, 1e-6))
    result = plan.run(x=table, simulate=0)
    assert result.status == "released"
    assert [one.status for one in result["each"]] == ["released", "failed"]
    assert result["each"][1].reason
    assert result.quality.verdict == "poor"
    assert "category 1" in result.quality.why


def found(x: Any) -> Any:
    return dp.apply("moments", dp.recipe("tabular.moments", bound=5.0, tight=True), x)


@pytest.mark.parametrize(
    ("program", "how", "said"),
    [
        (lambda x: dp.by_category("e", dp.split(x, count=2)[0], counted, categories=2), {}, "table's own rows"),
        (lambda x: dp.by_category("e", x, counted, categories=2), {"adjacency": dp.Edits(2, 2)}, "single-row edits"),
        (lambda x: dp.by_category("e", x, counted, categories=2), {"d": 1}, "a category as their last column"),
        (lambda x: dp.by_category("e", x, counted, categories=0), {}, "categories"),
        (lambda x: dp.by_category("e", x, counted, categories=1001), {}, "categories"),
        (lambda x: dp.by_category("e", x, lambda r: dp.by_category("f", r, counted, categories=2), categories=2), {},
         "table"),
        (lambda x: dp.by_category("e", x, lambda r, c: counted(r), dp.count(x), categories=2), {}, "released"),
    ],
)  # fmt: skip
def test_what_is_refused(program: Any, how: dict[str, Any], said: str) -> None:
    adjacency = how.get("adjacency", dp.REPLACE_ONE)
    with pytest.raises(DpframeError, match=said):
        dp.plan(dp.program(program), x=dp.rows(n=N, d=how.get("d", 3)), adjacency=adjacency, budget=BUDGET)


def test_two_spend_their_own_parts_of_delta() -> None:
    parts = {a: plan_of(a).delta_split for a in ("categories", "categories, add/remove")}
    for split in parts.values():
        assert sum(split.values()) == pytest.approx(plan_of("categories").budget.delta)
        assert split["each/body/test"] == pytest.approx(0.2 * plan_of("categories").budget.delta)
