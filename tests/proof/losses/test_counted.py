"""How often an event occurs counts wherever losses are compared, shortened or joined: nothing covers two for one."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpframe.proof.losses import (
    BoundedRange,
    Event,
    Gaussian,
    Laplace,
    LatticeGaussian,
    Loss,
    Pure,
    Worst,
    worst,
)
from dpframe.proof.losses.gaussian import gaussian_profile
from dpframe.proof.losses.lattice_pld import LatticePLD, convolve, largest, truncate
from dpframe.proof.losses.pld import compose as composed
from dpframe.proof.losses.pld import plan
from dpframe.proof.losses.renyi import epsilon as by_renyi
from dpframe.proof.theorems import fixed_total
from tests.proof.losses.profiles import evaluate, profile
from tests.proof.losses.repeated import repeat

Counted = dict[Event, int]
ORDERS = np.array([1.01, 1.5, 2.0, 8.0, 64.0])
EITHER: Event = Worst((((Pure(0.5), 1),), ((Gaussian(0.4), 1),)))
PAIRS: list[tuple[Counted, Counted]] = [
    ({Pure(1.0): 1}, {Pure(0.5): 1, Pure(0.6): 1}),
    ({Laplace(1.0): 1}, {Laplace(0.9): 1, BoundedRange(0.9): 1}),
    ({Laplace(1.0): 2}, {Laplace(0.9): 3}),
    ({Pure(1.0): 1, Gaussian(0.1): 1}, {Laplace(0.5): 1, Laplace(0.6): 1, Laplace(0.7): 1}),
    ({Gaussian(1.5): 1}, {Gaussian(1.0): 2, Pure(0.01): 1}),
    ({Gaussian(1.0): 2}, {Gaussian(1.9): 1}),
    ({Pure(1.0): 1}, {EITHER: 3}),
    ({EITHER: 1}, {EITHER: 2}),
    ({EITHER: 2, Pure(0.1): 1}, {EITHER: 3}),
]


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("at", range(len(PAIRS)))
def test_the_worst_is_no_milder_than_either_in_any_view(at: int, swap: bool) -> None:
    """One large event taken for a cover of several, or a choice made three times for one made once, is below."""
    pair = [Loss(tuple(events.items())) for events in PAIRS[at]]
    found = worst(*(reversed(pair) if swap else pair))
    for loss in pair:
        assert found.epsilon >= loss.epsilon
        assert found.rho >= loss.rho
        assert found.mu >= loss.mu
        assert (found.rdp(ORDERS) >= loss.rdp(ORDERS) * (1 - 1e-12)).all()


@pytest.mark.parametrize("times", [2, 3, 50])
def test_the_profile_of_a_choice_counts_how_often_it_is_made(times: int) -> None:
    node = Worst((((Gaussian(0.3), times),), ((Gaussian(0.2), 1),)))
    eps = np.linspace(-1.0, 3.0, 23)
    upper = profile(node, eps)
    assert upper is not None
    truth = gaussian_profile(0.3 * math.sqrt(times), eps)
    assert (upper >= truth[0] * (1 - 1e-9)).all()
    assert (gaussian_profile(0.3, eps)[1] < truth[0]).any()  # the twin: once


@pytest.mark.parametrize("times", [2, 7, 1000])
@pytest.mark.parametrize("delta", [1e-3, 1e-9, 0.2])
def test_a_delta_that_is_repeated_is_paid_each_time(times: int, delta: float) -> None:
    """1 − (1 − δ)^n at least, in fractions, and the sum at most."""
    exact = 1 - (1 - Fraction(delta)) ** times
    assert exact <= Fraction(repeat(Loss.of(Pure(0.1), delta=delta), times).delta) <= Fraction(delta) * times * 2
    assert Fraction(delta) < exact  # the twin: once


@pytest.mark.parametrize("view", ["gdp", "zcdp", "pure"])
def test_a_loop_pays_for_the_dearer_of_what_may_come(view: str) -> None:
    """Whichever stands first: alternatives are in the order of their numbers, and the dearer one is the second."""
    for small, large in itertools.permutations([0.1, 1.0], 2):
        either = Loss.of(Worst((((Pure(small), 1),), ((Pure(large), 1),))))
        dearer = fixed_total(Loss.of(Pure(1.0)), view)
        for seen in ("epsilon", "rho", "mu"):
            assert getattr(fixed_total(either, view), seen) >= getattr(dearer, seen)


def test_a_tail_that_is_cut_stays_as_mass_at_infinity() -> None:
    """What is dropped for being small must be charged whole: else each cut takes δ away."""
    step, mass = 0.01, np.exp(-0.02 * np.arange(400.0))
    whole = LatticePLD(step, mass / mass.sum() / 2, 1e-9)
    short = truncate(whole, 1e-3)
    assert short.reach < whole.reach
    eps = np.linspace(0.0, 5.0, 501)
    assert (evaluate(short, eps)[1] >= evaluate(whole, eps)[0]).all()
    assert short.infinite > whole.infinite
    twice = convolve(short, short, 1.0)
    assert (evaluate(twice, eps)[1] >= evaluate(convolve(whole, whole, 1.0), eps)[0]).all()


@pytest.mark.parametrize("times", [2, 5, 9])
def test_what_is_cut_of_an_event_is_charged_as_often_as_it_occurs(times: int) -> None:
    """Each of n mechanisms fails with what was cut from it: n times that, as n different ones would have."""
    alike, apart = (
        ((Gaussian(0.3), 1), (LatticeGaussian(0.5), times)),
        tuple((LatticeGaussian(0.5 + i * 2.0**-40), 1) for i in range(times)),
    )
    events = Loss(((Gaussian(0.3), 1), *apart)).events
    near, order = by_renyi(events, 1e-5)
    grid = plan(events, 1e-5, near, order)
    assert grid is not None
    coarse = grid.__class__(grid.theta, grid.step, grid.size, grid.top, 1e-3, grid.log_delta)
    one, several = composed(Loss(alike).events, coarse), composed(events, coarse)
    assert one is not None
    assert several is not None
    assert one.constant >= several.constant * (1 - 1e-6)


def test_of_alternatives_a_shorter_one_keeps_its_infinite_mass() -> None:
    """Beyond its last point an alternative still fails with what is there, also where another one reaches further."""
    short = LatticePLD(0.01, np.full(100, 1e-3), 0.1)
    wide = LatticePLD(0.01, np.full(400, 1e-4), 0.0)
    for parts in ([short, wide], [wide, short]):
        found, eps = largest(parts, 1e-12), np.linspace(0.0, 6.0, 301)
        for part in parts:
            assert (evaluate(found, eps)[1] >= evaluate(part, eps)[0] * (1 - 1e-9)).all()
        assert found.infinite >= 0.1
