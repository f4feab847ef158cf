"""Modes ``first`` and ``thesis``, and the two calibrations: planned, priced, certified, attacked, run."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe.kernel.families.mixture_mask import MixtureMask
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.proof.checker import verify
from dpframe.proof.families.masks import SLACK, mixture_cost
from dpframe.proof.losses import Loss, tightest_epsilon
from dpframe.proof.spaces import Mixture, Within
from dpframe.proof.theorems import truncated_laplace_bound
from dpframe_plugins.arbas23 import constants
from dpframe_plugins.arbas23.calibration import THESIS_EPSILON, exact, least_blocks, thesis
from dpframe_plugins.arbas23.selecting import agreement, rows_wanted, select

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
FIRST = {"n": 200_000, "d": 1, "mode": "first", "epsilon": 8.0, "delta": 0.01}
THESIS = {**FIRST, "mode": "thesis", "epsilon": 40.0, "delta": 0.05, "alpha": 1.0, "beta": 0.5, "r": 0.15}
SIZES = ((1, 1), (2, 2), (3, 2), (4, 10))


@pytest.fixture(scope="module")
def released() -> dict[str, Any]:
    """A real run of each mode on one Gaussian far away, at budgets whose tests noise fails in no run to be met."""
    rows = 1e6 + 3 * np.random.default_rng(0).standard_normal((FIRST["n"], 1))
    return {
        keys["mode"]: load_spec("arbas23_gaussian", keys).plan().run(x=rows)
        for keys in ({**FIRST, "epsilon": 16.0}, THESIS)
    }


@pytest.mark.parametrize("mode", ["first", "thesis"])
def test_both_modes_release_and_verify(released: dict[str, Any], mode: str) -> None:
    result = released[mode]
    assert result.status == "released", result.reason
    assert result["gaussian"].mean[0] == pytest.approx(1e6, abs=3.0)
    assert 2 < result["gaussian"].covariance[0, 0] < 40
    verdict = verify(result.certificate)
    assert verdict.verified, verdict.reasons
    assert any("the test passed" in hypothesis for hypothesis in verdict.hypotheses)


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["em", "spectral"])
def test_two_components_are_selected_and_masked(learner: str) -> None:
    rng = np.random.default_rng(0)
    rows = 1e6 + 1e3 * (np.where(rng.random(600_000) < 0.4, 0.0, 12.0) + rng.standard_normal(600_000))[:, None]
    keys = {"n": 600_000, "d": 1, "k": 2, "mode": "first", "epsilon": 20.0, "delta": 0.05, "learner": learner}
    result = load_spec("arbas23_gmm", keys).plan().run(x=rows)
    assert result.status == "released", result.reason
    assert verify(result.certificate).verified
    mixture = result["mixture"]
    order = np.argsort(mixture.means[:, 0])
    assert mixture.means[order, 0] == pytest.approx([1e6, 1.012e6], abs=800.0)
    assert mixture.weights[order] == pytest.approx([0.4, 0.6], abs=0.7)


@pytest.mark.parametrize("mode", ["first", "thesis"])
@pytest.mark.parametrize(
    ("key", "value"), [("test_threshold", 0.2), ("nu", 0.5), ("majority", 2), ("k", 2), ("majority", 10**6)]
)
def test_a_forged_selection_is_not_verified(released: dict[str, Any], mode: str, key: str, value: Any) -> None:
    for both in (False, True):
        document = json.loads(json.dumps(released[mode].certificate))
        names = ("select_mixture", "mixture_agreement") if both else ("select_mixture",)
        for node in (n for n in document["graph"]["nodes"] if n["operation"] in names):
            if key in node["parameters"]:
                node["parameters"][key] = node["theorem_inputs"][key] = value
        assert not verify(document).verified


@pytest.mark.parametrize("mode", ["first", "thesis"])
def test_at_practical_sizes_the_plan_warns_and_runs(mode: str) -> None:
    plan = load_spec("arbas23_gmm", {"n": 12_000, "d": 1, "k": 1, "t": 60, "mode": mode, "learner": "gaussian"}).plan()
    assert any("predicted to fail" in w or "can't pass" in w for w in plan.warnings)
    result = plan.run(x=np.random.default_rng(0).standard_normal((12_000, 1)), simulate=1)
    assert result.status == "failed"
    assert "do not agree" in result.reason
    assert "averaged" in result.advice
    assert plan.spent["epsilon"] <= 1.0


@pytest.mark.parametrize("mode", ["first", "thesis"])
def test_explain_prints_the_calibration(mode: str) -> None:
    text = load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2, "mode": mode}).plan().explain(full=True)
    assert "noises of weight, mean and covariance" in text
    assert ("C = C1 = 2.52 at d = 2, C2 = 0.2" in text) == (mode == "thesis")


def test_the_refined_spec_takes_the_modes() -> None:
    keys = {"n": 500_000, "d": 2, "k": 2, "mode": "first"}
    plan = load_spec("arbas23_gmm_refined", keys).plan()
    assert "select_mixture" in plan.explain(full=True)
    assert plan.spent["epsilon"] <= 1.0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mode": "second"}, "mode"),
        ({"mode": "first", "n": 500}, "can't be compared"),
        ({"mode": "first", "t": 4}, "can't be compared"),
        ({"mode": "first", "r": 1e-8}, "can't be compared"),
        ({"mode": "first", "k": 11}, "at most 10|unknown learner"),
        ({"mode": "first", "calibration": "guess"}, "calibration"),
        ({"mode": "thesis", "r": 0.5}, "epsilon|budget|allows"),
    ],
)
def test_refusals(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(dp.DpframeError, match=said):
        load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2, **changes}).plan()


def test_a_budget_without_delta_or_another_mode_is_refused() -> None:
    given = {"budget": BUDGET, "alpha": 0.3, "beta": 0.1}
    with pytest.raises(dp.PlanError, match="delta"):
        select(500_000, 2, 2, mode="first", **{**given, "budget": dp.zcdp(rho=1.0)})
    with pytest.raises(dp.SpecError, match="averaged, first or thesis"):
        select(500_000, 2, 2, mode="averaged", **given)
    with pytest.raises(dp.PlanError, match="10 components"):
        select(500_000, 2, 11, mode="first", **given)


# ------------------------------------------------------------------------------- calibrations


@pytest.mark.parametrize(("k", "d"), SIZES)
@pytest.mark.parametrize("make", [thesis, exact])
def test_noise_keeps_the_mask_within_alpha(make: Any, k: int, d: int) -> None:
    """dist_COMP of each part from its input over 3000 masks: fails more often than β/3k only by chance (1e-6)."""
    alpha, beta = 0.3, 0.3 * 3 * k
    made = make(alpha, min(beta, 0.9), 0.2, 1e-6, k, d)
    each, rng, draws = min(beta, 0.9) / (3 * k), np.random.default_rng(0), 3000
    g = rng.standard_normal((draws, d, d))
    root = np.eye(d) + made.etas[2] * g
    values = np.maximum(np.linalg.eigvalsh(root @ np.swapaxes(root, 1, 2)), 1e-12)
    away = np.maximum(np.linalg.norm(values - 1, axis=1), np.linalg.norm(1 / values - 1, axis=1))
    means = made.etas[1] * np.linalg.norm(rng.standard_normal((draws, d)), axis=1)
    weights = np.abs(made.etas[0] * rng.standard_normal(draws))
    limit = each + math.sqrt(math.log(1e6) / (2 * draws))
    assert max((away > alpha).mean(), (means > alpha).mean(), (weights > alpha).mean()) <= limit
    # a twin with 2.5 times the noise is caught by at least one part
    assert max((2.5 * means > alpha).mean(), (2.5 * weights > alpha).mean()) > limit


@pytest.mark.parametrize(("k", "d"), SIZES)
@pytest.mark.parametrize("make", [thesis, exact])
def test_both_calibrations_cost_at_most_epsilon_by_T3(make: Any, k: int, d: int) -> None:
    """The fitted C2 holds on these sizes, by proof; a quarter of it does not hold on all."""
    made = make(0.3, 0.1, 0.2, 1e-6, k, d)

    def cost(gamma: float) -> float:
        return tightest_epsilon(Loss.of(mixture_cost(gamma, made.etas, k, d), delta=SLACK), 1e-6)[0]

    assert cost(made.gamma) <= 0.2 * (1 + 1e-9)
    assert cost(12 * made.gamma) > 0.2


def test_formulas_are_those_of_the_thesis() -> None:
    alpha, beta, epsilon, delta, k, d = 0.2, 0.05, 0.1, 1e-7, 3, 4
    made = thesis(alpha, beta, epsilon, delta, k, d)
    b, c1 = beta / 9, constants.c1(4)
    assert made.etas[0] == pytest.approx(alpha / math.sqrt(2 + 2 * math.log(1 / b)))
    assert made.etas[1] == pytest.approx(alpha / math.sqrt(3 * (4 + math.log(1 / b))))
    assert made.etas[2] == pytest.approx(alpha / (c1 * (2 + math.sqrt(math.log(4 / b)))))
    root = math.sqrt(3 * math.log(2e7)) * math.sqrt(4 * (4 + math.log(36 / beta))) * math.log(36e7)
    assert made.gamma == pytest.approx(epsilon * alpha / (constants.C2 * root))
    assert made.t == math.ceil(200 * math.log(1 + math.expm1(0.1) / 2e-7))
    assert thesis(0.2, 0.05, 1.0, delta, k, d).gamma == thesis(0.2, 0.05, THESIS_EPSILON, delta, k, d).gamma
    assert thesis(0.2, 0.05, 50.0, 0.5, 1, 1).t >= 5


def test_constants_are_those_of_the_simulation() -> None:
    from pathlib import Path

    found = json.loads((Path(__file__).parents[3] / "bench/results/arbas23_constants.json").read_text())
    assert {int(d): math.ceil(c * 100) / 100 for d, c in found["C1"].items()} == constants.C1_BY_DIMENSION
    assert max(found["C2"].values()) <= constants.C2 <= 1.1 * max(found["C2"].values())
    assert constants.c1(4) == constants.c1(5) > constants.c1(3)
    assert constants.c1(64) == pytest.approx(2 * constants.c1(16))


@pytest.mark.parametrize("calibration", ["exact", "thesis"])
@pytest.mark.parametrize("mode", ["first", "thesis"])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.3, 1e-8), (8.0, 0.01)])
def test_the_blocks_of_a_plan_pass_surely_where_all_agree(
    epsilon: float, delta: float, mode: str, calibration: str
) -> None:
    """Their number is that of the test's own ε₁ and δ₁, whatever calibrates the mask: 1 − θ₀ >= 2A."""
    budget = dp.approx_dp(epsilon=epsilon, delta=delta)
    found = select(10**9, 2, 2, mode=mode, budget=budget, alpha=0.3, beta=0.1, calibration=calibration)
    assert 1 - found.threshold >= 2 * found.width * (1 - 1e-9)
    assert found.t <= 1.05 * (8 if mode == "first" else 20) / 8 * least_blocks(epsilon / 2, found.fraction * delta) + 6


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 2e-7), (1.0, 1e-6), (0.1, 1e-9), (10.0, 0.1)])
def test_T4_least_blocks(epsilon: float, delta: float) -> None:
    """About (8/ε)·ln(1 + (e^ε − 1)/2δ), against the thesis's 20/ε."""
    t = least_blocks(epsilon, delta)
    assert t <= 8 / epsilon * math.log(1 + math.expm1(epsilon) / (2 * delta)) * 1.05 + 6
    width = truncated_laplace_bound(2.0 / t, epsilon, delta)
    assert ((t + 1) // 2 + 0.5) / t + 2 * width <= 1


def test_the_thesis_mode_masks_with_the_thesis_noise() -> None:
    plan = load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2, "mode": "thesis"}).plan()
    (calibration,) = (c for path, c in plan.calibrations.items() if path[-1] == "mask")
    made = thesis(0.1, 0.05 / 536, 0.5, 5e-7, 2, 2)
    found = [calibration[f"eta_{part}"] for part in ("weight", "mean", "covariance")]
    assert found == pytest.approx(list(made.etas), rel=1e-6)


def test_spread_shares_rho() -> None:
    worst = (Within("component", 0.01),)
    even = MixtureMask(share=1.0, spread=(1.0, 1.0, 1.0)).calibrate(0.01, 0.0, worst, Mixture(2, 3))
    assert even["eta_weight"] == pytest.approx(even["eta_mean"]) == pytest.approx(2 * even["eta_covariance"])
    uneven = MixtureMask(share=1.0, spread=(1.0, 4.0, 1.0)).calibrate(0.01, 0.0, worst, Mixture(2, 3))
    assert uneven["eta_mean"] == pytest.approx(uneven["eta_weight"] / 2)
    for wrong in ((1.0, 1.0), (1.0, 0.0, 1.0), (1.0, math.inf, 1.0), "abc"):
        with pytest.raises(dp.DpframeError, match="spread"):
            MixtureMask(share=1.0, spread=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("k", "d"), [(1, 1), (2, 2), (3, 4)])
def test_predicted_agreement_is_that_of_estimates(k: int, d: int) -> None:
    """Against empirical Gaussians of simulated rows, to 0.1."""
    from dpframe.kernel.families.block_mixtures import matched_blocks, read_blocks

    rng, m, nu = np.random.default_rng(k), 800, 0.32
    blocks = []
    for _ in range(60):
        counts = rng.multinomial(k * m, np.full(k, 1 / k))
        parts = [50.0 * j + rng.standard_normal((c, d)) for j, c in enumerate(counts)]
        covariances = np.array([np.cov(p.T).reshape(d, d) for p in parts])
        blocks.append((counts / (k * m), np.array([p.mean(axis=0) for p in parts]), covariances))
    near = matched_blocks(read_blocks(blocks, k, d, None), nu)
    share = near[~np.eye(60, dtype=bool)].mean()
    assert agreement(k * m, k, d, nu) == pytest.approx(share, abs=0.1)
    assert agreement(rows_wanted(k, d, nu, 0.9), k, d, nu) == pytest.approx(0.9, abs=0.02)


def test_a_selected_block_is_masked_unbiased() -> None:
    """The whole branch by hand: 20 blocks that agree, the first of them released with noise in its own shape."""
    from dpframe.kernel.families.mixture_selection import SelectMixture

    root = np.array([[2.0, 0.0], [1.0, 1.0]])
    block = (np.ones(1), np.array([[1e6, -1e6]]), (root @ root.T)[None])
    chosen = SelectMixture(k=1, d=2, nu=0.1, majority=10, test_threshold=0.6).evaluate(Exact([block] * 20), None)
    calibration = {"eta_weight": 0.1, "eta_mean": 0.1, "eta_covariance": 0.05}
    mask, source = MixtureMask(share=1.0), SeededSource(1)
    found = [mask.release(chosen, calibration, Mixture(1, 2), source) for _ in range(300)]
    means = np.array([m.means[0] for m in found])
    assert np.abs(means.mean(axis=0) - [1e6, -1e6]).max() < 5 * 0.1 * 2 / math.sqrt(300)
    assert np.mean([m.covariances[0] for m in found], axis=0) == pytest.approx(root @ root.T, abs=0.3)
