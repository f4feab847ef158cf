"""Paths and sizes that no run can use: refused in one line, before anything is read, written or waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dpframe.cli import main
from tests.cli.commands import run


@pytest.mark.parametrize(
    ("data", "out", "said"),
    [
        ("", "out", "--data is empty"),
        ("a" * 5000 + ".csv", "out", "too long for a path"),
        ("x.npy", "", "--out is empty"),
    ],
)
def test_a_path_that_is_none_is_refused(
    here: Path, data: str, out: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(os.listdir())
    assert run(data=data, out=out) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Fix: " in told
    assert len(told) < 200
    assert sorted(os.listdir()) == before


def test_a_matrix_is_not_awaited_from_a_pipe(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe.npy")
    keys = ("k=2", "n=1000", "d=2", "covariance=pipe.npy")
    assert main(["plan", "aal21_known_covariance", *(word for key in keys for word in ("--set", key))]) == 2
    told = capsys.readouterr().err
    assert "key 'covariance' must be " in told
    assert "not 'pipe.npy'" in told


@pytest.mark.parametrize(
    ("name", "k", "most"), [("kssu19_pegme", 5001, 1000), ("kssu19_pgme", 10**9, 65), ("bks22_gmm_hard", 10**9, 65)]
)
def test_more_components_than_are_planned_for_are_refused(
    name: str, k: int, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = [f"k={k}", "n=5000", "d=2", *(["sigma_min=0.5", "sigma_max=10"] if name[:4] == "kssu" else [])]
    assert main(["plan", name, *(word for key in keys for word in ("--set", key))]) == 2
    assert f"k must be at most {most}, not {k}" in capsys.readouterr().err
