"""What floats and rare inputs add to a bound: each term is small, and without it a bound would be too small."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import PlanError
from dpframe.kernel.families.block_candidates import BlockSum
from dpframe.kernel.operations import Exact
from dpframe.proof.families.masks import MOST_NUMBERS, SLACK, excess
from dpframe.proof.families.populous import average_radius, rounding, weight_moved
from dpframe.proof.families.registered import separation_of
from dpframe.proof.families.selection import root_rounding
from dpframe.proof.losses import Concentrated, Gaussian, LatticeGaussian, Loss, Pure, Worst
from dpframe.proof.spaces import L1, L2, BallValue, Edits, LInf, OneOf, OneSided, Within
from dpframe.proof.theorems import THEOREMS, histogram_scale, spread
from dpframe.proof.theorems.base import proved_in
from dpframe.proof.theorems.own import _times
from tests.proof.losses.profiles import enclosure, worst_pair

ONE = ((OneOf(25, 1),),)


def masked(k: int, d: int, **etas: float) -> Loss:
    given_ = {"k": k, "d": d, "delta": SLACK, "eta_weight": 1.0, "eta_mean": 1.0, "eta_covariance": 1.0, **etas}
    made: Loss = THEOREMS["mixture_mask"].rule(given_, ((Within("component", 0.01),),))
    return made


def test_one_block_moves_a_sum_from_one_end_of_the_ball_to_the_other() -> None:
    query, ball = BlockSum(k=1, d=1), BallValue(np.zeros(1), 1.0)
    ends = [query.evaluate(Exact([(np.array([[x]]),)]), ball).floats for x in (1.0, -1.0)]
    found = float(np.linalg.norm(ends[0] - ends[1]))
    (bound,) = THEOREMS["block_weights"].rule({}, ONE)
    assert 1.99 < found <= bound.bound


def test_a_mask_of_more_numbers_than_its_slack_covers_is_refused() -> None:
    masked(1, 1000)
    assert MOST_NUMBERS < 1 + 1024 + 1024**2
    with pytest.raises(PlanError, match="proved for at most"):
        masked(1, 1024)
    with pytest.raises(PlanError, match="proved for at most"):
        masked(2, 1000)


def test_weights_of_two_components_are_paid_for() -> None:
    """One component has the weight 1 in every mixture; of two, a weight's noise is worth what the weight tells."""
    order = np.array([2.0])
    dear, cheap = (float(masked(2, 1, eta_weight=eta).rdp(order)[0]) for eta in (0.01, 1.0))
    assert dear > 100 * cheap
    assert masked(1, 1, eta_weight=0.01).rdp(order) == masked(1, 1).rdp(order)


@pytest.mark.parametrize("u", [0.5, -0.5, 0.25, 2.0**-20, -(2.0**-20)])
def test_the_excess_of_a_shape_is_rounded_up(u: float) -> None:
    exact = sum(Fraction(u) ** m / (m + 2) for m in range(400))
    assert Fraction(excess(u)) >= exact
    assert excess(u) == pytest.approx(float(exact), rel=1e-10)


def test_radii_count_what_floats_round() -> None:
    for d in (1, 10):
        moved = weight_moved(25, 12, 20.0)
        added = average_radius(25, 12, 20.0, 0.7, d) - moved * 0.7 * 1.7
        assert added >= rounding(0.7, d) > 0
        params = {"nu": 0.3, "k": 2, "d": d, "majority": 13, "test_threshold": 0.75}
        (within,) = THEOREMS["close_mixture"].rule(params, ONE)
        r = 1.3**2 - 1
        assert within.r - r >= root_rounding(r, d) * (1 - 1e-6) > 0


@pytest.mark.parametrize("z", [1.0, 1.5, 2.0])
def test_components_are_apart_by_a_match_and_a_step(z: float) -> None:
    """Of two blocks that match, each component's partner is nearer than any other: one distance of 2·z·r, one of r."""
    r, far = 0.7, 1.25 * z
    assert Fraction(separation_of(r, z, far)) >= Fraction(far) * (2 * Fraction(z) * Fraction(r) + Fraction(r))


def test_the_exact_law_on_a_lattice_is_of_one_number() -> None:
    for entries, event in ((1, LatticeGaussian), (2, Concentrated), (3, Concentrated)):
        loss = THEOREMS["discrete_gaussian_mechanism"].rule({"sigma": 2.0, "entries": entries}, ((L2(1.0),),))
        assert isinstance(loss.events[0][0], event)


@pytest.mark.parametrize("edits", [Edits(1, 1), Edits(3, 3, group=3), Edits(1, 0)])
def test_rows_in_order_of_their_values_have_no_index(edits: Edits) -> None:
    (made,) = THEOREMS["all_rows"].rule({}, ((edits,),))
    assert made == Edits(edits.removed, edits.added, indexed=False)


@given(st.floats(1e-30, 1e30), st.floats(1e-30, 1e30))
def test_products_of_bounds_are_rounded_up(a: float, b: float) -> None:
    made = Fraction(_times(a, b))
    assert made >= Fraction(a) * Fraction(b)
    assert float(made) <= math.nextafter(a * b, math.inf)


def test_the_loss_of_several_histograms_is_rounded_up() -> None:
    """The noise of each is m·scale, exactly or more; what the certificate says of all is no less than it costs."""
    rng = np.random.default_rng(4)
    for _ in range(3000):
        m, bound, scale = int(rng.integers(2, 60)), float(rng.integers(1, 100)), float(rng.uniform(1.0, 100.0))
        told = {"histograms": m, "scale": scale, "each": 1, "delta": 1e-6, "noise": "laplace", "reach": 200.0}
        loss = THEOREMS["stable_histogram"].rule(told, ((L1(bound), LInf(1.0), OneSided(float(m))),))
        assert Fraction(loss.epsilon) * Fraction(histogram_scale("laplace", scale, m)) >= Fraction(bound)


def test_what_nobody_can_compose_is_any_loss() -> None:
    """A worst case too far apart for the lattice has no profile: its bounds are nothing and everything."""
    far = Worst((((Gaussian(200.0), 2),), ((Pure(900.0), 2),)))
    eps = np.array([0.0, 1.0, 500.0])
    lower, upper = enclosure(far, eps)
    assert worst_pair(far) is None
    assert (lower <= 0).all()
    assert (upper >= 1).all()


def test_rows_that_were_empty_before_are_fewer_edits() -> None:
    """An edit of an empty row is none: what two may cost, one may too, also where one is dearer."""

    def part(index: int, edits: Edits) -> Loss:
        return Loss.of(Pure(10.0 if edits.removed == 1 else 1.0))

    assert spread(Edits(2, 0), 1, part) == Loss.of(Pure(10.0))
    assert spread(Edits(2, 0), 2, part).epsilon == 20.0


@pytest.mark.parametrize(("epsilon", "delta", "inside"), [(1.0, 0.5, True), (1.0, 0.6, False), (151.0, 0.5, False)])
def test_a_scope_is_of_epsilon_and_delta(epsilon: float, delta: float, inside: bool) -> None:
    assert proved_in("mixture_mask", epsilon, delta) == inside


def test_what_is_tried_above_is_what_the_kernel_does() -> None:
    """The sum of blocks above is one that the theorem is of."""
    known: Any = THEOREMS["block_weights"]
    assert BlockSum(k=1, d=1).theorem == known.name
