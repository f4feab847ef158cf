"""What is refused when a ledger is opened, besides a damaged one."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dpframe.front.ledger import LedgerError, create_ledger, open_ledger
from dpframe.proof.losses import PureDP


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version = 9", "is of version 9, and this dpframe reads version 1. Fix: "),
        ("DROP TRIGGER kept", "is no ledger, or a damaged one"),
        ("DROP TRIGGER fixed", "is no ledger, or a damaged one"),
    ],
)
def test_a_ledger_that_was_changed_by_hand(tmp_path: Path, statement: str, said: str) -> None:
    path = tmp_path / "l"
    create_ledger(path, table="t", budget=PureDP(1.0), adjacency="replace_one")
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()
    with pytest.raises(LedgerError, match=said):
        open_ledger(path)


@pytest.mark.parametrize(("given", "said"), [("", "the ledger's path is empty"), (5, "a ledger is no int")])
def test_what_is_no_path_is_refused(given: Any, said: str) -> None:
    with pytest.raises(LedgerError, match=f"{said}. Fix: give ledger=PATH"):
        open_ledger(given)
