"""What the plan chooses: from public numbers alone, always affordable, and near what blocks then do."""

from __future__ import annotations

import itertools
import tracemalloc
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import PlanError
from dpframe.front.specs import load_spec
from dpframe.kernel.families.block_mixtures import near_blocks, pair_bytes, read_blocks
from dpframe.kernel.families.populous import PopulousWeight
from dpframe.kernel.operations import Exact
from dpframe.proof.families.masks import ORDERS, shape_cost
from dpframe.proof.families.populous import check_blocks
from dpframe_plugins.arbas23 import agreement as agreeing
from dpframe_plugins.arbas23 import pricing, sizing
from dpframe_plugins.arbas23.agreement import agreement
from dpframe_plugins.arbas23.pricing import ORDER
from dpframe_plugins.arbas23.sizing import sizes

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def draw(rng: np.random.Generator, rows: int, d: int, shares: tuple[float, ...]) -> Any:
    """What an efficient learner gives on a block of far components."""
    parts = [rng.standard_normal((int(rows * share), d)) for share in shares]
    means = np.array([part.mean(axis=0) for part in parts]) + 100.0 * np.arange(len(parts))[:, None]
    return np.array(shares), means, np.array([np.atleast_2d(np.cov(part.T)) for part in parts])


@pytest.mark.parametrize(
    ("rows", "d", "shares", "r"),
    [(60, 1, (1.0,), 1.0), (500, 2, (0.4, 0.6), 1.0), (1500, 3, (0.27, 0.365, 0.365), 0.85)],
)
def test_the_weight_of_real_blocks_is_near_its_prediction(
    rows: int, d: int, shares: tuple[float, ...], r: float, rng: np.random.Generator
) -> None:
    t, k = 300, len(shares)
    blocks = [draw(rng, rows, d, shares) for _ in range(t)]
    found = PopulousWeight(k=k, d=d, r=r, majority=150, ramp=135).evaluate(Exact(blocks)).floats[0] / t
    predicted = agreement(rows, d, k, r, np.array([0.45]))[0]
    assert 0.3 < predicted < 1
    assert found == pytest.approx(predicted, abs=0.12)


@pytest.mark.parametrize("r", [-2.0, 0.0, 5e-324, 1e-20, 1.5, float("nan"), "x", True])
def test_a_radius_that_is_none_is_refused_by_name(r: Any) -> None:
    with pytest.raises(PlanError, match="r must be a number from 1e-05 to 1, not "):
        sizes(10**5, 2, 2, budget=BUDGET, r=r)


@pytest.mark.parametrize(("n", "d", "k"), [(10**4, 1, 1), (10**6, 2, 2), (10**6, 5, 1), (10**7, 4, 3)])
def test_a_size_is_valid_and_a_function_of_public_numbers(n: int, d: int, k: int) -> None:
    size = sizes(n, d, k, budget=BUDGET)
    check_blocks({"majority": size.majority, "ramp": size.ramp}, size.t)
    assert size.t * size.rows <= n
    assert 0 < size.threshold <= size.t - 1
    sizing._sizes.cache_clear()
    assert sizes(n, d, k, budget=BUDGET) == size


def test_more_rows_are_no_worse() -> None:
    found = [sizes(n, 2, 2, budget=BUDGET) for n in (200_000, 400_000, 800_000, 1_600_000)]
    chances, noises = [size.chance for size in found], [size.noise(2, 2) for size in found]
    assert chances[0] < 0.5
    assert chances[1] > 0.99
    assert noises == sorted(noises, reverse=True)


DECADES = [10**e for e in range(6, 13)]


def improves(d: int, k: int, epsilon: float) -> bool:
    """Whether noise and error fall with every decade of rows where the test passes surely, and chances never do."""
    budget = dp.approx_dp(epsilon=epsilon, delta=1e-6)
    found = [sizing._sizes.__wrapped__(n, d, k, budget, None, None, 0.0) for n in DECADES]
    chances = [size.chance for size in found]
    sure = [(n, size.noise(k, d)) for n, size in zip(DECADES, found, strict=True) if size.chance > 0.99]
    noises = [noise for _, noise in sure]
    errors = [noise * d**0.5 + (d * k / n) ** 0.5 for n, noise in sure]
    steps = [b < a for falling in (noises, errors) for a, b in itertools.pairwise(falling)]
    return chances == sorted(chances) and len(sure) >= 5 and all(steps) and noises[-1] < noises[0] / 30


CORNERS = [(5, 1, 1.0), (2, 2, 1.0), (1, 1, 0.1)]


@pytest.mark.parametrize(("d", "k", "epsilon"), CORNERS)
def test_noise_falls_as_rows_grow(d: int, k: int, epsilon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizing, "STEP", 1.4)
    assert improves(d, k, epsilon)


@pytest.mark.slow
@pytest.mark.parametrize(("d", "k", "epsilon"), [(5, 1, 1.0), (2, 2, 0.1), (3, 3, 1.0)])
def test_noise_falls_on_the_grid_itself(d: int, k: int, epsilon: float) -> None:
    assert improves(d, k, epsilon)


@pytest.mark.parametrize(("d", "k", "epsilon"), CORNERS[:2])
def test_short_lists_are_caught(d: int, k: int, epsilon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizing, "STEP", 1.4)
    monkeypatch.setattr(sizing, "RADII", np.array([0.7, 0.85, 1.0]))
    monkeypatch.setattr(sizing, "most_blocks", lambda k, d: 2000)
    assert not improves(d, k, epsilon)


def test_a_small_budget_gets_more_blocks() -> None:
    size = sizes(3_000_000, 5, 1, budget=dp.approx_dp(epsilon=0.1, delta=1e-6))
    assert size.chance > 0.99
    assert 3000 < size.t < 6000


def test_a_small_radius_asks_for_little_separation() -> None:
    few, many = (sizes(n, 2, 2, budget=BUDGET) for n in (10**6, 10**9))
    assert many.apart < 0.34
    assert few.apart > 2
    told = load_spec("arbas23_gmm", {"n": 10**9, "d": 2, "k": 2}).plan().explain(full=True)
    assert f"more than {many.apart:.3g} deviations apart" in told


def test_the_comparison_of_blocks_fits_into_memory() -> None:
    """What is allocated at once, numpy's arrays included, is within the model, which rules the most blocks."""
    for k, d, t in ((1, 5, 900), (3, 2, 300)):
        one = (np.full(k, 1 / k), 100.0 * np.arange(k)[:, None] * np.ones(d), np.tile(np.eye(d), (k, 1, 1)))
        blocks = read_blocks([one] * t, k, d, 0.5)
        tracemalloc.start()
        assert near_blocks(blocks, 0.5).all()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < pair_bytes(t, k, d)
    for k, d in ((1, 5), (2, 2), (4, 10)):
        assert pair_bytes(sizing.most_blocks(k, d), k, d) <= sizing.MEMORY
        assert pair_bytes(sizing.most_blocks(k, d) + 1, k, d) > sizing.MEMORY


@pytest.mark.parametrize(("rows", "d", "r"), [(701, 5, 1.0), (5032, 5, 0.2973), (60, 1, 1.0), (10**9, 2, 1e-3)])
def test_the_prediction_does_not_hang_on_its_draws(
    rows: int, d: int, r: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Independent draws of other seeds, many more of them, agree within the reserve that the plan makes."""
    ramps = np.array([0.45])
    predicted = float(agreement(rows, d, 1, r, ramps)[0])
    rng = np.random.default_rng(3)
    size = 1500
    normal = np.tril(rng.standard_normal((size, d, d)), -1)
    normal[:, np.arange(d), np.arange(d)] = np.sqrt(rng.chisquare(rows - 1 - np.arange(d), (size, d)))
    roots, means = normal / np.sqrt(rows - 1), rng.standard_normal((size, d)) / np.sqrt(rows)
    blocks = [(np.ones(1), means[i : i + 1], (roots[i] @ roots[i].T)[None]) for i in range(size)]
    counts = near_blocks(read_blocks(blocks, 1, d, r), r).mean(axis=1)
    seen = float(np.clip((counts - 0.5) / 0.45, 0, 1).mean())
    reserve = sizing.SPREADS * (predicted * (1 - predicted) * (1 / size + sizing.SIMULATION)) ** 0.5
    assert seen == pytest.approx(predicted, abs=reserve + 1e-3)


def test_the_user_fixes_blocks_and_radius() -> None:
    size = sizes(10**6, 2, 2, budget=BUDGET, t=700, r=0.8)
    assert (size.t, size.r, size.rows) == (700, 0.8, 1428)


@pytest.mark.parametrize("t", [3, 0, 2.5, True, "9"])
def test_blocks_are_counted_in_whole_numbers(t: Any) -> None:
    with pytest.raises(PlanError, match="t must be a whole number"):
        sizes(10**6, 2, 2, budget=BUDGET, t=t)


@pytest.mark.parametrize("budget", [dp.zcdp(rho=1.0), dp.pure_dp(epsilon=1.0)])
def test_a_budget_without_delta_is_refused(budget: Any) -> None:
    with pytest.raises(PlanError, match="with a delta"):
        sizes(10**6, 2, 2, budget=budget)


@pytest.mark.parametrize("index", range(8))
def test_every_plan_is_affordable(index: int) -> None:
    """Hopeless or not, at any budget, with any t and r: a plan and perhaps a warning, never a refusal."""
    rng = np.random.default_rng(index)
    keys: dict[str, Any] = {"n": int(10 ** rng.uniform(3, 7)), "d": int(rng.choice([1, 2, 5])), "k": 1 + index % 3}
    keys |= {"epsilon": float(10 ** rng.uniform(-1, 1)), "delta": float(10 ** rng.uniform(-9, -3))}
    keys |= [{}, {"t": int(10 ** rng.uniform(0.8, 2))}, {"r": 0.2}, {"t": 40, "r": 1.0}][index % 4]
    plan = load_spec(("arbas23_gmm", "arbas23_gmm_refined")[index % 2], keys).plan()
    assert plan.spent["epsilon"] <= keys["epsilon"]


def test_shapes_are_priced_as_the_theorem_prices_them() -> None:
    for t in (-0.3, -1e-5, 0.0, 1e-4, 1e-3):
        exact = [shape_cost(t, float(a)) for a in ORDER]
        assert pricing.shape(np.full(1, t)) == pytest.approx(np.array(exact), rel=1e-5)
    assert set(ORDER) <= set(ORDERS)


def test_radii_that_no_pair_of_wide_estimates_reaches_are_not_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The design is the one that the simulation chooses; with 500 columns each of its dozens of steps took 20 s."""
    found = [sizes(n, 16, 1, budget=BUDGET) for n in (2_000, 20_000)]
    monkeypatch.setattr(agreeing, "_needed", None)
    assert sizes(200_000, 500, 1, budget=BUDGET).expected == 0.0
    monkeypatch.undo()
    monkeypatch.setattr(agreeing, "CONCENTRATED", 2**20)
    sizing._sizes.cache_clear()
    assert [sizes(n, 16, 1, budget=BUDGET) for n in (2_000, 20_000)] == found
