r"""Discrete Gaussian noise on one coordinate: one bound for all lattices. Proofs: ``docs/theory/losses.md``, 2.8."""

from __future__ import annotations

import math
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import FloatArray, U, half_square_up, nonnegative, real, up
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.gaussian import gaussian_profile

STEEP = 1.0
"""Largest shift over scale that the bound is proved for on any lattice."""
_DENSITY = 1 / math.sqrt(2 * math.pi)


def bend(mu: float) -> float:
    """κ: at least (max k' − min k')/8 for k(v) = v·exp(μv/2 − v²/2) over v >= 0 (docs/theory/losses.md, 2.8)."""
    return 0.245 if mu <= 1 else 0.43


def fine_profile(mu: float, scale: float, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""Enclose :math:`\delta_\mu(x)+\kappa\mu\tau^{-2}\varphi(x/\mu-\mu/2)`, for shifts of at most :math:`\mu\tau`."""
    lower, upper = gaussian_profile(mu, eps)
    at = eps / mu - mu / 2
    slack = 2e-14 + 8 * U * (np.abs(eps / mu) + mu) * (2 + np.abs(at))
    more = bend(mu) * mu / scale / scale * _DENSITY * np.exp(-0.5 * at * at)
    more = np.where(np.isfinite(more), more, 0.0)
    slack = np.where(np.isfinite(slack), slack, 0.0)
    return lower + more * np.maximum(1 - slack, 0.0), np.minimum((upper + more * (1 + slack)) * (1 + 4 * U), 1.0)


@final
@attrs.frozen
class LatticeGaussian(Event):
    r"""Discrete Gaussian noise on one coordinate of any lattice, however coarse: only Δ/σ is known.

    .. math:: \delta(x) \le \delta_\mu(x) + \kappa\mu^3\varphi(x/\mu-\mu/2),\qquad \kappa = 0.245,\ \mu\le1,

    with :math:`\delta_\mu` the profile of the continuous noise. Above 1 only zCDP is known.

    Parameters
    ----------
    ratio : float
        Sensitivity over scale, non-negative; ``inf`` is allowed.
    """

    kind: ClassVar[str] = "lattice_gaussian"
    ratio: float = attrs.field(converter=real, validator=nonnegative)

    @property
    def rho(self) -> float:
        """The zCDP parameter: as of continuous noise (Canonne, Kamath and Steinke, NeurIPS 2020, Theorem 4)."""
        return half_square_up(self.ratio)

    @property
    def dominated(self) -> bool:
        """Whether the profile is known: up to a ratio of 1."""
        return self.ratio <= STEEP

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        if self.ratio == 0:
            exact = 0.0 - np.expm1(np.minimum(eps, 0.0))
            return exact * (1 - 8 * U), np.minimum(exact * (1 + 8 * U), 1.0)
        return fine_profile(self.ratio, 1 / up(self.ratio), eps) if self.dominated else None
