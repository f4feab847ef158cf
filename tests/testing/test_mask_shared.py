"""Masks on the same Gaussians for two values: a sharper peak than is charged is refuted, one that is paid for holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from dpframe.kernel.families.registering import find_semimetric
from dpframe.proof.losses import Event, Gaussian
from dpframe.testing.battery.attack_masks import _delta
from dpframe.testing.battery.mask_draws import Priced
from dpframe.testing.battery.mask_shared import attack_shared


def laplace(normals: Any) -> float:
    """A Laplace draw."""
    g = normals(4)
    return float(g[0] * g[1] + g[2] * g[3])


def peaked(normals: Any) -> float:
    """Mostly a Gaussian, seldom one of a tenth of its width."""
    g = normals(3)
    return float(g[1] * (0.1 if g[0] > 1.0 and g[2] > 0.0 else 1.0))


def redrawn(normals: Any) -> float:
    """A sum that is drawn again, and again, as long as it is far out."""
    while abs(made := float(normals(3).sum())) > 0.5:
        pass
    return made


LAWS: dict[str, tuple[Callable[[Any], float], float, bool]] = {
    "laplace": (laplace, 1.0, True),
    "laplace, as it costs": (laplace, 1.3, False),
    "peaked": (peaked, 1.0, True),
    "peaked, as it costs": (peaked, 10.0, False),
    "a sum of three": (lambda normals: float(normals(3).sum()) / math.sqrt(3.0), 1.0, False),
    "a curve of three": (lambda normals: 3.0 * math.sinh(float(normals(3).sum()) / math.sqrt(3.0)), 1.0, False),
    "drawn until near": (redrawn, 1.0, True),
}
"""Noise, times how much of a Gaussian's price is charged, and whether that is too little."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "peaked" else pytest.mark.slow) for n in LAWS])
def test_a_sharper_peak_than_is_charged_is_refuted(name: str) -> None:
    law, factor, refuted = LAWS[name]

    def release(scale: float, value: Any, normals: Any) -> Any:
        return value + scale * law(normals)

    def price(rho: float, r: float) -> tuple[float, Event]:
        mu = math.sqrt(2.0 * rho)
        return factor * r / mu, Gaussian(mu)

    mask = Priced(None, find_semimetric("euclidean"), release, price, _delta)  # type: ignore[arg-type]
    words, shown = attack_shared(mask, 10.0)
    assert bool(words) == refuted, words
    assert set(shown) == ({"values", "noise", "rho", "r"} if refuted else set())


def test_what_redraws_without_end_is_not_compared() -> None:
    def release(scale: float, value: Any, normals: Any) -> Any:
        while True:
            normals(1)

    def price(rho: float, r: float) -> tuple[float, Event]:
        return 1.0, Gaussian(math.sqrt(2.0 * rho))

    mask = Priced(None, find_semimetric("euclidean"), release, price, _delta)  # type: ignore[arg-type]
    assert attack_shared(mask, 10.0) == ("", {})
