"""Permute-and-flip's curve against exact probabilities of random candidates and neighbours, and where it is met."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpframe.proof.losses import BoundedRange, Laplace
from dpframe.proof.spaces import LInf
from dpframe.proof.theorems import THEOREMS


def law(scores: np.ndarray) -> np.ndarray:
    """P(j) by the algorithm itself: every order of the candidates, with the chance of each refusal."""
    u = np.exp(scores - scores.max())
    found = np.zeros(len(u))
    for order in itertools.permutations(range(len(u))):
        left = 1.0
        for j in order:
            found[j] += left * u[j]
            left *= 1 - u[j]
    return found / math.factorial(len(u))


def stick(p: np.ndarray, q: np.ndarray, x: float) -> float:
    return float(np.maximum(p - math.exp(x) * q, 0).sum())


def event(rate: float) -> Laplace:
    ((found, times),) = THEOREMS["permute_and_flip"].rule({"rate": rate}, ((LInf(1.0),),)).events
    assert isinstance(found, Laplace)
    assert times == 1
    return found


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.5])
def test_no_candidates_and_neighbours_exceed_the_curve(rate: float, rng: np.random.Generator) -> None:
    xs = np.linspace(0.0, 2 * rate, 7)
    curve = event(rate).profile(xs)
    assert curve is not None
    found = np.zeros(len(xs))
    for _ in range(300):
        m = int(rng.integers(2, 6))
        scores = rng.exponential(2.0, m) * rng.choice([0, 1], m)
        moved = scores + rng.choice([-1.0, 1.0, 0.3], m)
        p, q = law(rate * scores), law(rate * moved)
        found = np.maximum(found, [max(stick(p, q, x), stick(q, p, x)) for x in xs])
    assert (found <= curve + 1e-12).all()


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.5])
def test_two_candidates_meet_it_everywhere_and_a_smaller_one_is_caught(rate: float) -> None:
    """The broken twin: a bounded range of the same ε, which the exponential mechanism has, is exceeded."""
    epsilon = 2 * rate
    for x in np.linspace(0.0, 0.95 * epsilon, 6):
        gap = (epsilon - x) / 2
        p, q = law(np.array([gap, 0.0])), law(np.array([gap - epsilon, 0.0]))
        curve, smaller = event(rate).profile(np.array([x])), BoundedRange(epsilon).profile(np.array([x]))
        assert curve is not None
        assert smaller is not None
        assert stick(p, q, x) == pytest.approx(curve[0], rel=1e-9, abs=1e-12)
        assert stick(p, q, x) > smaller[0]
