"""The mixture learner from the command line, on odd tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.commands import read, run


def clusters(n: int = 6000) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(7)
    return rng.standard_normal((n, 2)) + 12 * rng.integers(0, 2, n)[:, None]


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x,
        lambda x: np.sort(x, axis=0),
        lambda x: np.full_like(x, np.nan),
        np.ones_like,
        lambda x: np.where(np.arange(len(x))[:, None] % 9 == 0, 1e308, x),
        lambda x: x[:1],
        lambda x: x[:2],
        lambda x: x * 1e-300,
        lambda x: x[:, :1],
    ],
    ids=["clusters", "sorted", "missing", "equal", "huge", "one row", "two rows", "tiny", "one column"],
)
def test_the_learner_answers_or_fails_whatever_the_table(
    tmp_path: Path, change: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "x.npy", change(clusters()))
    words = ["--set", "k=2", "--set", "bound=1000", "--simulate", "1"]
    code = run(*words, spec="practical_gmm", data=str(tmp_path / "x.npy"), out=str(tmp_path / "out"))
    assert code in (0, 3), capsys.readouterr().err
    result = read(tmp_path / "out" / "simulated.json")
    if code == 0:
        d = change(clusters()).shape[1]
        model = {k: np.asarray(v) for k, v in result["outputs"]["mixture"].items()}
        assert [model[k].shape for k in ("weights", "means", "covariances")] == [(2,), (2, d), (2, d, d)]
        assert abs(model["weights"].sum() - 1) < 1e-9
        assert (model["covariances"] == model["covariances"].transpose(0, 2, 1)).all()
        assert np.linalg.eigvalsh(model["covariances"]).min() > 0
    else:
        assert result["outputs"] == {}


@pytest.mark.parametrize("bound", ["1e-90", "1e300"])
def test_no_bound_crashes_the_learner(tmp_path: Path, bound: str, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", clusters(3000))
    words = ["--set", "k=2", "--set", f"bound={bound}", "--set", "epsilon=500", "--simulate", "1"]
    code = run(*words, spec="practical_gmm", data=str(tmp_path / "x.npy"), out=str(tmp_path / "out"))
    assert code in (0, 3), capsys.readouterr().err


def test_a_sorted_table_gives_the_model_of_a_shuffled_one(tmp_path: Path) -> None:
    """The same rows in another order: pairs differ, so the noise and the grids do, but not what is found."""
    rows = clusters(20_000)
    means = []
    for name, order in (("a", np.argsort(rows[:, 0])), ("b", np.random.default_rng(3).permutation(len(rows)))):
        np.save(tmp_path / f"{name}.npy", rows[order])
        words = ["--set", "k=2", "--set", "bound=1000", "--simulate", "1"]
        assert run(*words, spec="practical_gmm", data=str(tmp_path / f"{name}.npy"), out=str(tmp_path / name)) == 0
        found = np.asarray(read(tmp_path / name / "simulated.json")["outputs"]["mixture"]["means"])
        means.append(found[np.argsort(found[:, 0])])
    assert np.abs(means[0] - means[1]).max() < 0.5
    assert np.abs(means[0] - np.array([[0.0, 0.0], [12.0, 12.0]])).max() < 0.5
