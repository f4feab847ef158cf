"""What δ(ε) a law may have: the charge's own orders and the exact noise; both hold, and both refute by themselves."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.kernel.mechanisms import additive
from dpframe.kernel.registry import operations
from dpframe.proof.losses import Concentrated, Gaussian, LatticeGaussian, Loss, Pure, compose
from dpframe.testing.battery import attack_law
from dpframe.testing.battery.cases import cases_of
from dpframe.testing.battery.enumerator import law, standing_in
from dpframe.testing.battery.exploring import hockey_stick
from dpframe.testing.battery.law_pairs import pairs_of
from dpframe.testing.battery.law_profiles import charged, of_gaussian_noise

GRID = np.linspace(0.0, 10.0, 41)
NAMES = ("gaussian", "discrete_gaussian")


def by_sums(sampler: str, scale: float, move: tuple[int, ...], epsilon: float) -> float:
    """The hockey stick of independent noise and its move, over every value there is."""
    known = dict(law(sampler, scale, 1e-18))
    total = 0.0
    for values in itertools.product(known, repeat=len(move)):
        p = math.prod(known[v] for v in values)
        q = math.prod(known.get(v - s, 0.0) for v, s in zip(values, move, strict=True))
        total += max(0.0, p - math.exp(epsilon) * q)
    return total


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scale", [0.48, 1.4])
def test_it_is_the_largest_over_all_moves(name: str, scale: float) -> None:
    sampler = {"gaussian": "rounded_gaussian", "discrete_gaussian": "discrete_gaussian"}[name]
    found = of_gaussian_noise(name, Fraction(scale) ** 2, 2, 4, GRID[:12:4])
    assert found is not None
    for value, epsilon in zip(found, GRID[:12:4].tolist(), strict=True):
        each = [by_sums(sampler, scale, move, epsilon) for move in ((1, 0), (1, 1), (2, 0))]
        assert value == pytest.approx(max(each), rel=1e-9)


def test_where_nothing_is_known() -> None:
    assert of_gaussian_noise("laplace", Fraction(1), 1, 1, GRID) is None
    assert of_gaussian_noise("gaussian", Fraction(1), 70, 1, GRID) is None
    assert of_gaussian_noise("gaussian", Fraction(10**6), 1, 1, GRID) is None
    assert charged(Loss.of(Concentrated(math.inf)), GRID) == [1.0] * 41


@pytest.mark.parametrize("loss", [Concentrated(0.5), LatticeGaussian(1.7), Gaussian(1.0), Pure(0.7)])
def test_what_is_charged_lies_above_the_noise_it_is_charged_for(loss: Any) -> None:
    mu = math.sqrt(2 * loss.rho)
    assert mu <= 2
    below = Gaussian(mu).profile(GRID) if not isinstance(loss, Pure) else np.maximum(0, 1 - np.exp(GRID - 0.7)) / 3
    assert below is not None
    told = charged(Loss.of(loss), GRID)
    assert all(0 <= b <= c * (1 + 1e-9) for b, c in zip(below, told, strict=True))
    assert told[20] < 0.5


def test_losses_of_several_events_are_known_by_their_orders() -> None:
    both = compose(Loss.of(Concentrated(0.1)), Loss.of(Gaussian(0.3)))
    assert charged(both, GRID)[12] < 0.1


def refuted(name: str, factor: float, *, by_noise: bool) -> set[int]:
    """Numbers of entries on which noise of this share of its scale is refuted by one of the two alone."""
    operation = cases_of(operations()[name])[0].operation
    seen = set()
    with standing_in() as scripts, pytest.MonkeyPatch.context() as patch:
        exact = additive.lattice_scale
        patch.setattr(additive, "lattice_scale", lambda scale, step: exact(scale, step) * factor)
        for pair in pairs_of(operation):  # type: ignore[arg-type]
            if pair.entries > 3 or np.ndim(pair.first.integers) != 1:
                continue
            laws = [
                attack_law.law_of(operation, v, pair=pair, known={}, scripts=scripts)  # type: ignore[arg-type]
                for v in (pair.first, pair.second)
            ]
            if by_noise:
                told = [attrs.evolve(one, asked=[]) for one in laws]
                claims = attack_law._of_certified_noise(operation, pair, told)  # type: ignore[arg-type]
            else:
                loss = operation.loss(pair.calibration, pair.charged_at, pair.domain)  # type: ignore[attr-defined]
                claims = charged(loss, attack_law.GRID)
            assert claims is not None
            both = [(laws[0], laws[1]), (laws[1], laws[0])]
            for epsilon, claim in zip(attack_law.GRID, claims, strict=True):
                if any(hockey_stick(a, b, epsilon)[0] > claim * (1 + 1e-9) + 1e-11 for a, b in both):
                    seen.add(pair.entries)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_scale_rounded_in_the_seventh_digit_is_refuted_by_the_noise_alone(name: str) -> None:
    assert refuted(name, 1.0, by_noise=True) == set()
    assert refuted(name, 1 - 3e-7, by_noise=True) == {1, 2, 3}


@pytest.mark.slow
def test_less_noise_on_vectors_is_refuted_by_the_charge_alone() -> None:
    assert refuted("discrete_gaussian", 1.0, by_noise=False) == set()
    assert refuted("discrete_gaussian", 0.97, by_noise=False) == {1, 2, 3}
