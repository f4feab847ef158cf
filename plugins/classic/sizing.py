"""How many steps, and with which shares: chosen when the plan is made, from public numbers only.

CoinPress leaves its number of steps ``t`` to the user, and both too few and too many cost dearly. Everything its
choice needs is public: n, d, the bound, the budget, and the formula by which a step's noise shrinks what is
known about the answer. So the schedule is searched for here, by predicting the shrinkage.
Privacy never depends on it: the planner prices whatever steps come out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import attrs

from dpframe.plugin import GDP, ZCDP, ApproxDP, Handle, Kind, PureDP, boundary

from .checks import positive_number

DEFAULT_ROWS = 1000
DEFAULT_RHO = 0.02
FARTHEST = 1e30
NEAR, DEAR = (1e5, 1e4, 1e3, 1e2), 1.05
NARROWEST = 1e-9
"""Ratio of smallest to largest variance that the passes are scheduled for."""


@attrs.frozen
class Public:
    """The public numbers a schedule is made from.

    Parameters
    ----------
    rows : int
        Declared number of rows, or `DEFAULT_ROWS` where none is.
    d : int
    rho : float
        About what the budget is in zCDP, times the recipe's share.
    replaces : bool
        Whether a row may be replaced (a bounded sum then moves by 2, not by 1).
    """

    rows: int
    d: int
    rho: float
    replaces: bool


def public_numbers(x: Handle, share: float) -> Public:
    """The public numbers of a table and of the plan that is being made."""
    positive_number("share", share)
    target = x.tracer.target
    declared = [i.n for i in x.tracer.inputs if i.kind is Kind.PRIVATE and i.n is not None]
    rho = DEFAULT_RHO if target is None else budget_rho(target.budget)
    replaces = True if target is None else target.adjacency.n_is_public
    return Public(max(declared, default=DEFAULT_ROWS), x.d, rho * min(share, 1.0), replaces)


def enough_pairs(x: Handle, share: float, columns: int = 1) -> int:
    """Pairs of rows of which quantiles are read, from noisy counts of this share of ρ: a cap that follows the noise.

    At least 2^17, which err by less than 0.2 %, and 512 times the standard deviation of a count's noise. Quantiles get
    no better with more; a light component does, so what looks for one takes all pairs.
    """
    return max(2**17, math.ceil(512.0 * math.sqrt(columns / public_numbers(x, share).rho)))


def budget_rho(budget: object) -> float:
    """A budget as ρ of zCDP, roughly: for sizing only.

    Examples
    --------
    >>> budget_rho(ZCDP(0.5))
    0.5
    >>> round(budget_rho(ApproxDP(1.0, 1e-6)), 3)
    0.028
    """
    if isinstance(budget, ZCDP):
        return budget.rho
    if isinstance(budget, GDP):
        return 0.5 * budget.mu**2
    if isinstance(budget, ApproxDP):
        return 0.5 * gaussian_mu(budget.epsilon, budget.delta) ** 2
    if isinstance(budget, PureDP):
        return 0.5 * budget.epsilon**2
    return DEFAULT_RHO


def gaussian_mu(epsilon: float, delta: float) -> float:
    """The largest μ whose Gaussian is (ε, δ)-DP, to a part in a million: for sizing only.

    References
    ----------
    Balle, Wang (2018), Theorem 8.
    """

    def within(mu: float) -> bool:
        upper = _log_normal(-epsilon / mu + 0.5 * mu)
        lower = epsilon + _log_normal(-epsilon / mu - 0.5 * mu)
        return math.exp(upper) - math.exp(min(lower, 0.0)) <= delta

    return boundary(within, 0.0, 100.0, relative=1e-6)[0]


def _log_normal(x: float) -> float:
    """The logarithm of the normal distribution function, to 1e-8."""
    if x > -30.0:
        return math.log(0.5 * math.erfc(-x / math.sqrt(2.0)))
    square = x * x
    return -0.5 * square - math.log(-x * math.sqrt(2.0 * math.pi)) - 1.0 / square


def chi(d: int, tail: float) -> float:
    """Radius that a standard Gaussian in ``d`` dimensions exceeds with probability ``tail``."""
    from scipy.special import chdtri

    return math.sqrt(float(chdtri(d, tail)))


# ------------------------------------------------------------------------------------- the mean


def offset_clip(d: int, offset: float, tail: float) -> float:
    """Radius that holds ‖z‖, z ~ N(m, I) with ‖m‖ = ``offset``, up to about ``tail`` on each of two counts.

    ``‖z‖² = ‖m‖² + 2⟨m, z − m⟩ + ‖z − m‖²``: the offset adds in squares, not in lengths.
    """
    offset = min(offset, 1e150)
    return math.sqrt(offset**2 + 2.0 * offset * chi(1, 2.0 * tail) + chi(d, tail) ** 2)


def mean_noise(public: Public, clip: float, share: float) -> float:
    """Noise of one coordinate of a released mean of rows clipped to ``clip``."""
    moved = 2.0 if public.replaces else math.sqrt(2.0)
    return moved * clip / (public.rows * math.sqrt(2.0 * share * public.rho))


def next_offset(d: int, rows: float, noise: float, tail: float) -> float:
    """How far the truth is from the mean just released, with probability ``1 − tail``: sampling and noise."""
    return math.hypot(1.0 / math.sqrt(max(rows, 1.0)), noise) * chi(d, tail)


ROWS_CUT, FAILURE = 0.01, 1e-6
"""Part of the rows that a step before the last may clip, and chance that its ball does not hold the mean."""


@attrs.frozen
class MeanSteps:
    """Share of a first histogram of distances (0: none), of the steps, and the predicted error of a coordinate."""

    histogram: float
    shares: tuple[float, ...]
    error: float


def mean_steps(public: Public, ratio: float) -> MeanSteps:
    """Steps of a mean whose a-priori radius is ``ratio`` standard deviations.

    Where coming from that far costs more than `DEAR` of the error, a histogram of distances to the origin is
    taken first, and the steps are made for the farthest table of `NEAR` standard deviations that does not: a
    bound that is far too large then costs nothing, and a table that really lies beyond costs noise.
    """
    ratio = min(ratio, FARTHEST)
    far = _best_steps(public, ratio)
    if ratio <= NEAR[-1]:
        return far
    histogram = min(visible(public), 0.05)
    left = attrs.evolve(public, rho=public.rho * (1.0 - histogram))
    least = DEAR * _best_steps(left, NEAR[-1]).error
    if far.error <= least:
        return far
    for near in NEAR:
        steps = _best_steps(left, near)
        if near <= ratio and steps.error <= least:
            return attrs.evolve(steps, histogram=histogram, shares=tuple(s * (1.0 - histogram) for s in steps.shares))
    return far


def _best_steps(public: Public, ratio: float) -> MeanSteps:
    """Of all growing sequences tried, the one whose predicted error is least; a step must gain half a percent."""
    best = MeanSteps(0.0, (1.0,), math.inf)
    for shares in _growing():
        offset = ratio
        for share in shares[:-1]:
            noise = mean_noise(public, offset_clip(public.d, offset, ROWS_CUT), share)
            offset = min(next_offset(public.d, public.rows, noise, FAILURE), offset)
        noise = mean_noise(public, offset_clip(public.d, offset, 0.1), shares[-1])
        error = math.hypot(1.0 / math.sqrt(public.rows), noise) * 1.005 ** len(shares)
        if error < best.error:
            best = MeanSteps(0.0, shares, error)
    return best


def _growing() -> Iterator[tuple[float, ...]]:
    yield (1.0,)
    for steps in range(1, 16):
        for early in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5):
            weights = [1.15**t for t in range(steps)]
            total = sum(weights)
            yield (*(early * w / total for w in weights), 1.0 - early)


# ------------------------------------------------------------------------------ search and passes


def visible(public: Public) -> float:
    """Share with which a histogram shows a sixth of the rows in one bin; at least a thousandth."""
    return max((4.5 * math.sqrt(2.0) / (public.rows / 6.0)) ** 2 / 2.0 / public.rho, 0.001)


@attrs.frozen
class Search:
    """Shares of the search for a ball around the data: of each histogram of distances and of each mean."""

    rounds: int
    histogram: float
    mean: float

    @property
    def total(self) -> float:
        """Share of the whole search: one histogram more than means."""
        return (self.rounds + 1) * self.histogram + self.rounds * self.mean


def search(public: Public) -> Search:
    """Histograms that see a sixth of the rows in one bin, and means that bring the centre 20 times nearer.

    Within limits: at least a thousandth of the budget each, at most 2 %.
    """
    nearer = (20.0 * 2.0 * math.sqrt(public.d) / public.rows) ** 2 / 2.0
    histogram, mean = min(visible(public), 0.02), min(max(nearer / public.rho, 0.001), 0.02)
    shrink = public.rows * math.sqrt(2.0 * mean * public.rho) / (2.0 * math.sqrt(public.d))
    rounds = math.ceil(math.log(1e6) / math.log(max(shrink, 4.0)))
    return Search(min(max(rounds, 2), 5), histogram, mean)


def noise_floor(public: Public, share: float) -> float:
    """Spectral norm of the noise in a released covariance of whitened rows, in their units."""
    moved = math.sqrt(2.0) if public.replaces else 1.0
    clip = chi(public.d, 0.1)
    sigma = moved * 1.15 * clip**2 / math.sqrt(2.0 * share * public.rho)
    return sigma * math.sqrt(2.0 * public.d) / public.rows


def resolved(public: Public, shares: Sequence[float]) -> float:
    """Ratio of smallest to largest variance that passes with these shares are predicted to see."""
    return math.prod(min(noise_floor(public, s), 1.0) for s in shares[:-1])


def pass_shares(public: Public, narrowest: float = NARROWEST) -> tuple[float, ...]:
    """Shares of the covariance passes, growing to the last one, summing to 1.

    A pass finds the variances above its noise floor and bounds the others by it; the next one sees those at the
    scale of that bound. The fewest passes are taken whose floors multiply to ``narrowest``, or the most useful
    number of them where none reaches it. Passes that were not needed are averaged into the result.
    """
    fallback: tuple[float, ...] = (1.0,)
    best: tuple[float, ...] = ()
    least, most = math.inf, 0.0
    for steps in range(2, 13):
        for growth in (4.0, 3.0, 2.5, 2.0, 1.5):
            weights = [growth**t for t in range(steps)]
            shares = tuple(w / sum(weights) for w in weights)
            reached = resolved(public, shares)
            if reached < least:
                fallback, least = shares, reached
            if reached <= narrowest and shares[-1] * 0.97**steps > most:
                best, most = shares, shares[-1] * 0.97**steps
    return best or fallback
