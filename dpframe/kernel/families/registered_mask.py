"""``registered_mask``: a plugin's own noise for values that are within r of one another in its own semimetric."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.exact.integers import to_floats
from dpframe.kernel.families.mixture_mask import COARSE, FINE, fine_gaussians
from dpframe.kernel.operations import Exact, Mechanism, wants
from dpframe.kernel.registry import find_mask, mask, register
from dpframe.proof.roots import boundary
from dpframe.proof.spaces import Domain, Vector, positive
from dpframe.proof.theorems import Metrics

LEAST, MOST = 2.0**-200, 2.0**200
STEPS, STEP_BITS = 64, 44


def euclidean_cost(noise: float, r: float) -> float:
    """ρ of :func:`euclidean_gaussian`: (r + 2^−34·noise)²/(2·noise²)."""
    moved = r / noise + 2.0**-34
    return moved * moved / 2 * (1 + 1e-12)


@mask("euclidean.gaussian", semimetric="euclidean", cost=euclidean_cost)
def euclidean_gaussian(value: Any, noise: float, normals: Any) -> Any:
    """The Gaussian mechanism, the plainest mask, on a lattice of step noise·2^−44.

    The value is rounded to the lattice, which moves the distance of two values by at most √d steps (d <= 2^20), and
    gets a Gaussian rounded to it: ⌊2^44·g + ½⌋ of a normal rounded *down* is that of the normal itself, because the
    borders between two whole numbers are float64 numbers. What is made of the sum is post-processing. In floats
    ``value + noise·g`` would not do: which floats it can be tells of the last digits of the value.
    """
    step = Fraction(noise) / 2**STEP_BITS
    drawn = [math.floor(Fraction(float(g)) * 2**STEP_BITS + Fraction(1, 2)) for g in normals(len(value))]
    return np.array([float((round(Fraction(float(v)) / step) + z) * step) for v, z in zip(value, drawn, strict=True)])


def rounded_down(x: int) -> float:
    """The largest float64 that is not above x·2^−60: a standard Gaussian as masks are given it."""
    near = float(x)
    return math.ldexp(near if int(near) <= x else math.nextafter(near, -math.inf), -COARSE)


@register("registered_mask")
@attrs.frozen
class RegisteredMask(Mechanism):
    """Release what a plugin's mask makes of the value, told a noise and given standard Gaussians, rounded down.

    Parameters
    ----------
    mask : str
        Registered name (:func:`dpframe.kernel.registry.mask`).
    semimetric, r : str, float
        As the selection declares them.
    share, noise_multiplier : float
        See :class:`~dpframe.kernel.operations.Mechanism`.

    Formal guarantees
    -----------------
    Adjacency: through the input's distance ``Within(semimetric, r)``. Loss: ρ-zCDP, as the plugin asserts at r for
    the noise that ρ buys (``registered_mask``): a hypothesis in the certificate, its floating point included. For a
    mask that raises or returns anything but d finite numbers zeros are released, which that hypothesis must cover.

    References
    ----------
    Arbas23 Def 4.2.1.
    """

    mask: str = attrs.field(kw_only=True)
    semimetric: str = attrs.field(kw_only=True)
    r: float = attrs.field(kw_only=True, validator=positive)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        made = RegisteredMask(mask="euclidean.gaussian", semimetric="euclidean", r=1.0, share=1.0)
        return [(made, (Vector(2),))]

    def admit(self, *inputs: Domain) -> None:
        """A registered mask for that semimetric."""
        known = find_mask(self.mask)
        if known.semimetric != self.semimetric:
            raise PlanError(
                f"mask {self.mask!r} is made for {known.semimetric!r}, not {self.semimetric!r}",
                fix=f"use semimetric={known.semimetric!r}",
            )

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """ρ itself; the noise follows from it."""
        self._noise(rho)
        return {"rho": rho}

    def _noise(self, rho: float) -> float:
        """The least noise, by bisection, at which the asserted cost is at most ρ."""
        cost = find_mask(self.mask).cost
        low, high = math.log2(LEAST), math.log2(MOST)
        if not cost(2.0**high, self.r) <= rho:
            raise PlanError(f"mask {self.mask!r} can't reach {rho!r}-zCDP at any noise", fix="use a smaller r")
        return float(2.0 ** boundary(lambda power: cost(2.0**power, self.r) <= rho, high, low, steps=STEPS)[0])

    def noise_std(self, calibration: Mapping[str, Any]) -> float:
        """The mask's own noise parameter."""
        return self._noise(float(calibration["rho"])) if "rho" in calibration else 0.0

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Hand the value, the noise and a source of Gaussians to the mask."""
        d = wants(domain, Vector, "registered_mask").d

        def normals(count: int) -> Any:
            return np.array([rounded_down(g >> FINE) for g in fine_gaussians(source, int(count))])

        value = to_floats(np.ravel(exact.integers), exact.step)
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = np.array(find_mask(self.mask).function(value, self.noise_std(calibration), normals), dtype=float)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001  whatever a plugin's mask raises must not tell of the value
            made = np.zeros(d)
        return made if made.shape == (d,) and np.isfinite(made).all() else np.zeros(d)
