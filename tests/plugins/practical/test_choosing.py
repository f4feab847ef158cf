"""The number of components, chosen privately."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe.plugin import BallValue
from dpframe.proof.checker import verify
from dpframe.proof.spaces import L2, LInf, MixtureValue
from dpframe.testing.audit.in_situ import in_situ
from dpframe_plugins.practical.choosing import (
    RANGE,
    Picked,
    Scoring,
    candidates,
    heaviest,
    lightest_left_out,
    merged,
    reduced,
)

KEYS = {"k_max": 4, "d": 2, "bound": 100.0, "epsilon": 2.0, "delta": 1e-6}


def three(n: int = 12_000) -> Any:
    """Three unit Gaussians, 10 apart."""
    rng = np.random.default_rng(3)
    return rng.normal(size=(n, 2)) + np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])[rng.integers(0, 3, size=n)]


def test_merging_keeps_weight_mean_and_covariance() -> None:
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(5, 3, 3))
    model = MixtureValue(rng.dirichlet(np.ones(5)), rng.normal(size=(5, 3)), roots @ np.swapaxes(roots, 1, 2))
    for k in range(1, 6):
        found = merged(model, k)
        assert found.weights.shape == (k,)
        assert found.weights.sum() == pytest.approx(1)
        for a, b in zip(moments(found), moments(model), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-12)


def moments(model: MixtureValue) -> tuple[Any, Any]:
    mean = model.weights @ model.means
    second = np.einsum("k,kij->ij", model.weights, model.covariances)
    return mean, second + np.einsum("k,ki,kj->ij", model.weights, model.means, model.means)


def test_the_two_that_are_alike_are_merged_first() -> None:
    means = np.array([[0.0], [50.0], [50.5], [-9.0]])
    found = merged(MixtureValue(np.full(4, 0.25), means, np.ones((4, 1, 1))), 3)
    assert sorted(found.means[:, 0]) == [-9.0, 0.0, 50.25]


def test_an_empty_component_goes_at_no_cost() -> None:
    model = MixtureValue(np.array([0.5, 0.0, 0.5, 0.0]), np.arange(4.0)[:, None] * 9, np.ones((4, 1, 1)))
    np.testing.assert_allclose(sorted(merged(model, 2).means[:, 0]), [0.0, 18.0])


def test_a_light_component_of_noise_can_be_left_out() -> None:
    """Merged, it would widen the cluster that is nearest: 6 components were chosen of 5 for that."""
    means = np.array([[0.0], [10.0], [5.0]])
    model = MixtureValue(np.array([0.5, 0.45, 0.05]), means, np.array([[[1.0]], [[1.0]], [[9.0]]]))
    without = reduced(model, 2, leave_out=True)
    np.testing.assert_allclose(without.covariances.ravel(), [1.0, 1.0])
    np.testing.assert_allclose(without.weights, [0.5 / 0.95, 0.45 / 0.95], atol=0.005)
    assert merged(model, 2).covariances.max() > 2.0
    for chosen, (k, leave_out) in enumerate(candidates(3)):
        picked = Picked(k=3, shares=(1.0,)).apply_noisy((chosen, model), (0.0, 0.0))
        np.testing.assert_allclose(picked.means, reduced(model, k, leave_out=leave_out).means)
    assert not isinstance(Picked(k=3, shares=(1.0,)).apply_noisy((99, model), (0.0, 0.0)), MixtureValue)


def log_likelihoods(model: MixtureValue, k: int, *, leave_out: bool, rows: Any) -> Any:
    """What rows say of a candidate, by the maps that they are seen through, without its penalty."""
    d = model.means.shape[1]
    operation = Scoring(k=k, most=len(model.weights), leave_out=leave_out, planned_noise="chosen")
    seen = operation.apply_noisy((model, BallValue(np.zeros(d), 100.0), [1e12]), (0.0,) * 4)
    away = np.array([((rows - one.shift) @ one.matrix) ** 2 for one in seen.maps]).sum(axis=2)
    return np.logaddexp.reduce(seen.log_weights[:, None] - 0.5 * away, axis=0)


@pytest.mark.parametrize("light", [0.02, 0.1, 0.2])
def test_a_light_cluster_by_itself_is_missed_by_its_rows(light: float) -> None:
    """Its rows lose more than a nat, which counts as one; given its weight, the others' would gain as much."""
    weights = np.array([0.5, 0.5 - light, light])
    model = MixtureValue(weights, np.array([[0.0], [40.0], [80.0]]), np.ones((3, 1, 1)))
    rows = model.means  # a row of each, which speaks for all of its cluster's
    whole = log_likelihoods(model, 3, leave_out=False, rows=rows)
    for k in (1, 2):
        without = np.clip(log_likelihoods(model, k, leave_out=True, rows=rows) - whole, -RANGE, RANGE)
        assert weights @ without == pytest.approx(-weights[k:].sum() * RANGE, rel=1e-6)


def test_a_fragment_within_a_cluster_costs_nothing_to_leave_out() -> None:
    """The cluster has its rows, and its weight; of the half of a cluster the other half has not."""
    means = np.array([[0.0], [40.0], [0.2]])
    model = MixtureValue(np.array([0.5, 0.4, 0.1]), means, np.array([[[1.0]], [[1.0]], [[0.5]]]))
    np.testing.assert_allclose(lightest_left_out(model, 2).weights, [0.6, 0.4], atol=0.01)
    apart = MixtureValue(model.weights, np.array([[0.0], [40.0], [6.0]]), model.covariances)
    np.testing.assert_allclose(heaviest(apart, 2).weights, [0.5, 0.4], atol=0.01)


@pytest.mark.slow
def test_three_are_found_among_four_within_the_budget_and_no_row_says_more_than_is_certified() -> None:
    rows = three()
    planned = load_spec("practical_gmm", {**KEYS, "n": len(rows)}).plan()
    assert planned.spent["epsilon"] <= KEYS["epsilon"]
    assert verify(planned.document(simulated=False)).verified
    worst = next(w.worst for p, w in planned.weighings.items() if p[-1].endswith("chosen_k"))
    assert next(m.bound for m in worst if isinstance(m, LInf)) == 2.0 * RANGE
    result = planned.run(x=rows, simulate=1)
    assert len(result["mixture"].weights) == 3
    other = rows.copy()
    other[5] = [90.0, -90.0]
    assert in_situ(planned, {"x": rows}, {"x": other}) == []


@pytest.mark.slow
def test_what_is_released_is_judged_and_not_what_was_left_out() -> None:
    """Of six components three are of noise: all of them were judged, and every other such result called poor."""
    rows, _ = make_blobs(20_000, 4, centers=3, random_state=2)
    planned = load_spec(
        "practical_gmm", {**KEYS, "d": 4, "k_max": 6, "bound": 1000.0, "epsilon": 1.0, "n": len(rows)}
    ).plan()
    result = planned.run(x=rows, simulate=2)
    assert len(result["mixture"].weights) == 3
    assert result.quality.verdict == "good"
    assert "weight 0.33" in result.quality.why


def test_scores_that_are_not_clipped_are_refused() -> None:
    @dp.program
    def unclipped(x: Any) -> Any:
        ball = dp.ball(centre=[0.0, 0.0], radius=1.0)
        return dp.release("chosen", dp.exponential_mechanism(share=1.0), dp.sum(dp.clip(x, ball)))

    with pytest.raises(DpframeError, match="LInf, has: " + L2.__name__):
        dp.plan(unclipped, x=dp.rows(n=100, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, 1e-6))


@pytest.mark.parametrize(
    ("spec", "keys", "said"),
    [
        ("practical_gmm", {"k": 2}, "k and k_max are both given"),
        ("practical_gmm", {"tail": True}, "a tail is for a given number"),
        ("practical_gmm", {"k_max": None}, "needs 'k'"),
        ("practical_gmm", {"k_max": 65}, "at most 64"),
        ("arbas23_gmm", {}, "practical_gmm"),
    ],
)
def test_where_the_number_can_not_be_chosen(spec: str, keys: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError) as refused:
        load_spec(spec, {**KEYS, "n": 1000, **keys}).plan()
    assert said in str(refused.value)


def test_one_at_most_is_one() -> None:
    rows = np.random.default_rng(1).normal(size=(3000, 2))
    planned = load_spec("practical_gmm", {**KEYS, "k_max": 1, "n": 3000}).plan()
    assert len(planned.run(x=rows, simulate=1)["mixture"].weights) == 1
