"""What attacks compare with: exact distances and the bits of values, by their short ways as by their long ones."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from dpframe.kernel.operations import Exact
from dpframe.testing.battery.lab import fingerprint
from dpframe.testing.battery.metrics import difference


@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 3)])
def test_distances_are_the_same_however_whole_numbers_are_kept(step: Fraction, rng: np.random.Generator) -> None:
    """As int64, as Python integers, and where a difference does not fit into int64."""
    far = [2**62 - 1, -(2**62) + 1, 2**63 - 1, -(2**63), 0, 0]
    for numbers in (rng.integers(-9, 9, (3, 6)).tolist(), [far, far[::-1], [0] * 6]):
        kinds = [[Exact(np.array(row, dtype=kind), step) for row in numbers] for kind in (np.int64, object)]
        for one, two in itertools.permutations(range(3), 2):
            assert difference(kinds[0][one], kinds[0][two]) == difference(kinds[1][one], kinds[1][two])
    with pytest.raises(TypeError, match="whole numbers"):
        difference(kinds[0][0], Exact(np.full(6, 0.5), step))
    with pytest.raises(ValueError, match="argument 2"):
        difference(kinds[0][0], Exact(np.zeros(5, dtype=np.int64), step))


def test_the_bits_of_plain_values_tell_them_apart() -> None:
    values = [
        0,
        1,
        True,
        False,
        None,
        0.0,
        -0.0,
        1.0,
        2.0**-1074,
        "1",
        [1],
        [1, 0],
        [[1], 0],
        np.float32(1),
        np.zeros(1),
    ]
    assert len({fingerprint(v) for v in values}) == len(values)
    assert fingerprint((1, [2.0])) == fingerprint([1, (np.float64(2.0),)])
