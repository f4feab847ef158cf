"""Audits of plans for units: neighbours differ in all rows of one unit, and noise for fewer of them is caught."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.runtime.sources import open_slots
from dpframe.testing.audit import canaries
from dpframe.testing.audit.canaries import Canary, audit_canaries, in_memory
from dpframe.testing.audit.plan_audit import audit_plan, crafted
from tests.planning.examples import simple_mean
from tests.small_specs import SMALL
from tests.ungated import lie

EACH, UNITS = 3, 500
RELATIONS = ("replace_one", "add_remove")


def table() -> Any:
    """Units of one to five rows, mixed."""
    rng = np.random.default_rng(0)
    ids = np.concatenate([np.arange(UNITS), rng.integers(0, UNITS, 2 * UNITS)])
    return np.column_stack([ids, rng.normal(size=(len(ids), 2))])


def plan_for(name: str, rows: int = EACH, n: int = UNITS * EACH) -> Any:
    declared = dp.rows(d=2, n=n) if name == "replace_one" else dp.rows(d=2)
    relation = dp.unit_level(name, unit="0", rows=rows)
    return dp.plan(simple_mean, x=declared, adjacency=relation, budget=dp.approx_dp(epsilon=1.0, delta=1e-2))


def same_units(one: Any, two: Any, relation: Any) -> tuple[int, int, int]:
    """How many units two tables have, and how many of them are the same."""
    first, second = (in_memory(open_slots(t, relation)).reshape(-1, EACH * 2) for t in (one, two))
    known = {row.tobytes() for row in second}
    return len(first), len(second), sum(row.tobytes() in known for row in first)


@pytest.mark.parametrize(("name", "units"), [("replace_one", (UNITS, UNITS)), ("add_remove", (UNITS + 1, UNITS))])
def test_canaries_are_one_unit(name: str, units: tuple[int, int]) -> None:
    plan = plan_for(name)
    sides = canaries._Sides.of(table(), plan)
    canary = Canary("", np.array([1e6, 0.0]), np.array([-1e6, 0.0]))
    first, second = (in_memory(open_slots(sides.make(canary, side, plan), plan.adjacency)) for side in (0, 1))
    assert (len(first), len(second)) == tuple(EACH * u for u in units)
    assert int((first[:, 0] == 1e6).sum()) == EACH
    assert int((second[:, 0] == -1e6).sum()) == (EACH if name == "replace_one" else 0)
    rest = slice(EACH, None) if name == "replace_one" else slice(0, EACH * UNITS)
    np.testing.assert_array_equal(first[rest], second[rest])
    np.testing.assert_array_equal(first[rest], in_memory(open_slots(table(), plan.adjacency))[rest])


@pytest.mark.parametrize(("name", "units"), [("replace_one", (100, 100, 99)), ("add_remove", (100, 99, 99))])
def test_crafted_tables_differ_in_one_unit(name: str, units: tuple[int, int, int]) -> None:
    relation = dp.unit_level(name, unit="0", rows=EACH)
    first, second = crafted(300, 2, 5.0, relation)
    one, two, same = same_units(first, second, relation)
    assert (one, two) == units[:2]
    assert same >= units[2]


@pytest.mark.parametrize("name", RELATIONS)
def test_a_sound_plan_is_within_its_claim_and_most_is_found(name: str) -> None:
    found = audit_canaries(plan_for(name), table(), runs=20_000, seconds=30)
    assert 0.25 < found.found <= found.claimed
    plan = plan_for(name, n=300)
    found = audit_plan(plan, *crafted(300, 2, 9.0, plan.adjacency), delta=1e-2, runs=20_000, seconds=30)
    assert 0.25 < found.found <= found.claimed


@pytest.mark.parametrize("name", RELATIONS)
def test_noise_for_one_row_of_a_unit_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: noise for one slot, sold for three."""
    one, three = plan_for(name, rows=1), plan_for(name)
    lie(monkeypatch, one.calibrations)
    assert audit_canaries(three, table(), runs=20_000, seconds=30).refuted


@pytest.mark.parametrize("name", RELATIONS)
@pytest.mark.slow
def test_the_command_audits_units(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    lines = [f"SECRETID{int(u)},{a},{b}" for u, a, b in table()]
    Path("t.csv").write_text("\n".join(["user,a,b", *lines]))
    keys = [f"adjacency={name}", "unit=user", f"unit_rows={EACH}"]
    sets = [word for key in keys for word in ("--set", key)]
    for more in ([], ["--data", "t.csv"]):
        assert main(["audit", "small.toml", "--json", "--runs", "2000", *sets, *more]) == 0
        said = capsys.readouterr()
        assert json.loads(said.out)["refuted"] is False
        assert "SECRETID" not in said.out + said.err
