"""The command line: what it lists and plans, what it refuses, and the command as installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dpframe.cli import _has_testing, main
from tests.cli.commands import apart, run
from tests.shipped import is_shipped

# --------------------------------------------------------------------------------- ops, plan, usage


def test_ops(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--json"]) == 0
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["gaussian"]["kind"] == "mechanism"
    assert found["gaussian"]["theorem"] == "gaussian_mechanism"
    assert found["pairs"]["adjacency"] == found["split"]["adjacency"] == "replace_one"
    assert found["count"]["adjacency"] == "any"
    assert found["practical_mixture"]["kind"] == "composite"
    assert found["practical_mixture"]["adjacency"] is None  # that of its parts
    ours = [row for name, row in found.items() if is_shipped(name)]
    assert len(ours) > 300
    assert all(row["summary"] for row in ours)
    assert main(["ops"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(found) + 1


def test_ops_of_one_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--kind", "mechanism", "--json"]) == 0
    assert {row["kind"] for row in json.loads(capsys.readouterr().out)} == {"mechanism"}
    assert main(["ops", "--kind", "mechanisms"]) == 2
    assert "use one of blocks, composite" in capsys.readouterr().err


def test_plan(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ["--set", "n=400", "--set", "d=2"]
    assert main(["plan", "small.toml", *sizes]) == 0
    brief = capsys.readouterr().out
    assert max(map(len, brief.splitlines())) <= 100
    assert main(["plan", "small.toml", *sizes, "--full"]) == 0
    text = capsys.readouterr().out
    assert "bounded_sum" in text or "sum_and_count" in text
    assert brief.splitlines()[-3:] == text.splitlines()[-3:]
    for name, begins in (("p.svg", "<svg"), ("p.mmd", "flowchart"), ("p.html", "<!doctype")):
        assert main(["plan", "small.toml", *sizes, "--draw", name]) == 0
        assert (here / name).read_text().startswith(begins)
        assert capsys.readouterr().out == brief
    assert main(["plan", "small.toml", *sizes, "--draw", "p.jpg"]) == 2
    assert ".svg, .mmd, .html" in capsys.readouterr().err
    for name, said in ((".", "'.'"), ("no/p.svg", "'no/p.svg' can't be written")):
        assert main(["plan", "small.toml", *sizes, "--draw", name, "--json"]) == 2
        told = capsys.readouterr()
        assert said in told.err
        assert said in json.loads(told.out)["error"]
    assert main(["plan", "small.toml", *sizes, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] is True
    assert found["loss"]["epsilon"] <= 1
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nonsense"],
        ["plan"],
        ["plan", "nowhere.toml"],
        ["plan", "small.toml"],
        ["plan", "small.toml", "--set", "n=400"],
        ["plan", "small.toml", "--set", "n=400", "--set", "d=2", "--set", "epsilonn=1"],
        ["plan", "small.toml", "--set", "n=400", "--set", "d=2", "--set", "rho=1", "--set", "epsilon=1"],
        ["plan", "small.toml", "--se", "n=400"],
        ["plan", "small.toml", "--plugins", "nowhere"],
        ["run", "small.toml", "--data", "x.npy"],
        ["run", "small.toml", "--out", "out"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--simulate", "-1"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--simulate", "x"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--set", "n=399"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--set", "d=3"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--set", "columns=0,1,9"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--public", "x.npy"],
        ["run", "small.toml", "--data", "absent.npy", "--out", "out"],
        ["run", "small.toml", "--data", "small.toml", "--out", "out"],
        ["run", "small.toml", "--data", "x.npy", "--out", "small.toml"],
        ["run", "small.toml", "--data", "x.npy", "--out", "small.toml/out"],
        ["verify"],
        ["report", "nowhere"],
        ["report", "."],
    ],
)
def test_refusals_write_nothing_and_say_why(here: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(p.name for p in here.iterdir())
    assert main(words) == 2
    shown = capsys.readouterr()
    assert len(shown.err.strip()) > 10
    assert "Traceback" not in shown.err
    assert sorted(p.name for p in here.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["run", "a", "--data", "b", "--out", "c", "--simulate", "x"], "a whole number of at least 0, not 'x'"),
        (["run", "a", "--data", "b", "--out", "c", "--simulate", "-1"], "a whole number of at least 0, not '-1'"),
        (["audit", "gaussian", "--runs", "many"], "a whole number from 10 to 100000000, not 'many'"),
        (["audit", "gaussian", "--seconds", "nan"], "a positive number of seconds, not 'nan'"),
    ],
)
def test_a_wrong_option_is_told_what_it_takes(words: list[str], match: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert match in capsys.readouterr().err


@pytest.mark.parametrize("name", ["check", "audit"])
def test_check_and_audit_exist_only_where_they_do_something(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert (f"    {name} " in capsys.readouterr().out) is _has_testing()


def test_an_unknown_key_names_the_nearest(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "small.toml", "--set", "epsilonn=1"]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "did you mean 'epsilon'?" in err


def test_a_refused_plan_in_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "small.toml", "--json"]) == 2
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert found["holds"] is False
    assert found["error"]
    assert set(found) >= {"loss", "delta_split", "nodes", "passes", "warnings"}
    assert shown.err


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [("word", "1.0,sEcReT", "line 101"), ("short", "1.0", "101"), ("quote", '1.0,"2', "")],
)
def test_a_malformed_csv_names_the_line_but_no_cell(
    here: Path, name: str, line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path("x.csv").read_text().splitlines()
    lines[100] = line
    Path(f"{name}.csv").write_text("\n".join(lines))
    assert run(data=f"{name}.csv") == 2
    err = capsys.readouterr().err
    assert says in err
    assert "sEcReT" not in err
    assert not Path("out").exists()


# --------------------------------------------------------------------------------- the whole command


def test_the_installed_command_from_outside(here: Path) -> None:
    done = apart("plan", "small.toml", "--set", "n=400", "--set", "d=2", "--json", cwd=here)
    assert (done.returncode, json.loads(done.stdout)["holds"]) == (0, True)
    done = apart("plan", "small.toml", "--set", "n=x", cwd=here)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert apart("--version").stdout.startswith("dpframe ")


def test_plugins_are_never_taken_from_the_current_folder(here: Path) -> None:
    (here / "hook.py").write_text("raise SystemExit('imported from the current folder')")
    (here / "dpframe_plugins.py").write_text("raise SystemExit('imported from the current folder')")
    (here / "plugins").mkdir()
    (here / "plugins" / "hook.py").write_text("raise SystemExit('imported from the current folder')")
    words = ["plan", "small.toml", "--set", "n=9", "--set", "d=1"]
    script = f"import sys; from dpframe.cli import main; sys.exit(main({words!r}))"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False, cwd=here)
    assert done.returncode == 0, done.stderr


def test_a_closed_pipe_is_no_error_message(here: Path) -> None:
    command = f"{sys.executable} -m dpframe ops | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=here)
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr


@pytest.mark.parametrize(
    "words", ["run --data a --data b", "audit --seed 1 --seed 2", "ledger create --table a --table b"]
)
def test_what_is_given_twice_is_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "x"]) == 2
    assert "is given twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [("plan small.toml --sett n=9", "--set"), ("verify c --stric", "--strict"), ("ledger show f --jsn", "--json")],
)
def test_a_misspelt_option_is_guessed(words: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err


def test_an_interrupt_while_the_words_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dpframe.cli.build_parser", stop)
    assert main(["ops"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_misspelt_mechanism_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "gausian"]) == 2
    assert "did you mean 'gaussian'?" in capsys.readouterr().err
