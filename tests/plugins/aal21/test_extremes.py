"""Accuracies and budgets so small that float64 holds no square of them."""

from __future__ import annotations

import pytest

from dpframe.api import REPLACE_ONE
from dpframe.errors import SpecError
from dpframe.plugin import ApproxDP, Target
from dpframe_plugins.aal21.sizing import FINEST, LEAST, check_accuracy, decoding_rows, selecting_rows


@pytest.mark.parametrize(("alpha", "beta"), [(1e-300, 0.1), (1e-160, 0.1), (1e-9, 0.1), (0.5, 1e-320)])
def test_an_accuracy_without_a_number_of_rows_is_refused(alpha: float, beta: float) -> None:
    """Planning ended in a division by zero, or an infinite number of rows."""
    with pytest.raises(SpecError, match="alpha must be in"):
        check_accuracy(2, alpha, beta)


def test_the_least_that_is_taken_has_a_number_of_rows() -> None:
    target = Target(REPLACE_ONE, ApproxDP(1e-9, 1e-300))
    check_accuracy(50, FINEST, LEAST)
    assert decoding_rows(50, 500, FINEST, 5e-20, known=False, target=target) > 0
    assert selecting_rows(2**62, FINEST, LEAST, target) > 0
