"""Lower bounds on ε at a given δ from samples on two neighbours, with confidence.

For any event A, (ε, δ)-DP says P(A) <= e^ε·Q(A) + δ, so ε >= ln((P(A) − δ)/Q(A)). The event is chosen on some of
the samples; on all others P(A) is bounded from below and Q(A) from above by Clopper–Pearson, so the bound is
wrong with probability at most ``alpha`` whatever was chosen.

References
----------
Clopper, Pearson (1934); Ding et al. (2018); Nasr et al. (2021).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.testing.learned import derived, learn, rectangles, smooth, structured, table_ratio

Floats = npt.NDArray[np.float64]
ALPHA = 1e-6
"""Default false-alarm rate of one audit, all its events, directions and δ's together."""
THRESHOLDS = 256
BINS, PER_BIN = 128, 64
TRAINING = 500_000
"""At most this many samples a side choose the event; all others count it."""
ENOUGH = 10_000
"""From this many training samples a side on a score is learned from half of them, and events are chosen on the rest."""
CHOICE = 0.1
"""Doubt with which an event's probabilities are taken when it is asked what fresh samples would show with it."""
PLAIN = 1.02
"""A learned score must be better by this factor than a plain one, which is told more easily."""


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
    share = alpha / (2 * len(deltas))
    out = []
    chosen = choose(first[:half], second[:other], deltas, share, fresh=min(len(first) - half, len(second) - other))
    for delta, events in zip(deltas, chosen, strict=True):
        best = Bound(delta, 0.0, "none")
        for event in events:
            held = (first[half:], second[other:])[:: -1 if event.turned else 1]
            hits = int(event.holds(held[0]).sum()), int(event.holds(held[1]).sum())
            found = epsilon_bound(*hits, (len(held[0]), len(held[1])), delta, share)
            if float(found) > best.epsilon:
                best = Bound(delta, float(found), event.name)
        out.append(best)
    return tuple(out)


@attrs.frozen(eq=False)
class Event:
    """Outcomes whose score is at least a threshold; ``turned`` where they are likelier on the second neighbour."""

    score: Score
    threshold: float
    label: str
    turned: bool
    found: float

    @property
    def name(self) -> str:
        """For tables."""
        return f"{'reversed: ' if self.turned else ''}{self.label} >= {self.threshold:.6g}"

    def holds(self, x: Floats) -> npt.NDArray[np.bool_]:
        """Whether each outcome is in it."""
        result: npt.NDArray[np.bool_] = self.score(x) >= self.threshold
        return result


def choose(
    first: Floats, second: Floats, deltas: Sequence[float], alpha: float, *, fresh: int, trees: bool = True
) -> list[list[Event]]:
    """An event in each direction for each δ, from training samples alone; no guarantee rests on how.

    ``fresh`` is how many samples a side will count it: the event is the one that they are expected to show most with.
    """
    scores, train, known = _scores(first, second), (first, second), (first, second)
    rich = min(len(first), len(second)) >= ENOUGH
    if rich:
        cut = len(first) // 2, len(second) // 2
        known = first[: cut[0]], second[: cut[1]]
        scores = [*_scores(*known), *_structured(*known)]
        scores += [("curve", smooth(*known))] if structured(first) else []
        scores += [("learned", learn(*known))] if trees else []
        train = first[cut[0] :], second[cut[1] :]
    out = []
    for delta in deltas:
        events = []
        for turned in (False, True):
            p, q = train[::-1] if turned else train
            sign, more = -1 if turned else 1, list(scores)
            if rich:
                sides = known[::-1] if turned else known
                trials = len(sides[0]), len(sides[1])
                shown = functools.partial(expected, trials=trials, delta=delta, alpha=alpha, fresh=fresh)
                for label, score in rectangles(*sides, shown):
                    more.append((label, lambda x, score=score, sign=sign: sign * score(x)))  # type: ignore[misc]
            events.append(_choose(more, p, q, delta, alpha, sign=sign, fresh=fresh if rich else 0))
        out.append(events)
    return out


def expected(p: Any, q: Any, trials: tuple[int, int], delta: float, alpha: float, fresh: int) -> Any:
    """What ``fresh`` samples a side are expected to show with an event that had these counts."""
    low, high = clopper_pearson(p, trials[0], CHOICE)[0], clopper_pearson(q, trials[1], CHOICE)[1]
    return epsilon_bound(np.floor(low * fresh), np.ceil(high * fresh), (fresh, fresh), delta, alpha)


def _choose(
    scores: Sequence[tuple[str, Score]], p: Floats, q: Floats, delta: float, alpha: float, *, sign: int, fresh: int
) -> Event:
    """The score and threshold with the largest bound on these samples."""
    best = Event(scores[0][1], 0.0, scores[0][0], sign < 0, -1.0)
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
        trials = len(on_p), len(on_q)
        if fresh:
            found = expected(above_p, above_q, trials, delta, alpha, fresh)
        else:
            found = epsilon_bound(above_p, above_q, trials, delta, alpha)
        at = int(np.argmax(found))
        needed = best.found * (PLAIN if name == "learned" else 1.0)
        if found[at] > needed:
            best = Event(score, float(grid[at]), name, sign < 0, float(found[at]))
    return best


def _structured(first: Floats, second: Floats) -> list[tuple[str, Score]]:
    """What outcomes have in common beyond their entries: each derived column by its likelihood ratio."""
    out: list[tuple[str, Score]] = []
    for name in structured(first):
        p, q = derived(name, first), derived(name, second)
        ratio = table_ratio(p, q)
        if ratio is None and name == "whole row":
            continue
        score = ratio if ratio is not None else _of_column(p, q)
        out.append((f"likelihood ratio of the {name}", lambda x, name=name, score=score: score(derived(name, x))))  # type: ignore[misc]
    return out


def _of_column(p: Floats, q: Floats) -> Score:
    binned = _histogram_ratio(p, q, 0)
    return lambda x: binned(x[:, None])


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
