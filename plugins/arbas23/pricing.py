"""What a test costs and what it leaves for a mask: many tests at once, at every Rényi order."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.plugin import RENYI_ORDERS as ORDERS
from dpframe.plugin import ApproxDP, Pure, truncated_laplace_bound

Floats = np.ndarray[Any, np.dtype[np.float64]]
TEST_EPSILONS = (0.03, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
TEST_DELTAS = (0.1, 0.2, 0.4)
TRIES = 40
LEAST_RHO = 1e-5
MOST_NOISE = 1.0
"""η of the means at which a mask is of any use."""


def parts(k: int, d: int) -> float:
    """How ρ is spread over the k components' masks: weight 1 (if k > 1), mean 1, covariance d/2."""
    return k * ((1 if k > 1 else 0) + 1 + d / 2)


@attrs.frozen(eq=False)
class Trials:
    """Tests in question, (m,): their (ε₁, δ₁), half-width A for sensitivity 1, largest useful γ_avg.

    ``spent`` (m, orders) is what the test and the conversion to (ε, δ) take of ε at each order.
    """

    k: int
    d: int
    budget: ApproxDP
    epsilon: Floats
    fraction: Floats
    width: Floats
    spent: Floats
    allowed: Floats

    @classmethod
    def of(cls, k: int, d: int, budget: ApproxDP) -> Trials:
        """Every pair of ε₁ and δ₁, as parts of the budget's."""
        pairs = [(part * budget.epsilon, fraction) for part in TEST_EPSILONS for fraction in TEST_DELTAS]
        epsilon, fraction = (np.array(column) for column in zip(*pairs, strict=True))
        width = np.array([truncated_laplace_bound(1.0, e, f * budget.delta) for e, f in pairs])
        logs = np.log((1 - fraction) * budget.delta)[:, None] + np.log(ORDER)
        spent = np.array([Pure(e).rdp(ORDER) for e in epsilon]) + np.log1p(-1 / ORDER) - logs / (ORDER - 1)
        made = cls(k, d, budget, epsilon, fraction, width, spent, np.zeros(len(pairs)))
        return attrs.evolve(made, allowed=made._allowed())

    def left(self, gamma: Floats, test: Any) -> Floats:
        """ρ such that a test, the masks' shapes and aρ/(1 − (a − 1)γ) at some order a fill ε; γ and tests are (m,)."""
        spent, g = self.spent[test], gamma[:, None]
        slack = 1 - (ORDER - 1) * g
        safe = np.where(slack > 0.05, g, 0.0)
        shapes = self.k * (1 + self.d) * g**2 * np.maximum(shape(safe), shape(-safe / (1 + safe)))
        rho = np.where(slack > 0.05, (self.budget.epsilon - spent - shapes) * slack / ORDER, 0.0)
        return np.asarray(np.maximum(rho.max(axis=-1), 0.0))

    def _allowed(self) -> Floats:
        """The largest γ_avg at which η of the means is at most 1 on all that is left; 0 where there is none."""
        low, high = np.zeros(len(self.epsilon)), np.full(len(self.epsilon), 0.5)
        for _ in range(TRIES):
            gamma = (low + high) / 2
            rho = self.left(gamma, slice(None))
            good = (rho > LEAST_RHO) & (gamma**2 * parts(self.k, self.d) <= 2 * rho * MOST_NOISE**2)
            low, high = np.where(good, gamma, low), np.where(good, high, gamma)
        return np.where(low > 1e-9, low, 0.0)


ORDER = np.array([a for a in ORDERS if a <= 512])


def shape(t: Floats) -> Floats:
    """h(t)/t² at every order: see :func:`dpframe.proof.families.masks.shape_cost`."""
    return ((ORDER - 1) * _excess((ORDER - 1) * t) + _excess(-t)) / 2


def _excess(u: Floats) -> Floats:
    small = np.abs(u) < 1e-3
    safe = np.where(small, 0.5, u)
    return np.where(small, 0.5 + u / 3 + u * u / 4, (-np.log1p(-safe) - safe) / (safe * safe))
