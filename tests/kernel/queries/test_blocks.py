"""Queries on block results, attacked by changing one block; candidates are counted once a block (C12)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.families.block_candidates import BlockCounts, BlockSum
from dpframe.kernel.families.block_models import Agreement, SelectBlock, neighbours
from dpframe.kernel.operations import Exact
from dpframe.kernel.reductions.blocks import BlockLearner
from dpframe.proof.spaces import (
    L1,
    L2,
    Array,
    Ball,
    BallValue,
    Blocks,
    Counts,
    Flag,
    LInf,
    ListOf,
    OneOf,
    Rows,
    Vector,
    Within,
)

T, R = 12, 1.0
ONE = (OneOf(T, 1),)


def block(value: Any) -> Any:
    return None if value is None else (np.array(value, dtype=np.float64),)


def around(rng: np.random.Generator, d: int = 2) -> list[Any]:
    """Blocks that agree more or less, at the edge of the radius, with outliers and failures."""
    spread = rng.choice([0.2, 0.5, 0.7, 1.0])
    points = rng.uniform(-spread, spread, (T, d))
    points[rng.random(T) < 0.2] += rng.choice([R / 2, R, 3.0, 1e200])
    return [None if rng.random() < 0.1 else block(p) for p in points]


def changed(blocks: list[Any], rng: np.random.Generator, d: int = 2) -> list[Any]:
    other = list(blocks)
    with_ends = [None, block(np.zeros(d)), block(rng.uniform(-1, 1, d)), block(np.full(d, R / math.sqrt(d) / 2))]
    other[int(rng.integers(T))] = with_ends[int(rng.integers(len(with_ends)))]
    return other


def distance(a: Exact, b: Exact) -> Fraction:
    return sum(((int(x) - int(y)) ** 2 for x, y in zip(a.integers, b.integers, strict=True)), 0) * a.step**2


def test_agreement_moves_by_at_most_two_over_t(rng: np.random.Generator) -> None:
    query = Agreement(r=R, d=2)
    (bound,) = [m.bound for m in query.cited().rule({}, (ONE,)) if isinstance(m, L1)]
    worst = Fraction(0)
    for _ in range(1500):
        blocks = around(rng)
        a, b = query.evaluate(Exact(blocks)), query.evaluate(Exact(changed(blocks, rng)))
        worst = max(worst, abs(int(a.integers[0]) - int(b.integers[0])) * a.step)
    assert worst <= Fraction(bound)
    assert worst > Fraction(bound) * Fraction(3, 4)  # a twin with 3/2t would be caught


def selected(theta: float, blocks: list[Any]) -> Exact:
    return SelectBlock(r=R, d=2, theta=theta, test_threshold=0.9, bits=12).evaluate(Exact(blocks), None)


def passes(blocks: list[Any], bar: float) -> bool:
    exact = Agreement(r=R, d=2).evaluate(Exact(blocks))
    return int(exact.integers[0]) * exact.step >= Fraction(bar)


def search(theta: float, bar: float, rng: np.random.Generator, tries: int) -> Fraction:
    """The largest squared distance of two selections when both tests can pass."""
    worst = Fraction(0)
    for _ in range(tries):
        blocks = around(rng)
        other = changed(blocks, rng)
        if passes(blocks, bar) and passes(other, bar):
            worst = max(worst, distance(selected(theta, blocks), selected(theta, other)))
    return worst


def test_selections_are_close_when_both_tests_can_pass() -> None:
    query = SelectBlock(r=R, d=2, theta=0.5, test_threshold=0.55, bits=12)
    metrics = query.cited().rule(query.parameters(), (ONE,))
    assert Within("l2", R) in metrics
    (bound,) = [m.bound for m in metrics if isinstance(m, L2)]
    worst = search(0.5, 0.55, np.random.default_rng(1), 3000)  # seed 0 reaches half of the bound, seed 1 three quarters
    assert worst <= Fraction(bound) ** 2
    assert worst > Fraction(bound * 0.6) ** 2


def test_a_lower_theta_is_caught(rng: np.random.Generator) -> None:
    """The broken twin: neighbourhoods of a quarter of the blocks need not share one."""
    left, right = [block([-1.0, 0.0])] * 5, [block([1.0, 0.0])] * 7
    blocks, other = [*left, *right], [block([1.0, 0.0]), *left[1:], *right]
    blocks[0] = block([-1.2, 0.0])
    assert distance(selected(0.25, blocks), selected(0.25, other)) > Fraction(R) ** 2
    with pytest.raises(dp.PlanError, match="theta must be at least"):
        SelectBlock(r=R, d=2, theta=0.25, test_threshold=0.3).cited().rule(
            SelectBlock(r=R, d=2, theta=0.25, test_threshold=0.3).parameters(), (ONE,)
        )


@pytest.mark.parametrize("t", [2, 3, 7, 12, 401])
def test_least_theta_makes_two_neighbourhoods_share_two_blocks(t: int) -> None:
    half = (t + 1) // 2
    least = half / t if Fraction(half / t) * t >= half else math.nextafter(half / t, 1.0)
    held = next(c for c in range(t + 2) if c > Fraction(least) * t)
    assert 2 * held - t >= 2
    query = SelectBlock(r=R, d=2, theta=least, test_threshold=0.999, bits=12)
    assert query.cited().rule(query.parameters(), ((OneOf(t, 1),),))
    lower = {**query.parameters(), "theta": math.nextafter(least, 0.0)}
    with pytest.raises(dp.PlanError, match="Fix: use theta"):
        query.cited().rule(lower, ((OneOf(t, 1),),))


def test_neighbourhoods_round_distances_up() -> None:
    """Who is counted is truly within the radius, in exact arithmetic; ⊥ is near nothing, not even itself."""
    rng = np.random.default_rng(1)
    radius = R / 2
    angles = rng.uniform(0, 2 * math.pi, 400)
    ring = [block([radius * math.cos(a), radius * math.sin(a)]) for a in angles]
    blocks = [block([0.0, 0.0]), None, *ring]
    counts = neighbours(blocks, 2, radius)
    assert counts[1] == 0
    for b in ring:
        near = bool(neighbours([block([0.0, 0.0]), b], 2, radius)[0] == 2)
        exact = sum(Fraction(float(v)) ** 2 for v in b[0])
        assert not near or exact <= Fraction(radius) ** 2


@pytest.mark.parametrize(
    "result",
    [None, 3.0, (), (np.zeros(3),), (np.array([np.nan, 0.0]),), (np.array([np.inf, 0.0]),), (np.zeros(2), np.zeros(2))],
    ids=str,
)
def test_a_malformed_block_is_bottom(result: Any) -> None:
    assert neighbours([result, *[block([0.0, 0.0])] * 3], 2, 1.0).tolist() == [0, 3, 3, 3]


def test_huge_and_tiny_vectors() -> None:
    huge, tiny = block([1e308, -1e308]), block([5e-324, 0.0])
    assert neighbours([huge, huge, block([-1e308, 1e308]), tiny, tiny], 2, 1e-300).tolist() == [2, 2, 1, 2, 2]
    exact = SelectBlock(r=1e-5, d=2, theta=0.5, test_threshold=0.6, bits=20).evaluate(Exact([huge] * 3), None)
    assert float(int(exact.integers[0]) * exact.step) == 1e308


# ------------------------------------------------------------------------------------- candidates

K, D = 3, 2
BALLS = [BallValue(np.zeros(2), 1.0), BallValue(np.array([4.0, 0.0]), 1.0)]
FRAME = BallValue(np.array([1.0, 1.0]), 2.0)


def candidate_blocks(rng: np.random.Generator) -> list[Any]:
    pool = np.array([[0.0, 0.0], [0.5, 0.5], [4.0, 0.0], [3.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [50.0, 50.0]])
    return [None if rng.random() < 0.15 else block(pool[rng.integers(len(pool), size=K)]) for _ in range(T)]


def test_block_counts_move_by_one(rng: np.random.Generator) -> None:
    query = BlockCounts(k=K, d=D, size=3)
    (bound,) = [m.bound for m in query.cited().rule(query.theorem_inputs(), (ONE,)) if isinstance(m, LInf)]
    worst = 0
    for _ in range(300):
        blocks = candidate_blocks(rng)
        other = [*blocks]
        other[int(rng.integers(T))] = candidate_blocks(rng)[0]
        a, b = (query.evaluate(Exact(v), BALLS).integers for v in (blocks, other))
        worst = max(worst, int(np.abs(a - b).max()))
    assert worst == bound == 1
    assert query.evaluate(Exact([block([[0.0, 0.0]] * K)] * T), BALLS).integers.tolist() == [T, 0, 0]


def test_C12_counting_candidates_would_move_by_k() -> None:
    """The literal form: one block's k candidates all enter a ball."""
    inside, outside = block([[0.0, 0.0]] * K), block([[50.0, 50.0]] * K)
    literal = [sum(int(np.linalg.norm(p) <= 1.0) for b in blocks for p in b[0]) for blocks in ([inside], [outside])]
    assert abs(literal[0] - literal[1]) == K


def test_block_sum_moves_by_two(rng: np.random.Generator) -> None:
    query = BlockSum(k=K, d=D, bits=12)
    (bound,) = [m.bound for m in query.cited().rule(query.theorem_inputs(), (ONE,)) if isinstance(m, L2)]
    ends = [block([[3.0, 1.0]] * K), block([[-1.0, 1.0]] * K), block([[50.0, 50.0]] * K), None]
    worst = Fraction(0)
    for _ in range(200):
        blocks = candidate_blocks(rng)
        for end in ends:
            for start in ends:
                a = query.evaluate(Exact([start, *blocks[1:]]), FRAME)
                b = query.evaluate(Exact([end, *blocks[1:]]), FRAME)
                worst = max(worst, distance(a, b))
    assert Fraction(bound * 0.99) ** 2 < worst <= Fraction(bound) ** 2


def test_block_sum_takes_the_first_candidate_inside_and_counts_blocks() -> None:
    two = block([[50.0, 50.0], [1.0, 2.0], [1.0, 0.0]])
    exact = BlockSum(k=K, d=D, bits=8).evaluate(Exact([two, two, None, block([[50.0, 50.0]] * K)]), FRAME)
    assert [int(v) * exact.step for v in exact.integers] == [0, 1, 2]


# ------------------------------------------------------------------------------------ block learner


@pytest.mark.parametrize(("n", "t"), [(100, 7), (7, 7), (5, 7), (1000, 1)])
def test_blocks_are_disjoint_pieces_of_the_permutation(n: int, t: int) -> None:
    split = BlockLearner(learner="x", t=t, seed=3, item="vector", size=[2]).split(n)
    assert split.shape == (t, n // t)
    assert split.dtype == np.int64
    assert len(set(split.ravel().tolist())) == split.size
    assert n < 100 or split.ravel().tolist() != sorted(split.ravel().tolist())
    other = BlockLearner(learner="x", t=t, seed=4, item="vector", size=[2]).split(n)
    assert n < 100 or not np.array_equal(split, other)


@pytest.mark.parametrize(
    ("item", "size", "good", "bad"),
    [
        ("vector", [2], (np.zeros(2),), (np.zeros(3),)),
        ("points", [3, 2], (np.zeros((3, 2)),), (np.zeros((2, 3)),)),
        ("mixture", [2, 1], (np.ones(2) / 2, np.zeros((2, 1)), np.ones((2, 1, 1))), (np.ones(2), np.zeros((2, 1)))),
    ],
)
def test_results_of_other_shapes_are_bottom(item: str, size: list[int], good: Any, bad: Any) -> None:
    learner = BlockLearner(learner="x", t=4, item=item, size=size)
    assert learner.accepts(good)
    assert not learner.accepts(bad)
    assert not learner.accepts(None)
    assert not learner.accepts(tuple(np.full(np.shape(part), np.nan) for part in good))


@pytest.mark.parametrize(("item", "size"), [("vector", [2, 2]), ("points", [2]), ("mixture", [1])])
def test_sizes_are_checked(item: str, size: list[int]) -> None:
    from dpframe.kernel.reductions.blocks import item_domain

    with pytest.raises(dp.PlanError, match="sizes"):
        item_domain(item, tuple(size))


def test_shapes_of_queries_are_checked() -> None:
    vectors, points = Blocks(T, Vector(2)), Blocks(T, Array((K, D)))
    balls = ListOf(Ball(2), 3)
    assert Agreement(r=R, d=2).output(vectors) == Counts(1)
    assert SelectBlock(r=R, d=2, theta=0.6, test_threshold=0.7).output(vectors, Flag()) == Vector(2)
    assert BlockCounts(k=K, d=D, size=3).output(points, balls) == Counts(3)
    assert BlockSum(k=K, d=D).output(points, Ball(2)) == Vector(3)
    wrong: list[tuple[Any, tuple[Any, ...]]] = [
        (Agreement(r=R, d=3), (vectors,)),
        (Agreement(r=R, d=2), (points,)),
        (Agreement(r=R, d=2), (Rows(2),)),
        (SelectBlock(r=R, d=2, theta=0.6, test_threshold=0.7), (vectors, Vector(2))),
        (BlockCounts(k=K, d=D, size=2), (points, balls)),
        (BlockCounts(k=K + 1, d=D, size=3), (points, balls)),
        (BlockCounts(k=K, d=D, size=3), (vectors, balls)),
        (BlockSum(k=K, d=D), (points, Ball(3))),
    ]
    for query, inputs in wrong:
        with pytest.raises(dp.DpframeError):
            query.output(*inputs)
