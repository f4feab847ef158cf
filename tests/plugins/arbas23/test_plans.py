"""The planner and the verifier price the populous estimator, and both refuse what its proof does not cover."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.front.program import Handle
from dpframe.front.specs import load_spec
from dpframe.kernel.families.mixture_mask import BITS, MixtureMask, fine_gaussians
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.plugin import GaussianEvent, lattice_gaussian, lattice_gaussian_mu, mask, semimetric
from dpframe.proof.checker import verify
from dpframe.proof.losses import Pure, Renyi
from dpframe.proof.spaces import Mixture, Within

N = 10_000
LARGE = {"epsilon": 8.0, "delta": 1e-3}
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


@pytest.fixture(scope="module")
def released() -> Any:
    """A real run of the smallest spec on one Gaussian far away."""
    rows = 1e6 + np.random.default_rng(0).standard_normal((N, 1))
    plan = load_spec("arbas23_gaussian", {"n": N, "d": 1, **LARGE}).plan()
    return plan.run(x=rows)


def test_a_certificate_of_the_spec_is_verified(released: Any) -> None:
    verdict = verify(released.certificate)
    assert verdict.verified, verdict.reasons
    assert any("the test passed" in hypothesis for hypothesis in verdict.hypotheses)


def test_it_finds_a_gaussian_anywhere(released: Any) -> None:
    assert released.status == "released", released.reason
    assert released["gaussian"].mean[0] == pytest.approx(1e6, abs=1.0)
    assert 0.4 < released["gaussian"].covariance[0, 0] < 2.5


@pytest.mark.parametrize(
    ("key", "value"), [("test_threshold", 5.0), ("ramp", 2), ("r", 0.1), ("majority", 150), ("k", 2)]
)
def test_a_forged_average_is_not_verified(released: Any, key: str, value: Any) -> None:
    document = json.loads(json.dumps(released.certificate))
    node = next(n for n in document["graph"]["nodes"] if n["operation"] == "populous_average")
    node["parameters"][key] = node["theorem_inputs"][key] = value
    assert not verify(document).verified


def test_a_mask_of_any_view_is_used_anywhere() -> None:
    """Its cost is an event of mu; the refusal of another view says which to use, and the recipe takes that."""
    vector = {"learner": "gaussian_1", "size": 2, "semimetric": "plans.line", "mask": "plans.line.gaussian", "r": 0.5}

    @semimetric("plans.line", triangle=lambda r: 1.0, many=True)
    def line(a: Any, b: Any) -> Any:
        """The distance of two vectors."""
        return np.sqrt(np.square(a - b).sum(axis=-1)) * (1 + 1e-12)

    @mask(
        "plans.line.gaussian",
        semimetric="plans.line",
        cost=lambda noise, r: GaussianEvent(lattice_gaussian_mu(noise, r)),
    )
    def gaussian(value: Any, noise: float, normals: Any) -> Any:
        """The Gaussian mechanism."""
        return lattice_gaussian(value, noise, normals)

    def planned(**more: Any) -> Any:
        recipe = dp.recipe("arbas23.anywhere", **vector, **more)
        program = dp.program(lambda x: dp.release("made", recipe, x))
        told = {"adjacency": dp.REPLACE_ONE, "budget": BUDGET, "allow_asserted": True}
        return dp.plan(program, x=dp.rows(n=100_000, d=2), **told)

    with pytest.raises(DpframeError, match="use view='mu'"):
        planned()
    assert planned(view="mu").verdict.holds


def test_the_loss_is_the_test_and_the_mask() -> None:
    plan = load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2}).plan()
    kinds = [type(event) for event, _ in plan.loss.events]
    assert sorted(kinds, key=str) == sorted([Pure, Renyi], key=str)
    (test,) = (op for op in (n.operation for n in plan.graph.nodes) if op.name == "truncated_laplace_test")
    assert plan.loss.delta == pytest.approx(test.delta_fraction * 1e-6)
    assert plan.spent["epsilon"] <= 1.0


def populous(x: Handle, *, bar: float = 300.0, asked: float = 300.0, ramp: int = 200, other: int = 200) -> Handle:
    blocks = dp.transform("block_learner", x, learner="gaussian_1", t=600, item="mixture", size=[1, 2])
    shared = {"k": 1, "d": 2, "r": 0.7, "majority": 300}
    weight = dp.transform("populous_weight", blocks, ramp=other, **shared)
    mechanism = dp.truncated_laplace_test(noise_multiplier=2.0, threshold=bar, delta_fraction=0.2)
    test = dp.release("test", mechanism, weight)
    chosen = dp.transform("populous_average", blocks, test, ramp=ramp, test_threshold=asked, **shared)

    def mask(average: Handle) -> Handle:
        return dp.release("mask", dp.named("mixture_mask", {"share": 1.0}), average)

    return dp.branch("answer", test, mask, mask, chosen)  # its body "otherwise" must not read the average


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "exists only if the test"),
        ({"bar": 100.0}, "the test has 100.0"),
        ({"other": 100}, "made with ramp=100"),
    ],
)
def test_the_planner_refuses(change: dict[str, Any], message: str) -> None:
    @dp.program
    def program(x: Handle) -> Handle:
        return populous(x, **change)

    with pytest.raises(dp.PlanError, match=message):
        dp.plan(program, x=dp.rows(n=100_000, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"adjacency": "add_remove"}, "n|public"),
        ({"n": 50}, "too few"),
        ({"n": 1000, "t": 200}, "too few"),
        ({"t": 3}, "t must be"),
        ({"r": 2.0}, "r"),
        ({"bound": 1.0}, "bound"),
    ],
)
def test_the_spec_refuses(changes: dict[str, Any], said: str) -> None:
    keys = {"n": 500_000, "d": 2, "k": 2, **changes}
    if changes.get("adjacency") == "add_remove":
        del keys["n"]
    with pytest.raises(DpframeError, match=said):
        load_spec("arbas23_gmm", keys).plan()


def test_gaussians_have_the_law() -> None:
    """Kolmogorov distance of 20,000 draws; the bound is passed with probability 1e-6 (DKW)."""
    from scipy.special import ndtr

    drawn = np.sort([float(x / (1 << (BITS - 60))) * 2.0**-60 for x in fine_gaussians(SeededSource(5), 20_000)])
    steps = np.arange(len(drawn)) / len(drawn)
    gap = max(np.abs(ndtr(drawn) - steps).max(), np.abs(ndtr(drawn) - steps - 1 / len(drawn)).max())
    limit = np.sqrt(np.log(2 / 1e-6) / 2 / len(drawn))
    assert gap < limit
    wide = np.abs(ndtr(1.1 * drawn) - steps).max()
    assert wide > limit


def test_the_mask_is_unbiased_up_to_its_size() -> None:
    """Mean and covariance of many masks of one component, and the random order of two."""
    mask, domain = MixtureMask(share=1.0), Mixture(2, 2)
    calibration = {"eta_weight": 0.01, "eta_mean": 0.2, "eta_covariance": 0.1}
    root = np.array([[2.0, 0.0], [1.0, 1.0]])
    exact = Exact((np.array([0.3, 0.7]), np.array([[5.0, -5.0], [100.0, 100.0]]), np.array([root, root])))
    source = SeededSource(2)
    found = [mask.release(exact, calibration, domain, source) for _ in range(400)]
    first = np.array([m.means[0, 0] for m in found])
    assert 0.35 < (first < 50).mean() < 0.65
    small = np.array([m.means[np.argmin(m.means[:, 0])] for m in found])
    assert np.abs(small.mean(axis=0) - [5, -5]).max() < 5 * 0.2 * 2.3 / 20
    assert np.cov(small.T) == pytest.approx(0.04 * root @ root.T, abs=0.08)
    covariances = np.array([c for m in found for c in m.covariances])
    assert covariances.mean(axis=0) == pytest.approx(root @ root.T, abs=0.3)


def test_noise_follows_the_share() -> None:
    mask, worst = MixtureMask(share=1.0), (Within("component", 0.01),)
    small, large = (mask.calibrate(rho, 0.0, worst, Mixture(2, 3))["eta_mean"] for rho in (0.01, 0.04))
    assert small == pytest.approx(2 * large)
