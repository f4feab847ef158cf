"""Lower bounds on ε at a given δ from samples on two neighbours, with confidence.

For any event A, (ε, δ)-DP says P(A) <= e^ε·Q(A) + δ, so ε >= ln((P(A) − δ)/Q(A)). The event is chosen on some of
the samples; on all others P(A) is bounded from below and Q(A) from above by Clopper–Pearson, so the bound is
wrong with probability at most ``alpha`` whatever was chosen.

References
----------
Clopper, Pearson (1934); Ding et al. (2018); Nasr et al. (2021).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError

Floats = npt.NDArray[np.float64]
ALPHA = 1e-6
"""Default false-alarm rate of one audit, all its events, directions and δ's together."""
THRESHOLDS = 256
BINS, PER_BIN = 128, 64
TRAINING = 500_000
"""At most this many samples a side choose the event; all others count it."""


def clopper_pearson(successes: Any, trials: int, alpha: float) -> tuple[Any, Any]:
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


@attrs.frozen
class Bound:
    """A lower bound on ε at δ, and the event that shows it."""

    delta: float
    epsilon: float
    event: str


Score = Callable[[Floats], Floats]


def lower_bounds(first: Floats, second: Floats, deltas: Sequence[float], *, alpha: float = ALPHA) -> tuple[Bound, ...]:
    """The best lower bound on ε at each δ, over both directions.

    Parameters
    ----------
    first, second : (R, f) float64
        Features of releases on two neighbours; ±infinity is allowed.
    deltas : sequence of float
    alpha : float
        Probability that any returned bound exceeds the truth.

    Returns
    -------
    tuple of Bound
        In the order of ``deltas``.

    Raises
    ------
    SpecError
        For fewer than two samples on a side: one half chooses the event, the other counts it.
    """
    if min(len(first), len(second)) < 2:
        raise SpecError("an audit needs two samples on each side at least", fix="use more runs")
    half, other = min(len(first) // 2, TRAINING), min(len(second) // 2, TRAINING)
    scores = _scores(first[:half], second[:other])
    share = alpha / (2 * len(deltas))
    out = []
    for delta in deltas:
        best = Bound(delta, 0.0, "none")
        for direction, (p, q) in (("", (first, second)), ("reversed: ", (second, first))):
            cut_p, cut_q = (half, other) if not direction else (other, half)
            sign = -1 if direction else 1
            name, score, threshold = _choose(scores, p[:cut_p], q[:cut_q], delta, share, sign=sign)
            held_p, held_q = score(p[cut_p:]), score(q[cut_q:])
            hits = int((held_p >= threshold).sum()), int((held_q >= threshold).sum())
            found = epsilon_bound(*hits, (len(held_p), len(held_q)), delta, share)
            if float(found) > best.epsilon:
                best = Bound(delta, float(found), f"{direction}{name} >= {threshold:.6g}")
        out.append(best)
    return tuple(out)


def _choose(
    scores: Sequence[tuple[str, Score]], p: Floats, q: Floats, delta: float, alpha: float, *, sign: int
) -> tuple[str, Score, float]:
    """The score and threshold with the largest bound on the training half."""
    best: tuple[float, str, Score, float] = (-1.0, scores[0][0], scores[0][1], 0.0)
    for name, base in scores:

        def score(x: Floats, base: Score = base) -> Floats:
            return sign * base(x)

        on_p, on_q = np.sort(score(p)), np.sort(score(q))
        pooled = np.concatenate([on_p, on_q])
        grid = np.unique(np.quantile(pooled, np.linspace(0, 1, THRESHOLDS), method="nearest"))
        tail = np.sort(pooled)[-min(len(pooled), 2000) :: 20]
        grid = np.unique(np.concatenate([grid, tail]))
        above_p = len(on_p) - np.searchsorted(on_p, grid, side="left")
        above_q = len(on_q) - np.searchsorted(on_q, grid, side="left")
        found = epsilon_bound(above_p, above_q, (len(on_p), len(on_q)), delta, alpha)
        at = int(np.argmax(found))
        if found[at] > best[0]:
            best = (float(found[at]), name, score, float(grid[at]))
    return best[1], best[2], best[3]


def _scores(first: Floats, second: Floats) -> list[tuple[str, Score]]:
    """Every feature both ways, a likelihood ratio by histogram of each, and the best line through all of them."""
    out: list[tuple[str, Score]] = []
    for i in range(first.shape[1]):
        out.append((f"feature {i}", lambda x, i=i: x[:, i]))  # type: ignore[misc]
        out.append((f"minus feature {i}", lambda x, i=i: -x[:, i]))  # type: ignore[misc]
        out.append((f"likelihood ratio of feature {i}", _histogram_ratio(first[:, i], second[:, i], i)))
    whole = np.isfinite(first).all(axis=0) & np.isfinite(second).all(axis=0)
    if whole.sum() > 1:
        weights = np.zeros(first.shape[1])
        weights[whole] = _line(first[:, whole], second[:, whole])

        def line(x: Floats) -> Floats:
            result: Floats = x[:, whole] @ weights[whole]
            return result

        ratio = _histogram_ratio(line(first), line(second), 0)
        out.append(("line", line))
        out.append(("likelihood ratio of the line", lambda x: ratio(line(x)[:, None])))
    if first.shape[1] > 1:
        ratios = [score for name, score in out if name.startswith("likelihood ratio of feature")]
        out.append(("sum of likelihood ratios", lambda x: np.sum([score(x) for score in ratios], axis=0)))
    return out


def _line(a: Floats, b: Floats) -> Floats:
    """Fisher's direction between the two samples."""
    spread = np.cov(np.concatenate([a - a.mean(0), b - b.mean(0)]).T) + 1e-9 * np.eye(a.shape[1])
    result: Floats = np.linalg.lstsq(spread, a.mean(0) - b.mean(0), rcond=None)[0]
    return result


def _histogram_ratio(p: Floats, q: Floats, column: int) -> Score:
    """Log ratio of the two histograms over common quantile bins; repeated values get bins of their own."""
    pooled = np.concatenate([p, q])
    pooled = pooled[np.isfinite(pooled)] if np.isfinite(pooled).any() else np.zeros(1)
    bins = min(BINS, max(len(pooled) // PER_BIN, 8))
    edges = np.unique(np.quantile(pooled, np.linspace(0, 1, bins), method="nearest"))
    counts_p = np.bincount(np.searchsorted(edges, p, side="right"), minlength=len(edges) + 1)
    counts_q = np.bincount(np.searchsorted(edges, q, side="right"), minlength=len(edges) + 1)
    ratio = np.log((counts_p + 0.5) / (counts_q + 0.5))
    return lambda x: ratio[np.searchsorted(edges, x[:, column], side="right")]


def as_percent(found: float, claimed: float) -> str:
    """How much of the claimed ε was found, for tables."""
    return f"{100 * found / claimed:.0f} %" if claimed and math.isfinite(claimed) else "-"
