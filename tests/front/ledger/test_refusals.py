"""What a ledger refuses is told with what would fit: of a plan, and of an event that another tool spent."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpframe.errors import BudgetError, PlanError
from dpframe.front.ledger import create_ledger
from dpframe.proof.losses import ZCDP, ApproxDP, Gaussian, Loss, Pure
from dpframe.proof.spaces import ADJACENCIES, unit_level

REPLACE = ADJACENCIES["replace_one"]
TENTH = Loss.of(Gaussian(0.0625), 2)


def test_what_does_not_fit_is_named_with_its_fix(tmp_path: Path) -> None:
    people = create_ledger(
        tmp_path / "l", table="t", budget=ZCDP(1.0), adjacency=unit_level("replace_one", unit="person", rows=2)
    )
    with pytest.raises(PlanError, match=r"of one unit \(all rows of one 'person'\), the plan") as caught:
        people.reserve(TENTH, adjacency=REPLACE, spec="test", stated={})
    assert "--set unit=person --set unit_rows=M" in str(caught.value.fix)
    for relation, words in ((None, "let the other tool spend less"), (REPLACE, "plan with less")):
        ledger = create_ledger(tmp_path / words.replace(" ", "_"), table="t", budget=ZCDP(1.0), adjacency=REPLACE)
        with pytest.raises(BudgetError, match=f"the {'plan' if relation else 'event'} does not fit.*{words}"):
            ledger.reserve(Loss.of(Gaussian(9.0)), adjacency=relation, spec="test", stated={})


def test_pure_noise_is_dear_and_both_are_told_what_is_cheaper(tmp_path: Path) -> None:
    ledger = create_ledger(tmp_path / "l", table="t", budget=ApproxDP(1.0, 1e-6), adjacency=REPLACE)
    for relation, words in ((REPLACE, "release by gaussian.* or plan with less"), (None, "name what it is .* or let")):
        with pytest.raises(BudgetError, match=f"alone epsilon=0.5.*{words}"):
            ledger.reserve(Loss.of(Pure(0.5)), adjacency=relation, spec="test", stated={"epsilon": 0.5, "delta": 0.0})
