"""Masks of several numbers: Laplace noise that is priced as if one of them alone could move is refuted, in corners."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Semimetric
from dpframe.proof.losses import Event, Pure
from dpframe.testing.battery.attack_masks import _delta
from dpframe.testing.battery.mask_corners import attack_corners
from dpframe.testing.battery.mask_draws import Priced
from dpframe.testing.battery.mask_products import attack_products

L1 = Semimetric("corners.l1", lambda a, b: float(np.abs(a - b).sum()), lambda r: 1.0)
L2 = Semimetric("corners.l2", lambda a, b: float(np.linalg.norm(a - b)), lambda r: 1.0)
LINF = Semimetric("corners.linf", lambda a, b: float(np.abs(a - b).max()), lambda r: 1.0)


def laplace(scale: float, value: Any, normals: Any) -> Any:
    """Laplace noise for each number."""
    g = normals(4 * len(value)).reshape(4, -1)
    return value + scale * 0.5 * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)


def turned(scale: float, value: Any, normals: Any) -> Any:
    """The same, in coordinates that are turned: no number has Gaussians of its own."""
    d = len(value)
    turn = np.eye(d) - 2.0 / d
    return turn @ laplace(scale, turn @ value, normals)


def mixed(scale: float, value: Any, normals: Any) -> Any:
    """Noise that is ten times as wide for all numbers where all would be low: that is no product."""
    made = laplace(scale, value, normals)
    return value + 10 * (made - value) if (made < value).all() else made


def priced(law: Callable[..., Any], space: Semimetric, factor: float) -> Priced:
    """A mask of which ``factor`` times r over the noise is charged."""

    def price(rho: float, r: float) -> tuple[float, Event]:
        epsilon = math.sqrt(2.0 * rho)
        return factor * r / epsilon, Pure(epsilon)

    return Priced(None, space, law, price, _delta)  # type: ignore[arg-type]


CASES: dict[str, tuple[Callable[..., Any], Semimetric, float, bool, bool]] = {
    "l2": (laplace, L2, 1.0, True, True),
    "l2, as of two": (laplace, L2, math.sqrt(2.0), True, True),
    "l2, as of eight": (laplace, L2, math.sqrt(8.0), False, True),
    "l2, turned": (turned, L2, 1.0, True, False),
    "linf": (laplace, LINF, 1.0, True, True),
    "linf, as of four": (laplace, LINF, 4.0, True, True),
    "l1": (laplace, L1, 1.0, False, False),
    "l1, a half": (laplace, L1, 0.5, True, True),
    "l1, five times as dear": (laplace, L1, 5.0, False, False),
}
"""The law, the distance, times how much is charged, and whether counts in corners and powers of one refute it."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_right_for_one_number_alone_is_refuted(name: str) -> None:
    law, space, factor, in_corners, by_powers = CASES[name]
    for attack, refuted in ((attack_corners, in_corners), (attack_products, by_powers)):
        words, shown = attack(priced(law, space, factor), 10.0)
        assert bool(words) == refuted, words
        assert set(shown) == ({"values", "noise", "rho", "r"} if refuted else set())


@pytest.mark.parametrize("law", [turned, mixed], ids=["turned", "mixed"])
def test_what_is_no_product_is_not_taken_for_one(law: Callable[..., Any]) -> None:
    assert attack_products(priced(law, L2, 1.0), 10.0) == ("", {})


def test_what_asks_for_numbers_without_end_is_no_product() -> None:
    def endless(scale: float, value: Any, normals: Any) -> Any:
        while True:
            normals(1)

    assert attack_products(priced(endless, L2, 1.0), 10.0) == ("", {})
