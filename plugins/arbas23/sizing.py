"""How many blocks, how near, and what the test asks for: the best of many designs, from n, k, d and the budget alone.

A design has t blocks within r, a ramp l, and a test with (ε₁, δ₁) and a threshold W₀. Predicted are the weight W
(:mod:`.agreement`), the chance that W and the noise of the test reach W₀ + A, the radius γ_avg, and ρ, the zCDP that
the budget leaves for noise once the test and the masks' shapes are paid. Both t and r come from geometric grids: t up
to what the comparison of all pairs of blocks may take of memory, r down to what rows allow. The likeliest to pass is
taken, and among those that pass almost surely the one with the least noise; for several components, the smallest r
whose noise is hardly more.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import attrs
import numpy as np

from dpframe.plugin import MASK_SLACK as SLACK
from dpframe.plugin import (
    ApproxDP,
    Budget,
    Loss,
    PlanError,
    Pure,
    average_radius,
    boundary,
    compose,
    floored,
    mixture_cost,
    pair_bytes,
    separation,
    tightest_epsilon,
    truncated_laplace_bound,
)
from dpframe.plugin import average_rounding as rounding

from .agreement import SIMULATED, agreement
from .pricing import LEAST_RHO, TEST_DELTAS, Trials, parts

Floats = np.ndarray[Any, np.dtype[np.float64]]
RADII = 2.0 ** (-np.arange(57) / 4)
"""From 1 to 2^−14, where rounding takes over."""
LEAST_RADIUS = 1e-5
"""Of those that a user fixes: no blocks that memory holds agree within it."""
RAMPS = np.array([0.3, 0.35, 0.4, 0.45, 0.5])
LEAST_BLOCKS, STEP, COARSER = 8, 1.15, 3
"""Least t, its grid, and the part of the grid that is looked at first; then all of it around the best."""
MEMORY = 2**30
"""Bytes for the comparison of all pairs of blocks, about 2(tk)²: about 20,000 blocks of one component."""
ENOUGH = 6.0
"""Margin of the test in scales of its noise: a chance of failure of e^−6/2 from that noise."""
SPREADS = 3.0
"""Standard deviations, of the blocks' weights and of the simulation, by which a prediction is below the mean."""
SIMULATION = 1 / (4 * SIMULATED)
"""Variance of a predicted share p for p(1 − p) = 1; measured are 0.02 to 0.2 of 1/320 in one to five dimensions."""
LEARNED = (0.98, 0.9)
"""Part of the predicted weight that is counted on, for one component and for several, which may overlap."""
HARDLY = 1.15
"""Factor of the least noise that a smaller r is worth: a larger one asks for components farther apart."""
LITTLE_NOISE, OVERLAP = 0.1, 4.0
"""With several components rows count (0.1/η)^⅓ times fewer, at most 4 times: a third of what lies below 0.1, on a log
scale, is spent on components that overlap, of which a learner knows less."""
COARSE_NOISE = 0.5
"""η of the means that is enough to start EM from."""
COARSE_SHARE = 0.5
"""Largest share of ρ that is spent on a coarse model, where later steps need the rest."""
SEEN, ALL = 0.02, 0.995
"""Mean weights of a block below which an r is hopeless, and above which a larger r gives nothing."""
LIKELY = 0.9


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
        """Predicted probability that the test passes, at most 1 − e^−6/2: the noise has scale (1 + (t − 1)/l)/ε₁."""
        if not self.affordable:
            return 0.0
        margin = (self.expected - self.threshold - self.width) * self.epsilon / (1 + (self.t - 1) / self.ramp)
        margin = min(margin, ENOUGH)
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
        return self.radius * math.sqrt(parts(k, d) / (2 * share * self.rho)) if self.affordable else math.inf


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
        η of the means that is small enough for a coarse model: designs are ranked by what they leave for later steps.

    Raises
    ------
    PlanError
        When the table is too small to form the blocks, or the budget has no δ; for a t or an r that is none.
    """
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        raise PlanError("the closeness test needs an approximate budget with a delta", fix="use epsilon and delta")
    least = k * (d + 1) + 1
    _check_blocks(t)
    _check_radius(r)
    if n // (t or LEAST_BLOCKS) < least:
        raise PlanError(
            f"{n} rows are too few for {t or LEAST_BLOCKS} blocks of at least {least} rows", fix="use more rows"
        )
    return _sizes(n, d, k, budget, r, t, noise)


def _check_blocks(t: object) -> None:
    if t is not None and (isinstance(t, bool) or not isinstance(t, int) or t < 4):
        raise PlanError(f"t must be a whole number of at least 4, not {t!r}", fix="leave t out")


def _check_radius(r: object) -> None:
    if r is not None and (isinstance(r, bool) or not isinstance(r, (int, float)) or not LEAST_RADIUS <= r <= RADII[0]):
        raise PlanError(
            f"r must be a number from {LEAST_RADIUS:g} to {RADII[0]:g}, not {r!r}", fix="leave r out: it is chosen"
        )


@functools.lru_cache(maxsize=64)
def _sizes(n: int, d: int, k: int, budget: ApproxDP, r: float | None, t: int | None, noise: float) -> Size:
    counts = [t] if t is not None else _counts(n // (k * (d + 1) + 1), k, d)
    radii = np.array([r]) if r is not None else RADII
    tests = Trials.of(k, d, budget)
    best = _search(n, d, k, counts, radii, tests, noise)
    if best is not None and k > 1 and best.margin >= ENOUGH:
        worse = (LITTLE_NOISE / best.size(n, d, tests).noise(k, d)) ** (1 / 3)
        safe = _search(n, d, k, counts, radii, tests, noise, min(worse, OVERLAP)) if worse > 1 else None
        best = safe if safe is not None and safe.margin >= ENOUGH else best
    if best is not None:
        size = best.size(n, d, tests)
        if _fits(size, k, d, budget):
            return size
    return _hopeless(n, counts[-1], float(radii[0]), budget)


def _search(
    n: int, d: int, k: int, counts: list[int], radii: Floats, tests: Trials, noise: float, worse: float = 1.0
) -> _Design | None:
    """The best design for a learner that errs as on ``worse`` times fewer rows."""

    def designs(these: list[int]) -> list[_Design]:
        made = (_designs(int(n // count / worse), d, k, count, radii, tests, noise) for count in these)
        return [design for some in made for design in some]

    first = sorted({*counts[::COARSER], counts[-1]})
    found = designs(first)
    best = _chosen(found, k)
    if best is None:
        return None
    at = first.index(best.t)
    low, high = first[max(at - 1, 0)], first[min(at + 1, len(first) - 1)]
    found += designs([count for count in counts if low < count < high and count != best.t])
    return _chosen(found, k)


def most_blocks(k: int, d: int) -> int:
    """The most blocks whose comparison fits into :data:`MEMORY`.

    Examples
    --------
    >>> most_blocks(1, 5), most_blocks(2, 2)
    (19872, 10115)
    """
    return int(boundary(lambda t: pair_bytes(int(t), k, d) <= MEMORY, LEAST_BLOCKS, 2**20, middle=floored)[0])


def _counts(most: int, k: int, d: int) -> list[int]:
    most = min(most, most_blocks(k, d))
    steps = range(math.ceil(math.log(most / LEAST_BLOCKS) / math.log(STEP)) + 1)
    return sorted({min(int(LEAST_BLOCKS * STEP**i), most) for i in steps})


@attrs.frozen
class _Design:
    """Blocks, r, a ramp and a test with its threshold; its margin, noise and what it leaves."""

    margin: float
    cost: float
    r: float
    t: int
    ramp: int
    test: int
    threshold: float
    expected: float
    rho: float

    def size(self, n: int, d: int, tests: Trials) -> Size:
        """The sizes as the program takes them."""
        epsilon, fraction = float(tests.epsilon[self.test]), float(tests.fraction[self.test])
        moves = 1 + (self.t - 1) / self.ramp
        return Size(
            t=self.t,
            rows=n // self.t,
            r=self.r,
            majority=(self.t + 1) // 2,
            ramp=self.ramp,
            threshold=self.threshold,
            epsilon=epsilon,
            delta_fraction=fraction,
            expected=max(self.expected, 0.0),
            width=truncated_laplace_bound(moves, epsilon, fraction * tests.budget.delta),
            radius=average_radius(self.t, self.ramp, self.threshold, self.r, d),
            rho=self.rho,
        )


def _chosen(found: list[_Design], k: int) -> _Design | None:
    """The likeliest, then the least noise; with several components the smallest r that adds hardly any."""
    if not found:
        return None
    most = max(design.margin for design in found)
    likely = [design for design in found if design.margin >= most]
    least = min(design.cost for design in likely)
    if k == 1 or most < ENOUGH:
        return min(likely, key=lambda design: design.cost)
    return min(
        (design for design in likely if design.cost <= HARDLY * least), key=lambda design: (design.r, design.cost)
    )


def _designs(rows: int, d: int, k: int, t: int, radii: Floats, tests: Trials, noise: float) -> list[_Design]:
    """For t blocks and every useful r the best test and ramp, by margin, then by noise."""
    majority = (t + 1) // 2
    ramps = np.clip(np.floor(RAMPS * t), 1, t - majority)
    shares = agreement(rows, d, k, radii, ramps / t)
    kept = _useful(shares.max(axis=1), shares.min(axis=1), radii)
    radii, shares = radii[kept], shares[kept]
    spread = np.sqrt(shares * (1 - shares) * (1 / t + SIMULATION))
    expected = (LEARNED[k > 1] * t * (shares - SPREADS * spread))[:, None]
    moves = 1 + (t - 1) / ramps
    scales, widths = moves / tests.epsilon[:, None], moves * tests.width[:, None]
    reach = radii * (1 + radii)
    rounded = np.array([rounding(float(r), d) for r in radii])
    room = np.maximum(tests.allowed - rounded[:, None], 0.0)[:, :, None]
    with np.errstate(divide="ignore"):
        least = np.ceil(moves * reach[:, None, None] * 1.001 / room)
    thresholds = np.maximum(np.floor(expected - widths - ENOUGH * scales), least)
    usable = thresholds <= t - 1
    margins = np.where(
        usable, np.minimum((expected - np.where(usable, thresholds, t) - widths) / scales, ENOUGH), -np.inf
    )
    which, test, ramp = np.nonzero(usable)
    if not len(which):
        return []
    chosen = thresholds[which, test, ramp]
    gammas = moves[ramp] / chosen * reach[which] + rounded[which]
    rhos = tests.left(gammas, test)
    etas = gammas * np.sqrt(parts(k, d) / (2 * np.maximum(rhos, LEAST_RHO)))
    costs = _cost(etas, rhos, noise)
    order = np.lexsort((costs, -margins[which, test, ramp]))
    order = order[rhos[order] >= LEAST_RHO]
    _, first = np.unique(which[order], return_index=True)
    return [
        _Design(
            margin=float(margins[which[at], test[at], ramp[at]]),
            cost=float(costs[at]),
            r=float(radii[which[at]]),
            t=t,
            ramp=int(ramps[ramp[at]]),
            test=int(test[at]),
            threshold=float(chosen[at]),
            expected=float(expected[which[at], 0, ramp[at]]),
            rho=float(rhos[at]),
        )
        for at in order[first]
    ]


def _useful(most: Floats, least: Floats, radii: Floats) -> Any:
    """Which r to look at: enough blocks agree, and no smaller r has all of them; always at least the largest."""
    order = np.argsort(radii)
    full = np.flatnonzero(least[order] >= ALL)
    order = order[: full[0] + 1] if len(full) else order
    kept = order[most[order] >= SEEN]
    return kept if len(kept) else order[-1:]


def _cost(etas: Floats, rhos: Floats, noise: float) -> Floats:
    """η of the means; or, where ``noise`` is enough, η over the root of what a mask of that much noise leaves of ρ."""
    if not noise:
        return etas
    left = rhos * (1 - COARSE_SHARE * np.minimum(1.0, (etas / noise) ** 2))
    return np.asarray(np.maximum(etas, noise) / np.sqrt(np.maximum(left, LEAST_RHO / 2)))


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
