"""Arbas23 Algorithm 1: index blocks, agreement, truncated-Laplace test, selection, mask. T4: (ε₁ + ε₂, δ₁ + δ₂)."""

from __future__ import annotations

import math
from typing import Any

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.proof.losses import Gaussian, Loss, Pure, compose, tightest_epsilon
from dpframe.proof.spaces import L1, L2, OneOf, Vector, Within
from tests.papers.skeletons.stubs import planned, stub

D, T, R, BITS = 3, 400, 0.25, 24
THETA = 0.5
BAR = 0.55
TEST, MASK, FRACTION = 2.0, 30.0, 0.4
BUDGET = dp.approx_dp(epsilon=50.0, delta=1e-6)


def populous(
    x: Handle, *, bar: float = BAR, theta: float = THETA, asked: float = BAR, r_test: float = R, r: float = R
) -> Handle:
    blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=T, item="vector", size=[D])
    agreement = dp.transform("agreement", blocks, r=r_test, d=D)
    mechanism = dp.truncated_laplace_test(noise_multiplier=TEST, threshold=bar, delta_fraction=FRACTION)
    test = dp.release("test", mechanism, agreement)
    chosen = dp.transform("select_block", blocks, test, r=r, d=D, theta=theta, test_threshold=asked, bits=BITS)
    return dp.branch("answer", test, mask, refuse, chosen)


def mask(chosen: Handle) -> Handle:
    return dp.release("mask", dp.gaussian(noise_multiplier=MASK), chosen)


def refuse(chosen: Handle) -> Handle:
    return stub(Vector(D))


def plan(program: Any = populous) -> Any:
    return planned(program, d=D, budget=BUDGET)


def test_total_is_the_hand_computation() -> None:
    """The test is (ε₁, δ₁), the mask (ε₂, δ₂) for every δ₂; T4: they compose, not (2ε, 4e^ε·δ)."""
    made = plan()
    epsilon_1, delta_1 = 1 / TEST, FRACTION * 1e-6
    assert made.loss.delta == pytest.approx(delta_1, rel=1e-12)
    (mu,) = [e.mu for e, _ in made.loss.events if isinstance(e, Gaussian)]
    (pure,) = [e.epsilon for e, _ in made.loss.events if isinstance(e, Pure)]
    assert (mu, pure) == pytest.approx((1 / MASK, epsilon_1), rel=1e-12)
    for delta_2 in (1e-8, 1e-7, 6e-7):
        epsilon_2 = tightest_epsilon(Loss.of(Gaussian(mu)), delta_2)[0]
        assert made.epsilon(delta=delta_1 + delta_2) <= epsilon_1 + epsilon_2


def test_sensitivities_are_those_of_the_paper() -> None:
    made = plan()
    (tested,) = (w.worst for path, w in made.weighings.items() if path == ("test",))
    assert [m.bound for m in tested if isinstance(m, L1)] == [pytest.approx(2 / T)]
    (masked,) = (w.worst for path, w in made.weighings.items() if path[-1] == "mask")
    assert Within("l2", R) in masked
    rounded = R * (1 + math.sqrt(D) * 2.0**-BITS)
    assert [m.bound for m in masked if isinstance(m, L2)] == [pytest.approx(rounded, rel=1e-12)]
    assert next(m.bound for m in masked if isinstance(m, L2)) >= rounded


def test_the_mask_is_not_free_and_not_charged_twice() -> None:
    made = plan()
    assert made.loss == compose(made.node_loss(("test",)), made.node_loss(("answer", "then", "mask")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"theta": 0.4999}, r"theta must be at least ⌈t/2⌉/t = 200/400.*Fix: use theta=0.5"),
        ({"bar": THETA, "asked": THETA}, "must ask for more than theta"),
        ({"bar": 0.52, "asked": 0.55}, "the test has 0.52"),
        ({"r_test": 2 * R}, r"the test was made with r=0.5"),
        ({"r": 2 * R}, r"the test was made with r=0.25"),
    ],
)
def test_a_weaker_test_is_refused(change: dict[str, float], message: str) -> None:
    with pytest.raises(dp.PlanError, match=message):
        plan(lambda x: populous(x, **change))


def _parts(x: Handle, number: int = 0) -> tuple[Handle, Handle]:
    blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=T, item="vector", size=[D], seed=number)
    mechanism = dp.truncated_laplace_test(noise_multiplier=TEST, threshold=BAR, delta_fraction=FRACTION)
    test = dp.release(f"test_of_{number}", mechanism, dp.transform("agreement", blocks, r=R, d=D))
    return blocks, test


def _select(blocks: Handle, test: Handle) -> Handle:
    chosen: Handle = dp.transform("select_block", blocks, test, r=R, d=D, theta=THETA, test_threshold=BAR)
    return chosen


def outside(x: Handle) -> Handle:
    return mask(_select(*_parts(x)))


def other_blocks(x: Handle) -> Handle:
    return dp.branch("b", (parts := _parts(x, 1))[1], mask, refuse, _select(_parts(x, 2)[0], parts[1]))


def in_the_other_body(x: Handle) -> Handle:
    blocks, test = _parts(x)
    return dp.branch("b", test, refuse, mask, _select(blocks, test))


def on_another_test(x: Handle) -> Handle:
    blocks, test = _parts(x, 1)
    other = _parts(x, 2)[1]
    return dp.branch("b", other, mask, refuse, _select(blocks, test))


def on_a_gaussian_flag(x: Handle) -> Handle:
    from tests.papers.skeletons.stubs import flag

    blocks, test = _parts(x)
    noisy = flag(test)
    return dp.branch("b", noisy, mask, refuse, _select(blocks, noisy))


def same_name_inside(x: Handle) -> Handle:
    """A test of the same name inside the body must not free what another test guards."""
    blocks, test = _parts(x)

    def otherwise(rows: Handle, chosen: Handle) -> Handle:
        mechanism = dp.truncated_laplace_test(noise_multiplier=9.0, threshold=0.1, delta_fraction=0.1)
        inner = dp.release("test_of_0", mechanism, dp.count(rows))
        return dp.branch("inner", inner, mask, refuse, chosen)

    def then(rows: Handle, chosen: Handle) -> Handle:
        return refuse(chosen)

    # rows and the selection have one lineage, so both may be captured
    return dp.branch("b", test, then, otherwise, x, _select(blocks, test))


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (outside, r"node 'mask'.*exists only if the test 'test_of_0' passed.*branch on 'test_of_0'"),
        (in_the_other_body, r"'mask'.*exists only if the test"),
        (on_another_test, r"'mask'.*exists only if the test"),
        (same_name_inside, r"'mask'.*exists only if the test"),
        (other_blocks, r"selects from 'block_learner_2', its test looked at 'block_learner_1'"),
        (on_a_gaussian_flag, r"no test of an agreement"),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_the_selection_is_usable_in_its_own_branch_only(program: Any, message: str) -> None:
    with pytest.raises(dp.PlanError, match=message):
        plan(program)


def test_inside_its_branch_it_may_be_captured_further() -> None:
    """A loop in the body 'then' may use it; so may a branch on the same test handed in."""

    def program(x: Handle) -> Handle:
        blocks, test = _parts(x)

        def then(again: Handle, chosen: Handle) -> Handle:
            return dp.branch("inner", again, mask, refuse, chosen)

        def otherwise(again: Handle, chosen: Handle) -> Handle:
            return stub(Vector(D))

        return dp.branch("b", test, then, otherwise, test, _select(blocks, test))

    assert plan(program).loss.delta == pytest.approx(FRACTION * 1e-6)


def test_every_use_of_the_selection_composes() -> None:
    def program(x: Handle) -> Handle:
        blocks, test = _parts(x)
        chosen = _select(blocks, test)

        def twice(value: Handle) -> Handle:
            mask(value)
            return dp.release("more", dp.gaussian(noise_multiplier=MASK), value)

        return dp.branch("b", test, twice, refuse, chosen)

    made = plan(program)
    gaussians = {e: times for e, times in made.loss.events if isinstance(e, Gaussian)}
    assert sum(e.mu**2 * times for e, times in gaussians.items()) == pytest.approx(2 / MASK**2, rel=1e-12)


def test_blocks_are_refused_where_their_index_is_not_kept() -> None:
    """A part of the table keeps it, a part of pairs does not, and under add/remove there is none."""

    def filtered(x: Handle) -> Handle:
        part = dp.transform("filter_ball", x, dp.ball(centre=[0.0] * D, radius=1.0))[0]
        blocks = dp.transform("block_learner", part, learner="skeleton.learner", t=T, item="vector", size=[D])
        return dp.release("q", dp.laplace(share=1.0), dp.transform("agreement", blocks, r=R, d=D))

    assert plan(filtered).verdict.holds
    with pytest.raises(dp.PlanError, match=r"block_learner_1.*rows of the table with their index"):
        plan(lambda x: filtered(dp.transform("pairs", x)))
    with pytest.raises(dp.PlanError, match=r"goes by the row index, which add_remove does not keep"):
        planned(populous, d=D, n=None, adjacency=dp.ADD_REMOVE, budget=BUDGET)


def test_two_changed_blocks_are_refused() -> None:
    """User-level privacy changes several blocks; the theorem is for one."""
    with pytest.raises(dp.PlanError, match="one changed block"):
        planned(populous, d=D, adjacency=dp.Edits(2, 2), budget=BUDGET)


def test_domain_of_blocks() -> None:
    assert OneOf(T, 1).changed == 1
