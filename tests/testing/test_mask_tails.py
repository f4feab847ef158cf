"""Masks on tapes: what is affine has an exact law, what draws again or is cut is seen in the far tail.

Nothing here is sampled but tapes on which an affine function is compared, and strata: together 1e-6 at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Mask, find_semimetric
from dpframe.proof.losses import Concentrated, Event
from dpframe.testing.battery.attack_masks import _delta, _masked
from dpframe.testing.battery.mask_draws import Priced
from dpframe.testing.battery.mask_tails import Again, Tape, affine, attack_tails

Noise = Callable[[int, Any], Any]


def redrawn(far: float) -> Noise:
    """Drawn again where it is far out."""

    def noise(d: int, normals: Any) -> Any:
        drawn = normals(d)
        while np.abs(drawn).max() > far:
            drawn = normals(d)
        return drawn

    return noise


def once_more(d: int, normals: Any) -> Any:
    """Drawn again once: what is far out is only rarer, as it is for every Gaussian."""
    drawn = normals(d)
    return normals(d) if np.abs(drawn).max() > 8 else drawn


def shuffled(size: float) -> Callable[[float, Any, Any], Any]:
    """Noise of this size, in an order that more Gaussians choose."""

    def release(scale: float, value: Any, normals: Any) -> Any:
        made = value + size * scale * normals(len(value))
        return made[np.argsort(normals(len(value)))]

    return release


def balanced(scale: float, value: Any, normals: Any) -> Any:
    """Only how its numbers differ, in a secret order: they add up to nothing."""
    made = value + scale * normals(len(value))
    return (made - made.mean())[np.argsort(normals(len(value)))]


BROKEN: dict[str, Noise] = {
    "six deviations": redrawn(6.0),
    "cut": lambda d, normals: np.clip(normals(d), -5, 5),
    "cut above": lambda d, normals: np.minimum(normals(d), 4.5),
    "a walk": lambda d, normals: np.cumsum(normals(d)),
    "one for all": lambda d, normals: np.repeat(normals(1), d),
    "half": lambda d, normals: normals(d) / 2,
}
RIGHT: dict[str, Noise] = {
    "plain": lambda d, normals: normals(d),
    "one by one": lambda d, normals: np.array([normals(1)[0] for _ in range(d)]),
    "rotated": lambda d, normals: normals(d)[::-1],
    "more": lambda d, normals: 2.0 * np.cumsum(normals(d)),
    "drawn again once": once_more,
    "not affine": lambda d, normals: 3.0 * np.sinh(normals(d)),
}


def words(noise: Noise, after: Callable[[Any], Any] = lambda y: y) -> str:
    """What refutes a mask of the euclidean distance with this noise, at the price of the Gaussian one."""

    def release(scale: float, value: Any, normals: Any) -> Any:
        return after(value + scale * noise(len(value), normals))

    return words_of(release)


def words_of(release: Callable[[float, Any, Any], Any]) -> str:
    """What refutes it at that price."""

    def price(rho: float, r: float) -> tuple[float, Event]:
        return r / math.sqrt(2 * rho), Concentrated(rho * (1 + 1e-9))

    mask = Priced(None, find_semimetric("euclidean"), release, price, _delta)  # type: ignore[arg-type]
    return attack_tails(mask, 9.0)[0]


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_tail_is_refuted(name: str) -> None:
    assert words(BROKEN[name])


@pytest.mark.parametrize("name", ["plain", *(pytest.param(n, marks=pytest.mark.slow) for n in RIGHT if n != "plain")])
def test_a_right_one_is_not(name: str) -> None:
    assert not words(RIGHT[name])


@pytest.mark.parametrize(("release", "refuted"), [(shuffled(0.5), True), (shuffled(1.0), False), (balanced, False)])
def test_a_secret_order_hides_no_lack_of_noise(release: Callable[[float, Any, Any], Any], refuted: bool) -> None:
    assert bool(words_of(release)) == refuted


@pytest.mark.slow
@pytest.mark.parametrize("after", [lambda y: np.clip(y, 0.9, 1.1), lambda y: y % 1.0, np.abs, lambda y: -y])
def test_what_is_made_of_a_release_refutes_nothing(after: Callable[[Any], Any]) -> None:
    assert not words(RIGHT["plain"], after)


def test_a_tape_ends(rng: np.random.Generator) -> None:
    tape = Tape(np.arange(3.0))
    assert tape(2).tolist() == [0.0, 1.0]
    with pytest.raises(Again):
        tape(2)
    found = affine(lambda value, normals: value + 2 * normals(2)[::-1], np.ones(2), rng)
    assert found is not None
    assert found.matrix.tolist() == [[0, 2], [2, 0]]


def test_a_tape_that_ends_is_no_release_of_zeros() -> None:
    """What a mask raises is zeros, as in a run; that the tape has ended is for the attack, whatever a mask catches."""

    def greedy(value: Any, noise: float, normals: Any) -> Any:
        try:
            return value + noise * (normals(1) + normals(1))
        except Exception:  # noqa: BLE001  as masks of others do
            return value

    def leaves(value: Any, noise: float, normals: Any) -> Any:
        raise SystemExit

    masks = [Mask("tests.tape", "euclidean", function, lambda noise, r: 1.0) for function in (greedy, leaves)]
    with pytest.raises(Again):
        _masked(masks[0], np.ones(1), 1.0, Tape(np.zeros(1)))
    assert _masked(masks[1], np.ones(1), 1.0, Tape(np.zeros(1))).tolist() == [0.0]
