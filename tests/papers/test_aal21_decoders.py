"""AAL21 on list decoding: T1, T6, the exact thresholds, ties, and lists that hold what the lemmas promise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe.kernel.mechanisms.stable_histogram import ReleasedCells
from dpframe.planning.plan import Plan
from dpframe.proof.losses import Gaussian
from dpframe.proof.spaces import ListOf
from dpframe_plugins.aal21 import bin_nodes
from dpframe_plugins.aal21 import decoder_nodes as nodes
from dpframe_plugins.aal21.lists import Accuracy, around, heavy_bins

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def planned(name: str, *, d: int, n: int, **parameters: Any) -> Plan:
    """A decoder on the whole table."""

    @dp.program
    def program(x: Any) -> Any:
        return dp.apply("list", dp.recipe(name, rows=n, **parameters), x)

    return dp.plan(program, x=dp.rows(d=d, n=n), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def decoded(name: str, rows: Any, *, seed: int = 1, **parameters: Any) -> Any:
    """The released list, or why there is none."""
    n, d = rows.shape
    result = planned(name, d=d, n=n, **parameters).run(x=rows, simulate=seed)
    return result["list"] if result.status == "released" else result.reason


def nearest(listed: Sequence[Any], mean: Any, sd: Any) -> float:
    """Distance to a component: the largest of |μ̂ − μ|/σ and |σ̂ − σ|/σ over columns, of the nearest listed one."""
    means = np.array([g.mean for g in listed])
    deviations = np.sqrt(np.array([np.diagonal(g.covariance) for g in listed]))
    gaps = np.maximum(np.abs(means - mean) / sd, np.abs(deviations - sd) / sd)
    return float(gaps.max(axis=1).min())


def mixture(n: int, weights: Any, means: Any, sds: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    which = rng.choice(len(weights), size=n, p=weights)
    means, sds = np.array(means), np.array(sds)
    return means[which] + sds[which] * rng.standard_normal((n, means.shape[1]))


# ------------------------------------------------------------------------------------------ Lemmas


@pytest.mark.parametrize("shift", [0.0, 12_345.678])
def test_lemma_4_2_and_corollary_4_5_known_deviation(shift: float) -> None:
    """One of the list is within ασ of every component of share 1 − γ."""
    rows = shift + mixture(20_000, [0.3, 0.7], [[0.3], [7.9]], [[1.5], [1.5]])
    listed = decoded("aal21.known_decoder", rows, sds=[1.5], alpha=0.1, gamma=0.8)
    for mean in (0.3, 7.9):
        assert nearest(listed, shift + mean, 1.5) <= 0.1
    assert len(listed) <= Accuracy(0.1, 0.8).most_bins() * len(Accuracy(0.1, 0.8).known_net())


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (1e-4, 1e8)])
def test_lemma_4_10_both_parameters(scale: float, shift: float) -> None:
    rows = scale * mixture(50_000, [0.4, 0.6], [[0.0], [6.0]], [[1.0], [3.0]]) + shift
    listed = decoded("aal21.gaussian_decoder", rows, alpha=0.5, gamma=0.7)
    for mean, sd in ((0.0, 1.0), (6.0, 3.0)):
        assert nearest(listed, scale * mean + shift, scale * sd) <= 0.5 * (1 + 1e-6)


@pytest.mark.parametrize("name", ["aal21.axis_aligned_decoder", "aal21.joint_decoder"])
def test_lemma_5_2_every_column(name: str) -> None:
    """α/d a column: with α = 2 and d = 2 within one deviation each."""
    means, sds = [[0.0, 0.0], [9.0, -30.0]], [[1.0, 2.0], [1.5, 3.0]]
    rows = mixture(50_000, [0.5, 0.5], means, sds)
    listed = decoded(name, rows, alpha=2.0, gamma=0.55)
    for mean, sd in zip(means, sds, strict=True):
        assert nearest(listed, mean, sd) <= 1.0 + 1e-9


def test_corollary_E_2_known_covariance() -> None:
    rows = mixture(50_000, [0.4, 0.6], [[0.2, 0.1], [5.0, 5.3]], [[1.0, 2.0]] * 2)
    listed = decoded("aal21.known_decoder", rows, sds=[1.0, 2.0], alpha=0.5, gamma=0.8)
    for mean in ([0.2, 0.1], [5.0, 5.3]):
        assert nearest(listed, mean, [1.0, 2.0]) <= 0.25 + 1e-9


def test_the_joint_list_does_not_combine_what_no_row_combines() -> None:
    """Two far clusters: the product list holds the two places where no row is, the joint list does not."""
    rows = mixture(50_000, [0.5, 0.5], [[0.0, 0.0], [100.0, 100.0]], [[1.0, 1.0]] * 2)
    listed = [decoded(f"aal21.{name}_decoder", rows, alpha=4.0, gamma=0.6) for name in ("axis_aligned", "joint")]
    astray = [sum(1 for g in found if abs(g.mean[0] - g.mean[1]) > 60.0) for found in listed]
    assert astray[0] > 0
    assert astray[1] < astray[0] / 2


def test_nets_step_as_the_text_says() -> None:
    """Algorithm 4, line 11 misses σ̃ itself; its points 2^(c−1) are within (1 + α) of every σ in (σ̃/2, σ̃]."""
    wanted = Accuracy(0.1, 0.5)
    for d in (1, 3):
        for net, step in ((wanted.mean_net(d), 0.1 / d), (wanted.known_net(d), 0.2 / d)):
            assert np.diff(net) == pytest.approx(step)
            assert net[-1] >= 1.0 - 1e-12
        factors = np.array(wanted.sd_net(d))
        for sigma in np.linspace(0.5, 1.0, 101)[1:]:
            assert np.abs(np.log2(factors / sigma)).min() <= math.log2(1 + 0.1 / d) + 1e-12


# ------------------------------------------------------------------------------------ T1, T6, T-less


def test_T6_an_item_has_the_total_over_the_list_and_the_plan_does_not_depend_on_its_bound() -> None:
    """Fixing ε' for all 12/(1−γ)² possible scales would divide the loop's budget by 2099 here."""
    factors = {
        gamma: planned("aal21.gaussian_decoder", d=1, n=100_000, alpha=0.1, gamma=gamma).factor
        for gamma in (0.5, 0.9, 0.999)
    }
    assert len(set(factors.values())) == 1


def test_T6_pairs_a_mean_only_with_the_scale_of_its_own_run() -> None:
    """The text's product of all means with all deviations holds every pair, the list only those of one run."""
    scales = [np.array([0.0, 1.0]), np.array([0.0, 64.0])]
    runs = [(released([5]),), (released([100]),)]
    wanted = nodes.GaussianList(alpha=1.0, gamma=0.5, rows=100)
    listed = wanted.apply(scales, runs)
    found = {(float(g.mean[0]), float(g.covariance[0, 0]) ** 0.5) for g in listed}
    nets = Accuracy(1.0, 0.5)
    both = len(nets.mean_net()) * len(nets.sd_net())
    assert len(found) == 2 * both
    assert not any(m < 100 and s > 32 for m, s in found)
    assert not any(m > 1000 and s < 32 for m, s in found)
    literal = 2 * len(nets.mean_net()) * 2 * len(nets.sd_net())
    assert literal == 2 * len(found)


def test_T6_the_static_bound_is_cubic_in_the_share() -> None:
    """12/(1−γ)² scales times 12/(1−γ) means: (1−γ)^−3; all pairs would be (1−γ)^−5."""

    def most(gamma: float) -> int:
        made = planned("aal21.gaussian_decoder", d=1, n=1000, alpha=1.0, gamma=gamma, limit=10**15)
        domain = made.graph.node("list.list").operation.output(
            ListOf(bin_nodes.SCALES.item, Accuracy(1.0, gamma).most_scales()),
            ListOf(nodes.SparseCounts(1, 1), Accuracy(1.0, gamma).most_scales()),
        )
        assert isinstance(domain, ListOf)
        return domain.max_length

    assert most(1 - 0.125) / most(0.5) == pytest.approx(4.0**3, rel=0.05)


@pytest.mark.parametrize("d", [2, 5])
def test_T1_all_columns_at_once_cost_one_histogram_of_root_2d(d: int) -> None:
    """Noise σ₁√m of m histograms against m runs at a share 1/m each: equal; against ε/m each: √m times less."""
    plan = planned("aal21.known_decoder", d=d, n=100_000, sds=[1.0] * d, alpha=1.0, gamma=0.5)
    (gaussian,) = [event for event, _ in plan.loss.events if isinstance(event, Gaussian)]
    one = planned("aal21.known_decoder", d=1, n=100_000, sds=[1.0], alpha=1.0, gamma=0.5)
    (single,) = [event for event, _ in one.loss.events if isinstance(event, Gaussian)]
    assert gaussian.mu == pytest.approx(single.mu, rel=1e-9)
    assert plan.loss.delta == one.loss.delta
    scales = [noise_of(p, "list.found") for p in (plan, one)]
    assert scales[0] == pytest.approx(scales[1], rel=1e-9)  # of one histogram; the release multiplies by √m


def noise_of(plan: Plan, node: str) -> float:
    """Noise scale of one histogram of a node."""
    return float(plan.calibrations[(node,)]["scale"])


def released(ids: list[int], count: float = 50.0) -> ReleasedCells:
    return ReleasedCells(np.array(ids)[:, None], np.full(len(ids), count), 10, 1.0)


# -------------------------------------------------------------------------------- thresholds, ties


def test_a_bin_is_heavy_above_an_eighth_of_the_share_and_above_the_exact_threshold() -> None:
    wanted = Accuracy(0.1, 0.6)
    assert wanted.heavy(8000) == pytest.approx(400.0)
    assert wanted.heavy(8000, 2) == pytest.approx(400.0 / 3)
    assert wanted.most_bins() == 30
    assert heavy_bins([1, 2, 3], [399.0, 400.5, 900.0], wanted.heavy(8000), 30) == [2, 3]
    assert heavy_bins([1, 2, 3], [401.0, 402.0, 900.0], wanted.heavy(8000), 2) == []


def test_the_share_of_pairs_is_under_one_row_and_the_noise_rules() -> None:
    """(1 − γ)² at n = 1e5, k = 2, α = 0.1 is below one pair: without the noise's threshold all bins would be scales."""
    gamma = 1 - (0.1 / 18) / (18 * 2)
    assert Accuracy(0.1, gamma).heavy_scale(50_000) < 1.0
    rows = np.random.default_rng(2).standard_normal((20_000, 1))
    result = planned("aal21.gaussian_decoder", d=1, n=20_000, alpha=1.0, gamma=gamma, limit=10**6).run(
        x=rows, simulate=2
    )
    assert result.status == "released"
    listed = np.sqrt([g.covariance[0, 0] for g in result["list"]])
    assert listed.min() > 2.0**-8
    assert listed.max() <= 8.0


def test_exact_ties_fall_in_no_dyadic_bin() -> None:
    """Half of the rows are one value: its pairs have no scale, and the others' are found."""
    rows = np.random.default_rng(3).standard_normal((40_000, 1))
    rows[::2] = 5.0
    listed = decoded("aal21.gaussian_decoder", rows, alpha=1.0, gamma=0.8)
    assert nearest(listed, 0.0, 1.0) <= 1.0
    assert decoded("aal21.gaussian_decoder", np.full((40_000, 1), 5.0), alpha=1.0, gamma=0.8).startswith("no distance")


def test_an_empty_list_is_a_failure_that_says_why() -> None:
    rows = np.random.default_rng(4).uniform(-1e9, 1e9, (20_000, 1))
    reason = decoded("aal21.known_decoder", rows, sds=[1.0], alpha=1.0, gamma=0.5)
    assert "list is empty" in reason


def test_a_list_is_not_written_out_beyond_its_limit() -> None:
    rows = mixture(20_000, [0.5, 0.5], [[0.0], [6.0]], [[1.0], [3.0]])
    reason = decoded("aal21.gaussian_decoder", rows, alpha=0.01, gamma=0.7, limit=1000)
    assert "more than limit = 1000" in reason


@pytest.mark.parametrize("part", ["split", "filter_ball"])
def test_a_decoder_takes_a_half_that_was_cut_by_index_and_no_filtered_rows(part: str) -> None:
    @dp.program
    def program(x: Any) -> Any:
        if part == "split":
            half = dp.transform("split", x, count=2)[0]
        else:
            half = dp.transform("filter_ball", x, dp.ball(centre=[0.0], radius=1.0))[0]
        return dp.apply("list", dp.recipe("aal21.gaussian_decoder", alpha=1.0, gamma=0.5, rows=500), half)

    def plan() -> Plan:
        return dp.plan(program, x=dp.rows(d=1, n=1000), adjacency=dp.REPLACE_ONE, budget=BUDGET)

    if part == "split":
        assert plan().spent["epsilon"] <= 1.0
    else:
        with pytest.raises(dp.PlanError, match="before any filter"):
            plan()


def test_around_lists_every_offset_with_every_factor() -> None:
    assert list(around(10.0, 2.0, [0.0, 1.0], [0.5, 1.0])) == [(10.0, 1.0), (10.0, 2.0), (12.0, 1.0), (12.0, 2.0)]


# ------------------------------------------------------------------------- Lemma 4.7: a light and narrow component

LIGHT, NARROW = 0.01, 1e-6


def beside_a_wide_one(n: int, seed: int = 0) -> Any:
    """N(0, 1), and a hundredth of the rows within 1e-6 of 3."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, 1))
    mine = rng.random(n) < LIGHT
    rows[mine] = 3.0 + NARROW * rng.standard_normal((int(mine.sum()), 1))
    return rows


@pytest.mark.parametrize("most", [0, 2**17])
def test_lemma_4_7_lists_the_scale_of_a_light_component(most: int) -> None:
    """(1 − γ)² of the pairs are within it: 75 of 7.5e5, at least a quarter of them in one bin (noise 1.5, bar 9).

    Broken twin: 2^17 pairs, of which 13 are. Rows and noise are seeded.
    """
    n = 1_500_000
    wanted = {"alpha": 1.0, "gamma": 1 - LIGHT, "rows": n, "limit": 10**6}

    @dp.program
    def program(x: Any) -> Any:
        near = dp.transform("dyadic_counts", dp.transform("pairs", x, max_pairs=most))
        return dp.post("aal21.scale_list", dp.release("sizes", dp.gaussian(share=1.0), near), **wanted)

    plan = dp.plan(program, x=dp.rows(d=1, n=n), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=5.0, delta=1e-6))
    result = plan.run(x=beside_a_wide_one(n), simulate=1)
    listed = [float(s[1]) for s in next(iter(result.outputs.values()))]
    assert any(NARROW <= s < 2 * NARROW for s in listed) == (most == 0)


def test_the_decoder_and_the_practical_mode_take_all_pairs() -> None:
    """No recipe of AAL21 caps its pairs."""
    n = 10_000_000
    plans = [planned(f"aal21.{name}_decoder", d=1, n=n, alpha=1.0, gamma=0.5) for name in ("gaussian", "axis_aligned")]
    plans += [load_spec("aal21_univariate", {"k": 2, "n": n}).plan()]
    for plan in plans:
        (pairs,) = [node.operation for node in plan.graph.nodes if node.operation.name == "pairs"]
        assert pairs.max_pairs == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "epsilon", "n"),
    [("paper", 10.0, 4_000_000), ("practical", 10.0, 4_000_000), ("practical", 1.0, 10_000_000)],
)
def test_a_light_narrow_component_is_found_in_both_modes(mode: str, epsilon: float, n: int) -> None:
    rows = beside_a_wide_one(n, seed=3)
    if mode == "practical":
        plan = load_spec("aal21_univariate", {"k": 2, "n": n, "epsilon": epsilon}).plan()
        mixture = plan.run(x=rows, simulate=2)["mixture"]
        light = int(np.argmin(mixture.weights))
        assert mixture.weights[light] == pytest.approx(LIGHT, rel=0.1)
        assert mixture.means[light, 0] == pytest.approx(3.0, abs=0.1 * NARROW)
        assert math.sqrt(mixture.covariances[light, 0, 0]) == pytest.approx(NARROW, rel=0.1)
        return

    @dp.program
    def program(x: Any) -> Any:
        wanted = {"alpha": 1.0, "gamma": 1 - LIGHT, "rows": n, "limit": 10**6}
        return dp.apply("list", dp.recipe("aal21.gaussian_decoder", **wanted), x)

    budget = dp.approx_dp(epsilon=epsilon, delta=1e-6)
    result = dp.plan(program, x=dp.rows(d=1, n=n), adjacency=dp.REPLACE_ONE, budget=budget).run(x=rows, simulate=2)
    assert nearest(result["list"], 3.0, NARROW) <= 1.0 + 1e-6


def test_more_scales_than_boxes_are_remarked() -> None:
    """Two scales in each of six columns are 64 combinations; one of them is a component's."""
    scales = [np.array([float(j), s]) for j in range(6) for s in (1.0, 64.0)]
    few, all_of_them = (bin_nodes.BoxesOf(d=6, levels=levels) for levels in (32, 64))
    assert ["raise boxes" in said for said in few.remarks(few.apply(scales))] == [True]
    boxes = all_of_them.apply(scales)
    assert len({tuple(row[6:]) for row in boxes}) == 64
    assert not all_of_them.remarks(boxes)
