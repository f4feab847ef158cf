"""Sessions: many plans on one table, each entered before its first row."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import BudgetError, DataError, PlanError, SpecError
from dpframe.front.ledger import LedgerError, open_ledger, store
from dpframe.planning.verdicts import verdict

ROWS = np.random.default_rng(3).normal(size=(500, 2))
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


@dp.program
def mean(x: Any) -> Any:
    inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
    return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))


def planned(epsilon: float, adjacency: Any = dp.REPLACE_ONE, program: Any = mean, **more: Any) -> dp.Plan:
    n = 500 if adjacency is dp.REPLACE_ONE else None
    rows = dp.rows(n=n, d=2) if n else dp.rows(d=2)
    return dp.plan(program, x=rows, adjacency=adjacency, budget=dp.approx_dp(epsilon, 1e-6), **more)


def test_plans_add_up_as_one_plan_would(tmp_path: Path) -> None:
    session = dp.Session(ROWS, BUDGET, ledger=tmp_path / "l", name="people")
    plan = planned(0.3)
    for k in range(1, 11):
        assert session.run(plan, simulate=k)["mean"].shape == (2,)
        assert session.spent["epsilon"] == pytest.approx(
            verdict(dp.approx_dp(1.0, 1e-6), times(plan, k)).spent["epsilon"]
        )
        if session.remaining["epsilon"] < 0.3:
            break
    assert k == 9
    with pytest.raises(BudgetError, match="does not fit the ledger of table 'people'"):
        session.run(plan)
    again = dp.Session(ROWS, ledger=tmp_path / "l")
    assert again.spent == session.spent
    assert [entry.status for entry in again.entries] == ["released"] * 9


def times(plan: dp.Plan, k: int) -> Any:
    from tests.proof.losses.repeated import repeat

    return repeat(plan.loss, k)


def test_what_is_refused_was_neither_read_nor_booked(tmp_path: Path) -> None:
    session = dp.Session(ROWS[:, :1], BUDGET, ledger=tmp_path / "l")
    with pytest.raises(DataError, match="1 columns"):
        session.run(planned(0.3))
    assert session.entries == ()
    session = dp.Session(ROWS, ledger=tmp_path / "l")
    session.run(planned(0.3))
    with pytest.raises(PlanError, match=r"runs a plan, not a .*dp\.plan"):
        session.run(mean)
    with pytest.raises(PlanError, match="counts under replace_one"):
        session.run(planned(0.3, dp.ADD_REMOVE))
    assert len(session.entries) == 1


@pytest.mark.parametrize("name", [3, None, ["a"], "a\nb", "\ud800"])
def test_a_run_has_a_printable_name(name: Any) -> None:
    """SQLite would say that the ledger is damaged, or end in an error of its own."""
    session = dp.Session(ROWS, BUDGET)
    with pytest.raises(SpecError, match="printable text"):
        session.run(planned(0.3), name=name)
    assert session.entries == ()


@pytest.mark.parametrize(("wrong", "said"), [({"own_delta": "a"}, "own_delta"), ({"ledger": 3}, "is no int")])
def test_what_a_session_can_not_take_is_refused_in_words(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        dp.Session(ROWS, BUDGET, **wrong)


def test_a_plan_runs_on_the_sessions_own_table() -> None:
    """Another one would be released, and booked in a ledger that is not its own."""
    session = dp.Session(ROWS, BUDGET)
    with pytest.raises(DataError, match=r"own table, and 'x' is given"):
        session.run(planned(0.3), x=ROWS + 1.0)
    assert session.entries == ()


def test_no_row_is_read_before_the_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that can't be written ends the run before its first pass; nothing of the table was looked at."""
    session = dp.Session(ROWS, BUDGET, ledger=tmp_path / "l")

    def fail(*words: Any, **more: Any) -> Any:
        raise LedgerError("full")

    monkeypatch.setattr(store.Ledger, "reserve", fail)
    read: list[Any] = []
    from dpframe.runtime import run

    inner = run.Scope.run
    monkeypatch.setattr(run.Scope, "run", lambda *words: read.append(words) or inner(*words))
    with pytest.raises(LedgerError):
        session.run(planned(0.3))
    assert read == []


def test_a_failed_run_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_errors: list[Any]) -> None:
    from dpframe.runtime import run

    session = dp.Session(ROWS, BUDGET)

    def fail(*words: Any) -> Any:
        raise ValueError

    monkeypatch.setattr(run.Scope, "run", fail)
    assert session.run(planned(0.5)).status == "failed"
    (entry,) = session.entries
    assert entry.status == "failed"
    assert session.spent["epsilon"] == pytest.approx(0.5, rel=1e-6)
    assert run_errors


def test_an_interrupted_run_stays_reserved_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpframe.runtime import run

    session = dp.Session(ROWS, BUDGET)

    def stop(*words: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(run.Scope, "run", stop)
    with pytest.raises(KeyboardInterrupt):
        session.run(planned(0.5))
    assert [entry.status for entry in session.entries] == ["reserved"]
    assert session.spent["epsilon"] == pytest.approx(0.5, rel=1e-6)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"name": "other"}, "is of table 'people'"),
        ({"budget": dp.approx_dp(2.0, 1e-6)}, "the ledger's budget is"),
        ({"adjacency": "add_remove"}, "counts under replace_one"),
    ],
)
def test_another_ledger_than_is_meant(tmp_path: Path, more: dict[str, Any], words: str) -> None:
    dp.Session(ROWS, BUDGET, ledger=tmp_path / "l", name="people", adjacency="replace_one")
    with pytest.raises(SpecError, match=words):
        dp.Session(ROWS, **{"ledger": tmp_path / "l", **more})


def test_a_budget_is_needed(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="a new ledger needs a budget"):
        dp.Session(ROWS, ledger=tmp_path / "l")
    with pytest.raises(PlanError, match="budget"):
        dp.Session(ROWS, 1.0)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_called_by_its_file(tmp_path: Path) -> None:
    np.save(tmp_path / "people.npy", ROWS)
    session = dp.Session(str(tmp_path / "people.npy"), BUDGET, ledger=tmp_path / "l")
    assert session.ledger.read().table == "people.npy"
    assert session.run(planned(0.2)).status == "released"


def test_a_ledger_of_rho(tmp_path: Path) -> None:
    session = dp.Session(ROWS, dp.zcdp(0.05))
    plan = dp.plan(mean, x=dp.rows(n=500, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(0.05))
    session.run(plan)
    assert session.spent["rho"] == pytest.approx(0.05)
    with pytest.raises(BudgetError, match="what remains is rho="):
        session.run(plan)


def test_a_pipe_or_folder_is_no_ledger(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(LedgerError, match="is no file"):
            open_ledger(tmp_path / name)
