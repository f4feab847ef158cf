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
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.testing.learned import Rows, Score, learn, rectangles, smooth, table_ratio
from dpframe.testing.limits import SELDOM, epsilon_bound, expected, expected_coupled, roughly, roughly_coupled
from dpframe.testing.ratios import conditional

Floats = npt.NDArray[np.float64]
ALPHA = 1e-6
"""Default false-alarm rate of one audit, all its events, directions and δ's together."""
THRESHOLDS = 256
_RANKS = np.unique(np.geomspace(10, 1e6, 240).astype(np.int64))
BINS, PER_BIN = 128, 64
TRAINING = 500_000
"""At most this many samples a side choose the event; all others count it."""
ENOUGH = 10_000
"""From this many training samples a side on a score is learned from half of them, and events are chosen on the rest."""
LIKELY = 12
"""Thresholds of a score that are looked at exactly; the others only roughly."""
CHOICE, RANKED = 0.1, 0.2
"""Doubt with which an event's probabilities are taken when it is asked what fresh samples would show with it: by
default, and to rank pairs on few samples."""
RARE = 0.01
"""At a smaller α fresh samples show little of a rare event anyhow: what looks best need not be doubted much."""
LEAST_HITS, PER_HIT = 300, 2000
"""Of the samples that choose, so many must be in an event, or one of ``PER_HIT``: rarer ones look best by chance."""
MORE_HITS = 10
"""So many times as many for an α below ``RARE``, of which fresh samples show nothing with fewer."""


LEARNED = "learned"
ALIKE = 0.02
"""Events whose counts differ by no more than this part of them are one."""
PLAIN = 1.02
"""A learned score must be better by this factor than a plain one, which is told more easily."""


@attrs.frozen
class Bound:
    """A lower bound on ε at δ, and the event that shows it."""

    delta: float
    epsilon: float
    event: str


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
    asked = [(delta, share, CHOICE) for delta in deltas]
    chosen = choose(first[:half], second[:other], asked, fresh=min(len(first) - half, len(second) - other))
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
    """Outcomes whose score is at least a threshold; ``turned`` where they are likelier on the second neighbour.

    ``found`` is what it is expected to show, ``rates`` how often it happened on the samples that chose it, ``paired``
    whether fresh samples are expected to show more with it when they are counted in pairs.
    """

    score: Score
    threshold: float
    label: str
    turned: bool
    found: float
    rates: tuple[float, float] = (0.0, 0.0)
    paired: bool = False

    @property
    def rank(self) -> float:
        """What it promises; a learned score must promise more than a plain one, which is told more easily."""
        return self.found / PLAIN if self.label == LEARNED else self.found

    @property
    def name(self) -> str:
        """For tables."""
        return f"{'reversed: ' if self.turned else ''}{self.label} >= {self.threshold:.6g}"

    def holds(self, x: Floats) -> npt.NDArray[np.bool_]:
        """Whether each outcome is in it."""
        return self.within(Rows(x))

    def within(self, x: Rows) -> npt.NDArray[np.bool_]:
        """The same, of rows whose derived columns are kept."""
        score = self.score(x)
        result: npt.NDArray[np.bool_] = (-score if self.turned else score) >= self.threshold
        return result


def choose(
    first: Floats,
    second: Floats,
    asked: Sequence[tuple[float, float, float]],
    *,
    fresh: int,
    trees: bool = True,
    coupled: bool = False,
) -> list[list[Event]]:
    """An event in each direction for each (δ, α, doubt), from training samples alone; no guarantee rests on how.

    ``fresh`` is how many samples a side will count it: the event is the one that they are expected to show most with.
    ``coupled`` is for as many samples on both sides, the first with the random numbers of the first, and so on.
    """
    known, train = (Rows(first), Rows(second)), (Rows(first), Rows(second))
    rich = min(len(first), len(second)) >= ENOUGH
    if rich:
        cut = len(first) // 2, len(second) // 2
        known = Rows(first[: cut[0]]), Rows(second[: cut[1]])
        train = Rows(first[cut[0] :]), Rows(second[cut[1] :])
    found = choose_on(known, train, asked, fresh=fresh if rich else 0, trees=trees, coupled=coupled)
    out = []
    for events in found:
        turned = [[e for e in events if e.turned is side] for side in (False, True)]
        out.append([both[0] for both in turned if both])
    return out


def choose_on(
    known: tuple[Rows, Rows],
    train: tuple[Rows, Rows],
    asked: Sequence[tuple[float, float, float]],
    *,
    fresh: int,
    trees: bool = True,
    coupled: bool = False,
) -> list[list[Event]]:
    """Scores learned on ``known``, and of their events on ``train`` the best of each score and direction.

    What is not learned, a single column, is looked at on both: on few samples the noise of a rare event is larger than
    what it shows. A list for each (δ, α, doubt), the most promising first. With ``fresh`` 0 there are too few samples
    to learn from: plain scores and what ``train`` itself shows.
    """
    scores = _scores(known[0].x, known[1].x)
    if fresh:
        scores += _structured(*known)
        ratios = conditional(*known) if known[0].structured else []
        scores += [*smooth(*known), *ratios] if known[0].structured else []
        scores += learned_ratios(known, ratios) if trees else []
    places = range(2 * len(asked))
    best: list[list[Event]] = [[] for _ in places]
    sizes = (len(known[0]), len(known[1]))

    def tried(name: str, score: Score, at: Sequence[int], *on: tuple[Rows, Rows]) -> None:
        values = [np.concatenate([score(rows) for rows in side]) for side in zip(*on, strict=True)]
        made = Values.of(values[0], values[1], coupled=coupled and fresh > 0)
        turned = made.turned() if any(i % 2 for i in at) else made
        for i in at:
            event = _event(name, score, turned if i % 2 else made, *asked[i // 2], fresh, turned=bool(i % 2))
            best[i] += [] if event is None else [event]

    for name, score in plain(known[0]):
        tried(name, score, places, train, *([known] if fresh else []))
    for name, score in scores:
        tried(name, score, places, train)
    for i in places if fresh else ():
        sign, (one, two) = (-1, known[::-1]) if i % 2 else (1, known)
        delta, alpha, doubt = asked[i // 2]
        trials_of = sizes[::-1] if i % 2 else sizes
        shown = functools.partial(roughly, trials=trials_of, delta=delta, alpha=alpha, fresh=fresh, doubt=doubt)
        for name, inside in rectangles(one, two, shown):
            tried(name, lambda x, f=inside, sign=sign: sign * f(x), [i], train)  # type: ignore[misc]
    return [sorted(best[i] + best[i + 1], key=lambda e: -e.rank) for i in range(0, len(best), 2)]


def learned_ratios(known: tuple[Rows, Rows], ratios: list[tuple[str, Score]]) -> list[tuple[str, Score]]:
    """Boosted trees, and their mean with other log ratios that were learned: what is chance in one is not in all."""
    trees = learn(*known)
    if not ratios:
        return [(LEARNED, trees)]
    parts = [*(score for _, score in ratios), trees]
    return [(LEARNED, trees), ("mean of ratios", lambda x: np.mean([part(x) for part in parts], axis=0))]


def distinct(events: Sequence[Event], most: int) -> list[Event]:
    """The first ``most`` events that are not as good as the same: those of other counts than all that were kept."""
    kept: list[Event] = []
    for event in events:
        if event.found >= 0 and not any(_alike(event, other) for other in kept):
            kept.append(event)
    return kept[:most]


def _alike(one: Event, other: Event) -> bool:
    near = all(abs(a - b) <= ALIKE * max(a, b) for a, b in zip(one.rates, other.rates, strict=True))
    return one.turned == other.turned and near


@attrs.frozen(eq=False)
class Values:
    """One score's values on each side, sorted, without nan, which is in no event; and of how many samples they are.

    ``least`` are the smaller values of each pair of samples, where these are coupled, both ways.
    """

    sides: tuple[Floats, Floats]
    trials: tuple[int, int]
    least: tuple[Floats, Floats] | None

    @classmethod
    def of(cls, first: Floats, second: Floats, *, coupled: bool) -> Values:
        """From the values in the order of the samples."""
        least = None
        if coupled:
            least = _sorted(np.minimum(first, second)), _sorted(np.minimum(-first, -second))
        return cls((_sorted(first), _sorted(second)), (len(first), len(second)), least)

    def turned(self) -> Values:
        """Of minus the score, the sides exchanged."""
        (one, two), least = self.sides, self.least
        return Values((-two[::-1], -one[::-1]), self.trials[::-1], least and (least[1], least[0]))

    def grid(self) -> Floats:
        """Thresholds to try."""
        some = np.concatenate([side[:: max(1, len(side) // 20_000)] for side in self.sides])
        grid = np.quantile(some, np.linspace(0, 1, THRESHOLDS), method="nearest")
        far = [side[len(side) - _RANKS[len(side) >= _RANKS]] for side in self.sides]  # the rare ones, at every size
        return np.unique(np.concatenate([grid, *far]))


def _sorted(score: Floats) -> Floats:
    result: Floats = np.sort(score[~np.isnan(score)])
    return result


def _reached(values: Floats, grid: Floats) -> Any:
    """How many are at each threshold or above it."""
    return len(values) - np.searchsorted(values, grid, side="left")


def _event(
    name: str, score: Score, values: Values, delta: float, alpha: float, doubt: float, fresh: int, *, turned: bool
) -> Event | None:
    """The best that one score's thresholds give in one direction."""
    if not sum(map(len, values.sides)):
        return None
    grid, trials = values.grid(), values.trials
    p, q = (_reached(side, grid) for side in values.sides)
    paired = np.zeros(len(grid), dtype=np.bool_)
    if fresh:
        often = p >= min(LEAST_HITS, trials[0] // PER_HIT) * (MORE_HITS if alpha < RARE else 1)
        both = None if values.least is None or delta > 0 else _reached(values.least[0], grid)
        rough = roughly(p, q, trials, delta, alpha, fresh, doubt)
        if both is not None:
            rough = np.maximum(rough, roughly_coupled(p, q, both, trials[0], alpha, fresh, doubt))
        few = np.argsort(-np.where(often, rough, -1.0))[:LIKELY]
        found = expected(p[few], q[few], trials, delta, alpha, fresh, doubt)
        paired = (p[few] < SELDOM * trials[0]) & (delta == 0)
        if both is not None:
            together = expected_coupled(p[few], q[few], both[few], trials[0], alpha, fresh, doubt)
            paired = together >= found
            found = np.maximum(found, together)
        found = np.where(often[few], found, -1.0)
    else:
        few = np.arange(len(grid))
        found = epsilon_bound(p, q, trials, delta, alpha)
    at = int(np.argmax(found))
    rates = float(p[few[at]] / trials[0]), float(q[few[at]] / trials[1])
    return Event(score, float(grid[few[at]]), name, turned, float(found[at]), rates, bool(paired[at]))


def plain(rows: Rows) -> list[tuple[str, Score]]:
    """Scores of which nothing is learned but a threshold: every feature and every derived column, both ways."""

    def both(name: str, column: Score) -> list[tuple[str, Score]]:
        return [(name, column), (f"minus {name}", lambda x: -column(x))]

    features = (both(f"feature {i}", lambda x, i=i: x.x[:, i]) for i in range(rows.x.shape[1]))  # type: ignore[misc]
    derived = (both(name, lambda x, name=name: x.derived(name)) for name in rows.structured[1:])  # type: ignore[misc]
    return list(itertools.chain(*features, *derived))


def _structured(first: Rows, second: Rows) -> list[tuple[str, Score]]:
    """What outcomes have in common beyond their entries: each derived column by its likelihood ratio."""
    out: list[tuple[str, Score]] = []
    for name in first.structured:
        p, q = first.derived(name), second.derived(name)
        ratio = table_ratio(p, q)
        if ratio is None and name == "whole row":
            continue
        found = ratio if ratio is not None else _histogram_ratio(p, q)
        out.append((f"likelihood ratio of the {name}", lambda x, name=name, f=found: f(x.derived(name))))  # type: ignore[misc]
    return out


def _scores(first: Floats, second: Floats) -> list[tuple[str, Score]]:
    """A likelihood ratio by histogram of every feature, and the best line through all of them."""
    out: list[tuple[str, Score]] = []
    ratios = []
    for i in range(first.shape[1]):
        ratio = _histogram_ratio(first[:, i], second[:, i])
        ratios.append(ratio)
        out.append((f"likelihood ratio of feature {i}", lambda x, i=i, f=ratio: f(x.x[:, i])))  # type: ignore[misc]
    whole = np.isfinite(first).all(axis=0) & np.isfinite(second).all(axis=0)
    if whole.sum() > 1:
        weights = np.zeros(first.shape[1])
        weights[whole] = _line(first[:, whole], second[:, whole])

        def line(x: Floats) -> Floats:
            result: Floats = x[:, whole] @ weights[whole]
            return result

        along = _histogram_ratio(line(first), line(second))
        out.append(("line", lambda x: line(x.x)))
        out.append(("likelihood ratio of the line", lambda x: along(line(x.x))))
    if first.shape[1] > 1:
        out.append(("sum of likelihood ratios", lambda x: np.sum([f(x.x[:, i]) for i, f in enumerate(ratios)], axis=0)))
    return out


def _line(a: Floats, b: Floats) -> Floats:
    """Fisher's direction between the two samples."""
    spread = np.cov(np.concatenate([a - a.mean(0), b - b.mean(0)]).T) + 1e-9 * np.eye(a.shape[1])
    result: Floats = np.linalg.lstsq(spread, a.mean(0) - b.mean(0), rcond=None)[0]
    return result


def _histogram_ratio(p: Floats, q: Floats) -> Callable[[Floats], Floats]:
    """Log ratio of the two histograms over common quantile bins; repeated values get bins of their own."""
    pooled = np.concatenate([p, q])
    pooled = pooled[np.isfinite(pooled)] if np.isfinite(pooled).any() else np.zeros(1)
    bins = min(BINS, max(len(pooled) // PER_BIN, 8))
    edges = np.unique(np.quantile(pooled, np.linspace(0, 1, bins), method="nearest"))
    counts_p = np.bincount(np.searchsorted(edges, p, side="right"), minlength=len(edges) + 1)
    counts_q = np.bincount(np.searchsorted(edges, q, side="right"), minlength=len(edges) + 1)
    ratio = np.log((counts_p + 0.5) / (counts_q + 0.5))
    return lambda x: ratio[np.searchsorted(edges, x, side="right")]


def as_percent(found: float, claimed: float) -> str:
    """How much of the claimed ε was found, for tables."""
    return f"{100 * found / claimed:.0f} %" if claimed and math.isfinite(claimed) else "-"
