"""Mechanisms that add noise to every entry of a lattice statistic: one addition, exact at every size."""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.kernel.exact.integers import add, to_floats
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.proposals import Scaled
from dpframe.proof.spaces import Domain


@functools.lru_cache(maxsize=64)
def lattice_scale(scale: float, step: Fraction) -> float:
    """A noise scale in lattice steps, never below the declared one; infinite beyond float64."""
    exact = Fraction(scale) / step
    try:
        near = float(exact)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


@attrs.frozen
class Additive(Scaled, Mechanism):
    """``value + Z`` on the statistic's own lattice, released in units of the statistic.

    Attributes
    ----------
    scaled_by : str
        The calibration's name of the noise's scale.

    Notes
    -----
    Audits release many copies of a value at once, along a first axis: whoever overrides `noisy` or `release` draws as
    many numbers as the given value holds, not as many as its domain says.

    Formal guarantees
    -----------------
    The sum is one of integers without bound (:func:`dpframe.kernel.exact.integers.add`): for the same noise, what
    neighbours release differs by their distance on the lattice, wherever the exact value lies.
    """

    scaled_by: ClassVar[str] = "scale"

    @abstractmethod
    def draw(self, source: Any, scale: float, size: int) -> Any:
        """``size`` independent integers of noise, exactly."""

    def noise(self, shape: tuple[int, ...], scale: float, domain: Domain, source: Any) -> Any:
        """Noise for a value of this shape, in lattice steps."""
        return np.asarray(self.draw(source, scale, math.prod(shape))).reshape(shape)

    def noisy(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """The sum, in whole lattice steps."""
        scale = lattice_scale(calibration[self.scaled_by], exact.step)
        return add(exact.integers, self.noise(np.shape(exact.integers), scale, domain, source))

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Add the noise and return floats."""
        return to_floats(self.noisy(exact, calibration, domain, source), exact.step)

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """Draw the noise of all releases at once."""
        integers = np.asarray(exact.integers)
        copies = Exact(np.broadcast_to(integers, (times, *integers.shape)), exact.step)
        return list(self.release(copies, calibration, domain, source))
