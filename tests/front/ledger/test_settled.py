"""Of an entry only the status changes, once: by the file's own rules, whoever writes to it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from dpframe.front.ledger.store import create_ledger, open_ledger
from dpframe.proof.losses import ZCDP, Concentrated, Loss
from dpframe.proof.spaces import ADJACENCIES


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET status = 'failed'",
        "UPDATE entries SET status = 'reserved'",
        "UPDATE entries SET amount = 0",
        "UPDATE entries SET status = 'failed', amount = 0",
        "DELETE FROM entries",
    ],
)
def test_what_is_settled_stays(tmp_path: Path, statement: str) -> None:
    path, relation = tmp_path / "l", ADJACENCIES["replace_one"]
    ledger = create_ledger(path, table="t", budget=ZCDP(1.0), adjacency=relation)
    entry = ledger.reserve(Loss.of(Concentrated(0.1)), adjacency=relation, spec="test", stated={})
    ledger.settle(entry.key, "released")
    before = open_ledger(path).read()
    with (
        contextlib.closing(sqlite3.connect(path)) as db,
        pytest.raises(sqlite3.IntegrityError, match=r"of an entry|never"),
    ):
        db.execute(statement)
    ledger.settle(entry.key, "failed")
    assert open_ledger(path).read() == before
    assert [one.status for one in before.entries] == ["released"]
