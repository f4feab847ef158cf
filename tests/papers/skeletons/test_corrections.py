"""Every correction C# (docs/theory/corrections.md) that a plan can express: refused, or charged what it costs.

There is no C6. Each test also plans the mended form.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.proof.losses import Loss, Pure, tightest_epsilon
from dpframe.proof.spaces import L2, LInf
from tests.papers.skeletons.stubs import ball, balls, flag, planned, state, stub

D, K = 4, 5
PURE = dp.pure_dp(epsilon=1e6)


def centre() -> Handle:
    return dp.ball(centre=[7.0] * D, radius=3.0)


def epsilon(program: Callable[[Handle], Any], **how: Any) -> float:
    """Pure ε of the plan."""
    return float(planned(program, d=D, budget=PURE, **how).loss.epsilon)


def refused(program: Callable[[Handle], Any], message: str, **how: Any) -> None:
    with pytest.raises(dp.PlanError, match=message) as caught:
        planned(program, d=D, **how)
    assert caught.value.fix


def noisy_count(name: str, rows: Handle, epsilon: float = 1.0) -> Handle:
    released: Handle = dp.release(name, dp.laplace(noise_multiplier=1 / epsilon), dp.count(rows))
    return released


def test_C1_far_rows_are_dropped_after_the_split_not_before() -> None:
    def literal(x: Handle) -> Handle:
        near = dp.transform("filter_ball", x, centre(), name="near")[0]
        y, z = dp.transform("split", near, count=2, name="halves")
        return state(noisy_count("y", y), noisy_count("z", z))

    def mended(x: Handle) -> Handle:
        y, z = dp.transform("split", x, count=2, name="halves")
        near = [dp.transform("filter_ball", half, centre())[0] for half in (y, z)]
        return state(noisy_count("y", near[0]), noisy_count("z", near[1]))

    refused(literal, r"node 'halves': cuts by row index.*do not keep.*before any filter")
    assert epsilon(mended) == pytest.approx(1.0)


def test_C2_the_sum_is_taken_about_the_centre() -> None:
    def literal(x: Handle) -> Handle:
        inside = dp.transform("filter_ball", x, centre())[0]  # ‖x‖ may be ‖c‖ + r, whatever the filter
        return dp.release("sum", dp.gaussian(noise_multiplier=1.0), dp.sum(inside))

    def clipped_about_zero(x: Handle) -> Handle:
        inside = dp.transform("filter_ball", x, centre())[0]
        return dp.release("sum", dp.gaussian(noise_multiplier=1.0), dp.transform("sum", dp.clip_box(inside, centre())))

    def mended(x: Handle) -> Handle:
        inside = dp.transform("filter_ball", x, centre())[0]
        return dp.release("sum", dp.gaussian(noise_multiplier=1.0), dp.sum(dp.clip(inside, centre())))

    refused(literal, r"node 'sum_1': sum takes rows of the unit_ball, these are unbounded.*dp.clip")
    refused(clipped_about_zero, r"node 'sum_1': sum takes rows of the unit_ball, these are bounded as unit_box")
    made = planned(mended, d=D)
    # in the frame of the ball: 2 for a row replaced inside it, and twice 1 for one that moves in or out
    assert [m.bound for m in made.weighings[("sum",)].worst if isinstance(m, L2)] == [2.0]


def test_C3_pairs_are_cut_from_the_original_index() -> None:
    def literal(x: Handle) -> Handle:
        inside = dp.transform("filter_ball", x, centre())[0]
        return noisy_count("pairs", dp.transform("pairs", inside, name="differences"))

    def mended(x: Handle) -> Handle:
        pairs = dp.transform("pairs", x, name="differences")
        short = dp.transform("filter_ball", pairs, dp.ball(centre=[0.0] * D, radius=3.0))[0]
        return state(noisy_count("complete", pairs), noisy_count("short", short))

    refused(literal, r"node 'differences': what is gathered by index needs.*before any filter")
    assert epsilon(mended) == pytest.approx(2.0)  # the number of complete pairs has a count of its own


def test_C3_half_the_row_count_is_no_pair_count() -> None:
    """A pair with an empty row is empty, so the number of pairs is private: it can't be read off anything free."""

    def literal(x: Handle) -> Handle:
        return stub(ball(D).domain, dp.count(dp.transform("pairs", x)))

    refused(literal, r"takes a released or public value; 'count_1' is private.*release it through a mechanism")


def test_C4_second_moments_are_taken_about_the_centre() -> None:
    def literal(x: Handle) -> Handle:
        inside = dp.transform("filter_ball", x, centre())[0]
        return dp.release("pca", dp.gaussian(noise_multiplier=1.0), dp.gram(inside))

    def mended(x: Handle) -> Handle:
        inside = dp.transform("filter_ball", x, centre())[0]
        return dp.release("pca", dp.gaussian(noise_multiplier=1.0), dp.gram(dp.clip(inside, centre())))

    refused(literal, r"node 'gram_1': gram takes rows of the unit_ball, these are unbounded")
    made = planned(mended, d=D)
    # T2: √2·r², not 2r²
    assert [m.bound for m in made.weighings[("pca",)].worst if isinstance(m, L2)] == [pytest.approx(math.sqrt(2))]


def tree(depth: int, per_level: int) -> Callable[[Handle], Handle]:
    """A recursion whose levels release ``per_level`` counts at ε = 1 and whose leaves release one."""

    def body(rows: Handle, s: Handle) -> dict[str, Handle]:
        seen = [noisy_count(f"level_{i}", rows) for i in range(per_level)]
        dp.transform("filter_ball", rows, ball(D, *seen), name="children")
        return {"split": flag(*seen), "left": state(*seen), "right": state(*seen)}

    def leaf(rows: Handle, s: Handle) -> Handle:
        return noisy_count("leaf", rows)

    return lambda x: dp.recurse("tree", x, state(), body, leaf, max_depth=depth, max_leaves=2**depth)


@pytest.mark.parametrize(("depth", "per_level"), [(1, 1), (3, 1), (4, 4)])
def test_C5_two_paths_and_the_leaves_are_reserved(depth: int, per_level: int) -> None:
    literal = depth * per_level  # one branch a level, no leaves
    real = per_level + 2 * ((depth - 1) * per_level + 1)  # the first level, then two paths and two leaves
    assert epsilon(tree(depth, per_level)) == pytest.approx(real, rel=1e-12)
    assert real > literal
    with pytest.raises(dp.BudgetError, match=r"most expensive node is 'tree/"):
        planned(tree(depth, per_level), d=D, budget=dp.pure_dp(epsilon=literal))


def test_C5_add_remove_follows_one_path() -> None:
    assert epsilon(tree(4, 4), n=None, adjacency=dp.ADD_REMOVE) == pytest.approx(4 * 4 + 1, rel=1e-12)


def test_C7_the_private_query_is_one_test_of_a_minimum() -> None:
    t = 320

    def literal(x: Handle) -> Handle:
        counts = dp.transform("ball_counts", x, balls(D, 3), size=3)  # n_in, n_ann, n_out: a moved row changes two
        return dp.release("query", dp.laplace(noise_multiplier=1.0), counts)

    def three_tests(x: Handle) -> Handle:
        return state(*(noisy_count(f"test_{i}", x) for i in range(3)))

    def mended(x: Handle) -> Handle:
        scores = dp.transform("terrific_score", x, balls(D, 1), size=1, t=t, c=5.0)
        return dp.release("query", dp.laplace(noise_multiplier=1.0), dp.transform("minimum", scores))

    assert epsilon(three_tests) == pytest.approx(3.0)
    assert epsilon(mended) == pytest.approx(1.0)
    # released together the noise is made for what they can move by together, not for one count
    widest = planned(literal, d=D, budget=PURE).weighings[("query",)].worst
    assert [m.bound for m in widest if type(m).__name__ == "L1"] == [pytest.approx(3.0)]


def test_C8_one_row_can_not_enter_all_estimates() -> None:
    def literal(x: Handle) -> Handle:
        cut = [dp.transform("filter_ball", x, ball(D), name=f"ball_of_{i}")[0] for i in range(K)]
        return state(*(noisy_count(f"count_of_{i}", rows) for i, rows in enumerate(cut)))

    def mended(x: Handle) -> Handle:
        parts = dp.transform("partition_balls", x, balls(D, K), balls=K, name="first_ball_wins")
        return state(*(noisy_count(f"count_of_{i}", rows) for i, rows in enumerate(parts[:K])))

    assert epsilon(literal) == pytest.approx(K)
    assert epsilon(mended) == pytest.approx(2.0)  # two parts: the row leaves one and enters another


def test_C9_a_loop_never_asks_whether_rows_are_left() -> None:
    def literal(x: Handle) -> Handle:
        while dp.count(x):
            x = dp.transform("filter_ball", x, ball(D))[1]
        return noisy_count("left", x)

    def by_branch(x: Handle) -> Handle:
        return dp.branch("more", dp.count(x), noisy_leaf, noisy_leaf, x)

    def noisy_leaf(rows: Handle) -> Handle:
        return noisy_count("left", rows)

    def mended(x: Handle) -> Handle:
        found = []
        for i in range(K):  # always k rounds
            found.append(noisy_count(f"round_{i}", x))
            x = dp.transform("filter_ball", x, ball(D, *found))[1]
        return state(*found)

    refused(literal, r"'count_1' has no value while the program is traced.*release it first")
    refused(by_branch, r"input 'test' takes a released or public value; 'count_1' is private")
    assert epsilon(mended) == pytest.approx(K)


def test_C10_three_releases_at_a_third_each() -> None:
    def estimate(*parts: float) -> Callable[[Handle], Handle]:
        return lambda x: state(*(noisy_count(f"part_{i}", x, part) for i, part in enumerate(parts)))

    with pytest.raises(dp.BudgetError, match=r"epsilon=1\.16667.*raise epsilon to 1\.167"):
        planned(estimate(1 / 3, 1 / 3, 1 / 2), d=D, budget=dp.pure_dp(epsilon=1.0))
    assert epsilon(estimate(1 / 3, 1 / 3, 1 / 3 - 1e-12)) == pytest.approx(1.0)


def test_C10_pairs_are_not_needed_for_the_variance() -> None:
    """Count, Σ(x−c) and Σ‖x−c‖²: the third is one number in [0, 1] a row."""

    def mended(x: Handle) -> Handle:
        inside = dp.clip(x, centre())
        return state(
            noisy_count("n", x, 1 / 3), dp.release("s", dp.laplace(noise_multiplier=3.0), dp.square_sum(inside))
        )

    assert epsilon(mended) == pytest.approx(2 / 3)


def test_C11_a_terrific_ball_costs_twice_and_a_level_six_times() -> None:
    def terrific(name: str, x: Handle) -> list[Handle]:
        scores = dp.transform("terrific_score", x, balls(D, 9), size=9, t=100, c=5.0)
        radius = dp.release(f"{name}.radius", dp.above_threshold(noise_multiplier=1.0, threshold=80.0), scores)
        again = dp.transform("terrific_score", x, balls(D, 9, radius), size=9, t=100, c=5.0)
        return [radius, dp.release(f"{name}.centre", dp.exponential_mechanism(noise_multiplier=2.0), again)]

    def level(x: Handle) -> Handle:
        near = dp.transform("ball_counts", x, balls(D, 9), size=9)
        bound = dp.release("bound", dp.exponential_mechanism(noise_multiplier=2.0), near)
        return state(noisy_count("n", x), bound, *terrific("raw", x), *terrific("projected", x))

    assert epsilon(lambda x: state(*terrific("one", x))) == pytest.approx(2.0)
    assert epsilon(level) == pytest.approx(6.0)
    with pytest.raises(dp.BudgetError, match=r"epsilon=6"):
        planned(level, d=D, budget=dp.pure_dp(epsilon=4.0))


def test_C12_blocks_are_counted_not_candidates() -> None:
    def learned(x: Handle) -> Handle:
        made: Handle = dp.transform("block_learner", x, learner="skeleton.learner", t=50, item="points", size=[K, D])
        return made

    def literal(x: Handle) -> Handle:
        rows = dp.transform("partition_balls", learned(x), balls(D, 9), balls=9)[0]
        return noisy_count("in", rows)

    def mended(x: Handle) -> Handle:
        counts = dp.transform("block_counts", learned(x), balls(D, 9), k=K, d=D, size=9)
        return dp.release("in", dp.exponential_mechanism(noise_multiplier=2.0), counts)

    refused(literal, r"node 'partition_balls_1': partition_balls takes Rows, not Blocks")
    made = planned(mended, d=D, budget=PURE)
    assert made.loss.epsilon == pytest.approx(1.0)
    assert [m.bound for m in made.weighings[("in",)].worst if isinstance(m, LInf)] == [1.0]  # not k


def test_C13_conversions_are_the_exact_ones() -> None:
    def one_gdp(x: Handle) -> Handle:
        return dp.release("n", dp.gaussian(noise_multiplier=1.0), dp.count(x))

    with pytest.raises(dp.BudgetError, match=r"epsilon=4\.886"):
        planned(one_gdp, d=D, budget=dp.approx_dp(epsilon=3.72, delta=1e-6))
    assert planned(one_gdp, d=D, budget=dp.approx_dp(epsilon=4.89, delta=1e-6)).verdict.holds
    # Lemma 2.19(2): 10⁴ randomised responses at ε₀ = 1 lose 4621 on average, above the claimed 910
    many = Loss.of(Pure(1.0), 10_000)
    assert many.rho == pytest.approx(4621, abs=1)
    assert tightest_epsilon(many, 1e-6)[0] > 4621


def test_C14_a_part_is_skipped_by_its_public_side_only() -> None:
    def literal(x: Handle) -> Handle:
        left, right = dp.transform("filter_ball", x, ball(D), name="sides")
        return noisy_count("left", left) if dp.count(right) else noisy_count("right", right)

    def by_list(x: Handle) -> Handle:
        return dp.for_each("parts", dp.count(x), lambda item, rows: noisy_count("c", rows), x, share=1.0, max_length=2)

    def mended(x: Handle) -> Handle:
        left, right = dp.transform("filter_ball", x, ball(D), name="sides")
        return state(noisy_count("left", left), noisy_count("right", right))

    refused(literal, r"no value while the program is traced")
    refused(by_list, r"for_each takes a released list|input 'items' takes a released or public value")
    assert epsilon(mended) == pytest.approx(2.0)


# ------------------------------------------------------------------------------------- tightenings


def test_T1_histograms_of_the_same_rows_at_once() -> None:
    def at_once(m: int) -> Callable[[Handle], Handle]:
        mechanism = dp.stable_histogram(share=1.0, delta_fraction=0.1)
        return lambda x: dp.release("h", mechanism, dp.transform("cells", x, state(), levels=m))

    def one_by_one(m: int) -> Callable[[Handle], Handle]:
        def program(x: Handle) -> Handle:
            mechanism = dp.stable_histogram(share=1.0, noise="laplace", delta_fraction=0.1 / m)
            return state(
                *(dp.release(f"h_{i}", mechanism, dp.transform("cells", x, state(), levels=1)) for i in range(m))
            )

        return program

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    m = 32
    together = planned(at_once(m), d=D, budget=budget)
    sigma = together.calibrations[("h",)]["scale"] * math.sqrt(m)
    assert sigma == pytest.approx(math.sqrt(2 * m) / together.loss.mu, rel=1e-9)  # ℓ₂ √(2m)
    apart = planned(one_by_one(m), d=D, budget=budget)
    deviation = math.sqrt(2) * apart.calibrations[("h_0",)]["scale"]
    assert sigma < deviation


def test_T9_a_secret_sample_is_amplified_once_for_all_that_runs_on_it() -> None:
    rate = 0.125

    def sampled(x: Handle) -> Handle:
        sample = dp.transform("subsample", x, rate=rate, name="sample")[0]
        return state(*(noisy_count(f"c_{i}", sample, 0.5) for i in range(4)))

    assert epsilon(sampled) == pytest.approx(math.log1p(rate * math.expm1(2.0)), rel=1e-9)


def test_T9_the_sample_is_charged_for_the_dearest_edit() -> None:
    """Under Poisson sampling a row may be sampled on one side only: (1,1), (1,0) and (0,1) all count."""
    rate = 0.25
    mechanism = {"cites": "a stub that is dearest when a row is added", "replace": 0.1, "remove": 0.2, "add": 1.0}

    def sampled(x: Handle) -> Handle:
        sample = dp.transform("subsample", x, rate=rate, name="sample")[0]
        return dp.release("s", dp.build("declared", {**mechanism, "noise_multiplier": 0.5}), sample)

    assert epsilon(sampled) == pytest.approx(math.log1p(rate * math.expm1(2.0)), rel=1e-9)
    assert any("stub" in w for w in planned(sampled, d=D, budget=PURE).warnings)
