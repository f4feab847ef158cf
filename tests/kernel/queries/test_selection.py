"""T4 for mixtures and for registered semimetrics: agreement and selection, attacked by changing one block."""

from __future__ import annotations

import asyncio
import math
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dpframe as dp
from dpframe.kernel.families.block_mixtures import matched_blocks, read_blocks
from dpframe.kernel.families.mixture_selection import MixtureAgreement, SelectMixture
from dpframe.kernel.families.registered_mask import STEP_BITS, euclidean_cost, euclidean_gaussian, rounded_down
from dpframe.kernel.families.registered_models import RegisteredAgreement, SelectRegistered, euclidean, near_by
from dpframe.kernel.families.registering import Semimetric, find_mask, find_semimetric
from dpframe.kernel.operations import Exact
from dpframe.proof.families.registered import registered_radius
from dpframe.proof.families.selection import near_within, neighbourhood, root_rounding
from dpframe.proof.spaces import L1, OneOf, Within
from dpframe.proof.theorems import THEOREMS

NU = 0.3
Block = Any


def component_distance(a: Any, b: Any) -> float:
    """dist_COMP, plainly."""
    out = abs(a[0] - b[0])
    for x, y in ((a, b), (b, a)):
        inverse = np.linalg.inv(np.linalg.cholesky(x[2]))
        out = max(out, float(np.linalg.norm(inverse @ (a[1] - b[1]))))
        out = max(out, float(np.linalg.norm(inverse @ y[2] @ inverse.T - np.eye(len(inverse)))))
    return float(out)


def distance(a: Any, b: Any) -> float:
    """dist_PARAM by all permutations."""
    k = len(a[0])
    pairs = [[component_distance([p[i] for p in a], [p[j] for p in b]) for j in range(k)] for i in range(k)]
    return min(max(pairs[i][p[i]] for i in range(k)) for p in permutations(range(k)))


def drawn(rng: np.random.Generator, k: int, d: int, spread: float, gap: float = 30.0) -> Any:
    """A block near the standard one, its components in any order, ``gap`` apart."""
    means = gap * np.arange(k)[:, None] + spread * rng.standard_normal((k, d))
    moves = spread * rng.standard_normal((k, d, d)) / d
    covariances = np.eye(d) + moves + np.swapaxes(moves, 1, 2) + moves @ np.swapaxes(moves, 1, 2)
    order = rng.permutation(k)
    return np.full(k, 1 / k), means[order], covariances[order]


def moved(k: int, d: int, steps: float) -> Any:
    means = 30.0 * np.arange(k)[:, None] * np.ones((k, d))
    means[:, 0] += steps
    return np.full(k, 1 / k), means, np.tile(np.eye(d), (k, 1, 1))


def lists(seed: int) -> tuple[list[Any], list[Any], int, int, int]:
    """Two lists of blocks that differ in one, near the edge of agreement; k, d and a majority."""
    rng = np.random.default_rng(seed)
    k, d, t = int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(rng.integers(5, 16))
    majority = (t + 1) // 2
    if seed % 2:  # two camps, each just beyond the other's reach, and a middle that both see
        share = rng.integers(0, t, 2)
        steps = np.where(np.arange(t) < share[0], -0.999 * NU, 0.999 * NU)
        steps[share[1] :] = 0.0
        blocks = [moved(k, d, s) for s in steps]
    else:
        blocks = [drawn(rng, k, d, float(rng.uniform(0.01, 0.25)), float(rng.choice([0.0, 30.0]))) for _ in range(t)]
    new = [None, moved(k, d, 1e4), moved(k, d, 0.999 * NU), moved(k, d, -0.999 * NU), drawn(rng, k, d, 0.05)]
    other = list(blocks)
    other[0 if seed % 3 else int(rng.integers(t))] = new[int(rng.integers(5))]
    return blocks, other, k, d, majority


def chosen(blocks: list[Any], k: int, d: int, majority: int) -> Any:
    query = SelectMixture(k=k, d=d, nu=NU, majority=majority, test_threshold=0.999)
    weights, means, roots = query.evaluate(Exact(blocks), None).integers
    return weights, means, roots @ np.swapaxes(roots, 1, 2)


def agreed(blocks: list[Any], k: int, d: int) -> Fraction:
    exact = MixtureAgreement(k=k, d=d, nu=NU).evaluate(Exact(blocks))
    return int(exact.integers[0]) * Fraction(exact.step)


def search(seeds: range, *, low: bool = False) -> tuple[float, float]:
    """Largest of: change of Q over 2/t, distance of the selections over its bound where both tests can pass."""
    bound = (1 + NU) ** 2 - 1
    shares, apart = 0.0, 0.0
    for seed in seeds:
        first, second, k, d, majority = lists(seed)
        majority = len(first) // 4 if low else majority
        pair = [agreed(blocks, k, d) for blocks in (first, second)]
        shares = max(shares, float(abs(pair[0] - pair[1])) * len(first) / 2)
        if min(pair) > Fraction(majority, len(first)):
            apart = max(
                apart,
                distance(*(chosen(b, k, d, majority) for b in (first, second))) / (bound + root_rounding(bound, d)),
            )
    return shares, apart


def test_neighbours_stay_within_the_theorem() -> None:
    shares, apart = search(range(300))
    assert shares <= 1
    assert apart <= 1
    assert shares > 0.7
    assert apart > 0.7  # a twin that claims 0.7 of either bound would be caught


def test_a_lower_majority_is_caught() -> None:
    """The broken twin: neighbourhoods of a quarter of the blocks need not share one; the theorem refuses it."""
    assert search(range(300), low=True)[1] > 1
    params = {"k": 1, "d": 1, "nu": NU, "majority": 2, "test_threshold": 0.9}
    with pytest.raises(dp.PlanError, match="must share two blocks"):
        THEOREMS["close_mixture"].rule(params, ((OneOf(8, 1),),))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_matching_is_the_bottleneck_of_all_permutations(k: int) -> None:
    """Components that overlap, so that several matchings are near: a hit is within ν, a miss not well within."""
    rng = np.random.default_rng(k)
    blocks = [drawn(rng, k, 2, 0.12 / k, 0.1) for _ in range(14)]
    near = matched_blocks(read_blocks(blocks, k, 2, None), NU)
    hits = 0
    for i, a in enumerate(blocks):
        for j, b in enumerate(blocks):
            plain = distance(a, b)
            assert not near[i, j] or plain <= NU
            assert near[i, j] or plain > 0.85 * NU
            hits += i != j and bool(near[i, j])
    assert hits > 0


@pytest.mark.parametrize("nu", [1e-3, 1e-6, 1e-9])
def test_small_distances_are_told_apart(nu: float) -> None:
    """Blocks that differ by half of ν are near, those that differ by twice ν are not, in mean or in covariance."""
    base = (np.ones(1), np.array([[5.0, -3.0]]), np.array([[[4.0, 1.0], [1.0, 9.0]]]))
    for part, step in ((1, np.array([[0.0, 1.0]])), (2, np.array([[[1.0, 0.0], [0.0, 1.0]]]))):
        blocks = [base]
        for factor in (0.5, 2.0):
            parts = list(base)
            size = distance(base, tuple(p if i != part else p + 1e-3 * step for i, p in enumerate(base))) / 1e-3
            parts[part] = parts[part] + factor * nu / size * step
            blocks.append(tuple(parts))
        near = matched_blocks(read_blocks(blocks, 1, 2, None), nu)
        assert near[0].tolist() == [True, True, False]
        assert near[1, 1]


def test_nu_is_the_largest_that_is_within_r() -> None:
    for r, d in ((0.7, 2), (1e-3, 10), (3e-6, 2)):
        nu = near_within(r, d)
        params = {"k": 1, "d": d, "nu": nu, "majority": 10, "test_threshold": 0.51}
        (within,) = THEOREMS["close_mixture"].rule(params, ((OneOf(20, 1),),))
        assert r * (1 - 1e-3) - 2 * root_rounding(r, d) <= within.r <= r
    assert near_within(1e-9, 2) == 0


def test_what_the_theorem_says() -> None:
    one = ((OneOf(20, 1),),)
    share = THEOREMS["mixture_agreement"].rule({"k": 2, "d": 2, "nu": NU}, one)
    assert next(m.bound for m in share if isinstance(m, L1)) == pytest.approx(0.1)
    params = {"k": 2, "d": 2, "nu": NU, "majority": 10, "test_threshold": 0.51}
    (within,) = THEOREMS["close_mixture"].rule(params, one)
    assert isinstance(within, Within)
    assert within.semimetric == "component"
    assert (1 + NU) ** 2 - 1 <= within.r <= (1 + NU) ** 2 - 1 + 2 * root_rounding(0.69, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"majority": 9}, "must share two"),
        ({"majority": 20}, "must share two"),
        ({"test_threshold": 0.5}, "more than 10/20"),
        ({"nu": 1.0}, "nu"),
        ({"k": 11}, "at most 10"),
    ],
)
def test_refusals(changes: dict[str, Any], message: str) -> None:
    params = {"k": 2, "d": 2, "nu": NU, "majority": 10, "test_threshold": 0.51, **changes}
    with pytest.raises(dp.PlanError, match=message):
        THEOREMS["close_mixture"].rule(params, ((OneOf(20, 1),),))
    with pytest.raises(dp.PlanError, match="one changed block"):
        THEOREMS["close_mixture"].rule({**params, **changes}, ((OneOf(20, 2),),))


def test_no_block_gives_the_standard_mixture() -> None:
    far = [moved(1, 2, 100.0 * i) for i in range(6)]
    weights, means, covariances = chosen(far, 1, 2, 3)
    assert (weights.tolist(), means.tolist(), covariances.tolist()) == ([1.0], [[0.0, 0.0]], [np.eye(2).tolist()])


# ---------------------------------------------------------------------------- registered semimetrics


def test_euclidean_is_registered_and_rounded_up() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b = rng.standard_normal((2, 3)) * 10.0 ** rng.integers(-5, 5)
        exact = sum((Fraction(float(x)) - Fraction(float(y))) ** 2 for x, y in zip(a, b, strict=True))
        assert Fraction(euclidean(a, b)) ** 2 >= exact
    tiny, huge = np.array([1e-200, 0.0]), np.array([1e300, 1e300])  # squares leave float64
    assert euclidean(tiny, np.zeros(2)) >= 1e-200
    assert 1.4e300 < euclidean(huge, np.zeros(2)) < 1.5e300
    assert euclidean(np.array([5e-324, 5e-324]), np.zeros(2)) > 5e-324
    assert find_semimetric("euclidean").triangle(9.0) == 1.0
    assert find_mask("euclidean.gaussian").semimetric == "euclidean"


@pytest.mark.parametrize("returned", ["raise", "exit", "cancel", float("nan"), -1.0, float("inf"), None, "x"])
def test_a_distance_that_is_none_means_far(returned: Any) -> None:
    def broken(a: Any, b: Any) -> Any:
        if returned == "raise":
            raise ValueError(a)
        if returned == "exit":
            raise SystemExit
        if returned == "cancel":
            raise asyncio.CancelledError
        a[:] = 5.0  # what it is handed are copies
        return returned

    points = np.zeros((3, 1, 2))
    for many in (False, True):
        space = Semimetric("x", broken, lambda r: 1.0, many=many)
        assert near_by(space, points, np.ones(3, dtype=bool), 1.0).tolist() == [0, 0, 0]
    assert not points.any()
    flat = Semimetric("x", lambda a, b: 0.0, lambda r: 1.0)
    assert near_by(flat, points, np.array([True, False, True]), 1.0).tolist() == [2, 0, 2]


def test_registered_selection_is_within_r() -> None:
    """And a twin whose neighbourhoods have radius r, not r/2, is caught."""
    rng = np.random.default_rng(4)
    query = SelectRegistered(semimetric="euclidean", r=1.0, d=1, majority=4, test_threshold=0.51)
    wide = SelectRegistered(semimetric="euclidean", r=2.0, d=1, majority=4, test_threshold=0.51)
    share = RegisteredAgreement(semimetric="euclidean", r=1.0, d=1)
    apart = {1.0: Fraction(0), 2.0: Fraction(0)}
    most = Fraction(0)
    for _ in range(800):
        line = rng.choice([-0.5, 0.0, 0.5], 8) * rng.choice([0.999, 0.5, 1.999])
        first = [(np.array([x]),) for x in line]
        second = list(first)
        second[int(rng.integers(8)) if rng.random() < 0.5 else 0] = (rng.choice([-0.999, 0.0, 0.999], 1),)
        values = [share.evaluate(Exact(blocks)) for blocks in (first, second)]
        most = max(most, abs(int(values[0].integers[0]) - int(values[1].integers[0])) * Fraction(values[0].step))
        for made in (query, wide):
            exacts = [
                RegisteredAgreement(semimetric="euclidean", r=made.r, d=1).evaluate(Exact(b)) for b in (first, second)
            ]
            if min(int(e.integers[0]) * Fraction(e.step) for e in exacts) > Fraction(4, 8):
                picked = [made.evaluate(Exact(b), None) for b in (first, second)]
                gap = abs(int(picked[0].integers[0]) - int(picked[1].integers[0])) * Fraction(picked[0].step)
                apart[made.r] = max(apart[made.r], gap)
    assert most <= Fraction(2, 8)
    assert Fraction(1, 2) < apart[1.0] <= 1
    assert apart[2.0] > 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"z": 0.5}, "z must be at least 1"),
        ({"semimetric": "component"}, "no semimetric of a plugin"),
        ({"majority": 3}, "must share two"),
        ({"test_threshold": 0.5}, "more than 4/8"),
    ],
)
def test_refusals_of_registered(changes: dict[str, Any], message: str) -> None:
    params = {"semimetric": "mine", "r": 1.0, "z": 1.0, "d": 1, "k": 0, "majority": 4, "test_threshold": 0.6, **changes}
    with pytest.raises(dp.PlanError, match=message):
        THEOREMS["close_registered"].rule(params, ((OneOf(8, 1),),))


def test_a_mask_of_another_semimetric_or_radius_is_refused() -> None:
    rule = THEOREMS["registered_mask"].rule
    params = {"semimetric": "mine", "r": 1.0, "k": 0, "view": "rho", "noise": 1.0, "cost": [0.1], "mask": "x"}
    assert rule(params, ((Within("mine", 1.0),),)).rho == pytest.approx(0.1)
    for wrong in (Within("yours", 1.0), Within("mine", 1.01), Within("component", 0.5)):
        with pytest.raises(dp.PlanError, match="the mask is for values within"):
            rule(params, ((wrong,),))


def test_radius_is_rounded_down() -> None:
    for r, z in ((0.1, 1.0), (1.0, 1.5), (0.7, 1.35), (1e-9, 7.0), (1.5e-323, 1.0), (5e-324, 1.1), (3.5e-323, 1.7)):
        assert 2 * Fraction(z) * Fraction(registered_radius(r, z)) <= Fraction(r)
        assert 2 * Fraction(neighbourhood("l2", r)) <= Fraction(r)


def test_the_plainest_mask_tells_nothing_of_the_last_digits() -> None:
    """``value + noise·g`` in floats, the broken twin, has outputs that only one of two near values can give."""
    noise, rng = 3.7, np.random.default_rng(5)
    first = rng.uniform(0.5, 1.0, 400)
    second = np.nextafter(first, 2.0)
    normals = {"count": rng.standard_normal(400) * 0.2}
    step = Fraction(noise) / 2**STEP_BITS

    def masked(value: Any) -> Any:
        return euclidean_gaussian(value, noise, lambda count: normals["count"])

    def plain(value: Any) -> Any:
        return value + noise * normals["count"]

    assert all(float(round(Fraction(float(y)) / step) * step) == y for y in masked(first))
    assert np.mean(masked(first) == masked(second)) > 0.99
    assert np.mean(plain(first) == plain(second)) < 0.5
    assert (euclidean_cost(noise, 1.0) - 1 / (2 * noise**2)) * 2 * noise**2 < 1e-8


@given(
    st.lists(st.tuples(st.floats(-1e30, 1e30), st.floats(-8, 8)), max_size=4),
    st.one_of(st.floats(1e-30, 1e30), st.integers(-60, 60).map(lambda e: 2.0**e)),
    st.integers(-4, 4),
)
@example([(1.5 * 2.0**-44, 0.5 * 2.0**-44), (2.5 * 2.0**-44, -0.5 * 2.0**-44)], 1.0, 0)
def test_the_plainest_mask_is_its_formula_in_fractions(pairs: list[tuple[float, float]], noise: float, e: int) -> None:
    """Halves of a step, to even for the value and up for the Gaussian, among them."""
    value, normals = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    value = np.concatenate([value, np.arange(-3, 4) * noise * 2.0 ** (e - STEP_BITS - 1)])
    normals = np.concatenate([normals, np.arange(-3, 4) * 2.0 ** -(STEP_BITS + 1)])
    step = Fraction(noise) / 2**STEP_BITS
    drawn = [math.floor(Fraction(g) * 2**STEP_BITS + Fraction(1, 2)) for g in normals.tolist()]
    right = [float((round(Fraction(v) / step) + z) * step) for v, z in zip(value.tolist(), drawn, strict=True)]
    assert euclidean_gaussian(value, noise, lambda count: normals).tolist() == right


@pytest.mark.parametrize("x", [0, 1, -1, 2**53 + 1, -(2**53) - 1, 2**60 + 2**7 + 1, -(2**60) - 2**7 - 1])
def test_normals_of_masks_are_rounded_down(x: int) -> None:
    """So that ⌊2^44·g + ½⌋ is that of the Gaussian itself."""
    g = rounded_down(x)
    assert Fraction(g) <= Fraction(x, 2**60)
    assert Fraction(math.nextafter(g, math.inf)) > Fraction(x, 2**60)
