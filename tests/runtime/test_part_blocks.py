"""Blocks of a part of a table: a replaced row changes one block of each part it is in; what has no index is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.operations import Batch
from dpframe.kernel.registry import build
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.spaces import BallValue, Edits
from dpframe.runtime import blocks
from dpframe.runtime.blocks import learn_blocks
from dpframe.runtime.progress import Progress
from dpframe.runtime.views import MemoryTable, View, partition_views
from tests.papers import own_semimetric

assert own_semimetric
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
LEARNER: dict[str, Any] = {"learner": "papers.scale", "t": 6, "item": "vector", "size": [1]}


def results(table: Any, patch: pytest.MonkeyPatch, *, by_rank: bool = False) -> list[list[Any]]:
    """What each part's blocks give, sums in place of a learner; ``by_rank``, the broken twin, cuts a part by itself."""

    def summed(name: str, seed: int, listed: list[Any]) -> list[Any]:
        return [(np.array([rows.sum()]),) if len(rows) else None for _, rows in listed]

    patch.setattr(blocks, "run_isolated", summed)
    operation = build("block_learner", LEARNER)
    base = View(MemoryTable(Batch(0, table, np.ones(len(table), dtype=bool))), len(table))
    parts = partition_views(base, build("filter_ball", {}), (BallValue(np.zeros(1), 5.0),), None)
    if by_rank:
        own = [part.batch(next(iter(part.base.batches(99))), {}).values for part in parts]
        parts = [View(MemoryTable(Batch(0, rows, np.ones(len(rows), dtype=bool))), len(rows)) for rows in own]
    found: list[list[Any]] = [learn_blocks(part, operation, Progress(None)) for part in parts]
    return found


def changed(first: Any, second: Any) -> list[int]:
    return [
        sum((a is None) != (b is None) or (a is not None and a[0] != b[0]) for a, b in zip(x, y, strict=True))
        for x, y in zip(first, second, strict=True)
    ]


def test_a_replaced_row_changes_one_block_of_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, most, twin = np.random.default_rng(0), 0, 0
    table = rng.choice([-9.0, 1.0, 2.0, 9.0], 30)[:, None] + 0.01 * rng.random((30, 1))
    before, ranked = results(table, monkeypatch), results(table, monkeypatch, by_rank=True)
    assert sum(r is not None for part in before for r in part) >= 10
    for i in range(30):
        other = table.copy()
        other[i] = -9.5 if abs(other[i, 0]) < 5 else 1.5  # it changes sides
        most = max(most, *changed(before, results(other, monkeypatch)))
        twin = max(twin, *changed(ranked, results(other, monkeypatch, by_rank=True)))
    assert most == 1
    assert twin > 2


def released(rows: Any) -> Any:
    weight = dp.block_weight(dp.block_learner(rows, **LEARNER), r=1.0, d=1, majority=3, ramp=3)  # type: ignore[arg-type]
    return dp.release("weight", dp.laplace(share=1.0), weight)


def proof(plan: Any) -> Any:
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    return json.loads(json.dumps(made))


def inside(x: Any) -> Any:
    return dp.transform("filter_ball", x, dp.ball(centre=[0.0], radius=5.0))[0]


def cut(x: Any) -> Any:
    return dp.split(x, count=2)[0]


def paired(x: Any) -> Any:
    return dp.pairs(x)


def drawn(x: Any) -> Any:
    return dp.transform("subsample", x, rate=0.5)[0]


def planned(part: Any, adjacency: Any = dp.REPLACE_ONE) -> Any:
    n = None if adjacency == dp.ADD_REMOVE else 600
    return dp.plan(lambda x: released(part(x)), x=dp.rows(n=n, d=1), adjacency=adjacency, budget=BUDGET)


@pytest.mark.parametrize("part", [inside, cut, lambda x: inside(cut(x)), lambda x: inside(inside(x))])
def test_parts_of_the_table_are_taken(part: Any) -> None:
    plan = planned(part)
    assert plan.verdict.holds
    assert verify(proof(plan)).reasons == ()


@pytest.mark.parametrize(
    ("part", "adjacency", "message"),
    [
        (paired, dp.REPLACE_ONE, "takes rows of the table with their index"),
        (lambda x: inside(paired(x)), dp.REPLACE_ONE, "takes rows of the table with their index"),
        (drawn, dp.REPLACE_ONE, "takes rows of the table with their index"),
        (inside, dp.ADD_REMOVE, "goes by the row index, which add_remove does not keep"),
        (lambda x: x, dp.ADD_REMOVE, "goes by the row index, which add_remove does not keep"),
        (cut, Edits(2, 2), "takes rows of the table with their index"),
    ],
)
def test_rows_without_the_tables_index_are_refused(part: Any, adjacency: Any, message: str) -> None:
    with pytest.raises(dp.PlanError, match=message):
        planned(part, adjacency)


def test_a_forged_certificate_is_refused() -> None:
    """Blocks of pairs, by exchanging a name: the checker asks where rows come from, as the planner does."""

    def both(x: Any) -> Any:
        pairs, part = dp.pairs(x), inside(x)
        return {"count": dp.release("count", dp.laplace(share=1.0), dp.count(pairs)), "weight": released(part)}

    plan = dp.plan(both, x=dp.rows(n=600, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    document = proof(plan)
    learner = next(node for node in document["graph"]["nodes"] if node["operation"] == "block_learner")
    learner["inputs"] = [["pairs_1"]]
    verdict = verify(document)
    assert any("rows of the table with their index" in reason for reason in verdict.reasons), verdict.reasons
