"""Values on both sides of 0, on which masks are compared: they are opposite, near, and both take part."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Mask, Semimetric
from dpframe.plugin import lattice_gaussian
from dpframe.proof.losses import Concentrated
from dpframe.testing.battery import attack_masks
from dpframe.testing.battery.mask_draws import ACROSS, Priced, near_pair, over_steps


def length(a: Any, b: Any) -> float:
    return float(np.sqrt(np.square(a - b).sum()))


ANYWHERE = Semimetric("tests.pairs.anywhere", length, lambda r: 1.0)
POSITIVE = Semimetric("tests.pairs.positive", length, lambda r: 1.0, usable=lambda value, r: bool((value > 0).all()))
RELATIVE = Semimetric(
    "tests.pairs.relative", lambda a, b: length(a, b) / max(float(np.abs([a, b]).max()), 1e-300), lambda r: 1.0 + r
)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("r", [1e-6, 0.5, 1e9])
def test_the_two_are_opposite_and_nearly_as_far_as_they_may_be(d: int, r: float, rng: np.random.Generator) -> None:
    pair = near_pair(ANYWHERE, d, ACROSS, r, rng)
    assert pair is not None
    assert np.array_equal(pair[0], -pair[1])
    assert pair[0].all()
    assert 0.9 * r < length(*pair) <= r


@pytest.mark.parametrize("space", [POSITIVE, RELATIVE])
def test_where_none_take_part_or_none_are_near_there_are_none(space: Semimetric, rng: np.random.Generator) -> None:
    assert near_pair(space, 2, ACROSS, 0.5, rng) is None


def wide(value: Any, noise: float, normals: Any) -> Any:
    return lattice_gaussian(value, noise * (2 if np.abs(value).max() > 250.0 else 1), normals)


def test_values_are_moved_over_the_numbers_of_the_code_whatever_the_metric(rng: np.random.Generator) -> None:
    squared = Semimetric("tests.pairs.squared", lambda a, b: length(a, b) ** 2, lambda r: 2.0)
    root = Semimetric("tests.pairs.root", lambda a, b: length(a, b) ** 0.5, lambda r: 1.0)
    for space in (ANYWHERE, squared, root):
        known = Mask("tests.pairs.wide", space.name, wide, lambda noise, r: Concentrated(1.0))
        places = [*attack_masks._over_numbers(known, space)]
        pairs = [near_pair(space, 1, size, r, rng) for size, _, r in places]
        moved = [float(abs(b - a)[0]) for a, b in filter(None, pairs)]
        assert any(abs(move - 750.0) < 1.0 for move in moved), (space.name, moved)
        assert len(moved) == len(places)
        assert list(over_steps(_priced(known, space), [], rng)) == []


def _priced(known: Mask, space: Semimetric) -> Priced:
    return Priced(known, space, functools.partial(attack_masks._release, known), lambda rho, r: None, lambda e, x: 1.0)


MASKS: dict[str, tuple[Any, str]] = {
    "signs are kept": (lambda value, made: np.copysign(made, value), "loss"),
    "a floor for positive ones": (lambda value, made: np.maximum(made, np.where(value > 0, 0.0, -np.inf)), "loss"),
    "a floor for all": (lambda value, made: np.maximum(made, 0.0), ""),
    "nothing": (lambda value, made: made, ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MASKS)
def test_what_a_mask_does_by_the_sign_is_refuted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A right one with a chance of at most 1e-6."""
    after, layer = MASKS[name]

    def noisy(value: Any, noise: float, normals: Any) -> Any:
        return after(value, lattice_gaussian(value, noise, normals))

    known = Mask("tests.pairs.mask", ANYWHERE.name, noisy, lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
    monkeypatch.setattr(attack_masks, "_price", _price_of)
    monkeypatch.setattr(attack_masks, "PLACES", ())
    monkeypatch.setattr(attack_masks, "KIND_PLACES", tuple(p for p in attack_masks.KIND_PLACES if p[1] == ACROSS))
    monkeypatch.setattr(attack_masks, "GRID_PLACES", tuple(p for p in attack_masks.GRID_PLACES if p[0] == ACROSS))
    found = [f for search in (attack_masks._on_a_grid, attack_masks._on_draws) for f in search(known, ANYWHERE, 0.1)]
    assert {item.layer for item in found} - {""} == {layer} - {""}, found


def _price_of(known: Mask, rho: float, r: float) -> Any:
    """What a plan would give it: it is in no registry."""
    return r / np.sqrt(2 * rho) * (1 + 1e-8), Concentrated(rho)


@pytest.mark.parametrize(("rounded", "found"), [(lambda value: np.round(value, 2), True), (lambda value: value, False)])
def test_what_is_rounded_before_the_noise_shows_on_both_sides_of_a_step(
    rounded: Any, found: bool, rng: np.random.Generator
) -> None:
    known = Mask("tests.pairs.rounded", "tests.pairs.anywhere", lambda noise, r: Concentrated(r**2 / noise**2), rounded)
    mask = Priced(
        known,
        ANYWHERE,
        lambda noise, value, normals: rounded(value) + noise * normals(len(value)),
        lambda rho, r: (r / rho**0.5, Concentrated(rho)),
        lambda event, epsilon: 0.0,
    )
    assert bool([*over_steps(mask, [], rng)]) is found
