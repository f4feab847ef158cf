"""Confidence limits of probabilities and of ε, from counts; and what further samples are expected to show.

References
----------
Clopper, Pearson (1934); McNemar (1947), of pairs that differ.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

SELDOM = 0.1
"""Of events that are rarer at δ = 0 runs are counted in pairs: the two counts then share one limit, not one each."""
PART = 0.9
"""Of alpha, for the pairs that differ; the rest is for how often the event happens at all."""


def clopper_pearson(successes: Any, trials: Any, alpha: float) -> tuple[Any, Any]:
    """One-sided lower and upper confidence limits of a probability, each wrong with probability at most alpha.

    Examples
    --------
    >>> low, high = clopper_pearson(np.array([0, 5, 10]), 10, 0.05)
    >>> float(low[0]), float(high[2])
    (0.0, 1.0)
    """
    from scipy.special import betaincinv

    k = np.asarray(successes, dtype=np.float64)
    with np.errstate(all="ignore"):
        low = np.where(k > 0, betaincinv(np.maximum(k, 1), trials - k + 1, alpha), 0.0)
        high = np.where(k < trials, betaincinv(k + 1, np.maximum(trials - k, 1), 1 - alpha), 1.0)
    return low, high


def epsilon_bound(p: Any, q: Any, trials: tuple[int, int], delta: float, alpha: float) -> Any:
    """Lower limit of ε from ``p`` of ``trials[0]`` and ``q`` of ``trials[1]`` samples in the event; at least 0."""
    low = clopper_pearson(p, trials[0], alpha / 2)[0]
    high = clopper_pearson(q, trials[1], alpha / 2)[1]
    with np.errstate(all="ignore"):
        bound = np.log((low - delta) / high)
    return np.where(low > delta, np.maximum(bound, 0.0), 0.0)


def paired_bound(p: Any, q: Any, both: Any, trials: int, alpha: float) -> Any:
    """Lower limit of ε at δ = 0 from ``trials`` pairs of a run on each side: in the event ``p``, ``q`` and ``both``.

    Formal guarantees
    -----------------
    It is above the truth with probability at most ``alpha``. Of independent pairs that differ the first is in the event
    with probability ω/(1 + ω), ω = P(1 − Q)/(Q(1 − P)), whatever their number: so ω >= w but for 0.9·alpha (Clopper,
    Pearson), and P <= u but for 0.1·alpha. If P <= e^ε·Q, then 1 − Q <= 1 − e^−ε·P, so ω <= (e^ε − P)/(1 − P), that is
    e^ε >= ω(1 − P) + P. For ω >= 1 that falls in P and rises in ω: e^ε >= w(1 − u) + u.

    Examples
    --------
    >>> round(float(paired_bound(1300, 1000, 2, 1_000_000, 1e-6)), 3)
    0.06
    >>> round(float(epsilon_bound(1300, 1000, (1_000_000, 1_000_000), 0.0, 1e-6)), 3)
    0.0
    """
    first, second = np.asarray(p, dtype=np.float64) - both, np.asarray(q, dtype=np.float64) - both
    share = clopper_pearson(first, first + second, PART * alpha)[0]
    often = clopper_pearson(p, trials, (1 - PART) * alpha)[1]
    with np.errstate(all="ignore"):
        odds = share / (1 - share)
        grown = np.where(np.isfinite(odds), odds, 0.0) * (1 - often) + often
        return np.where(odds > 1, np.log(np.maximum(grown, 1.0)), 0.0)


def coupled_bound(p: Any, q: Any, both: Any, alpha: float) -> Any:
    """Lower limit of ε at δ = 0 from pairs of runs with the same random numbers, in the event ``p``, ``q``, ``both``.

    Formal guarantees
    -----------------
    The pairs are independent of each other; what a pair's two runs have in common may be anything. The limit is above
    the truth with probability at most ``alpha``. Of the pairs with a run in the event, whatever their number, each
    differs with probability g; of those that differ, whatever their number, the first run is in it with probability θ:
    so g >= the limit used but for 0.1·alpha, θ >= its own but for 0.9·alpha (Clopper, Pearson). Of the pairs with a
    run in the event P is the part 1 − g(1 − θ), Q the part 1 − gθ, so e^ε >= P/Q = (1 − g(1 − θ))/(1 − gθ). That
    rises in θ, and from θ = 1/2 on in g; so both limits may stand in it where that of θ is above 1/2.

    Examples
    --------
    >>> round(float(coupled_bound(1300, 1000, 980, 1e-6)), 3)
    0.158
    >>> round(float(paired_bound(1300, 1000, 980, 1_000_000, 1e-6)), 3)  # for runs that have nothing in common: wrong
    1.797
    """
    differ = np.asarray(p, dtype=np.float64) + q - 2 * np.asarray(both, dtype=np.float64)
    theta = clopper_pearson(p - both, differ, PART * alpha)[0]
    part = clopper_pearson(differ, differ + both, (1 - PART) * alpha)[0]
    return np.where(theta > 0.5, np.log(_ratio(part, np.maximum(theta, 0.5))), 0.0)


def _ratio(part: Any, theta: Any) -> Any:
    """P/Q, where of the pairs with a run in the event ``part`` differ, ``theta`` of these by their first run."""
    with np.errstate(all="ignore"):
        return (1 - part * (1 - theta)) / (1 - part * theta)


def expected(p: Any, q: Any, trials: tuple[int, int], delta: float, alpha: float, fresh: int, doubt: float) -> Any:
    """What ``fresh`` samples a side are expected to show with an event that had these counts."""
    low, high = clopper_pearson(p, trials[0], doubt)[0], clopper_pearson(q, trials[1], doubt)[1]
    on_p, on_q = np.floor(low * fresh), np.ceil(high * fresh)
    apart = epsilon_bound(on_p, on_q, (fresh, fresh), delta, alpha)
    if delta > 0:
        return apart
    both = on_p * on_q / fresh
    return np.where(low < SELDOM, paired_bound(on_p, on_q, both, fresh, alpha), apart)


def expected_coupled(p: Any, q: Any, both: Any, trials: int, alpha: float, fresh: int, doubt: float) -> Any:
    """The same of pairs of runs with the same random numbers, at δ = 0."""
    union, differ = p + q - both, p + q - 2 * both
    part, theta = clopper_pearson(differ, union, doubt)[0], clopper_pearson(p - both, differ, doubt)[0]
    seen = np.floor(union * (fresh / trials))
    apart = np.floor(seen * part)
    first = np.floor(apart * theta)
    return coupled_bound(first + seen - apart, seen - first, seen - apart, alpha)


def roughly_coupled(p: Any, q: Any, both: Any, trials: int, alpha: float, fresh: int, doubt: float) -> Any:
    """The same by the normal law of the log ratio."""
    unit, q = statistics.NormalDist(), q + 0.5
    with np.errstate(all="ignore"):
        spread = np.sqrt(np.maximum(1 / p + 1 / q - 2 * both / (p * q), 0.0))
        lost = unit.inv_cdf(1 - doubt) + unit.inv_cdf(1 - PART * alpha) * np.sqrt(trials / fresh)
        return np.where(p > 0, np.maximum(np.log(p / q) - lost * spread, 0.0), 0.0)


def roughly(p: Any, q: Any, trials: tuple[int, int], delta: float, alpha: float, fresh: int, doubt: float) -> Any:
    """The same with Wilson's limits, and of few hits with their normal ones: both are computed much faster."""
    with np.errstate(all="ignore"):
        one, two = (_wilson(hits / n, n, doubt, sign) for hits, n, sign in ((p, trials[0], -1), (q, trials[1], 1)))
        spread = np.sqrt(1 / (fresh * one) + 1 / (fresh * two)) * statistics.NormalDist().inv_cdf(1 - PART * alpha)
        few = np.where(one > 0, np.maximum(np.log(one / two) - spread, 0.0), 0.0)
    low = _wilson(one, fresh, alpha / 2, -1)
    high = _wilson(two, fresh, alpha / 2, 1)
    with np.errstate(all="ignore"):
        apart = np.where(low > delta, np.maximum(np.log((low - delta) / high), 0.0), 0.0)
    return np.where(one < SELDOM, few, apart) if delta == 0 else apart


def _wilson(rate: Any, trials: int, alpha: float, sign: int) -> Any:
    z = statistics.NormalDist().inv_cdf(1 - alpha)
    centre = rate + z * z / (2 * trials)
    half = z * np.sqrt(rate * (1 - rate) / trials + (z / (2 * trials)) ** 2)
    return np.clip((centre + sign * half) / (1 + z * z / trials), 0.0, 1.0)
