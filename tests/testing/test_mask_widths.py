"""Masks that choose between widths: where the last digit tells which, the mean of their prices is too little."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import pytest

from dpframe.kernel.families.registering import Mask, find_semimetric
from dpframe.plugin import lattice_gaussian, lattice_gaussian_mu
from dpframe.proof.losses import Event, Gaussian
from dpframe.testing.battery.attack_masks import _delta, _release
from dpframe.testing.battery.mask_draws import Priced
from dpframe.testing.battery.mask_widths import attack_widths

Widths = Callable[[float], float]
CASES: dict[str, tuple[Widths, float, float, bool]] = {
    "twice": (lambda g: 2.0 if g > 0 else 1.0, 0.75, 0.0, True),
    "one and a half times": (lambda g: 1.5 if g > 0 else 1.0, 5 / 6, 0.0, True),
    "of three": (lambda g: 1.0 if g > 0.5 else 1.37 if g > -0.5 else 2.71, 0.69, 0.0, True),
    "the narrow one is paid for": (lambda g: 2.0 if g > 0 else 1.0, 1.0, 0.0, False),
    "rounded afterwards": (lambda g: 2.0 if g > 0 else 1.0, 0.75, 2.0**-20, False),
    "one width": (lambda g: 1.0, 1.0, 0.0, False),
    "any width": (lambda g: 1.0 + abs(g), 0.75, 0.0, False),
}
"""Widths by a Gaussian, what is charged of the price of a width of one, a public grid, and whether it is refuted.

What is rounded to a public grid hides its width, and any width is no few of them: neither is for this attack.
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_digit_that_tells_the_width(name: str) -> None:
    width, factor, grid, refuted = CASES[name]

    def function(value: Any, noise: float, normals: Any) -> Any:
        made = lattice_gaussian(value, noise * width(float(normals(1)[0])), normals)
        return (made / (noise * grid)).round() * (noise * grid) if grid else made

    def cost(noise: float, r: float) -> Event:
        return Gaussian(factor * lattice_gaussian_mu(noise, r * (1 + 1e-9)))

    def price(rho: float, r: float) -> tuple[float, Event]:
        noise = factor * r / math.sqrt(2 * rho)
        return noise, cost(noise, r)

    known = Mask("tests.widths", "euclidean", function, cost)
    mask = Priced(known, find_semimetric("euclidean"), functools.partial(_release, known), price, _delta)
    words, _ = attack_widths(mask, 10.0)
    assert words.startswith("its last digit tells its width") if refuted else not words, words
