"""Broken mechanisms and posts."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.operations import PARAM, Exact, Slot, wants
from dpframe.kernel.post_processing import Failed, Post
from dpframe.proof.spaces import Counts, Domain, Vector
from tests.testing.broken.base import breaks


@breaks("loss", "gaussian")
class CheaperWhenFar(GaussianMechanism):
    """Charges the inverse of the distance."""

    def loss(self, calibration: Any, metrics: Any, domain: Domain) -> Any:
        return super().loss(calibration, tuple(type(m)(1.0 / max(m.bound, 0.1)) for m in metrics), domain)


@breaks("loss", "gaussian")
class ChargesHalf(GaussianMechanism):
    """Charges for half of the distance."""

    def loss(self, calibration: Any, metrics: Any, domain: Domain) -> Any:
        return super().loss(calibration, tuple(type(m)(m.bound / 2) for m in metrics), domain)


@breaks("noise", "gaussian")
class DrawsElsewhere(GaussianMechanism):
    """Noise from NumPy instead of the source."""

    def release(self, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
        array = np.asarray(exact.integers).astype(np.float64) * float(exact.step)
        noise = np.random.default_rng().standard_normal(array.shape)
        out = array + calibration["sigma"] * noise
        return (out + np.swapaxes(out, -1, -2)) / 2 if out.ndim >= 2 and type(domain).__name__ == "Symmetric" else out


@breaks("noise", "gaussian")
class ForgetsTheNoise(GaussianMechanism):
    """Releases the exact value."""

    def release(self, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
        return np.asarray(exact.integers).astype(np.float64) * float(exact.step)


@breaks("domain", "gaussian")
class ReleasesAColumn(GaussianMechanism):
    """One more axis than declared."""

    def release(self, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
        return np.asarray(super().release(exact, calibration, domain, source))[..., None]


@attrs.frozen
class Halve(Post):
    """Half of some released counts."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("counts", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A vector."""
        return Vector(wants(inputs[0], Counts, "halve").m)

    def apply(self, *values: Any) -> Any:
        """Halve."""
        return np.asarray(values[0]) / 2


@breaks("purity", "")
class Jitters(Halve):
    """Breaks ties at random."""

    def apply(self, *values: Any) -> Any:
        return super().apply(*values) + np.random.default_rng().random()


@breaks("purity", "")
class SortsInPlace(Halve):
    """Reverses its input."""

    def apply(self, *values: Any) -> Any:
        values[0][...] = values[0][::-1] + 1
        return super().apply(*values)


SEEN: list[Any] = []


@breaks("purity", "")
class RemembersTheLast(Halve):
    """Adds how often it was called."""

    def apply(self, *values: Any) -> Any:
        SEEN.append(1)
        return super().apply(*values) + len(SEEN)


@breaks("totality", "")
class DividesByTheCount(Halve):
    """Divides by a released number, which may be 0."""

    def apply(self, *values: Any) -> Any:
        return np.asarray(values[0]) / np.asarray(values[0])[0]


@breaks("domain", "")
class LosesOne(Halve):
    """Returns one number less."""

    def apply(self, *values: Any) -> Any:
        return super().apply(*values)[:-1]


@breaks("domain", "")
class GivesNoAdvice(Halve):
    """Fails without a word."""

    def apply(self, *values: Any) -> Any:
        return Failed("no answer", "")
