"""What a run checks once and nothing repeats: names of its noise, its table at the end, rows that are used twice."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from dpframe.errors import CertificateError, RunError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms.pairs import Pairs
from dpframe.proof.checker.checked import Listed
from dpframe.runtime.alike import key
from dpframe.runtime.gate import _operation
from dpframe.runtime.run import Opened
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.views import Groups, SourceTable, used_once
from tests.planning.examples import plan_of

ROWS = np.random.default_rng(3).normal(size=(1000, 2))


@pytest.mark.parametrize("case", ["for_each", "for_each, zCDP view", "recurse", "worklist", "categories", "many parts"])
def test_no_two_releases_share_a_stream(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same node in another item, part or category draws anew: what is common to two releases is no noise."""
    asked: Counter[str] = Counter()
    child = SeededSource.child

    def counted(source: SeededSource, label: str) -> SeededSource:
        asked[label] += 1
        return child(source, label)

    monkeypatch.setattr(SeededSource, "child", counted)
    rows = np.column_stack([ROWS[:, 0], np.arange(1000) % 3]) if case == "categories" else ROWS
    plan_of(case).run(x=rows, simulate=2)
    assert sum(asked.values()) > 1
    assert set(asked.values()) == {1}


@pytest.mark.parametrize(("case", "n"), [("categories", 1000), ("categories, add/remove", None)])
def test_how_many_rows_a_category_has_is_told_by_no_table(
    case: str, n: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the number of rows is public a category's table has all of them; else it is as private as theirs."""
    made, of_category = list[int](), SourceTable.of_category

    def seen(table: SourceTable, place: int, *, drops: bool) -> SourceTable:
        found = of_category(table, place, drops=drops)
        made.append(found.n)
        return found

    monkeypatch.setattr(SourceTable, "of_category", seen)
    labels = np.array([0] * 900 + [1] * 90 + [2] * 10)
    plan_of(case).run(x=np.column_stack([ROWS[:, 0], labels]), simulate=2)
    assert set(made) == ({1000} if n else set(np.bincount(labels)[: len(set(made))].tolist()))
    assert bool(n) == (len(set(made)) == 1)


def test_a_table_that_changed_after_the_last_pass_ends_in_failed(
    monkeypatch: pytest.MonkeyPatch, run_errors: list[BaseException]
) -> None:
    def other(opened: Opened) -> None:
        raise changed()

    monkeypatch.setattr(Opened, "check_unchanged", other)
    result = plan_of("simple mean").run(x=ROWS, simulate=2)
    assert (result.status, result.outputs) == ("failed", {})
    assert "changed" in result.reason
    assert len(run_errors) == 1


def test_a_declared_number_of_rows_is_compared_with_no_private_one() -> None:
    """Under add/remove an error, or a percentage, would tell of the table."""
    plan = plan_of("simple mean, add/remove")
    told = list[Any]()
    for rows in (0, 999, 1000, 5000):
        made = np.resize(ROWS, (rows, 2))
        assert plan.run(x=made, simulate=2, progress=lambda turn, share: told.append(share)).status == "released"
    assert set(told) == {None}


@pytest.mark.parametrize("index", [[[0, 1], [1, 2]], [[0, 0]], [[0, 3]], [[-1, 0]]])
def test_no_row_is_used_twice(index: list[list[int]]) -> None:
    with pytest.raises(RunError, match="used twice"):
        used_once(np.array(index), 3)
    assert used_once(np.array([[2, 0]]), 3).tolist() == [[2, 0]]


def test_a_group_that_was_not_met_whole_is_empty() -> None:
    """Of a pair whose second row never comes, the first is no image."""
    groups = Groups(Pairs(seed=1), np.array([[0, 5], [1, 2]]))
    groups.add(Batch(0, np.arange(6.0).reshape(3, 2), np.ones(3, dtype=np.bool_)), 0)
    assert groups.images.valid.tolist() == [False, True]
    assert groups.images.values[0].tolist() == [0.0, 0.0]


def test_long_values_differ_by_any_number() -> None:
    """Printed, an array of more than a thousand numbers shows its ends alone."""
    one, other = np.zeros(5000), np.zeros(5000)
    other[2500] = 1.0
    assert key(one) == key(np.zeros(5000))
    assert key(one) != key(other)


def test_what_is_built_has_the_certified_parameters() -> None:
    """A converter that takes what was not meant would run something else than was proved."""
    listed = Listed("select", "transform", "row_map", json.dumps({"columns": {"0": 1}}))
    with pytest.raises(CertificateError, match="other parameters than the certified ones"):
        _operation(listed, ())
    assert _operation(Listed("select", "transform", "row_map", '{"columns": [0]}'), ()).name == "select"
