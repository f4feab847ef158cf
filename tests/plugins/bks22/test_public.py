"""What public rows promise at the ends of float64."""

from __future__ import annotations

import math

import pytest

from dpframe.errors import SpecError
from dpframe_plugins.bks22.public import LEAST, promised


def test_a_beta_without_a_square_is_refused() -> None:
    """Planning ended in a division by zero."""
    with pytest.raises(SpecError, match="beta must be in"):
        promised(3, 1e-300, 0.0)


def test_the_least_beta_promises_something() -> None:
    frame = promised(500, LEAST, 0.999999)
    assert 0 < frame.lowest < 1 < frame.condition < math.inf
    assert frame.radius < math.inf
