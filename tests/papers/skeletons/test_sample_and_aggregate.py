"""KSSU19 §6: a non-private learner per block, then k rounds that find a ball of candidates and average it (C12)."""

from __future__ import annotations

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.proof.spaces import L2, LInf, OneOf
from tests.papers.skeletons.stubs import ball, balls, planned, rho_gauss, rho_pure, rho_selection, stub

D, K, BLOCKS, GRID = 4, 5, 300, 64
FIND, RADIUS, MEAN = 3.0, 4.0, 5.0


def aggregate(x: Handle) -> dict[str, Handle]:
    blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=BLOCKS, item="points", size=[K, D])
    found: list[Handle] = []
    out = {}
    for i in range(K):
        counts = dp.transform("block_counts", blocks, balls(D, GRID, *found), k=K, d=D, size=GRID)
        radius = dp.release(f"radius_{i}", dp.above_threshold(noise_multiplier=RADIUS, threshold=0.8 * BLOCKS), counts)
        again = dp.transform("block_counts", blocks, balls(D, GRID, radius), k=K, d=D, size=GRID)
        found.append(dp.release(f"centre_{i}", dp.exponential_mechanism(noise_multiplier=FIND), again))
        total = dp.transform("block_sum", blocks, ball(D, *found), k=K, d=D)
        out[f"mean_{i}"] = dp.release(f"mean_{i}", dp.gaussian(noise_multiplier=MEAN), total)
    return out


def test_total_is_the_hand_computation() -> None:
    """One row changes one block: every count moves by one, every clipped average by two; k rounds compose."""
    each = rho_pure(1 / RADIUS) + rho_selection(2 / FIND) + rho_gauss(1 / MEAN)
    assert planned(aggregate, d=D).loss.rho == pytest.approx(K * each, rel=1e-12)


def test_sensitivities_count_blocks_not_candidates() -> None:
    made = planned(aggregate, d=D)
    counts = made.weighings[("centre_0",)].worst
    assert [m.bound for m in counts if isinstance(m, LInf)] == [1.0]
    means = made.weighings[("mean_0",)].worst
    assert [m.bound for m in means if isinstance(m, L2)] == [2.0]


def test_released_averages_are_in_the_units_of_the_table() -> None:
    made = planned(aggregate, d=D)
    assert [str(ref) for _, ref in made.graph.outputs] == [f"mean_{i}.value" for i in range(K)]


def test_user_level_changes_that_many_blocks() -> None:
    """Edits(m, m): m rows may fall in m blocks. Honoured, with m times the counts' sensitivity."""
    made = planned(aggregate, d=D, adjacency=dp.Edits(3, 3))
    counts = made.weighings[("centre_0",)].worst
    assert [m.bound for m in counts if isinstance(m, LInf)] == [3.0]
    means = made.weighings[("mean_0",)].worst
    assert [m.bound for m in means if isinstance(m, L2)] == [6.0]
    assert made.loss == planned(aggregate, d=D).loss  # the multipliers buy three times the noise


def test_no_more_blocks_change_than_there_are() -> None:
    from dpframe.proof.spaces import Edits
    from dpframe.proof.theorems import THEOREMS

    assert THEOREMS["index_blocks"].rule({"t": 2}, ((Edits(5, 5),),)) == (OneOf(2, 2),)


def test_candidates_can_not_be_counted_as_rows() -> None:
    """There is no way to hand block results to a statistic of rows."""

    def literal(x: Handle) -> Handle:
        blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=BLOCKS, item="points", size=[K, D])
        return dp.release("c", dp.laplace(share=1.0), dp.transform("ball_counts", blocks, balls(D, GRID), size=GRID))

    with pytest.raises(dp.PlanError, match=r"ball_counts_1.*takes Rows"):
        planned(literal, d=D)


def test_unknown_learner_is_refused_with_the_nearest() -> None:
    def program(x: Handle) -> Handle:
        blocks = dp.transform("block_learner", x, learner="skeleton.lerner", t=9, item="vector", size=[D])
        return dp.release("q", dp.laplace(share=1.0), dp.transform("agreement", blocks, r=1.0, d=D))

    with pytest.raises(dp.DpframeError, match=r"did you mean 'skeleton.learner'"):
        planned(program, d=D)


def test_raw_block_results_reach_no_post() -> None:
    def program(x: Handle) -> Handle:
        blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=9, item="vector", size=[D])
        return stub(ball(D).domain, blocks)

    with pytest.raises(dp.PlanError, match=r"takes a released or public value; 'block_learner_1' is private"):
        planned(program, d=D)
