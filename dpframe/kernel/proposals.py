"""What an operation proposes to the planner: domains, metrics, noise for a ρ, its loss, its lattice.

Trusted with nothing. The checker computes domains, metrics and losses anew, from declarations and theorems, and accepts
no noise that costs more than was listed; a run draws what was checked. So a wrong proposal is refused, or is another
proved plan. No run asks for one: ``tests/kernel/test_proposals.py`` takes all of these away and runs admitted plans.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

from dpframe.errors import PlanError
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import L1, L2, Domain, LInf, SparseCounts
from dpframe.proof.theorems import Metrics, find, truncated_laplace_bound, up
from dpframe.proof.theorems.shaping.base import is_kind

Steps = tuple[Fraction | None, ...]
"""Lattice steps of an operation's inputs, None for those that are no numbers on a lattice."""
Noise = dict[str, Any]


class Proposed:
    """What every operation proposes."""

    __slots__ = ()

    def output(self: Any, *inputs: Domain) -> Domain:
        """Domain of the result for these input domains; raises :class:`PlanError` where shapes differ."""
        domain: Domain = self.declaration().output(self.parameters(), inputs)
        self.admit(*inputs)
        return domain

    def theorem_inputs(self: Any, *inputs: Domain) -> dict[str, Any]:
        """What the theorem is told: the declared parameters, and shapes where it needs them."""
        told: dict[str, Any] = self.declaration().theorem_inputs(self.parameters(), inputs)
        return told

    def derived(self: Any, domains: tuple[Domain, ...], inputs: tuple[Metrics, ...]) -> Any:
        """What its theorem makes of neighbours at these metrics; of an asserted one, of what its plugin says there."""
        claims = self.claims(domains, inputs)
        told = self.theorem_inputs(*domains)
        return self.cited().rule(told if claims is None else {**told, "claims": claims}, inputs)

    def claims(self, domains: tuple[Domain, ...], inputs: tuple[Metrics, ...]) -> Metrics | None:
        """What a plugin says of the output at these metrics, for the certificate; None where nothing is asserted."""
        return None

    def warnings(self) -> list[str]:
        """What a plan that uses it must warn of."""
        return []


class ProposedNoise:
    """What every mechanism proposes."""

    __slots__ = ()

    def rho(self: Any, factor: float) -> float:
        """The node's weight of ρ for a common factor."""
        if self.noise_multiplier is not None:
            return float(0.5 / self.noise_multiplier**2)
        return float(self.share or 0.0) * factor

    def calibrate(self: Any, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """Noise parameters for this ρ, δ and the input's worst metrics under the plan's adjacency."""
        raise PlanError(f"mechanism {self.name!r} has no calibrate")

    def confirm(self, calibration: Mapping[str, Any]) -> None:
        """Ask what a plugin says of this noise again; raises :class:`PlanError` where it says otherwise."""

    def loss(self: Any, calibration: Mapping[str, Any], metrics: Metrics, domain: Domain) -> Loss:
        """Loss on neighbours at these metrics, by the cited theorem."""
        result = self.cited().rule({**self.theorem_inputs(domain), **calibration}, (metrics,))
        if not isinstance(result, Loss):
            raise PlanError(f"theorem {self.theorem!r} of mechanism {self.name!r} gives no loss")
        return result

    def scale(self, calibration: Mapping[str, Any], domain: Domain) -> float:
        """The largest scale of the integer noise it draws, in units of the value; 0 where it draws none.

        The planner refuses a scale that the samplers don't reach on the value's lattice.
        """
        return 0.0


class ProposedStep:
    """What every query proposes."""

    __slots__ = ()

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """Step of the lattice of the result, given those of the inputs; None where it is no numbers on a lattice."""
        return None


class SameStep:
    """A query whose result lies on the lattice of its first input."""

    __slots__ = ()

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """The step of the first input."""
        return steps[0]


class Scaled:
    """Noise that is drawn at one scale, which ``scaled_by`` names."""

    __slots__ = ()
    scaled_by: ClassVar[str]

    def scale(self, calibration: Mapping[str, Any], domain: Domain) -> float:
        """The scale itself."""
        return float(calibration[self.scaled_by])


class GaussianNoise:
    """Zero-concentrated at ρ by the ℓ₂ bound."""

    __slots__ = ()

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """Sigma = Δ₂/√(2ρ)."""
        return {"sigma": find(worst, L2).bound / math.sqrt(2 * rho)}


class LaplaceNoise:
    """Pure at √(2ρ) by the ℓ₁ bound."""

    __slots__ = ()

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """A scale of Δ₁/√(2ρ)."""
        return {"scale": find(worst, L1).bound / math.sqrt(2 * rho)}


class ThresholdRate:
    """The sparse vector technique: pure at √(2ρ)."""

    __slots__ = ()

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """A rate of √(2ρ)/Δ."""
        return {"rate": math.sqrt(2 * rho) / find(worst, LInf).bound}

    def scale(self, calibration: Mapping[str, Any], domain: Domain) -> float:
        """The noise of the queries."""
        return 4 * math.nextafter(1.0 / calibration["rate"], math.inf)


class RangeRate:
    """The exponential mechanism: a bounded range of √(8ρ)."""

    __slots__ = ()

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """A rate of √(8ρ)/(2Δ)."""
        return {"rate": math.sqrt(8 * rho) / (2 * find(worst, LInf).bound)}


class FlipRate:
    """Permute-and-flip: Laplace's profile at √(2ρ)."""

    __slots__ = ()

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """A rate of √(2ρ)/(2Δ)."""
        return {"rate": math.sqrt(2 * rho) / (2 * find(worst, LInf).bound)}


class HistogramNoise:
    """Noise of a stable histogram's levels, and its own δ."""

    __slots__ = ()

    def calibrate(self: Any, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """The scale of one histogram; the reach where neighbours fill a bin with several rows."""
        m, most = is_kind(domain, SparseCounts).levels, find(worst, LInf).bound
        reach = {"reach": most} if most > 1 else {}
        one = find(worst, L2).bound / math.sqrt(m) if self.noise == "gaussian" else find(worst, L1).bound / m
        return {"scale": up(one) / math.sqrt(2 * rho), "delta": delta, **reach}

    def scale(self: Any, calibration: Mapping[str, Any], domain: Domain) -> float:
        """Scale of the noise, one for all levels."""
        return float(self.drawn_at(calibration, is_kind(domain, SparseCounts).levels))


class GateNoise:
    """Truncated Laplace noise of a test: pure at √(2ρ) and δ."""

    __slots__ = ()

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """The truncation follows from ε and δ."""
        sensitivity, epsilon = find(worst, L1).bound, math.sqrt(2 * rho)
        width = truncated_laplace_bound(sensitivity, epsilon, delta)
        return {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity, "half_width": width}

    def scale(self: Any, calibration: Mapping[str, Any], domain: Domain) -> float:
        """Sensitivity over ε."""
        return float(self.drawn_at(calibration))
