"""A sample by a public index: what one edit changes of it, by enumeration, and where it is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms.sampled_rows import SampledRows
from dpframe.kernel.transforms.within import Within
from dpframe.proof.spaces import BallValue, Edits
from dpframe.proof.theorems import THEOREMS
from dpframe.runtime.views import Mapped, MemoryTable, View, gather


@pytest.mark.parametrize("n", [1, 2, 40, 41])
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_no_row_is_sampled_twice(n: int, rows: int) -> None:
    index = SampledRows(rows=rows, seed=3).indices(n, None)
    assert index.shape == (min(n, rows), 1)
    assert len(set(index.ravel().tolist())) == index.size


def test_a_sorted_table_is_sampled_throughout() -> None:
    """Broken twin: the first rows of the file."""
    index = SampledRows(rows=1000, seed=1).indices(100_000, None).ravel()
    assert np.bincount(index // 10_000, minlength=10).min() > 50
    assert np.bincount(np.arange(1000) // 10_000, minlength=10).min() == 0


@pytest.mark.parametrize("m", [1, 2, 5])
def test_each_replaced_row_changes_one_sampled_row_at_most(m: int, rng: np.random.Generator) -> None:
    (stable,) = THEOREMS["pairs_by_index"].rule({}, ((Edits(m, m),),))
    for seed in range(30):
        index = SampledRows(rows=20, seed=seed).indices(40, None)
        changed = int(np.isin(index, rng.choice(40, size=m, replace=False)).any(axis=1).sum())
        assert changed <= stable.removed == stable.added == m


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_the_rows_are_those_of_the_table_as_it_is_seen(chunk: int, rng: np.random.Generator) -> None:
    """Through a row map, with empty rows, whatever the batches."""
    rows = rng.normal(size=(40, 2))
    valid = rng.random(40) > 0.2
    rows[~valid] = 0.0
    view: View = View(MemoryTable(Batch(0, rows, valid)), 40)
    ball = BallValue(np.zeros(2), 0.5)
    sample = SampledRows(rows=25, seed=2)
    made = gather(Mapped(view.base, 40, view, Within(), (ball,)), [(sample, None)], chunk)[0].base.rows
    index = sample.indices(40, None).ravel()
    whole = Within().apply(Batch(0, rows, valid), ball)
    assert made.values.tobytes() == whole.values[index].tobytes()
    assert made.valid.tolist() == whole.valid[index].tolist()


def planned(adjacency: Any, program: Any, n: int | None) -> Any:
    return dp.plan(dp.program(program), x=dp.rows(d=2, n=n), adjacency=adjacency, budget=dp.zcdp(rho=1.0))


def counted(rows: Any, name: str = "c") -> Any:
    return dp.release(name, dp.laplace(noise_multiplier=2.0), dp.count(rows))


def test_a_pass_over_the_sample_costs_as_much_as_one_over_the_table() -> None:
    """Which rows are in it is public: nothing is amplified."""

    some = planned(dp.REPLACE_ONE, lambda x: counted(dp.sampled_rows(x, rows=10)), 1000)
    whole = planned(dp.REPLACE_ONE, lambda x: counted(dp.select(x, columns=[0])), 1000)
    assert some.verdict.spent == whole.verdict.spent


@pytest.mark.parametrize(
    ("adjacency", "n", "program", "message"),
    [
        (dp.ADD_REMOVE, None, lambda x: counted(dp.sampled_rows(x, rows=10)), r"sampled_rows_1.*index"),
        (
            dp.REPLACE_ONE,
            100,
            lambda x: counted(dp.sampled_rows(dp.filter_ball(x, dp.ball(centre=[0.0, 0.0], radius=1.0))[0], rows=10)),
            r"sampled_rows_1.*index",
        ),
        (
            dp.REPLACE_ONE,
            100,
            lambda x: counted(dp.split(dp.sampled_rows(x, rows=10), count=2)[0]),
            r"split_1.*cuts by row index",
        ),
        (dp.REPLACE_ONE, 100, lambda x: counted(dp.sampled_rows(x, rows=0)), "rows"),
    ],
    ids=["add_remove", "a filter's", "split", "none"],
)
def test_refused(adjacency: Any, n: int | None, program: Any, message: str) -> None:
    with pytest.raises(dp.DpframeError, match=message):
        planned(adjacency, program, n)


def test_two_nodes_that_gather_the_same_rows_gather_them_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same by a public index; what a secret drew is drawn for each."""
    from dpframe.runtime import engine

    rows = np.arange(80.0).reshape(40, 2)
    asked: list[Any] = []

    def noted(view: Any, gathers: Any, chunk: int) -> Any:
        asked.extend(operation for operation, _ in gathers)
        return gather(view, gathers, chunk)

    monkeypatch.setattr(engine, "gather", noted)

    def public(x: Any) -> Any:
        one, two = dp.sampled_rows(x, rows=10), dp.sampled_rows(x, rows=10)
        other = dp.sampled_rows(x, rows=10, seed=1)
        ball = dp.ball(centre=[0.0, 0.0], radius=100.0)
        return tuple(
            dp.release(name, dp.gaussian(noise_multiplier=1e-6), dp.sum(dp.clip(r, ball)))
            for name, r in (("a", one), ("b", two), ("c", other))
        )

    result = dp.plan(dp.program(public), x=dp.rows(d=2, n=40), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=1e30)).run(
        x=rows, simulate=1
    )
    assert len(asked) == 2
    first, second, third = (np.asarray(value) for value in result.outputs.values())
    assert first == pytest.approx(second, abs=1e-2)
    assert np.abs(first - third).max() > 0.1

    def secret(x: Any) -> Any:
        return tuple(counted(dp.secret_pairs(x), name) for name in ("a", "b"))

    asked.clear()
    planned(dp.ADD_REMOVE, secret, None).run(x=rows, simulate=1)
    assert len(asked) == 2
