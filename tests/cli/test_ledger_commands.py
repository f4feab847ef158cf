"""``dpframe ledger create | add | show | verify`` and ``dpframe run --ledger``: exit codes, answers, files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main
from dpframe.cli.ledgers import read_event
from dpframe.errors import DpframeError
from dpframe.front.ledger import LedgerError
from dpframe.proof.losses import Concentrated, Gaussian, Loss, Pure
from tests.small_specs import SMALL

MADE = ["--table", "people", "--adjacency", "replace_one"]
APPROXIMATE = ["--epsilon", "1", "--delta", "1e-6"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec, a table and a ledger of ε = 1, and the process in it."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    np.save("x.npy", np.random.default_rng(1).normal(size=(400, 2)))
    assert main(["ledger", "create", "l", *MADE, *APPROXIMATE]) == 0
    return tmp_path


def run(out: str, *more: str) -> int:
    return main(["run", "small.toml", "--data", "x.npy", "--out", out, "--ledger", "l", *more])


def shown(capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main(["ledger", "show", "l", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_run_is_entered_and_one_that_does_not_fit_leaves_nothing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("one", "--set", "epsilon=0.8") == 0
    err = capsys.readouterr().err
    assert "ledger of 'people': booked as epsilon=0.8, delta=1e-06, 0.0 % more epsilon than alone by gdp" in err
    before = Path("l").read_bytes()
    assert run("two", "--set", "epsilon=0.8") == 2
    assert "does not fit the ledger of table 'people'" in capsys.readouterr().err
    assert Path("l").read_bytes() == before
    assert not Path("two").exists()
    found = shown(capsys)
    (entry,) = found["entries"]
    attempt = json.loads(Path("one/attempt.json").read_text())
    assert entry["key"] == attempt["ledger_entry"]
    assert (entry["out"], entry["spec"], entry["status"]) == (str(here / "one"), "small", "released")
    assert entry["loss"] == attempt["loss"]
    assert found["budget"] == {"epsilon": 1.0, "delta": 1e-6}
    assert found["spent"]["epsilon"] == pytest.approx(0.8, rel=1e-6)
    assert entry["spent"] == found["spent"]
    assert found["spent"]["delta"] == 1e-6
    assert 0.2 < found["remaining"]["epsilon"] < 0.8
    assert main(["ledger", "verify", "l", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verified"], told["reasons"]) == (True, [])
    assert main(["ledger", "verify", "l"]) == 0
    assert "certificates found: 1" in capsys.readouterr().out


def test_a_plan_of_the_ledgers_budget_has_room_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one") == 0
    assert run("two", "--set", "epsilon=0.001") == 2
    assert shown(capsys)["spent"]["epsilon"] <= 1.0
    assert main(["ledger", "verify", "l"]) == 0


def test_an_attempt_carries_its_events(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another ledger can book what this run spent."""
    assert run("one", "--set", "epsilon=0.5") == 0
    attempt = json.loads(Path("one/attempt.json").read_text())
    assert main(["ledger", "create", "other", *MADE, *APPROXIMATE]) == 0
    event = json.dumps({key: attempt[key] for key in ("events", "delta")})
    assert main(["ledger", "add", "other", "--event", event]) == 0
    capsys.readouterr()
    assert main(["ledger", "show", "other", "--json"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert other["spent"] == shown(capsys)["spent"]


def test_what_adaptivity_costs_is_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gaussian noise pays nothing, and noise that a tighter accountant priced pays what is said."""
    assert run("one", "--set", "epsilon=0.1") == 0
    assert "0.0 % more epsilon than alone by gdp (the price of adaptivity)" in capsys.readouterr().err
    counted = SMALL.split('[[node]]\nname = "mean"')[0].replace('op = "mean"', 'op = "count"')
    Path("small.toml").write_text(counted.replace('op = "gaussian"', 'op = "laplace"') + '[outputs]\nn = "noisy"\n')
    assert run("two", "--set", "epsilon=0.1") == 0
    found = re.search(r"([0-9.]+) % more epsilon than alone by (\w+) \(the price", capsys.readouterr().err)
    assert found is not None
    assert float(found[1]) > 1.0
    before, after = (entry["charge"] for entry in shown(capsys)["entries"])
    assert after["amount"] > before["amount"]


def test_an_end_that_can_not_be_noted_counts_in_full(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise LedgerError("the ledger can't be written to", fix="make room")

    monkeypatch.setattr("dpframe.front.ledger.store.Ledger.settle", full)
    assert run("one", "--set", "epsilon=0.8") == 0
    assert "so it stays reserved and counts all the same" in capsys.readouterr().err
    assert [entry["status"] for entry in shown(capsys)["entries"]] == ["reserved"]
    assert run("two", "--set", "epsilon=0.8") == 2


def test_a_simulated_run_counts(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one", "--set", "epsilon=0.5", "--simulate", "1") == 0
    found = shown(capsys)
    assert found["entries"][0]["simulated"] is True
    assert found["spent"]["epsilon"] == pytest.approx(0.5, rel=1e-6)
    assert main(["ledger", "verify", "l"]) == 0


def test_a_ledger_of_rho(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("l").unlink()
    assert main(["ledger", "create", "l", *MADE, "--rho", "0.1"]) == 0
    assert run("one", "--set", "rho=0.04") == 0
    assert run("two", "--set", "epsilon=0.2") == 0
    found = shown(capsys)
    assert found["budget"] == {"rho": 0.1}
    assert found["spent"]["rho"] == pytest.approx(0.04 + found["entries"][1]["charge"]["amount"])
    assert found["remaining"]["rho"] == pytest.approx(0.1 - found["spent"]["rho"])
    assert run("three", "--set", "rho=0.1") == 2


def test_a_ledger_of_pure_epsilon(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Losses add up as they are, which a filter of Gaussian kind would count several times as large."""
    Path("l").unlink()
    assert main(["ledger", "create", "l", *MADE, "--epsilon", "1", "--delta", "0"]) == 0
    assert run("gaussian") == 2
    assert "no finite epsilon, in which this ledger counts" in capsys.readouterr().err
    median = ["run", "quantile", "--data", "x.npy", "--set", "column=0", "--set", "q=.5", "--set", "candidates=0:4:1"]
    median += ["--set", "adjacency=replace_one", "--ledger", "l"]
    assert main([*median, "--out", "one", "--set", "epsilon=0.5"]) == 0
    assert main(["ledger", "add", "l", "--event", '{"epsilon": 0.25}']) == 0
    found = shown(capsys)
    assert found["budget"] == {"epsilon": 1.0}
    assert found["spent"]["epsilon"] == pytest.approx(0.75)
    assert main([*median, "--out", "two", "--set", "epsilon=0.3"]) == 2
    assert main([*median, "--out", "two", "--set", "epsilon=0.2"]) == 0
    assert main(["ledger", "verify", "l"]) == 0


def test_a_refusal_says_what_the_plan_costs_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pure noise counts by its μ, several times its ε: who asks for half of the budget must see why it is too much."""
    assert main(["ledger", "add", "l", "--event", '{"epsilon": 0.5}']) == 2
    err = capsys.readouterr().err
    assert "is charged epsilon=2.8" in err
    assert "(alone epsilon=0.49999" in err  # δ is worth a few millionths
    assert "; here it counts as mu=0.62" in err
    assert "Fix: name what it is (type, mu), or let the other tool spend less" in err
    assert run("one", "--set", "epsilon=0.6") == 0
    capsys.readouterr()
    assert run("two", "--set", "epsilon=0.9") == 2
    assert "alone" not in capsys.readouterr().err


def test_a_changed_certificate_or_status_is_found(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one", "--set", "epsilon=0.5") == 0
    path = Path("one/certificate.json")
    path.write_text(path.read_text().replace('"simulated": false', '"simulated": true'))
    capsys.readouterr()
    assert main(["ledger", "verify", "l", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["verified"], len(told["reasons"]) > 0) == (False, True)
    assert main(["ledger", "verify", "l"]) == 1
    assert "entry 1: certificate" in capsys.readouterr().out


def test_an_attempt_of_another_run_is_not_the_entrys(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that was emptied and used again: its certificate says nothing about the first entry."""
    assert run("one", "--set", "epsilon=0.5") == 0
    for path in Path("one").iterdir():
        path.unlink()
    assert main(["run", "small.toml", "--data", "x.npy", "--out", "one", "--set", "epsilon=0.1"]) == 0
    assert main(["ledger", "verify", "l"]) == 0
    assert "certificates found: 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["create", "l", *MADE, *APPROXIMATE],
        ["create", "m", *MADE],
        ["create", "m", *MADE, "--epsilon", "1"],
        ["create", "m", *MADE, *APPROXIMATE, "--rho", "1"],
        ["create", "m", *MADE, "--rho", "-1"],
        ["create", "m", *MADE, "--rho", "nan"],
        ["create", "m", *MADE, "--epsilon", "1", "--delta", "1"],
        ["create", "m", *MADE, "--rho", "1", "--own-delta", "1e-9"],
        ["create", "m", "--table", "t", *APPROXIMATE],
        ["create", "m", "--adjacency", "replace_one", *APPROXIMATE],
        ["create", "m", "--table", "t", "--adjacency", "other", *APPROXIMATE],
        ["create", "absent/m", *MADE, *APPROXIMATE],
        ["add", "l", "--event", "nonsense"],
        ["add", "l", "--event", '{"type": "gaussian", "mu": 9}'],
        ["add", "l", "--event", '{"type": "gaussian", "mu": -1}'],
        ["add", "l", "--event", '{"type": "concentrated", "rho": 0.001}'],
        ["add", "l", "--event", '{"type": "gaussian", "mu": 0.01, "delta": 1e-3}'],
        ["add", "l"],
        ["add", "absent", "--event", '{"mu": 0.01}'],
        [],
        ["other"],
    ],
)
def test_refused(here: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("l").read_bytes()
    assert main(["ledger", *words]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert Path("l").read_bytes() == before
    assert {path.name for path in here.iterdir()} == {"l", "small.toml", "x.npy"}


@pytest.mark.parametrize("content", [None, "nonsense"])
@pytest.mark.parametrize("action", ["show", "verify"])
def test_unreadable(here: Path, action: str, content: str | None) -> None:
    Path("l").unlink()
    if content is not None:
        Path("l").write_text(content)
    assert main(["ledger", action, "l"]) == 1
    assert run("out") == 2
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        ('{"type": "gaussian", "mu": 0.5}', Loss.of(Gaussian(0.5))),
        ('{"type": "gaussian", "mu": 0.5, "times": 3, "delta": 1e-9}', Loss.of(Gaussian(0.5), 3, 1e-9)),
        ('[{"type": "pure", "epsilon": 0.5}, {"rho": 0.1}]', Loss(((Pure(0.5), 1), (Concentrated(0.1), 1)))),
        ('{"epsilon": 0.5, "delta": 1e-7}', Loss.of(Pure(0.5), delta=1e-7)),
        ('{"events": [[{"type": "gaussian", "mu": 0.5}, 2]], "delta": 0}', Loss.of(Gaussian(0.5), 2)),
    ],
)
def test_events_of_other_tools(text: str, loss: Loss) -> None:
    assert read_event(text) == loss


@pytest.mark.parametrize(
    "text",
    [
        "[]", "{}", "3", "", "a", '{"mu": "a"}', '{"mu": 1, "rho": 1}', '{"times": 2}', '{"mu": 1, "times": 0}',
        '{"mu": NaN}', '{"mu": -1}', '{"type": "gaussian"}', '{"type": "gausian", "mu": 1}',
    ],
)  # fmt: skip
def test_what_is_no_event(text: str) -> None:
    """The error names the option and says what to write, whichever reader found it."""
    with pytest.raises(DpframeError, match=r"^--event: .*\. Fix: "):
        read_event(text)


def test_text(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one", "--set", "epsilon=0.5") == 0
    capsys.readouterr()
    assert main(["ledger", "show", "l"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["table      people, replace_one", "budget     epsilon=1, delta=1e-06"]
    assert lines[4].split()[:3] == ["1", "released", "small"]
