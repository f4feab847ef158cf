"""Rows that workers can't read by themselves are sent to them: of tables in memory, slots of units, gathered pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import ChangedError
from dpframe.proof.spaces import Rows
from dpframe.runtime import cluster, fused
from dpframe.runtime.views import SourceTable, View
from tests.runtime import small, test_cluster
from tests.runtime.test_cluster import N, Stand, bits, many, opened, planned

rows, stood = test_cluster.rows, test_cluster.stood


@dp.program
def gathered(x: Any) -> dict[str, Any]:
    """Pairs, in two passes."""
    pairs = dp.transform("pairs", x)
    ball = dp.ball(centre=[0.0, 0.0], radius=3.0)
    first = dp.release("first", dp.gaussian(share=1.0), dp.mean(dp.clip(pairs, ball)))
    near = dp.clip(pairs, dp.post("test.ball_at", first))
    return {"first": first, "gram": dp.release("gram", dp.gaussian(share=1.0), dp.gram(near))}


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize("program", [many, gathered], ids=["table", "pairs"])
@pytest.mark.parametrize("kind", ["array", "frame"])
def test_rows_in_memory_are_sent_once_and_give_the_local_bits(
    rows: np.ndarray[Any, Any], kind: str, program: Any
) -> None:
    """Of tables and of gathered pairs, however many workers cut them."""
    table = rows if kind == "array" else pytest.importorskip("pandas").DataFrame(rows, columns=["a", "b"])
    plan = dp.plan(program, x=dp.rows(n=N, d=2), adjacency=dp.REPLACE_ONE, budget=small.BUDGET)
    local = bits(plan.run(table, simulate=3))
    for threads in (1, 7):
        stand = Stand(threads, threads)
        assert bits(plan.run(table, simulate=3, on=stand)) == local
        folds = [arguments for _, arguments in stand.calls if any(isinstance(a, int) for a in arguments)]
        assert len(folds) == 2 * cluster.PARTS_A_THREAD * threads  # two passes
        pieces = {arguments[-1].key for arguments in folds}
        assert len(pieces) == len(folds) // 2
        assert all(rows[5].tobytes() not in stand.value(arguments[0].key) for arguments in folds)


@dp.program
def in_slots(x: Any) -> Any:
    inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
    return {"mean": dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))}


@pytest.mark.usefixtures("stood")
def test_slots_of_units_are_sent(rows: np.ndarray[Any, Any]) -> None:
    table = np.column_stack([np.arange(N) % 700, rows])
    relation = dp.unit_level("replace_one", unit="0", rows=3)
    plan = dp.plan(in_slots, x=dp.rows(n=2100, d=2), adjacency=relation, budget=small.BUDGET)
    local = bits(plan.run(table, simulate=3))
    stand = Stand(3, 1)
    assert bits(plan.run(table, simulate=3, on=stand)) == local
    assert any(isinstance(a, int) for _, arguments in stand.calls for a in arguments)


@pytest.mark.usefixtures("stood")
def test_rows_that_went_with_a_worker_are_sent_again(rows: np.ndarray[Any, Any]) -> None:
    left = [1]

    def once(name: str, made: Any) -> Any:
        if name == "fold" and left[0]:
            left[0] = 0
            raise OSError
        return made

    stand = Stand(2, 1, once)
    assert bits(planned().run(rows, simulate=3, on=stand)) == bits(planned().run(rows, simulate=3))
    folds = [arguments for _, arguments in stand.calls if any(isinstance(a, int) for a in arguments)]
    assert len({arguments[-1].key for arguments in folds}) == 2 * 2 * cluster.PARTS_A_THREAD


@pytest.mark.usefixtures("stood")
def test_an_array_that_changes_after_it_was_sent_is_not_mixed(rows: np.ndarray[Any, Any]) -> None:
    """Later passes use what was sent; what the client reads by itself is compared with it."""
    source = opened(rows)
    table = SourceTable(source, N)
    wanted = [fused.Request(dp.build("count", {}), View(table, N), Rows(2), ())]
    pool = cluster.Pool(Stand(2, 0))
    assert pool.take(wanted, 100)[0].integers.tolist() == [N - 3]
    rows[:] = np.nan
    assert pool.take(wanted, 100)[0].integers.tolist() == [N - 3]
    with pytest.raises(ChangedError):
        list(source.chunks(100))
