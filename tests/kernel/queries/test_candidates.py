"""Candidates of blocks: cells counted once a block, payloads clipped, maxima of groups, parts by a projection."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.families.block_candidates import BlockCells, BlockCounts, BlockMoments, BlockSum
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Batch, Exact
from dpframe.kernel.queries.scores import GroupMaximum
from dpframe.kernel.statistics.cells import Grids
from dpframe.kernel.transforms.partition import FilterBall, PartitionBalls
from dpframe.proof.spaces import (
    L1,
    L2,
    AffineMap,
    AffineValue,
    Array,
    Ball,
    BallValue,
    Blocks,
    Counts,
    LInf,
    ListOf,
    OneOf,
    OneSided,
    Record,
    Rows,
    SparseCounts,
)
from dpframe.proof.theorems import histogram_threshold
from dpframe.testing.battery.metrics import difference, excess

T, K, D = 12, 3, 2
ONE = (OneOf(T, 1),)
GRIDS = Grids(np.zeros(D), np.array([1.0, 4.0]))
POOL = np.array([[0.5, 0.5], [1.5, 0.5], [-3.0, 2.0], [7.0, 7.0], [1e300, -1e300], [0.5, 3.5]])


def block(value: Any) -> Any:
    return None if value is None else (np.array(value, dtype=np.float64),)


def blocks(rng: np.random.Generator, columns: int = D) -> list[Any]:
    def one() -> Any:
        points = POOL[rng.integers(len(POOL), size=K)]
        payload = rng.choice([-9.0, 0.2, 0.9, 1e200], size=(K, columns - D))
        return None if rng.random() < 0.2 else block(np.hstack([points, payload]))

    return [one() for _ in range(T)]


def test_cells_move_as_the_theorem_says_and_are_reached(rng: np.random.Generator) -> None:
    query = BlockCells(k=K, d=D, levels=2)
    declared = query.cited().rule(query.theorem_inputs(Blocks(T, Array((K, D))), Record("grids")), (ONE,))
    assert {type(m): m.bound for m in declared} == {
        L1: 12.0,
        L2: pytest.approx(math.sqrt(12)),
        LInf: 1.0,
        OneSided: 6.0,
    }
    worst = Fraction(0)
    for _ in range(400):
        first = blocks(rng)
        second = [*first]
        second[int(rng.integers(T))] = blocks(rng)[0]
        found = difference(*(query.evaluate(Exact(v), GRIDS) for v in (first, second)))
        assert excess(found, declared)[0] <= 1
        worst = max(worst, found[L1] / 12)
    apart = [block([[10.0, 0.0], [20.0, 0.0], [30.0, 0.0]]), block([[-10.0, 0.0], [-20.0, 0.0], [-30.0, 0.0]])]
    found = difference(*(query.evaluate(Exact([b, *[None] * (T - 1)]), GRIDS) for b in apart))
    assert excess(found, declared)[0] == 1
    assert worst > Fraction(1, 2)


def test_a_block_counts_once_in_a_cell() -> None:
    """The broken twin, which counts candidates, has 3 where a block has 1: one row would move a cell by k."""
    (ids, counts), _ = BlockCells(k=K, d=D, levels=2).evaluate(Exact([block([[0.1, 0.1]] * K)] * 2), GRIDS).integers
    assert (ids.tolist(), counts.tolist()) == ([[0, 0]], [2])


def test_a_threshold_pays_for_every_cell_of_a_block() -> None:
    domain = SparseCounts(2, 1, K)
    mechanism = StableHistogram(share=1.0, delta_fraction=0.5, noise="laplace")
    one = (np.array([[0, 0]]), np.array([10**6]))
    (released,) = mechanism.release(Exact([one]), {"scale": 3.0, "delta": 1e-6}, domain, SeededSource(1).child("h"))
    assert released.threshold == histogram_threshold("laplace", 3.0, 1, 1e-6, K)
    assert released.threshold > histogram_threshold("laplace", 3.0, 1, 1e-6)
    metrics = (L1(6.0), L2(math.sqrt(6.0)), LInf(1.0), OneSided(3.0))
    assert mechanism.loss({"scale": 3.0, "delta": 1e-6}, metrics, domain).epsilon == pytest.approx(2.0)
    with pytest.raises(dp.PlanError, match="fill with at most 1"):  # what rows in one bin each would be charged
        mechanism.loss({"scale": 3.0, "delta": 1e-6}, metrics, SparseCounts(2, 1))


def test_moments_move_by_two_root_two(rng: np.random.Generator) -> None:
    query = BlockMoments(k=K, d=D, payload=1, bits=12)
    (bound,) = [m.bound for m in query.cited().rule(query.parameters(), (ONE,))]
    place, weight = BallValue(np.array([1.0, 1.0]), 2.0), BallValue(np.array([0.5]), 0.5)
    ends = [None, *(block([[x, 1.0, w]] * K) for x in (-1.0, 3.0, 50.0) for w in (-7.0, 0.5, 1e300))]
    worst = Fraction(0)
    for _ in range(20):
        rest = blocks(rng, D + 1)[1:]
        values = [query.evaluate(Exact([end, *rest]), place, weight) for end in ends]
        worst = max(worst, *(difference(a, b)[L2] for a in values for b in values))
    assert Fraction(bound * 0.999) ** 2 < worst <= Fraction(bound) ** 2
    three = block([[50.0, 50.0, 0.1], [1.0, 2.0, 0.75], [1.0, 1.0, 0.9]])
    exact = query.evaluate(Exact([three, None]), place, weight)
    assert [int(v) * exact.step for v in exact.integers] == [0, Fraction(1, 2), Fraction(1, 2), 1]


def test_a_payload_is_no_part_of_a_place() -> None:
    with_weights = Exact([block([[0.5, 0.5, 9.0], [9.0, 9.0, 0.0], [9.0, 9.0, 0.0]])] * 4)
    ball = BallValue(np.array([0.5, 0.5]), 1.0)
    assert BlockCounts(k=K, d=D, payload=1, size=1).evaluate(with_weights, [ball]).integers.tolist() == [4]
    exact = BlockSum(k=K, d=D, payload=1, bits=8).evaluate(with_weights, ball)
    assert [int(v) * exact.step for v in exact.integers] == [0, 0, 4]
    assert BlockCounts(k=K, d=D, size=1).evaluate(with_weights, [ball]).integers.tolist() == [0]  # another shape: none
    with pytest.raises(dp.PlanError, match=r"blocks of \(3, 2\) candidates"):
        BlockCounts(k=K, d=D, size=1).output(Blocks(T, Array((K, 3))), ListOf(Ball(D), 1))


def test_the_largest_of_each_group() -> None:
    value = Exact(np.array([3, 9, -1, 4, 2**70, 0], dtype=object), Fraction(1, 2))
    found = GroupMaximum(groups=3).evaluate(value)
    assert (found.integers.tolist(), found.step) == ([9, 4, 2**70], Fraction(1, 2))
    with pytest.raises(dp.PlanError, match="5 scores into 3 groups"):
        GroupMaximum(groups=3).output(Counts(5))


def test_whole_rows_are_parted_by_their_projection() -> None:
    """A row far off in the ambient space is inside where its projection is; the literal rule loses it."""
    rows = Batch(0, np.array([[0.0, 100.0], [5.0, 0.0], [0.5, -1e6]]), np.ones(3, dtype=bool))
    map_ = AffineValue(np.zeros(2), np.array([[1.0], [0.0]]), 1e7)
    ball, far = BallValue(np.zeros(1), 1.0), BallValue(np.array([5.0]), 1.0)
    assert FilterBall().assign(rows, 3, ball, map_).tolist() == [0, 1, 0]
    assert FilterBall().assign(rows, 3, BallValue(np.zeros(2), 1.0)).tolist() == [1, 1, 1]
    assert PartitionBalls(balls=2).assign(rows, 3, [ball, far], map_).tolist() == [0, 1, 0]
    assert FilterBall().output(Rows(2), Ball(1), AffineMap(2, 1)) == Rows(2)
    for wrong in ((Ball(2), AffineMap(2, 1)), (Ball(1), AffineMap(3, 1)), (Ball(1),)):
        with pytest.raises(dp.PlanError, match="one dimension"):
            FilterBall().output(Rows(2), *wrong)


def test_children_of_a_division_may_be_parted_by_a_projection() -> None:
    from dpframe.front.verbs.examples import stub
    from dpframe.proof.spaces import Flag

    def body(x: Any, state: Any) -> Any:
        dp.filter_ball(x, stub(Ball(1)), stub(AffineMap(2, 1)), name="children")
        return {"split": stub(Flag()), "left": stub(Ball(2)), "right": stub(Ball(2))}

    def leaf(x: Any, state: Any) -> Any:
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, state)))

    @dp.program
    def divided(x: Any) -> Any:
        return dp.recurse("parts", x, stub(Ball(2)), body, leaf, max_depth=2, max_leaves=3)

    plan = dp.plan(divided, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    assert plan.verdict.holds


def test_a_released_ratio_takes_the_place_of_c() -> None:
    from dpframe.kernel.families.ball_counts import TerrificScore

    score = TerrificScore(size=1, t=3, c=5.0)
    for given, used in (
        ((), 5.0),
        ((2.0,), 2.0),
        ((1.0,), 5.0),
        ((-3.0,), 5.0),
        ((math.inf,), 5.0),
        ((math.nan,), 5.0),
    ):
        assert score.ratio(("balls", *(np.array([g]) for g in given))) == used
