"""Coins, uniform integers, permutations and selection against exact probabilities, with twins."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from dpframe.errors import SpecError
from dpframe.kernel.noise import (
    SecureSource,
    SeededSource,
    bernoulli_exp,
    categorical_exp,
    permutation,
    permute_and_flip,
    uniform_below,
)
from dpframe.kernel.noise import bernoulli as bernoulli_module
from dpframe.kernel.noise import selection as selection_module
from tests.kernel.noise.goodness import ALARM, Scripted, fit

N = 200_000
FORCED = 8000
SCORES = [
    ([0, 1, 2, 3], Fraction(1, 2)),
    ([7, 7, 7], 0.3),
    ([-5, 0, 3, 3, -1], 0.25),
    ([10**30, 10**30 + 2, 10**30 - 1], Fraction(1, 3)),
    ([2**63 - 1, -(2**63)], 2.0**-64),
]


def coins(counts, p):
    return fit(np.array([counts.sum(), len(counts) - counts.sum()]), np.array([p, 1 - p]))


@pytest.mark.parametrize("source", [SecureSource(), SeededSource(1)])
@pytest.mark.parametrize("gamma", [1e-3, 0.5, 1.0, 3.0, 6.0])
def test_coins_have_their_bias(source, gamma):
    flips = bernoulli_exp(source, np.full(N, gamma))
    assert coins(flips, math.exp(-gamma)) > ALARM
    if isinstance(source, SeededSource):
        assert coins(flips, math.exp(-gamma) * (0.99 if gamma < 1 else 0.7)) < ALARM


@pytest.mark.parametrize("gamma", [0.5, 3.0])
def test_forced_coins_have_their_bias(gamma):
    exact = lambda _: (Fraction(1), Fraction(gamma))  # noqa: E731
    flips = bernoulli_module.flip(SeededSource(1), 1.0, np.full(FORCED, gamma), exact, slack=2.0)
    assert coins(flips, math.exp(-gamma)) > ALARM
    assert coins(flips, 0.7 * math.exp(-gamma)) < ALARM


def test_sure_coins():
    assert bernoulli_exp(SeededSource(1), np.zeros(10_000)).all()
    assert not bernoulli_exp(SeededSource(1), np.array([1e4, 1e300, np.inf] * 1000)).any()
    assert not bernoulli_exp(Scripted(), np.array([np.inf])).any()  # V = 0.000... is not below 0


@pytest.mark.parametrize(
    "gamma",
    [2.0, 2, np.float32(2), Fraction(2), np.array([[2, 2]]), np.array([2, Fraction(2)], dtype=object)],
)
def test_kinds_of_exponents(gamma):
    flips = bernoulli_exp(SeededSource(1), gamma)
    assert flips.dtype == bool
    assert flips.shape == np.shape(gamma)


def test_huge_fractions_are_exponents_too():
    assert not bernoulli_exp(SeededSource(1), np.array([10**400, Fraction(10**400, 3)], dtype=object)).any()
    assert bernoulli_exp(SeededSource(1), np.array([Fraction(1, 10**400)] * 100, dtype=object)).all()


@pytest.mark.parametrize(
    "gamma",
    [
        -1.0,
        np.nan,
        [0.0, -1e-9],
        [True],
        ["1"],
        [1j],
        np.array([None]),
        np.longdouble(1),
        np.array([-(10**400)]),
    ],
)
def test_bad_exponents_are_refused(gamma):
    with pytest.raises(SpecError, match="exponent"):
        bernoulli_exp(SeededSource(1), gamma)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 255, 256])
def test_uniform_integers(bound):
    draws = uniform_below(SeededSource(1), bound, N)
    assert draws.dtype == np.int64
    assert draws.min() >= 0
    assert draws.max() < bound
    if bound > 1:
        assert fit(np.bincount(draws, minlength=bound), np.full(bound, 1 / bound)) > ALARM


@pytest.mark.parametrize("bound", [3 << 61, 3 << 63, 3 << 200])
def test_large_uniform_integers_have_no_bias_of_a_remainder(bound):
    thirds = np.array([bound // 3, 2 * (bound // 3)], dtype=object)
    draws = uniform_below(SeededSource(1), bound, 20_000)
    assert draws.dtype == (np.int64 if bound <= 1 << 63 else object)
    assert all(0 <= z < bound for z in draws)
    assert fit(np.bincount((draws[:, None] >= thirds).sum(axis=1), minlength=3), np.full(3, 1 / 3)) > ALARM
    words = [int.from_bytes(np.random.default_rng(i).bytes(26)) >> (206 - bound.bit_length()) for i in range(20_000)]
    remainders = np.array([z % bound for z in words], dtype=object)
    assert fit(np.bincount((remainders[:, None] >= thirds).sum(axis=1), minlength=3), np.full(3, 1 / 3)) < ALARM


@pytest.mark.parametrize("bound", [0, -1, 2.0, None])
def test_bad_bounds_are_refused(bound):
    with pytest.raises(SpecError, match="bound"):
        uniform_below(SeededSource(1), bound, 1)


def orders(draw, count):
    index = {order: i for i, order in enumerate(itertools.permutations(range(4)))}
    counts = np.bincount([index[tuple(draw())] for _ in range(count)], minlength=24)
    return fit(counts, np.full(24, 1 / 24))


def test_permutations_are_uniform():
    source, rng = SeededSource(1), np.random.default_rng(1)

    def naive():
        """Twin: swap every place with any place."""
        order = [0, 1, 2, 3]
        for i, k in enumerate(rng.integers(4, size=4)):
            order[i], order[k] = order[k], order[i]
        return order

    assert orders(lambda: permutation(source, 4).tolist(), 10_000) > ALARM
    assert orders(naive, 10_000) < ALARM


@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_permutations_are_permutations(n):
    order = permutation(SeededSource(1), n)
    assert order.dtype == np.int64
    assert (np.sort(order) == np.arange(n)).all()


def test_equal_keys_are_drawn_again():
    assert permutation(Scripted(5, 5, 9, 8), 2).tolist() == [1, 0]


@pytest.mark.parametrize("n", [-1, 2.0, 2**32 + 1])
def test_bad_permutations_are_refused(n):
    with pytest.raises(SpecError):
        permutation(SeededSource(1), n)


def softmax(scores, scale):
    weights = np.exp([-float((max(scores) - q) * Fraction(scale)) for q in scores])
    return weights / weights.sum()


def permute_and_flip_mass(scores, scale):
    """P(i) = p_i times the integral over t in [0, 1] of prod_{k != i} (1 - p_k t); t is i's place in line."""
    p = [math.exp(-float((max(scores) - q) * Fraction(scale))) for q in scores]
    mass = []
    for i in range(len(p)):
        polynomial = np.polynomial.Polynomial([1.0])
        for k, bias in enumerate(p):
            if k != i:
                polynomial *= np.polynomial.Polynomial([1.0, -bias])
        mass.append(p[i] * polynomial.integ()(1.0))
    return np.array(mass)


CHOICES = [(categorical_exp, softmax), (permute_and_flip, permute_and_flip_mass)]


@pytest.mark.parametrize(("choose", "mass"), CHOICES)
@pytest.mark.parametrize(("scores", "scale"), SCORES)
def test_choices_have_their_exact_probabilities(choose, mass, scores, scale):
    chosen = choose(SeededSource(1), scores, scale, N)
    expected = mass(scores, scale)
    assert fit(np.bincount(chosen, minlength=len(scores)), expected) > ALARM
    if expected.max() - expected.min() > 0.01:
        assert fit(np.bincount(chosen, minlength=len(scores)), mass(scores, Fraction(scale) * Fraction(21, 20))) < ALARM


@pytest.mark.parametrize(("choose", "mass"), CHOICES)
@pytest.mark.parametrize(("scores", "scale"), SCORES[:4])
def test_forced_choices_have_their_exact_probabilities(monkeypatch, choose, mass, scores, scale):
    monkeypatch.setattr(selection_module, "flip", partial(bernoulli_module.flip, slack=2.0))
    chosen = choose(SeededSource(1), scores, scale, FORCED // len(scores) * 2)
    assert fit(np.bincount(chosen, minlength=len(scores)), mass(scores, scale)) > ALARM


def test_the_two_choices_are_told_apart():
    scores, scale = [0, 1, 2, 3], Fraction(1, 2)
    exponential = np.bincount(categorical_exp(SeededSource(1), scores, scale, N), minlength=4)
    flipped = np.bincount(permute_and_flip(SeededSource(1), scores, scale, N), minlength=4)
    assert fit(exponential, permute_and_flip_mass(scores, scale)) < ALARM
    assert fit(flipped, softmax(scores, scale)) < ALARM


def test_many_candidates():
    """1e5 scores on ten levels: the levels' masses fit."""
    scores = np.arange(100_000) % 10
    expected = softmax(range(10), 0.5)
    chosen = scores[categorical_exp(SeededSource(1), scores, 0.5, N)]
    assert fit(np.bincount(chosen, minlength=10), expected) > ALARM
    one = permute_and_flip(SeededSource(1), scores, 50.0)
    assert one.shape == ()
    assert scores[int(one)] == 9


@pytest.mark.parametrize(("offset", "index"), [(-1, 0), (0, 1)])
def test_the_first_place_of_an_index_is_its_own(offset, index):
    """Two equal scores have 2^45 + 2^15 places each."""
    place = (1 << 45) + (1 << 15) + offset
    words = [place << (64 - 47)] + [0] * 8  # uniform_below asks for one word and 8 spare ones
    assert categorical_exp(Scripted(*words), [3, 3], 1.0) == index


@pytest.mark.parametrize("choose", [categorical_exp, permute_and_flip])
def test_extremes(choose):
    source = SeededSource(1)
    assert (choose(source, [4], 9.0, 500) == 0).all()
    assert (choose(source, [0, 10**9], 1e300, 500) == 1).all()
    assert (choose(source, [5, 5 - 10**9, 5 - 10**400], Fraction(10**320), 500) == 0).all()
    assert set(choose(source, [0, 100, -(10**6)], 0.0, 500).tolist()) == {0, 1, 2}
    assert choose(source, np.array([3, 3], dtype=np.uint8), 1, (4, 2)).shape == (4, 2)
    assert choose(source, np.array([2**64 - 1, 0], dtype=np.uint64), np.float32(1), ()) == 0


@pytest.mark.parametrize("choose", [categorical_exp, permute_and_flip])
@pytest.mark.parametrize("scores", [[], [1.0], [[1, 2]], [True, False], ["1"], 3, np.array([1, 0.5], dtype=object)])
def test_bad_scores_are_refused(choose, scores):
    with pytest.raises(SpecError, match="scores"):
        choose(SeededSource(1), scores, 1.0)


@pytest.mark.parametrize("choose", [categorical_exp, permute_and_flip])
@pytest.mark.parametrize("scale", [-1.0, np.nan, np.inf, "1", None])
def test_bad_rates_are_refused(choose, scale):
    with pytest.raises(SpecError, match="scale"):
        choose(SeededSource(1), [1, 2], scale)
