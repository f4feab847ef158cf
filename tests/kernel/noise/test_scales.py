"""Samplers draw at the scale they are asked for, to the last bit, however wide it is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpframe.kernel.noise import SeededSource, gaussian, laplace

SCALES = (0.3183, 7.7, 2.0**30 + 0.25, 2.0**40 * 1.1, 2.0**51 + 0.5, 2.0**59 + 2**8)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("module", "strips", "draw"),
    [
        (laplace, "point_strips", laplace.discrete_laplace),
        (gaussian, "point_strips", gaussian.discrete_gaussian),
        (gaussian, "rounded_strips", gaussian.rounded_gaussian),
    ],
    ids=["laplace", "discrete gaussian", "rounded gaussian"],
)
def test_the_scale_is_handed_on_to_the_last_bit(
    monkeypatch: pytest.MonkeyPatch, module: Any, strips: str, draw: Any, scale: float
) -> None:
    """No sample could tell a scale that is rounded to a whole number at 2^40."""
    made, seen = getattr(module, strips), []

    def watched(*given: Any, **named: Any) -> Any:
        seen.append(given[-1])
        return made(*given, **named)

    monkeypatch.setattr(module, strips, watched)
    draw(SeededSource(0), scale, 3)
    assert seen == [scale]
    found = made(*((1, scale) if strips == "point_strips" else (scale,)), wide=True)
    assert Fraction(found.envelope.rho) * Fraction(2) ** found.shift == Fraction(scale)
