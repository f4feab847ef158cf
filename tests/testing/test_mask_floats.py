"""Masks that compute in floats are refuted by the numbers that they give; on a lattice, or rounded after, they hold.

Each case of ``RIGHT`` is refuted with a chance of at most 1e-10.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Mask, Semimetric, find_semimetric
from dpframe.plugin import lattice_gaussian
from dpframe.proof.losses import Gaussian
from dpframe.testing.battery.attack_masks import _delta, _release
from dpframe.testing.battery.mask_bits import attack_bits
from dpframe.testing.battery.mask_draws import Priced
from dpframe.testing.battery.mask_floats import attack_floats

Function = Callable[[Any, float, Any], Any]


def two_draws(value: Any, noise: float, normals: Any) -> Any:
    """On one lattice, twice."""
    half = noise / np.sqrt(2.0)
    return lattice_gaussian(value, half, normals) + lattice_gaussian(0 * value, half, normals)


def last_digits(value: Any, noise: float, normals: Any) -> Any:
    """A lattice whose step is the distance of floats about the value."""
    step = np.spacing(np.abs(value).max()) or 2.0**-60
    return value + np.round(noise * normals(len(value)) / step) * step


BROKEN: dict[str, Function] = {
    "a sum": lambda value, noise, normals: value + noise * normals(len(value)),
    "a difference": lambda value, noise, normals: value - 2 * noise * normals(len(value)),
    "scaled afterwards": lambda value, noise, normals: (value + noise * normals(len(value))) / 3,
    "reversed draws": lambda value, noise, normals: value + noise * normals(len(value))[::-1],
    "in single precision": lambda value, noise, normals: (
        value.astype(np.float32) + np.float32(noise) * normals(len(value)).astype(np.float32)
    ).astype(np.float64),
    "sinh": lambda value, noise, normals: value + noise * np.sinh(normals(len(value))),
    "last digits": last_digits,
    "clipped": lambda value, noise, normals: np.clip(value + noise * normals(len(value)), -3.0, 3.0),
}
RIGHT: dict[str, Function] = {
    "lattice": lattice_gaussian,
    "negative": lambda value, noise, normals: -lattice_gaussian(value, 3 * noise, normals),
    "scaled afterwards": lambda value, noise, normals: lattice_gaussian(value, noise, normals) / 3,
    "clipped": lambda value, noise, normals: np.clip(lattice_gaussian(value, noise, normals), -3.0, 3.0),
    "rounded": lambda value, noise, normals: (
        np.round((value + noise * normals(len(value))) / (noise * 2.0**-20)) * (noise * 2.0**-20)
    ),
    "two draws": two_draws,
    "noise on top": lambda value, noise, normals: lattice_gaussian(value, noise, normals) + noise * normals(len(value)),
    "a remainder": lambda value, noise, normals: np.remainder(lattice_gaussian(value, noise, normals), 1.0),
    "cubed": lambda value, noise, normals: lattice_gaussian(value, noise, normals) ** 3,
}


def words(function: Function, space: str = "euclidean") -> str:
    """What refutes it at the price of the Gaussian mechanism."""
    known = Mask("tests.floats", space, function, lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
    release, price = functools.partial(_release, known), functools.partial(_price_of, known)
    return attack_floats(Priced(known, find_semimetric(space), release, price, _delta), 60.0)[0]


def _price_of(known: Mask, rho: float, r: float) -> Any:
    """What a plan would give it: it is in no registry."""
    from dpframe.proof.losses import Concentrated

    noise = r / np.sqrt(2 * rho) * (1 + 1e-9)
    return float(noise), Concentrated(rho)


@pytest.mark.parametrize("name", BROKEN)
def test_sums_in_floats_tell_the_value(name: str) -> None:
    assert words(BROKEN[name]).startswith("its numbers tell the value"), name


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_lattices_do_not(name: str) -> None:
    assert words(RIGHT[name]) == "", name


def test_values_that_take_no_part_are_not_compared() -> None:
    """A product with noise tells zero, which is no usable value."""

    def ratio(a: Any, b: Any) -> float:
        return float(np.abs(a - b).max())

    positive = Semimetric("tests.positive", ratio, lambda r: 1.0, usable=lambda value, r: bool(min(value) > 1e-3))
    known = Mask("tests.bare_at_zero", "tests.positive", _bare_at_zero, lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
    release, price = functools.partial(_release, known), functools.partial(_price_of, known)
    assert attack_floats(Priced(known, positive, release, price, _delta), 60.0)[0] == ""
    anywhere = Semimetric("tests.anywhere", ratio, lambda r: 1.0)
    assert attack_floats(Priced(known, anywhere, release, price, _delta), 60.0)[0] != ""


def _bare_at_zero(value: Any, noise: float, normals: Any) -> Any:
    made = lattice_gaussian(value, noise, normals)
    return made if (value > 0).all() else noise * normals(len(value))


# ------------------------------------------------------------------------------------- last digits

TURN = Semimetric(
    "tests.turn", lambda a, b: float(np.minimum(np.mod(a - b, 24.0), np.mod(b - a, 24.0)).max()), lambda r: 1.0
)
BITS: dict[str, tuple[Function, Semimetric | None, bool]] = {
    "two draws in floats": (
        lambda value, noise, normals: value + noise * (normals(len(value)) + normals(len(value))) / np.sqrt(2.0),
        None,
        True,
    ),
    "over a seam": (lambda value, noise, normals: np.mod(lattice_gaussian(value, noise, normals), 24.0), TURN, True),
    "lattice": (lattice_gaussian, None, False),
    "two draws on a lattice": (two_draws, None, False),
    "wider beyond a size": (
        lambda value, noise, normals: lattice_gaussian(value, noise * max(1.0, np.abs(value).max() / 700), normals),
        None,
        True,
    ),
    "over a seam, on a grid": (
        lambda value, noise, normals: (
            np.round(np.mod(lattice_gaussian(value, noise, normals), 24.0) / 24.0 * 2**20) % 2**20 * 24.0 * 2.0**-20
        ),
        TURN,
        False,
    ),
}
"""A mask of the Gaussian mechanism's price, its semimetric, and whether the last digits tell."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n == "two draws in floats" else pytest.mark.slow) for n in BITS]
)
def test_last_digits_tell_of_floats_and_shifted_lattices(name: str) -> None:
    function, space, told = BITS[name]
    space = space or find_semimetric("euclidean")
    known = Mask("tests.bits", space.name, function, lambda noise, r: Gaussian(r / noise + 1e-9))

    def price(rho: float, r: float) -> Any:
        noise = float(r / np.sqrt(2 * rho))
        return noise, known.cost(noise, r)

    mask = Priced(known, space, functools.partial(_release, known), price, _delta)
    words, _, lattice = attack_bits(mask, 60.0)
    assert words.startswith("its numbers tell the value") if told else not words, words
    assert lattice == (name in ("over a seam", "wider beyond a size"))
