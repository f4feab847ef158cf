"""Canary audits: the neighbours are the adjacency's, sound plans stay below their claim, broken ones do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DataError, SpecError
from dpframe.testing.audit import canaries
from dpframe.testing.audit.canaries import Canary, audit_canaries
from tests.planning.examples import simple_mean
from tests.small_specs import SMALL
from tests.testing.test_reduction_audits import quieter
from tests.ungated import lie

ROWS = np.random.default_rng(0).normal(size=(3000, 2))
RELATIONS = {"replace_one": dp.REPLACE_ONE, "add_remove": dp.ADD_REMOVE, "user level": dp.Edits(3, 3)}


def plan_for(adjacency: Any, epsilon: float = 1.0) -> Any:
    rows = dp.rows(d=2) if adjacency == dp.ADD_REMOVE else dp.rows(n=len(ROWS), d=2)
    return dp.plan(simple_mean, x=rows, adjacency=adjacency, budget=dp.approx_dp(epsilon=epsilon, delta=1e-2))


@pytest.mark.parametrize(("name", "edits"), [("replace_one", (1, 1)), ("add_remove", (1, 0)), ("user level", (3, 3))])
def test_the_two_tables_are_neighbours(name: str, edits: tuple[int, int]) -> None:
    plan = plan_for(RELATIONS[name])
    sides = canaries._Sides.of(ROWS, plan)
    canary = Canary("", np.array([1e6, 0.0]), np.array([-1e6, 0.0]))
    first, second = (sides.make(canary, side, plan).copy() for side in (0, 1))
    kept = [len({*map(tuple, one)} & {*map(tuple, two)}) for one, two in ((first, second), (first, ROWS))]
    assert (int((first[:, 0] == 1e6).sum()), int((second[:, 0] == -1e6).sum())) == edits
    assert min(kept) >= len(ROWS) - max(edits)
    assert len(first) - len(second) == edits[0] - edits[1]
    np.testing.assert_array_equal(ROWS, np.random.default_rng(0).normal(size=(3000, 2)))


@pytest.mark.parametrize("name", sorted(RELATIONS))
def test_a_sound_plan_is_within_its_claim_and_most_is_found(name: str) -> None:
    found = audit_canaries(plan_for(RELATIONS[name]), ROWS, runs=20_000, seconds=30)
    assert 0.25 < found.found <= found.claimed
    assert found.case.startswith("far along")
    assert ">=" not in found.event  # thresholds are values of runs on the user's rows


def test_a_broken_twin_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audit_canaries(quieter(monkeypatch, plan_for(dp.REPLACE_ONE), 0.5), ROWS, runs=20_000, seconds=30).refuted


def test_one_user_is_not_claimed_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of user-level privacy: noise for one row, sold for three."""
    one, three = plan_for(dp.REPLACE_ONE), plan_for(dp.Edits(3, 3))
    lie(monkeypatch, one.calibrations)
    assert audit_canaries(three, ROWS, runs=20_000, seconds=30).refuted


def test_canaries_are_far_and_differ() -> None:
    made = canaries.canaries(2, 6)
    assert len({c.name for c in made}) == 6
    assert all(np.linalg.norm(c.row) == pytest.approx(canaries.FAR) for c in made)
    assert [bool(np.isnan(c.counterpart).all()) for c in made] == [False, True] * 3


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(SpecError, match="no canary"):
        audit_canaries(plan_for(dp.REPLACE_ONE), ROWS, [], runs=10)
    with pytest.raises(DataError, match="declared n"):
        audit_canaries(plan_for(dp.REPLACE_ONE), ROWS[:10], runs=10)
    with pytest.raises(DataError, match="fewer rows"):
        audit_canaries(plan_for(dp.Edits(3, 3)), ROWS[:2], runs=10)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL)
    np.savetxt("x.csv", ROWS, delimiter=",", header="a,b", comments="")
    return tmp_path


COMMAND = ["audit", "small.toml", "--data", "x.csv", "--canaries", "2", "--runs", "400", "--seconds", "20"]


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    from dpframe.cli import main

    code = main(words)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_answers_and_draws(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run([*COMMAND, "--json", "--out", "found"], capsys)
    assert code == 0, err
    answer = json.loads(out)
    assert answer == json.loads((here / "found" / "audit.json").read_text())
    assert answer["findings"][0]["subject"] == "spec small"
    assert "keep its answer" in err
    assert "within the claim" in (here / "found" / "audit.txt").read_text()
    pytest.importorskip("matplotlib")
    assert (here / "found" / "audit.png").stat().st_size > 1000
    assert run([*COMMAND, "--out", "found"], capsys)[0] == 2


def test_a_folder_of_a_run_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "small.toml", "--data", "x.csv", "--out", "run"], capsys)[0] == 0
    code, _, err = run([*COMMAND, "--out", "run"], capsys)
    assert code == 2
    assert "holds attempt.json" in err
    assert not (here / "run" / "audit.json").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["audit", "laplace", "--data", "x.csv"], "takes no table"),
        (["audit", "laplace", "--set", "k=2"], "takes no table"),
        (["audit", "small.toml", "--canaries", "3"], "--data FILE"),
        (["audit", "small.toml", "--data", "missing.csv"], "missing.csv"),
        (["audit", "small.toml", "--data", "x.csv", "--set", "d=7"], "7"),
        (["audit", "laplace", "--runs", "1"], "from 10 to"),
        (["audit", "laplace", "--seconds", "nan"], "positive"),
        (["audit", "nonsense", "--out", "new"], "no spec"),
        (["audit", "laplace", "--out", "x.csv"], "can't be used as a folder"),
        (["audit", "count"], "no worst case is known"),
        (["audit"], "required"),
    ],
)
def test_wrong_usage(words: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(words, capsys)
    assert (code, out) == (2, "")
    assert said in err
    assert {p.name for p in here.iterdir()} == {"small.toml", "x.csv"}


def test_several_names_make_one_table(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(["audit", "laplace", "split", "--runs", "3000"], capsys)
    assert code == 0
    assert "laplace" in out
    assert "halves by index" in out
