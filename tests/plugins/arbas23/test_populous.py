"""T8: the weights and the average of populous blocks, attacked over neighbouring lists of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.errors import PlanError
from dpframe.kernel.families.block_mixtures import matching, near_blocks, read_blocks, traces
from dpframe.kernel.families.populous import PopulousAverage, PopulousWeight, average, root
from dpframe.kernel.operations import Exact
from dpframe.proof.families.populous import average_radius, closeness, separation
from dpframe.proof.spaces import OneOf
from dpframe.proof.theorems import THEOREMS
from tests.steps import within

R = 0.7


def distance(a: tuple[Any, ...], b: tuple[Any, ...]) -> float:
    """The component distance, plainly."""
    out = abs(a[0] - b[0])
    for x, y in ((a, b), (b, a)):
        inverse = np.linalg.inv(np.linalg.cholesky(x[2]))
        out = max(out, float(np.linalg.norm(inverse @ (a[1] - b[1]))))
        out = max(out, float(np.linalg.norm(inverse @ y[2] @ inverse.T - np.eye(len(inverse)))))
    return float(out)


def block_distance(a: Any, b: Any) -> float:
    """Bottleneck over all matchings, plainly."""
    from itertools import permutations

    k = len(a[0])
    pairs = [[distance([p[i] for p in a], [p[j] for p in b]) for j in range(k)] for i in range(k)]  # type: ignore[arg-type]
    return min(max(pairs[i][p[i]] for i in range(k)) for p in permutations(range(k)))


def drawn(rng: np.random.Generator, k: int, d: int, spread: float) -> Any:
    """A block near the standard one, its components in any order."""
    means = 30.0 * np.arange(k)[:, None] + spread * rng.standard_normal((k, d))
    moves = spread * rng.standard_normal((k, d, d)) / d
    covariances = np.eye(d) + moves + np.swapaxes(moves, 1, 2) + moves @ np.swapaxes(moves, 1, 2)
    order = rng.permutation(k)
    return np.full(k, 1 / k), means[order], covariances[order]


def far_block(k: int, d: int) -> Any:
    return np.full(k, 1 / k), 1e4 + 30.0 * np.arange(k)[:, None] * np.ones((k, d)), np.tile(np.eye(d), (k, 1, 1))


def on_a_line(k: int, d: int, steps: float) -> Any:
    """Means moved along the diagonal by ``steps``."""
    means = 30.0 * np.arange(k)[:, None] * np.ones((k, d))
    means[:, 0] += steps
    return np.full(k, 1 / k), means, np.tile(np.eye(d), (k, 1, 1))


def lists(seed: int) -> tuple[list[Any], list[Any], dict[str, Any]]:
    """Two lists of blocks that differ in one, near the edge of agreement; and parameters."""
    rng = np.random.default_rng(seed)
    k, d, t = int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(rng.integers(8, 30))
    majority = (t + 1) // 2
    ramp = int(rng.integers(1, t - majority + 1))
    nu = closeness(R)
    if seed % 2:  # two camps, each just beyond the other's reach, and a middle that both see
        share = rng.integers(0, t, 2)
        steps = np.where(np.arange(t) < share[0], -0.999 * nu, 0.999 * nu)
        steps[: share[1]] = 0.0
        blocks = [on_a_line(k, d, s) for s in steps]
    else:
        blocks = [drawn(rng, k, d, float(rng.uniform(0.01, 0.25))) for _ in range(t)]
    new = [None, far_block(k, d), on_a_line(k, d, nu * float(rng.uniform(-1, 1))), drawn(rng, k, d, 0.05)]
    other = list(blocks)
    other[int(rng.integers(t))] = new[int(rng.integers(4))]
    return blocks, other, {"k": k, "d": d, "r": R, "majority": majority, "ramp": ramp}


def weight(blocks: list[Any], params: dict[str, Any]) -> float:
    return float(PopulousWeight(**params).evaluate(Exact(blocks)).floats[0])


def averaged(blocks: list[Any], params: dict[str, Any], least: float) -> Any:
    weights, means, roots = PopulousAverage(**params, test_threshold=least).evaluate(Exact(blocks)).integers
    return weights, means, roots @ np.swapaxes(roots, 1, 2)


def excesses(seeds: range, *, factor: float = 1.0) -> tuple[float, float, float]:
    """Largest of: sensitivity of W, distance of positive blocks, distance of averages, over their bounds."""
    moved, apart, between = 0.0, 0.0, 0.0
    for seed in seeds:
        first, second, params = lists(seed)
        t = len(first)
        found = [weight(b, params) for b in (first, second)]
        moved = max(moved, abs(found[0] - found[1]) / (factor * (1 + (t - 1) / params["ramp"])))
        least = min(found)
        if least <= 0:
            continue
        bound = average_radius(t, params["ramp"], least, R, params["d"])
        pair = [averaged(b, params, least) for b in (first, second)]
        between = max(between, block_distance(*pair) / (factor * bound))
        if seed % 8 == 0:
            apart = max(apart, positive_distance(first, second, params) / (factor * R))
    return moved, apart, between


def positive_distance(first: list[Any], second: list[Any], params: dict[str, Any]) -> float:
    """Largest distance of two blocks of positive weight, of both lists."""
    heavy = []
    for blocks in (first, second):
        counts = near_blocks(read_blocks(blocks, params["k"], params["d"], R), R).sum(axis=1)
        heavy += [b for b, c in zip(blocks, counts, strict=True) if c > params["majority"]]
    return max((block_distance(a, b) for a in heavy for b in heavy[:6]), default=0.0)


def test_no_neighbours_exceed_the_bounds() -> None:
    moved, apart, between = excesses(range(300))
    assert max(moved, apart, between) <= 1.0 + 1e-9
    assert moved > 0.5
    assert apart > 0.5


def test_a_smaller_bound_is_caught() -> None:
    """The broken twin: half the sensitivity and half the distance."""
    moved, apart, _ = excesses(range(300), factor=0.5)
    assert moved > 1.0
    assert apart > 1.0


@pytest.mark.parametrize("r", [R, 0.1, 1e-2, 1e-3])
def test_near_means_within_nu(r: float) -> None:
    """Whoever is counted near is so by the plain distance; whoever is well within is counted, however small r is."""
    rng, nu, hits = np.random.default_rng(3), closeness(r), 0
    for k, d, spread in ((1, 3, 0.08), (2, 2, 0.09), (3, 4, 0.06)):
        blocks = [drawn(rng, k, d, spread * nu / closeness(R)) for _ in range(30)]
        near = near_blocks(read_blocks(blocks, k, d, r), r)
        for i in range(30):
            for j in range(30):
                plain = block_distance(blocks[i], blocks[j])
                assert not near[i, j] or plain <= nu
                assert near[i, j] or plain > 0.85 * nu
                hits += bool(near[i, j]) and i != j
    assert hits > 100


@pytest.mark.parametrize(
    "broken",
    [
        None,
        "text",
        (np.ones(2),),
        (np.full(2, np.nan), np.zeros((2, 2)), np.tile(np.eye(2), (2, 1, 1))),
        (np.full(2, 0.5), np.zeros((2, 2)), np.tile(np.eye(2), (2, 1, 1))),
        (np.full(2, 0.5), np.array([[0.0, 0.0], [9.0, 9.0]]), np.zeros((2, 2, 2))),
        (np.full(2, 0.5), np.array([[0.0, 0.0], [9.0, 9.0]]), np.tile(-np.eye(2), (2, 1, 1))),
        (np.full(2, 0.5), np.array([[0.0, 0.0], [1e300, 9.0]]), np.tile(np.eye(2), (2, 1, 1))),
        (np.full(2, 0.5), np.array([[0.0, 0.0], [9.0, 9.0]]), np.tile(np.array([[1.0, 1.0], [1.0, 1.0]]), (2, 1, 1))),
        (np.full(2, 0.5), 1e14 + np.array([[0.0, 0.0], [9.0, 9.0]]), np.tile(np.eye(2), (2, 1, 1))),
    ],
)
def test_a_block_that_cannot_be_used_is_near_nothing(broken: Any) -> None:
    blocks = [far_block(2, 2), broken, far_block(2, 2)]
    near = near_blocks(read_blocks(blocks, 2, 2, R), R)
    assert near[0].tolist() == [True, False, True]
    assert not near[1].any()


@pytest.mark.parametrize(("k", "r"), [(1, 1e-3), (2, 1e-3), (2, 0.03), (2, 0.7)])
def test_partners_are_found_however_ill_conditioned_live_blocks_are(k: int, r: float) -> None:
    """Blocks whose rounding could reach r² are unused; in all others J is known to less than r²/4 for partners."""
    rng, d, seen = np.random.default_rng(0), 3, [0, 0]
    for exponent in np.linspace(0.0, 7.0, 29):
        turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
        shape = (turn * 10.0 ** np.array([0.0, -exponent / 2, -exponent])) @ turn.T
        shape = (shape + shape.T) / 2
        block = (
            np.full(k, 1 / k),
            1e3 * np.arange(k)[:, None] * np.ones(d),
            np.array([shape * (1 + j) for j in range(k)]),
        )
        blocks = read_blocks([block, block], k, d, r)
        seen[bool(blocks.valid[0])] += 1
        if blocks.valid[0]:
            computed, above = traces(blocks, slice(0, 2 * k))
            assert (above - computed)[np.arange(k), k + np.arange(k)].max() < 0.25 * r * r
            assert np.abs(computed[np.arange(k), k + np.arange(k)]).max() < 0.25 * r * r
            assert matching(blocks, 0, 1, r) == list(range(k))
    assert seen[1] > 5
    assert seen[0] > (0 if r < 0.01 else -1)


@pytest.mark.parametrize("seed", range(5))
def test_other_blocks_change_no_bit(seed: int) -> None:
    """Nearness of two blocks does not depend on a third, nor does units by powers of two or a shift of order."""
    rng = np.random.default_rng(seed)
    blocks = [drawn(rng, 2, 3, 0.1) for _ in range(40)]
    near = near_blocks(read_blocks(blocks, 2, 3, R), R)
    for new in (None, far_block(2, 3), (np.full(2, 1e-300), np.full((2, 3), 1e-300), np.zeros((2, 3, 3)))):
        other = [*blocks[:7], new, *blocks[8:]]
        again = near_blocks(read_blocks(other, 2, 3, R), R)
        rest = np.arange(40) != 7
        assert np.array_equal(near[np.ix_(rest, rest)], again[np.ix_(rest, rest)])
    scaled = [(w, 2.0**40 * m, 2.0**80 * c) for w, m, c in blocks]
    assert np.array_equal(near, near_blocks(read_blocks(scaled, 2, 3, R), R))


def test_average_is_exact_and_root_is_its_root() -> None:
    from fractions import Fraction

    rng = np.random.default_rng(0)
    values, weights = rng.standard_normal((50, 3)) * 1e9, rng.integers(1, 600, 50)
    found = average(values, weights)
    for j in range(3):
        exact = sum(Fraction(float(v)) * int(w) for v, w in zip(values[:, j], weights, strict=True)) / int(
            weights.sum()
        )
        assert abs(Fraction(float(found[j])) - exact) <= abs(exact) * Fraction(1, 2**52)
    matrix = np.cov(rng.standard_normal((5, 100)))
    lower = root(matrix)
    assert np.allclose(lower @ lower.T, matrix, rtol=1e-14, atol=1e-15)
    assert np.array_equal(lower, np.tril(lower))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"majority": 4}, "share a block"),
        ({"ramp": 9}, "share a block"),
        ({"r": 1.5}, "at most 1"),
        ({"r": None}, "'r'"),
    ],
)
@pytest.mark.parametrize("name", ["populous_weight", "populous_average"])
def test_refusals(name: str, changes: dict[str, Any], message: str) -> None:
    params = {"k": 1, "d": 1, "r": R, "majority": 5, "ramp": 4, "test_threshold": 2.0, **changes}
    with pytest.raises(PlanError, match=message):
        THEOREMS[name].rule(params, ((OneOf(10, 1),),))


def test_two_changed_blocks_are_refused() -> None:
    params = {"k": 1, "d": 1, "r": R, "majority": 5, "ramp": 4, "test_threshold": 2.0}
    with pytest.raises(PlanError, match="one changed block"):
        THEOREMS["populous_average"].rule(params, ((OneOf(10, 2),),))


def test_separation_is_what_three_steps_reach() -> None:
    means, parts = separation(R)
    assert parts == pytest.approx((1 + R) ** 3 - 1)
    assert means == pytest.approx(2.80, abs=0.01)


@pytest.mark.slow
def test_a_thousand_blocks_are_matched_in_few_steps() -> None:
    rng = np.random.default_rng(0)
    blocks = [drawn(rng, 4, 10, 0.02) for _ in range(1000)]
    near = within(2_000_000, lambda: near_blocks(read_blocks(blocks, 4, 10, R), R))
    assert near.all()
