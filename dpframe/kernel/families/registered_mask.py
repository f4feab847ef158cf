"""``registered_mask`` and ``lift``: a plugin's own noise for values that are near in its own semimetric."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.exact.integers import to_floats
from dpframe.kernel.families.mixture_mask import COARSE, FINE, fine_gaussians, in_random_order
from dpframe.kernel.families.registering import find_mask, mask
from dpframe.kernel.operations import Exact, Mechanism, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.costs import VIEWS, no_dearer, numbers_of, size
from dpframe.proof.roots import boundary
from dpframe.proof.spaces import Array, Domain, Vector, positive, positive_whole
from dpframe.proof.theorems import Metrics

LEAST, MOST = 2.0**-200, 2.0**200
STEPS, STEP_BITS = 64, 44


def euclidean_cost(noise: float, r: float) -> float:
    """ρ of :func:`euclidean_gaussian`: (r + 2^−34·noise)²/(2·noise²)."""
    moved = r / noise + 2.0**-34
    return moved * moved / 2 * (1 + 1e-12)


def lattice_gaussian_mu(noise: float, r: float) -> float:
    """μ of GDP of :func:`euclidean_gaussian` for vectors within r in ℓ₂: a mask's cost as a dominating pair."""
    return (r / noise + 2.0**-34) * (1 + 1e-12)


@mask("euclidean.gaussian", semimetric="euclidean", cost=euclidean_cost)
def euclidean_gaussian(value: Any, noise: float, normals: Any) -> Any:
    """The Gaussian mechanism, the plainest mask, on a lattice of step noise·2^−44.

    The value is rounded to the lattice, which moves the distance of two values by at most √d steps (d <= 2^20), and
    gets a Gaussian rounded to it: ⌊2^44·g + ½⌋ of a normal rounded *down* is that of the normal itself, because the
    borders between two whole numbers are float64 numbers. What is made of the sum is post-processing. In floats
    ``value + noise·g`` would not do: which floats it can be tells of the last digits of the value.
    """
    n, parts = float(noise).as_integer_ratio()
    scale = parts << STEP_BITS  # a step is n/scale
    released = []
    for v, g in zip(value, normals(len(value)), strict=True):
        (a, b), (c, e) = float(v).as_integer_ratio(), float(g).as_integer_ratio()
        whole, rest = divmod(a * scale, b * n)
        whole += 2 * rest > b * n or (2 * rest == b * n and whole % 2)  # half to even
        released.append((whole + ((c << STEP_BITS + 1) + e) // (2 * e)) * n / scale)
    return np.array(released)


def rounded_down(x: int) -> float:
    """The largest float64 that is not above x·2^−60: a standard Gaussian as masks are given it."""
    near = float(x)
    return math.ldexp(near if int(near) <= x else math.nextafter(near, -math.inf), -COARSE)


def gaussians(source: Any) -> Any:
    """``normals(count)`` as masks are given it: standard Gaussians, rounded down."""

    def normals(count: int) -> Any:
        return np.array([rounded_down(g >> FINE) for g in fine_gaussians(source, int(count))])

    return normals


def masked(name: str, value: Any, noise: float, source: Any) -> Any:
    """What a plugin's mask makes of one vector; zeros where that is not as many finite numbers."""
    shape = np.shape(value)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = np.array(find_mask(name).function(value.copy(), noise, gaussians(source)), dtype=float)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  whatever a plugin's mask raises must not tell of the value
        return np.zeros(shape)
    return made if made.shape == shape and np.isfinite(made).all() else np.zeros(shape)


@attrs.frozen
class OfMask(Mechanism):
    """Parameters that a mask and its lift to k components share.

    Parameters
    ----------
    mask : str
        Registered name (:func:`dpframe.kernel.families.registering.mask`).
    semimetric, r : str, float
        As the selection declares them.
    view : {"rho", "mu", "pure", "laplace", "bounded_range", "renyi"}
        How the mask's cost is known: ρ of zCDP, a dominating pair by its one number, or Rényi divergences.
    share, noise_multiplier : float
        See :class:`~dpframe.kernel.operations.Mechanism`.
    """

    mask: str = attrs.field(kw_only=True)
    semimetric: str = attrs.field(kw_only=True)
    r: float = attrs.field(kw_only=True, validator=positive)
    view: str = attrs.field(default="rho", kw_only=True, validator=attrs.validators.in_(VIEWS))

    def admit(self, *inputs: Domain) -> None:
        """A registered mask for that semimetric, with a cost in that view."""
        known = find_mask(self.mask)
        if known.semimetric != self.semimetric:
            raise PlanError(
                f"mask {self.mask!r} is made for {known.semimetric!r}, not {self.semimetric!r}",
                fix=f"use semimetric={known.semimetric!r}",
            )
        self.cost(2.0**20 * self.r)

    def cost(self, noise: float) -> tuple[float, ...]:
        """The loss of the mask at this noise, as its plugin claims it."""
        return numbers_of(find_mask(self.mask).cost(noise, self.r), self.view)

    def times(self) -> int:
        """How often the mask is applied."""
        return 1

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """The least noise, by bisection, at which the asserted cost is about ρ at most; and that cost."""
        each = rho / self.times()

        def holds(power: float) -> bool:
            try:
                return size(self.cost(2.0**power), self.view) <= each
            except PlanError:  # too little noise for any finite cost
                return False

        low, high = math.log2(LEAST), math.log2(MOST)
        if not holds(high):
            raise PlanError(f"mask {self.mask!r} can't reach {rho!r}-zCDP at any noise", fix="use a smaller r")
        noise = float(2.0 ** boundary(holds, high, low, steps=STEPS)[0])
        return {"noise": noise, "cost": self.cost(noise)}

    def noise_std(self, calibration: Mapping[str, Any]) -> float:
        """The mask's own noise parameter."""
        return float(calibration.get("noise", 0.0))

    def confirm(self, calibration: Mapping[str, Any]) -> None:
        """The mask's cost at the certified noise is no more than the certified one."""
        self._noise(calibration)

    def _noise(self, calibration: Mapping[str, Any]) -> float:
        """The certified noise, whose cost the mask must still give as certified: both are public."""
        noise = float(calibration["noise"])
        if not no_dearer(self.cost(noise), tuple(calibration["cost"]), self.view):
            raise PlanError(f"mask {self.mask!r} costs more at {noise!r} than was certified", fix="plan again")
        return noise


@register("registered_mask")
@attrs.frozen
class RegisteredMask(OfMask):
    """Release what a plugin's mask makes of the value, told a noise and given standard Gaussians, rounded down.

    Formal guarantees
    -----------------
    Adjacency: through the input's distance ``Within(semimetric, r)``. Loss: what the plugin asserts at r for its
    noise (``registered_mask``): a hypothesis in the certificate, its floating point included. For a
    mask that raises or returns anything but d finite numbers zeros are released, which that hypothesis must cover.

    References
    ----------
    Arbas23 Def 4.2.1.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import Within
    >>> mask = RegisteredMask(mask="euclidean.gaussian", semimetric="euclidean", r=0.01, share=1.0)
    >>> noise = mask.calibrate(0.5, 0.0, (Within("euclidean", 0.01),), Vector(2))
    >>> mask.release(Exact(np.array([3, 4])), noise, Vector(2), SeededSource(1)).round(1).tolist()
    [3.0, 4.0]
    """

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Hand the value, the noise and a source of Gaussians to the mask."""
        wants(domain, Vector, "registered_mask")
        value = to_floats(np.ravel(exact.integers), exact.step)
        return masked(self.mask, value, self._noise(calibration), source)


@register("lift")
@attrs.frozen
class Lift(OfMask):
    """A plugin's mask of one component, applied to each of k components, released in random order.

    Parameters
    ----------
    k : int
        Number of components.

    Formal guarantees
    -----------------
    Adjacency: through the input's distance, the best of the matchings of components, each pair within r. Loss: k times
    what the plugin asserts of one (``lift``): a hypothesis in the certificate, its floating point included.

    References
    ----------
    Arbas23 Lemma 6.1.1; docs/theory/masks.md.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import Within
    >>> lift = Lift(mask="euclidean.gaussian", semimetric="euclidean", r=0.01, k=2, share=1.0)
    >>> noise = lift.calibrate(0.5, 0.0, (Within("euclidean", 0.01),), Array((2, 1)))
    >>> lift.release(Exact(np.array([[3], [4]])), noise, Array((2, 1)), SeededSource(2)).round(1).tolist()
    [[3.0], [4.0]]
    """

    k: int = attrs.field(kw_only=True, validator=positive_whole)

    def times(self) -> int:
        """K."""
        return self.k

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Mask the components in a random order."""
        values = np.asarray(exact.integers)
        parts = to_floats(values.ravel(), exact.step).reshape(wants(domain, Array, "lift").shape)
        noise = self._noise(calibration)
        return np.array(in_random_order(parts, lambda part: masked(self.mask, part, noise, source), source))
