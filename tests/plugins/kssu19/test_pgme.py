"""PGME: gaps in released cells, the division and what it costs, runs and refusals of the spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main
from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe.kernel.reductions.control import MAX_DEPTH
from dpframe.plugin import GaussianValue
from dpframe_plugins.kssu19.dividing import Leaves
from dpframe_plugins.kssu19.gaps import gaps
from dpframe_plugins.practical.cells import Points

D, N = 4, 6000
SIGMA, WEIGHTS = np.array([1.0, 1.0, 20.0]), np.array([0.2, 0.3, 0.5])
CENTRES = 1e4 + np.array([[0.0] * D, [60.0, 0, 0, 0], [0, 900.0, 0, 0]])
KEYS: dict[str, Any] = {
    "n": N,
    "d": D,
    "k": 3,
    "epsilon": 20.0,
    "sigma_min": 0.5,
    "sigma_max": 40.0,
    "w_min": 0.15,
    "refine": False,
}


def table(seed: int = 0) -> Any:
    rng = np.random.default_rng([15, seed])
    labels = rng.choice(3, p=WEIGHTS, size=N)
    return CENTRES[labels] + SIGMA[labels, None] * rng.standard_normal((N, D))


def errors(mixture: Any) -> Any:
    """Mean errors in standard deviations, by component."""
    away = np.linalg.norm(mixture.means[:, None] - CENTRES, axis=2)
    assert sorted(away.argmin(axis=0)) == [0, 1, 2]
    return away.min(axis=0) / SIGMA


@pytest.mark.parametrize(
    "changes",
    [
        {},
        pytest.param({"R": 2e4, "refine": True}, marks=pytest.mark.slow),
        pytest.param({"leaf": "coinpress"}, marks=pytest.mark.slow),
        pytest.param({"rank": 2}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_it_finds_components_of_very_different_widths(changes: dict[str, Any]) -> None:
    """Sampling leaves √(4/1200) = 0.06 of a deviation."""
    result = load_spec("kssu19_pgme", {**KEYS, **changes}).plan().run(x=table(), simulate=1)
    assert result.status == "released", result.reason
    assert errors(result["mixture"]).max() < 0.4
    assert sorted(result["mixture"].weights) == pytest.approx(WEIGHTS, abs=0.03)


def test_fewer_components_than_k_is_a_failure() -> None:
    rows = 5.0 + np.random.default_rng(1).standard_normal((N, D))
    result = load_spec("kssu19_pgme", {**KEYS, "k": 2}).plan().run(x=rows, simulate=1)
    assert result.status == "failed"
    assert "1 of 2 components" in result.reason


@pytest.mark.slow
def test_the_deepest_division_is_run() -> None:
    """Its loss nests a worst case in each level; certificates and losses were read up to 24 levels only."""
    keys = {**KEYS, "n": 400, "d": 1, "k": MAX_DEPTH + 1, "w_min": 1.0 / (MAX_DEPTH + 1), "epsilon": 1.0}
    result = load_spec("kssu19_pgme", keys).plan().run(x=np.zeros((400, 1)), simulate=1)
    assert result.status == "failed"
    assert "components" in result.reason


def test_one_component_is_a_leaf() -> None:
    rows = 5.0 + np.random.default_rng(1).standard_normal((N, D))
    result = load_spec("kssu19_pgme", {**KEYS, "k": 1}).plan().run(x=rows, simulate=1)
    assert result["mixture"].means[0] == pytest.approx([5.0] * D, abs=0.3)


def test_c5_c11_both_paths_and_every_release_of_a_level_are_reserved() -> None:
    """C11: all of a level's releases stand in the body that ``recurse`` reserves; C5: k − 1 levels, k leaves."""
    plan = load_spec("kssu19_pgme", {**KEYS, "k": 4, "w_min": 0.125}).plan()
    (tree,) = [n for n in plan.graph.nodes if n.operation.name == "recurse"]
    assert (tree.operation.max_depth, tree.operation.max_leaves) == (3, 4)
    inside = {n.operation.name for n in tree.bodies[0][1].nodes}
    assert {"distance_histogram", "cells", "terrific_score", "above_threshold", "filter_ball"} <= inside
    assert sum(plan.delta_split.values()) == pytest.approx(1e-6)


@pytest.mark.slow
def test_a_run_of_the_command_verifies(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", table())
    sets = [f"--set={k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in KEYS.items()]
    out = tmp_path / "out"
    assert main(["run", "kssu19_pgme", "--data", str(tmp_path / "x.npy"), "--out", str(out), *sets]) == 0
    files = ["--spec", str(out / "spec.toml"), "--result", str(out / "result.json")]
    assert main(["verify", str(out / "certificate.json"), *files]) == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"k": 0}, "k"),
        ({"k": 70, "w_min": 0.01, "n": 100_000}, "k must be at most 65, not 70"),
        ({"c": 1.0}, "ratio above 1"),
        ({"w_min": 0.5}, "w_min must be at least 1e-09 and at most 1/k"),
        ({"w_min": 5e-324}, "w_min must be at least 1e-09"),
        ({"w_min": 1e-8}, "w_min = 1e-08 of .* rows are fewer than the 2 that a cut is tested for"),
        ({"sigma_max": 0.1}, "above sigma_max"),
        ({"adjacency": "add_remove", "n": None}, "replace_one"),
        ({"leaf": "psgee"}, "psge, coinpress"),
        ({"rank": 0}, "rank"),
    ],
)
def test_bad_keys_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        load_spec("kssu19_pgme", {k: v for k, v in {**KEYS, **changes}.items() if v is not None}).plan()


def test_c5_weights_are_noisy_counts_over_their_sum() -> None:
    """Not over n, which need not be their sum; a count below 0 is 0, and its weight the least."""
    one = GaussianValue(np.zeros(1), np.eye(1))
    found = Leaves(k=3, d=1).apply([(one, [30.0]), (one, [10.0]), (one, [-4.0])])
    assert found.weights == pytest.approx([0.75, 0.25, 0.0], abs=1e-5)
    assert found.weights.sum() == pytest.approx(1.0, abs=1e-12)
    equal = Leaves(k=3, d=1, equal=True).apply([(one, [30.0]), (one, [10.0]), (one, [-4.0])])
    assert equal.weights == pytest.approx([1 / 3] * 3)


def test_a_ratio_below_the_theorems_is_said() -> None:
    def warned(c: float) -> bool:
        said = load_spec("kssu19_pgme", {**KEYS, "c": c}).plan().warnings
        return any("c=" in text and "of KSSU19's theorem" in text for text in said)

    assert warned(2.0)
    assert not warned(5.0)


def test_columns_below_those_of_the_theorem_are_said() -> None:
    """Condition (7): d >= 64 ln(nk/β), 819 columns here; Algorithm 1 asks for ℓ = 512 ln(nk/β)."""
    (said,) = [w for w in load_spec("kssu19_pgme", KEYS).plan().warnings if "d=4" in w]
    assert "below the 819 of KSSU19's theorem" in said
    (other,) = [w for w in load_spec("kssu19_pegme", KEYS).plan().warnings if "ℓ=3" in w]
    assert "says nothing of this run" in other
    private = {k: v for k, v in KEYS.items() if k != "n"} | {"adjacency": "add_remove"}
    assert not any("ℓ=" in w for w in load_spec("kssu19_pegme", private).plan().warnings)


@pytest.mark.parametrize(("stray", "seen"), [(0.0, 2), (10.0, 2), (39.0, 2), (60.0, 0)])
def test_what_is_left_of_a_coarse_cell_hides_no_gap(stray: float, seen: int) -> None:
    """Two components, and a coarse cell between them: overlooked where its rows are no component (below least = 40)."""
    cells = [[0.0, 0.0], [1.0, 0.0], [20.0, 0.0], [21.0, 0.0], [10.0, 0.0]]
    weights, variances = [50.0, 50.0, 50.0, 50.0, stray], [1.0 / 12.0] * 4 + [400.0 / 12.0]
    kept = slice(0, None if stray else 4)
    assert len(gaps(Points(cells[kept], weights[kept], variances[kept]), 40.0, 3.0, 4)) == seen


def test_gaps_are_found_widest_first_and_with_enough_on_either_side() -> None:
    rng = np.random.default_rng(2)
    small = rng.normal([40.0, 0.0, 0.0], 1.0, (100, 3))
    rows = np.vstack([rng.normal(0, 1, (200, 3)), small, rng.normal(-900, 1, (9, 3))])
    data = Points(rows, np.ones(len(rows)), np.full(len(rows), 0.01))
    found = gaps(data, 50.0, 2.0, 8)
    assert found
    for gap in found:
        held = np.linalg.norm(rows - gap.centre, axis=1) <= gap.split.radius
        assert 50 <= held.sum() <= len(rows) - 50
        assert gap.split.radius == pytest.approx(gap.ball(4.0).radius * 2.0)
    assert [g.ratio for g in found] == sorted((g.ratio for g in found), reverse=True)
    assert gaps(data, 120.0, 2.0, 8) == []


def test_neighbours_in_coarse_cells_still_show_a_gap() -> None:
    """Cells reach as far as their rows do in square mean; to their corners, this gap is none of ratio 1.5."""
    cells = [[0.0, 0.0, 0.0, 0.0], [8.0, 0.0, 0.0, 0.0], [27.0, 0.0, 0.0, 0.0]]
    (first, *_) = gaps(Points(cells, [50.0, 50.0, 100.0], [64.0 / 12.0] * 3), 40.0, 1.5, 4)
    assert first.ratio >= 1.5
