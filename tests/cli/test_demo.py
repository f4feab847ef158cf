"""The tour: it ends well, verifies, and leaves the files it names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpframe.cli.demo import main

FILES = {"attempt.json", "spec.toml", "certificate.json", "result.json", "model.png", "report.html"}


def test_the_tour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "demo"
    assert main(["--out", str(out)]) == 0
    assert {p.name for p in out.iterdir()} == FILES
    text = capsys.readouterr().out
    for word in ("total: epsilon=", "mean air_time", "verified", *FILES):
        assert word in text
    assert main(["--out", str(out)]) == 2
    assert "earlier attempt" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--set", "epsilonn=1"], ["--set", "k=0"], ["--set", "d=3"]])
def test_a_wrong_setting_is_refused(tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "demo"), *words]) == 2
    assert not (tmp_path / "demo").exists()
    assert capsys.readouterr().err


def test_too_small_a_budget_fails_after_spending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its noise is drawn, and may look like rows once in a hundred runs or so: four in a row never do."""
    assert any(main(["--out", str(tmp_path / f"demo{i}"), "--set", "epsilon=1e-5"]) == 3 for i in range(4))
    assert "failed after spending" in capsys.readouterr().out


def test_the_module_runs_from_anywhere(tmp_path: Path) -> None:
    """Of a table that ships with the package, wherever the process stands."""
    command = [sys.executable, "-m", "dpframe.cli.demo", "--out", "demo", "--set", "k=0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=dict(os.environ))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
