"""Releases that are the same for all streams of noise: below a threshold that is right, for all values it is not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.operations import Exact
from dpframe.testing.battery.attack_mechanisms import _release, _shared


class Mechanism:
    """Releases what a function makes of a value and one draw of noise."""

    def __init__(self, function: Callable[[Any, int], Any]) -> None:
        self._function = function

    def release(self, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
        noise = int(source.words(1)[0]) % 2**16 - 2**15
        return np.asarray(self._function(exact.integers, noise), dtype=np.float64)


@pytest.mark.parametrize(
    ("function", "right"),
    [
        (lambda v, z: (v + z) * (v + z > 10**6), True),
        (lambda v, z: v * (v + z > 10**6), False),
        (lambda v, z: v + z, False),
        (lambda v, z: v, False),
        (lambda v, z: 0 * v, False),
        (lambda v, z: v // 1000 * 1000, False),
    ],
)
def test_a_release_without_noise_is_right_where_others_share_it_and_far_values_have_noise(
    function: Callable[[Any, int], Any], right: bool
) -> None:
    mechanism: Any = Mechanism(function)
    exact = Exact(np.zeros(1, dtype=np.int64), Fraction(1))
    first = _release(mechanism, exact, {}, None, 1)  # type: ignore[arg-type]
    assert _shared(mechanism, exact, {}, None, first) is right  # type: ignore[arg-type]
