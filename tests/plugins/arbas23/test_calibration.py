"""Aims and budgets at the ends of float64."""

from __future__ import annotations

import math

import pytest

from dpframe.errors import SpecError
from dpframe_plugins.arbas23.calibration import exact, least_blocks, thesis, truncated_laplace_bound


@pytest.mark.parametrize("calibration", [exact, thesis])
@pytest.mark.parametrize(("alpha", "beta"), [(1e-300, 0.1), (0.3, 1e-300)])
def test_an_aim_that_has_no_price_is_refused(calibration: object, alpha: float, beta: float) -> None:
    """Planning ended in a division by zero."""
    assert callable(calibration)
    with pytest.raises(SpecError, match="alpha must be finite"):
        calibration(alpha, beta, 1.0, 1e-6, 2, 3)


@pytest.mark.parametrize(("epsilon", "delta"), [(1000.0, 1e-6), (100.0, 1e-300)])
def test_the_thesis_has_blocks_for_large_budgets(epsilon: float, delta: float) -> None:
    """e^ε / δ has no float64."""
    expected = 20 * (epsilon - math.log(2 * delta)) / epsilon
    assert thesis(0.3, 0.1, epsilon, delta, 2, 3).t == pytest.approx(expected, abs=1.0)


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.1, 0.5])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 7.0, 50.0, 1000.0])
def test_the_least_number_of_blocks_is_the_least(epsilon: float, delta: float) -> None:
    def passes(t: int) -> bool:
        return 1 - ((t + 1) // 2 + 0.5) / t >= 2 * truncated_laplace_bound(2.0 / t, epsilon, delta)

    found = least_blocks(epsilon, delta)
    assert found == next(t for t in range(5, found + 9) if passes(t))


def test_a_tiny_epsilon_has_its_blocks_at_once() -> None:
    """They were counted one by one."""
    assert least_blocks(1e-9, 1e-300) > 10**12
