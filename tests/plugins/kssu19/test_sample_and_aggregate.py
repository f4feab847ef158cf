"""Sample and aggregate: candidates of blocks, runs, what a learner can do wrong, and refusals of the spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe_plugins.kssu19.blocks import candidates

KEYS_SPEC = "kssu19_sample_and_aggregate"
D, N, T = 2, 30_000, 60
CENTRES = 1e4 + np.array([[0.0, 0.0], [30.0, 0.0]])
SIGMA, WEIGHTS = np.array([1.0, 2.0]), np.array([0.35, 0.65])
KEYS: dict[str, Any] = {
    "n": N,
    "d": D,
    "k": 2,
    "epsilon": 60.0,
    "sigma_min": 0.5,
    "sigma_max": 4.0,
    "t": T,
    "learner": "kssu19.tests.halves",
    "refine": False,
}


@dp.learner("kssu19.tests.halves")
def halves(rows: Any, generator: Any) -> Any:
    """Two components by the middle of the first column: fast, and right for these tables."""
    low = rows[:, 0] < 0.5 * (rows[:, 0].min() + rows[:, 0].max())
    parts = [rows[low], rows[~low]][:: 1 if generator.integers(2) else -1]  # in any order
    return candidates(
        [len(part) / len(rows) for part in parts],
        np.array([part.mean(axis=0) for part in parts]),
        np.array([np.cov(part.T) for part in parts]),
    )


def table(seed: int = 0) -> Any:
    rng = np.random.default_rng([16, seed])
    labels = rng.choice(2, p=WEIGHTS, size=N)
    return CENTRES[labels] + SIGMA[labels, None] * rng.standard_normal((N, D))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, marks=pytest.mark.slow),
        pytest.param({"learner": "em"}, marks=pytest.mark.slow),
        pytest.param({"learner": "spectral", "refine": True}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_it_averages_what_the_blocks_agree_on(changes: dict[str, Any]) -> None:
    result = load_spec(KEYS_SPEC, {**KEYS, **changes}).plan().run(x=table(), simulate=1)
    assert result.status == "released", result.reason
    found = result["mixture"]
    order = np.argsort(found.means[:, 0])
    assert np.linalg.norm(found.means[order] - CENTRES, axis=1).max() < 0.2
    assert found.weights[order] == pytest.approx(WEIGHTS, abs=0.1)
    widths = np.sqrt(np.trace(found.covariances[order], axis1=1, axis2=2) / D)
    assert widths == pytest.approx(SIGMA, rel=0.3)


@pytest.mark.slow
def test_blocks_that_do_not_agree_are_a_failure() -> None:
    rows = 1e3 * np.random.default_rng(4).standard_normal((N, D))
    result = load_spec(KEYS_SPEC, {**KEYS, "k": 2}).plan().run(x=rows, simulate=1)
    assert result.status == "failed"
    assert result.outputs == {}


def test_c12_blocks_are_counted_not_candidates() -> None:
    """Cells move by one a block in ℓ∞ and by √(2k·levels) in ℓ₂; each average by 2√2, whatever k is."""
    plan = load_spec(KEYS_SPEC, KEYS).plan()
    averages = [m for path, m in plan.weighings.items() if "average" in path[-1]]
    assert len(averages) == 2
    for weighing in averages:
        assert [m.bound for m in weighing.worst] == [pytest.approx(8**0.5)]


@pytest.mark.slow
def test_a_run_of_the_command_verifies(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", table())
    sets = [f"--set={k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in KEYS.items()]
    out = tmp_path / "out"
    assert main(["run", KEYS_SPEC, "--data", str(tmp_path / "x.npy"), "--out", str(out), *sets]) == 0
    files = ["--spec", str(out / "spec.toml"), "--result", str(out / "result.json")]
    assert main(["verify", str(out / "certificate.json"), *files]) == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"k": 0}, "k"),
        ({"t": 3}, "3 blocks of 30000 rows"),
        ({"n": 3}, "3 rows are too few for 8 blocks of at least 3 rows"),
        ({"t": 20_000}, "20000 blocks"),
        ({"t": None, "n": 500}, "use more rows"),
        ({"learner": "nobody"}, "no learner 'nobody' of 2 components"),
        ({"adjacency": "add_remove", "n": None, "t": 60}, "replace_one"),
        ({"w_min": 0.9}, "w_min"),
    ],
)
def test_bad_keys_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        load_spec(KEYS_SPEC, {k: v for k, v in {**KEYS, **changes}.items() if v is not None}).plan()


def test_candidates_of_a_mixture() -> None:
    (rows,) = candidates([0.25, 0.75], np.zeros((2, 3)), np.repeat(np.eye(3)[None], 2, axis=0))
    assert rows.shape == (2, 5)
    assert rows[:, 3].tolist() == [5.0, 15.0]
    assert rows[:, 4].tolist() == [0.0, 0.0]
