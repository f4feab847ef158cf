"""A file that is claimed is the first one's, whole: whoever comes second leaves no byte in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dpframe.front.files import claim
from dpframe.front.ledger import LedgerError, create_ledger
from dpframe.proof.losses import ZCDP


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Another process of the same number, as in containers, while the first one has both names of its file."""
    link, said = os.link, list[str]()

    def first(part: Path, place: Path) -> None:
        link(part, place)
        monkeypatch.setattr("os.link", link)
        try:
            if place.suffix == ".json":
                claim(place, b"another")
            else:
                create_ledger(place, table="another", budget=ZCDP(100.0), adjacency="add_remove")
        except (FileExistsError, LedgerError) as error:
            said.append(type(error).__name__)

    monkeypatch.setattr("os.link", first)
    monkeypatch.setattr("os.getpid", lambda: 1)
    return said


def test_a_second_ledger_changes_nothing_in_the_first(tmp_path: Path, second: list[str]) -> None:
    place = tmp_path / "ledger"
    made = create_ledger(place, table="people", budget=ZCDP(1.0), adjacency="replace_one").read()
    assert (made.table, made.filter.budget) == ("people", ZCDP(1.0))
    assert second == ["LedgerError"]
    assert list(tmp_path.iterdir()) == [place]


def test_a_second_attempt_changes_nothing_in_the_first(tmp_path: Path, second: list[str]) -> None:
    place = tmp_path / "attempt.json"
    claim(place, b"first")
    assert place.read_bytes() == b"first"
    assert second == ["FileExistsError"]
    assert list(tmp_path.iterdir()) == [place]
