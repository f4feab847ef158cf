"""`dpframe verify` and `dpframe report` on released files, and the form of results."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.cli import main, verifying
from dpframe.front.specs import parse_spec
from dpframe.planning.documents import as_spent, plain, symmetric
from dpframe.proof.spaces import BallValue, GaussianValue, MixtureValue, Outcome
from dpframe.shown import total
from tests.cli.commands import read
from tests.small_specs import SMALL

HIDING = "fine\n\x1b[3A\x1b[Jverified\n  released: epsilon=0.01 under add_remove, by basic\x9b2K\u202e"
"""What a terminal would take for three lines, over those that it has shown."""


@dp.own_statistic(
    "verifying.count",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="none",
    assumes=[HIDING],
)
def counting(rows: Any) -> Any:
    """Number of rows."""
    return np.array([float(len(rows))])


def tampered(path: Path, content: Any) -> None:
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize("which", ["result", "certificate"])
@pytest.mark.parametrize(
    "change",
    [
        lambda d: {**d, "status": "failed"},
        lambda d: {**d, "simulated": True},
        lambda d: {**d, "schema_version": 1},
        lambda d: {},
        lambda d: [d],
        lambda d: "",
        lambda d: "{",
        lambda d: "\0\1",
        lambda d: "[" * 100_000,
        lambda d: "null",
    ],
)
def test_tampered_files_are_not_verified(
    released: Path, tmp_path: Path, which: str, change: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"certificate": released / "certificate.json", "result": released / "result.json"}
    tampered(tmp_path / "changed.json", change(read(files[which])))
    files[which] = tmp_path / "changed.json"
    assert main(["verify", str(files["certificate"]), "--result", str(files["result"])]) == 1
    shown = capsys.readouterr()
    assert "not verified" in shown.out
    assert "Traceback" not in shown.err


def test_another_spec_and_absent_files_are_not_verified(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = str(released / "certificate.json")
    tampered(tmp_path / "s.toml", (released / "spec.toml").read_text() + "\n# changed\n")
    for words in (
        [proof, "--spec", str(tmp_path / "s.toml")],
        [proof, "--spec", str(tmp_path / "none.toml")],
        [proof, "--result", str(tmp_path / "none.json")],
        [str(tmp_path / "none.json")],
        [str(tmp_path)],
    ):
        assert main(["verify", *words]) == 1
    capsys.readouterr()


def test_a_report_of_released_files(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(released)]) == 0
    assert capsys.readouterr().out.split() == [str(released / "report.html")]
    (released / "report.html").unlink()


# ----------------------------------------------------------------------------------------- results


def test_the_json_form_of_released_values() -> None:
    matrix = np.array([[[2.0, 1.0], [1.0 + 1e-12, 3.0]]])
    mixture = plain(MixtureValue(np.ones(1), np.zeros((1, 2)), matrix))
    assert np.shape(mixture["weights"]) == (1,)
    assert np.shape(mixture["means"]) == (1, 2)
    assert mixture["covariances"][0][0][1] == mixture["covariances"][0][1][0]
    gaussian = plain(GaussianValue(np.zeros(1), np.ones((1, 1))))
    assert gaussian == {"mean": [0.0], "covariance": [[1.0]]}
    assert plain(BallValue(np.zeros(2), 1.5)) == {"centre": [0.0, 0.0], "radius": 1.5}
    assert plain([Outcome(False, float("inf")), np.int64(3), None, "a", True]) == [
        {"passed": False, "value": "inf"},
        3,
        None,
        "a",
        True,
    ]
    assert plain({1: np.float64(0.5), "m": np.eye(2)}) == {"1": 0.5, "m": [[1.0, 0.0], [0.0, 1.0]]}
    assert np.isfinite(symmetric(np.full((2, 2), 1.7e308))).all()


def test_a_zcdp_loss_has_no_delta() -> None:
    plan = parse_spec(SMALL).set(["n=10", "d=1", "rho=1"]).plan()
    assert set(as_spent(plan.spent)) == {"adjacency", "accountant", "rho"}


def test_the_folder_of_a_run_is_told_apart(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(released)]) == 1
    assert f"give {released / 'certificate.json'}" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["n" * 5000, "a\0b", ""])
def test_a_name_that_no_file_can_have_gets_an_answer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", name]) == 1
    assert "internal" not in "".join(capsys.readouterr())


def test_what_is_verified_is_said(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A verdict by itself says of no number that it holds."""
    proof = str(released / "certificate.json")
    loss = read(released / "result.json")["loss"]
    assert main(["verify", proof]) == 0
    second = capsys.readouterr().out.splitlines()[1]
    assert second == f"  released: {total(loss)}"
    assert f"under {loss['adjacency']}, by {loss['accountant']}" in second
    assert main(["verify", proof, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["loss"]) == ("released", loss)


def test_nothing_is_said_of_a_loss_that_is_not_verified(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = read(released / "certificate.json")
    content["total"]["epsilon"] = content["total"]["epsilon"] / 2
    tampered(tmp_path / "certificate.json", content)
    assert main(["verify", str(tmp_path / "certificate.json"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["loss"]) == (None, None)
    assert main(["verify", str(tmp_path / "certificate.json")]) == 1
    assert "released:" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["attempt.json", "result.json"])
def test_another_file_of_a_run_is_told_apart(released: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(released / name)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "  it is no certificate, which a run writes as certificate.json"
    assert len(said) == 2  # its schema is another one than a certificate's


def test_a_plugins_folder_that_is_none_is_not_passed_over(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(released / "certificate.json"), "--plugins", "/nowhere"]) == 1
    assert "plugins: there is no folder '/nowhere'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda given: {**given, "bounnd": given["bound"]}, "operation 'bounding_ball' has no parameter 'bounnd'"),
        (lambda given: {"d": given["d"]}, "operation 'bounding_ball' needs bound"),
        (lambda given: {**given, "bound": -1.0}, "bound must be"),
    ],
)
def test_a_public_constant_that_no_run_takes_is_not_verified(
    released: Path, tmp_path: Path, change: Any, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it costs holds whatever it is: the checker takes any post. What would not run is said all the same."""
    content = read(released / "certificate.json")
    ball = next(node for node in content["graph"]["nodes"] if node["operation"] == "bounding_ball")
    ball["parameters"] = change(ball["parameters"])
    tampered(tmp_path / "certificate.json", content)
    assert main(["verify", str(tmp_path / "certificate.json")]) == 1
    assert f"node {ball['name']!r}: {why}" in capsys.readouterr().out


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_words_of_a_certificate_hide_others(
    tmp_path: Path, form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def program(x: Any) -> Any:
        return dp.release("count", dp.laplace(share=1.0), dp.own("verifying.count", x))

    how: dict[str, Any] = {"adjacency": dp.ADD_REMOVE, "budget": dp.pure_dp(500.0), "allow_asserted": True}
    place = tmp_path / "certificate.json"
    place.write_bytes(dp.plan(program, x=dp.rows(d=1), **how).document(simulated=False))
    assert main(["verify", str(place), *form]) == 0
    said = capsys.readouterr().out
    assert not {"\x1b", "\x9b", "\u202e"} & set(said)
    assert "\\u001b[3A" in said
    if form:
        assert any(HIDING in hypothesis for hypothesis in json.loads(said)["hypotheses"])
    else:
        assert [line for line in said.splitlines() if "verified" in line[:12] or line.startswith("  released")] == [
            "verified: holds, given 2 assertions",
            "  released: epsilon=500, delta=0 under add_remove, by basic",
        ]


def test_what_is_said_is_of_the_bytes_that_were_checked(
    released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever may write to the files could put others there while they are checked."""
    proof, spec = tmp_path / "certificate.json", tmp_path / "spec.toml"
    content, loss = read(released / "certificate.json"), read(released / "result.json")["loss"]
    check = verifying.recompute

    def slow(*given: Any, **more: Any) -> Any:
        verdict = check(*given, **more)
        tampered(proof, {**content, "total": {**content["total"], "epsilon": 1e-9}, "dpframe_version": "0.1.0"})
        spec.write_bytes(spec.read_bytes().replace(b"title", b"name_of", 1))
        return verdict

    proof.write_bytes((released / "certificate.json").read_bytes())
    spec.write_bytes((released / "spec.toml").read_bytes())
    monkeypatch.setattr(verifying, "recompute", slow)
    assert main(["verify", str(proof)]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[:2] == ["verified", f"  released: {total(loss)}"]
    assert "warning" not in said
    proof.write_bytes((released / "certificate.json").read_bytes())
    spec.write_bytes((released / "spec.toml").read_bytes())
    assert main(["verify", str(proof), "--spec", str(spec), "--replan"]) == 1
    assert "the spec was changed" in capsys.readouterr().out


@pytest.mark.parametrize(
    "change",
    [{"bound": -1.0}, {"bound": None}, {"d": "2"}, {"bund": 10.0}],
    ids=["negative", "null", "text", "misspelt"],
)
def test_a_page_says_no_more_than_the_command(
    released: Path, tmp_path: Path, change: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a public constant that no run takes: `verify` refused it, and the page of the same files said verified."""
    place = tmp_path / "run"
    shutil.copytree(released, place)
    certificate = read(place / "certificate.json")
    (ball,) = (n for n in certificate["graph"]["nodes"] if n["operation"] == "bounding_ball")
    ball["parameters"] |= change
    (place / "certificate.json").write_text(json.dumps(certificate))
    assert main(["verify", str(place / "certificate.json")]) == 1
    assert "node 'ball'" in capsys.readouterr().out
    assert main(["report", str(place)]) == 0
    page = (place / "report.html").read_text()
    assert "does not verify" in page
    assert "node &#x27;ball&#x27;" in page


def test_a_page_holds_no_signs_that_hide_others(released: Path, tmp_path: Path) -> None:
    place = tmp_path / "run"
    shutil.copytree(released, place)
    certificate = read(place / "certificate.json")
    certificate["dpframe_version"] += "\x1b[2J\u202everified"
    certificate["graph"]["nodes"][1]["theorem"] += "\x1b[2J"
    (place / "certificate.json").write_text(json.dumps(certificate))
    assert main(["report", str(place)]) == 0
    page = (place / "report.html").read_text()
    assert not {"\x1b", "\u202e"} & set(page)
    assert "\\u001b[2J\\u202everified" in page


def test_a_file_that_is_not_there_is_named_with_the_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "certificate.json")]) == 1
    assert "No such file or directory: give the certificate.json that a run wrote" in capsys.readouterr().out
