"""PEGME and its parts: balls from released cells, PSGE, PCA about a centre, runs and refusals of the spec."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe.plugin import BallValue, Handle
from dpframe_plugins.kssu19.finding import clusters
from dpframe_plugins.practical.cells import Points

D, N, SIGMA = 6, 4000, np.array([1.0, 3.0])
CENTRES = 1e3 + np.array([[0.0] * D, [60.0, 0, 0, 0, 0, 0]])
BUDGET = dp.approx_dp(epsilon=8.0, delta=1e-6)
ONE: dict[str, Any] = {"sigma_min": 0.1, "sigma_max": 10.0}
KEYS: dict[str, Any] = {"n": N, "d": D, "k": 2, "epsilon": 8.0, "refine": False, **ONE}


def table(seed: int = 0, n: int = N) -> Any:
    rng = np.random.default_rng([14, seed])
    labels = rng.integers(0, 2, n)
    return CENTRES[labels] + SIGMA[labels, None] * rng.standard_normal((n, D))


def errors(mixture: Any) -> tuple[float, float]:
    """Largest mean error in standard deviations, largest relative error of a deviation."""
    order = np.argsort(mixture.means[:, 0])
    away = np.linalg.norm(mixture.means[order] - CENTRES, axis=1) / SIGMA
    widths = np.sqrt(np.trace(mixture.covariances[order], axis1=1, axis2=2) / D)
    return float(away.max()), float(np.abs(widths / SIGMA - 1).max())


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": "equal"},
        pytest.param({"R": 1e4}, marks=pytest.mark.slow),
        pytest.param({"leaf": "coinpress"}, marks=pytest.mark.slow),
        pytest.param({"halves": True}, marks=pytest.mark.slow),
        pytest.param({"adjacency": "add_remove", "n": None}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_it_finds_both_components(changes: dict[str, Any]) -> None:
    """Sampling leaves √(6/2000) = 0.055 of a deviation; noise at ε = 8 less."""
    keys = {k: v for k, v in {**KEYS, **changes}.items() if v is not None}
    result = load_spec("kssu19_pegme", keys).plan().run(x=table(), simulate=1)
    assert result.status == "released", result.reason
    assert errors(result["mixture"])[0] < 0.4
    assert result["mixture"].weights == pytest.approx([0.5, 0.5], abs=0.05)
    if keys.get("weights") == "equal":
        assert result["mixture"].weights.tolist() == [0.5, 0.5]
    if keys.get("leaf") is None:
        assert errors(result["mixture"])[1] < 0.1


@pytest.mark.slow
def test_refined_components_have_full_covariances() -> None:
    result = load_spec("kssu19_pegme", {**KEYS, "refine": True}).plan().run(x=table(), simulate=1)
    found = result["mixture"]
    assert errors(found)[0] < 0.3
    assert np.abs(found.covariances[0] - np.diag(np.diag(found.covariances[0]))).max() > 0


def test_fewer_components_than_k_is_a_failure() -> None:
    result = load_spec("kssu19_pegme", {**KEYS, "k": 3}).plan().run(x=table(), simulate=1)
    assert result.status == "failed"
    assert "fewer than 3 components" in result.reason
    assert result.outputs == {}


def test_a_run_of_the_command_verifies(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", table())
    sets = [f"--set={k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in KEYS.items()]
    out = tmp_path / "out"
    assert main(["run", "kssu19_pegme", "--data", str(tmp_path / "x.npy"), "--out", str(out), *sets]) == 0
    files = ["--spec", str(out / "spec.toml"), "--result", str(out / "result.json")]
    assert main(["verify", str(out / "certificate.json"), *files]) == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"k": 0}, "k"),
        ({"w_min": 0.6}, "w_min must be at least 1e-09 and at most 1/k"),
        ({"w_min": 5e-324}, "w_min must be at least 1e-09"),
        ({"sigma_min": 20.0}, "above sigma_max"),
        ({"sigma_min": 1e-9}, "narrow the range"),
        ({"sigma_max": -1.0}, "sigma_max"),
        ({"sigma_min": 1e-300}, r"sigma_min must be .* from 4e-121 to 3e\+120, not 1e-300"),
        ({"R": 0.0}, "R"),
        ({"leaf": "psgee"}, "psge"),
        ({"halfs": True}, "halves"),
        ({"rho": 0.5, "epsilon": None}, "spends a part of δ"),
    ],
)
def test_bad_keys_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        load_spec("kssu19_pegme", {k: v for k, v in {**KEYS, **changes}.items() if v is not None}).plan()


def test_a_radius_that_promises_nothing_is_as_good_as_none() -> None:
    """One that no ball of the table's frame holds."""
    plans = [load_spec("kssu19_pegme", {**KEYS, **more}).plan() for more in ({}, {"R": 1e300})]
    assert plans[0].document(simulated=False) == plans[1].document(simulated=False)
    load_spec("kssu19_pegme", {**KEYS, "R": 1e-300}).plan()


def test_sigma_must_be_given() -> None:
    with pytest.raises(DpframeError, match="sigma_m"):
        load_spec("kssu19_pegme", {"n": N, "d": D, "k": 2}).plan()


def test_a_part_is_no_table() -> None:
    def program(x: Handle) -> Handle:
        part = dp.split(x, count=2)[0]
        return dp.release("m", dp.recipe("kssu19_pegme", k=2, **ONE), part)

    with pytest.raises(dp.PlanError, match="whole private table"):
        planned(program)


def planned(program: Any, n: int = N, d: int = D) -> Any:
    return dp.plan(dp.program(program), x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)


# ------------------------------------------------------------------------------------------------ PSGE and PCA


@pytest.mark.parametrize("away", [0.0, 1e6])
def test_c2_c10_psge_is_about_the_centre_of_its_ball(away: float) -> None:
    """C2: the noise of Σ(x − c) does not grow with ‖c‖, as that of the printed Σx would."""

    def program(x: Handle) -> Handle:
        ball = dp.ball(centre=[away] * D, radius=200.0)
        return dp.apply("g", dp.recipe("kssu19.psge", share=1.0), x, ball)["gaussian"]

    rows = away + 2.0 + 3.0 * np.random.default_rng(1).standard_normal((N, D))
    result = planned(program).run(x=rows, simulate=2)
    (found,) = result.outputs.values()
    assert np.linalg.norm(found.mean - away - 2.0) / 3.0 < 0.25
    assert math.sqrt(found.covariance[0, 0]) == pytest.approx(3.0, rel=0.05)


def test_c3_c10_psge_makes_three_releases_and_forms_no_pairs() -> None:
    def program(x: Handle) -> Handle:
        return dp.apply("g", dp.recipe("kssu19.psge", share=1.0), x, dp.ball(centre=[0.0] * D, radius=9.0))["gaussian"]

    graph = planned(program).graph
    assert {n.operation.name for n in graph.nodes if n.operation.kind == "statistic"} == {
        "count",
        "distance_histogram",
        "sum",
        "square_sum",
    }
    assert not any("pairs" in n.operation.name for n in graph.nodes)


def test_c4_pca_is_about_the_centre_of_its_ball() -> None:
    """C4: far from 0 the leading direction of XᵀX is that of the mean; about the centre it is that of the spread."""
    widths = np.array([0.2, 5.0, 0.2, 0.2, 0.2, 0.2])
    rows = 1e3 * np.eye(D)[0] + widths * np.random.default_rng(3).standard_normal((N, D))

    def direction(centre: float) -> Any:
        def program(x: Handle) -> Handle:
            ball = dp.ball(centre=[centre] + [0.0] * (D - 1), radius=20.0 if centre else 1100.0)
            return dp.apply("p", dp.recipe("kssu19.pca", rank=1, share=1.0), x, ball)

        (found,) = planned(program).run(x=rows, simulate=4).outputs.values()
        return np.abs(found.matrix[:, 0])

    assert direction(1e3)[1] > 0.99
    assert direction(0.0)[0] > 0.99


def test_pca_of_all_columns_releases_nothing() -> None:
    def program(x: Handle) -> Handle:
        ball = dp.ball(centre=[0.0] * D, radius=1.0)
        map_ = dp.apply("p", dp.recipe("kssu19.pca", rank=D + 3, share=1.0), x, ball)
        return dp.release("c", dp.gaussian(share=1.0), dp.count(dp.affine(x, map_)))

    assert not any(n.operation.name == "gram" for n in planned(program).graph.nodes)


# ------------------------------------------------------------------------------------------------ balls


@pytest.mark.parametrize("p", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)])
def test_clusters_of_very_different_widths_are_found(p: int) -> None:
    """Points of equal weight stand for released cells: widths 1 and 100, the small one light."""
    rng = np.random.default_rng(p)
    wide, small = 100.0 * rng.standard_normal((800, p)), 3e3 + rng.standard_normal((100, p))
    found = clusters(Points(np.vstack([wide, small]), np.ones(900), np.full(900, 1e-4)), 2, 60.0)
    assert found is not None
    order = np.argsort(found.variances)
    assert np.sqrt(found.variances[order]) == pytest.approx([1.0, 100.0], rel=0.5)
    assert found.weights[order] == pytest.approx([1 / 9, 8 / 9], abs=0.05)


def test_a_component_in_a_few_cells_is_one_cluster() -> None:
    """Released cells of a run that failed: the smallest ball with enough rows was one cell, of a component of two."""
    positions = [[-13.0, -7, 0, -6], [9, -9, 9, -8], [1, 7, -6, -8], [-14, -9, 1, 0], [5, -13, 13, 4], [-5, 9, 11, -2]]
    sides = np.array([3.8, 7.7, 7.7, 7.7, 15.4, 3.8])
    found = clusters(Points(positions, [303.0, 289, 660, 383, 290, 639], sides**2 / 12.0), 4, 170.0)
    assert found is not None
    for centre in ([-13.5, -8, 0.5, -3], [7, -11, 11, -2], [1, 7, -6, -8], [-5, 9, 11, -2]):
        assert np.linalg.norm(found.means - centre, axis=1).min() < 6.0


def test_c9_no_cluster_is_made_up() -> None:
    rows = np.random.default_rng(0).standard_normal((200, 2))
    assert clusters(Points(rows, np.ones(200), np.full(200, 1e-4)), 2, 50.0) is None


def test_balls_share_a_gap_by_widths() -> None:
    from dpframe_plugins.kssu19.finding import Clusters, balls

    first, second = balls(Clusters([0.5, 0.5], [[0.0, 0.0], [8.0, 0.0]], [9.0, 1.0]))
    assert isinstance(first, BallValue)
    assert first.radius + second.radius == pytest.approx(8.0)
