"""How many blocks, how near, and what the test asks for: the best of many designs, from n, k, d and the budget alone.

A design has t blocks within r, a ramp l, and a test with (ε₁, δ₁) and a threshold W₀. Predicted are the weight W
(:mod:`.agreement`), the chance that W and the noise of the test reach W₀ + A, the radius γ_avg, and ρ, the zCDP that
the budget leaves for noise once the test and the masks' shapes are paid. The likeliest to pass is taken, and among
those that pass almost surely the one with the least noise.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.losses import ApproxDP, Budget, Loss, Pure, compose, tightest_epsilon
from dpframe.theorems import truncated_laplace_bound
from dpframe.theorems.masks import ORDERS, SLACK, mixture_cost
from dpframe.theorems.populous import average_radius, separation

from .agreement import SIMULATED, agreement

Floats = np.ndarray[Any, np.dtype[np.float64]]
RADII = (0.7, 0.85, 1.0)
RAMPS = np.array([0.3, 0.35, 0.4, 0.45, 0.5])
TEST_EPSILONS = (0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
TEST_DELTAS = (0.1, 0.2, 0.4)
LEAST_BLOCKS, MOST_BLOCKS, STEP = 8, 2000, 1.15
ENOUGH = 6.0
"""Margin of the test in scales of its noise: a chance of failure of e^−6/2 from that noise."""
SPREADS = 3.0
"""Standard deviations, of the blocks' weights and of the simulation, by which a prediction is below the mean."""
LEARNED = (0.98, 0.9)
"""Part of the predicted weight that is counted on, for one component and for several, which may overlap."""
MOST_NOISE, LITTLE_NOISE = 1.0, 0.3
"""η of the means at which a mask is of any use, and at which no larger r is tried."""
LEAST_RHO = 1e-5
LIKELY = 0.9
TRIES = 40


@attrs.frozen
class Size:
    """A plan's blocks and its test.

    Attributes
    ----------
    t, rows : int
        Number of blocks, rows a block.
    r : float
        Agreeing blocks are within r.
    majority, ramp : int
        In blocks.
    threshold : float
        Least weight behind a passed test.
    epsilon, delta_fraction : float
        Of the test; the latter of the budget's δ.
    expected, width : float
        Weight predicted; half-width A of the test's noise.
    radius : float
        γ_avg that the mask is made for.
    rho : float
        zCDP left for noise; 0 where the budget can't pay a mask at any threshold.
    """

    t: int
    rows: int
    r: float
    majority: int
    ramp: int
    threshold: float
    epsilon: float
    delta_fraction: float
    expected: float
    width: float
    radius: float
    rho: float

    @property
    def affordable(self) -> bool:
        """Whether some threshold is affordable; if not, the test fails surely and nothing is masked."""
        return self.rho > 0

    @property
    def chance(self) -> float:
        """Predicted probability that the test passes: of Laplace noise of scale (1 + (t − 1)/l)/ε₁."""
        if not self.affordable:
            return 0.0
        margin = (self.expected - self.threshold - self.width) * self.epsilon / (1 + (self.t - 1) / self.ramp)
        return 1 - math.exp(-margin) / 2 if margin > 0 else math.exp(margin) / 2

    @property
    def apart(self) -> float:
        """Mahalanobis distance beyond which two means of a block certainly count as separated."""
        return separation(self.r)[0]

    @property
    def bar(self) -> float:
        """Noisy weight from which the test passes."""
        return self.threshold + self.width

    def noise(self, k: int, d: int, share: float = 1.0) -> float:
        """Predicted η of the means' masks, if they get ``share`` of what is left for noise."""
        return self.radius * math.sqrt(_parts(k, d) / (2 * share * self.rho)) if self.affordable else math.inf


def _parts(k: int, d: int) -> float:
    """How ρ is spread over the k components' masks: weight 1 (if k > 1), mean 1, covariance d/2."""
    return k * ((1 if k > 1 else 0) + 1 + d / 2)


def sizes(
    n: int, d: int, k: int, *, budget: Budget, r: float | None = None, t: int | None = None, noise: float = 0.0
) -> Size:
    """The best design for a table.

    Parameters
    ----------
    n, d, k : int
    budget : Budget
        With a δ.
    r, t : float, int, optional
        Fixed by the user.
    noise : float
        η of the means that is small enough: below it, designs are ranked by what they leave for later steps.

    Raises
    ------
    PlanError
        When the table is too small to form the blocks, or the budget has no δ.
    """
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        raise PlanError("the closeness test needs an approximate budget with a delta", fix="use epsilon and delta")
    least = k * (d + 1) + 1
    _check_blocks(t)
    if n // (t or LEAST_BLOCKS) < least:
        raise PlanError(
            f"{n} rows are too few for {t or LEAST_BLOCKS} blocks of at least {least} rows", fix="use more rows"
        )
    return _sizes(n, d, k, budget, r, t, noise)


def _check_blocks(t: object) -> None:
    if t is not None and (isinstance(t, bool) or not isinstance(t, int) or t < 4):
        raise PlanError(f"t must be a whole number of at least 4, not {t!r}", fix="leave t out")


@functools.lru_cache(maxsize=64)
def _sizes(n: int, d: int, k: int, budget: ApproxDP, r: float | None, t: int | None, noise: float) -> Size:
    counts = [t] if t is not None else _counts(n // (k * (d + 1) + 1))
    radii = (r,) if r is not None else RADII
    tests, best = _Tests.of(k, d, budget), None
    for radius in radii:
        for count in counts:
            found = _best(n, d, k, count, radius, tests, noise)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        if k > 1 and best is not None and best[0][0] >= ENOUGH and -best[0][1] <= max(noise, LITTLE_NOISE):
            break  # a larger r would ask for components farther apart
    if best is not None and _fits(best[1], k, d, budget):
        return best[1]
    return _hopeless(n, counts[-1], radii[0], budget)


def _counts(most: int) -> list[int]:
    steps = range(math.ceil(math.log(min(most, MOST_BLOCKS) / LEAST_BLOCKS) / math.log(STEP)) + 1)
    return sorted({min(int(LEAST_BLOCKS * STEP**i), most, MOST_BLOCKS) for i in steps})


@attrs.frozen(eq=False)
class _Tests:
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
    def of(cls, k: int, d: int, budget: ApproxDP) -> _Tests:
        pairs = [(part * budget.epsilon, fraction) for part in TEST_EPSILONS for fraction in TEST_DELTAS]
        epsilon, fraction = (np.array(column) for column in zip(*pairs, strict=True))
        width = np.array([truncated_laplace_bound(1.0, e, f * budget.delta) for e, f in pairs])
        logs = np.log((1 - fraction) * budget.delta)[:, None] + np.log(ORDER)
        spent = np.array([Pure(e).rdp(ORDER) for e in epsilon]) + np.log1p(-1 / ORDER) - logs / (ORDER - 1)
        made = cls(k, d, budget, epsilon, fraction, width, spent, np.zeros(len(pairs)))
        return attrs.evolve(made, allowed=made._allowed())

    def left(self, gamma: Floats) -> Floats:
        """ρ such that test, the masks' shapes and aρ/(1 − (a − 1)γ) at some order a fill ε; γ is (m, ...)."""
        spent = self.spent.reshape(len(self.spent), *[1] * (gamma.ndim - 1), -1)
        g = gamma[..., None]
        slack = 1 - (ORDER - 1) * g
        safe = np.where(slack > 0.05, g, 0.0)
        shapes = self.k * (1 + self.d) * g**2 * np.maximum(_shape(safe), _shape(-safe / (1 + safe)))
        rho = np.where(slack > 0.05, (self.budget.epsilon - spent - shapes) * slack / ORDER, 0.0)
        return np.asarray(np.maximum(rho.max(axis=-1), 0.0))

    def _allowed(self) -> Floats:
        """The largest γ_avg at which η of the means is at most 1 on all that is left; 0 where there is none."""
        low, high = np.zeros(len(self.epsilon)), np.full(len(self.epsilon), 0.5)
        for _ in range(TRIES):
            gamma = (low + high) / 2
            rho = self.left(gamma)
            good = (rho > LEAST_RHO) & (gamma**2 * _parts(self.k, self.d) <= 2 * rho * MOST_NOISE**2)
            low, high = np.where(good, gamma, low), np.where(good, high, gamma)
        return np.where(low > 1e-9, low, 0.0)


ORDER = np.array([a for a in ORDERS if a <= 512])


def _shape(t: Floats) -> Floats:
    """h(t)/t² at every order: see :func:`dpframe.theorems.masks.shape_cost`."""
    return ((ORDER - 1) * _excess((ORDER - 1) * t) + _excess(-t)) / 2


def _excess(u: Floats) -> Floats:
    small = np.abs(u) < 1e-3
    safe = np.where(small, 0.5, u)
    return np.where(small, 0.5 + u / 3 + u * u / 4, (-np.log1p(-safe) - safe) / (safe * safe))


def _best(
    n: int, d: int, k: int, t: int, r: float, tests: _Tests, noise: float
) -> tuple[tuple[float, ...], Size] | None:
    """The best test and ramp with t blocks, ranked by (margin, − noise, what is left)."""
    rows, majority = n // t, (t + 1) // 2
    ramps = np.clip(np.floor(RAMPS * t), 1, t - majority)
    shares = agreement(rows, d, k, r, ramps / t)
    spread = np.sqrt(shares * (1 - shares) * (1 / t + 1 / SIMULATED))
    expected = LEARNED[k > 1] * t * (shares - SPREADS * spread)
    moves = 1 + (t - 1) / ramps
    scales, widths = moves / tests.epsilon[:, None], moves * tests.width[:, None]
    with np.errstate(divide="ignore"):
        least = np.ceil(moves * r * (1 + r) * 1.001 / tests.allowed[:, None])
    thresholds = np.maximum(np.floor(expected - widths - ENOUGH * scales), least)
    usable = thresholds <= t - 1
    thresholds = np.where(usable, thresholds, t)
    margins = np.minimum((expected - thresholds - widths) / scales, ENOUGH)
    gammas = moves / thresholds * r * (1 + r)
    rhos = tests.left(gammas)
    usable &= rhos >= LEAST_RHO
    if not usable.any():
        return None
    etas = gammas * np.sqrt(_parts(k, d) / (2 * np.maximum(rhos, LEAST_RHO)))
    ranks = {(i, j): (margins[i, j], -max(etas[i, j], noise), rhos[i, j]) for i, j in np.argwhere(usable)}
    i, j = max(ranks, key=lambda at: ranks[at])
    epsilon, fraction, ramp = float(tests.epsilon[i]), float(tests.fraction[i]), int(ramps[j])
    width = truncated_laplace_bound(float(moves[j]), epsilon, fraction * tests.budget.delta)
    threshold = float(thresholds[i, j])
    size = Size(
        t=t,
        rows=rows,
        r=r,
        majority=majority,
        ramp=ramp,
        threshold=threshold,
        epsilon=epsilon,
        delta_fraction=fraction,
        expected=max(float(expected[j]), 0.0),
        width=width,
        radius=average_radius(t, ramp, threshold, r, d),
        rho=float(rhos[i, j]),
    )
    return ranks[i, j], size


def _fits(size: Size, k: int, d: int, budget: ApproxDP) -> bool:
    """Whether the test and a mask of boundless noise are within the budget, as the planner counts."""
    far = (2.0**100, 2.0**100, 2.0**100)
    mask = Loss.of(mixture_cost(size.radius, far, k, d), delta=SLACK)
    total = compose(Loss.of(Pure(size.epsilon), delta=size.delta_fraction * budget.delta), mask)
    return bool(tightest_epsilon(total, budget.delta)[0] < budget.epsilon * (1 - 1e-6))


def _hopeless(n: int, t: int, r: float, budget: ApproxDP) -> Size:
    """Blocks whose test can only fail: what remains is to say so, at the test's own cost."""
    majority, epsilon, fraction = (t + 1) // 2, 0.5 * budget.epsilon, TEST_DELTAS[1]
    ramp = t - majority
    width = truncated_laplace_bound(1 + (t - 1) / ramp, epsilon, fraction * budget.delta)
    return Size(t, n // t, r, majority, ramp, float(t), epsilon, fraction, 0.0, width, 1.0, 0.0)
