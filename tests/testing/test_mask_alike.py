"""Masks of values that are nearly the same to their semimetric and not as numbers, and where a form jumps."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Mask, Semimetric
from dpframe.plugin import lattice_gaussian, lattice_gaussian_mu
from dpframe.proof.losses import Event, Gaussian
from dpframe.testing.battery.attack_masks import _delta, _release
from dpframe.testing.battery.mask_alike import attack_alike
from dpframe.testing.battery.mask_draws import Priced

Form = Callable[[Any], Any]


def of(form: Form) -> Callable[[Any, Any], float]:
    """The distance of what a form leaves of two values."""
    return lambda a, b: float(np.linalg.norm(form(a) - form(b)))


def axis(a: Any, b: Any) -> float:
    """Of two axes, whichever way they point."""
    return float(min(np.linalg.norm(a - b), np.linalg.norm(a + b)))


def plain(value: Any) -> Any:
    """As it comes."""
    return np.asarray(value)


def squared(value: Any) -> Any:
    """What a factor stands for, where it is a square."""
    k = math.isqrt(len(value))
    return (value.reshape(k, k) @ value.reshape(k, k).T).ravel() if k * k == len(value) else value


def turned(by: Callable[[Any], Any]) -> Form:
    """The one of two opposite values in which this number is positive."""
    return lambda value: -value if by(value) < 0 else value


CASES: dict[str, tuple[Callable[[Any, Any], float], Form, str]] = {
    "an axis as it comes": (axis, plain, "opposite"),
    "an axis turned by its first number": (axis, turned(lambda v: v[0]), "sides of a zero"),
    "an axis turned by its largest number": (axis, turned(lambda v: v[np.argmax(np.abs(v))]), "at a distance"),
    "the sizes of an axis": (axis, np.abs, ""),
    "a set as it comes": (of(np.sort), plain, "reverse"),
    "a set in order": (of(np.sort), np.sort, ""),
    "a factor as it comes": (of(squared), plain, "opposite"),
    "a shape as it comes": (of(lambda v: v - v.mean()), plain, "at a distance"),
    "a shape about its mean": (of(lambda v: v - v.mean()), lambda v: v - v.mean(), ""),
    "a vector": (of(plain), plain, ""),
}
"""A distance, what of a value gets noise, and the words of the pair that refutes it; none where it is right."""


@pytest.mark.parametrize("name", CASES)
def test_values_that_are_nearly_the_same(name: str) -> None:
    near, form, wanted = CASES[name]

    def function(value: Any, noise: float, normals: Any) -> Any:
        return lattice_gaussian(form(value), noise, normals)

    def cost(noise: float, r: float) -> Event:
        return Gaussian(lattice_gaussian_mu(noise, r * (1 + 1e-9)))

    def price(rho: float, r: float) -> tuple[float, Event]:
        noise = r / math.sqrt(2 * rho)
        return noise, cost(noise, r)

    known, space = Mask("tests.alike", "tests.near", function, cost), Semimetric("tests.near", near, lambda r: 1.0)
    words, _ = attack_alike(Priced(known, space, functools.partial(_release, known), price, _delta), 10.0)
    assert (wanted in words) if wanted else not words, words
