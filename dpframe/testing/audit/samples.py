"""Audits of what others release: samples on two neighbours, or a sampler and the neighbours to try.

The events are chosen on a part of the samples, by a learned score among others, and counted on all others; so a bound
above the truth has probability at most ``alpha``, whatever was learned (:mod:`dpframe.testing.estimation`).
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.proof.losses import ApproxDP, PureDP
from dpframe.proof.spaces import finite_number
from dpframe.testing.battery.findings import Finding
from dpframe.testing.estimation import (
    ALPHA,
    RANKED,
    RARE,
    Bound,
    Event,
    choose,
    choose_on,
    distinct,
    lower_bounds,
)
from dpframe.testing.learned import Rows
from dpframe.testing.limits import coupled_bound, epsilon_bound, paired_bound

Floats = npt.NDArray[np.float64]
Draw = Callable[..., Any]
CHUNK = 250_000
SEARCH, CHOOSING = 0.2, 0.2
"""Parts of all runs: those that rank pairs of neighbours and are learned from, and those that choose events."""
FINALISTS = 2
"""Pairs of which events are chosen."""
DOUBTS = (0.2, 0.02)
"""Degrees of doubt with which events are chosen: what promises most may do so by chance."""
HOPE = 0.5
"""None at all: with it what is left to count is chosen where the doubtful ones agree, and it is a rare event."""


def counted_at(alpha: float) -> tuple[int, int]:
    """How many events are chosen at each degree of doubt, and counted in all: sharing a larger ``alpha`` costs more.

    Examples
    --------
    >>> counted_at(1e-6), counted_at(0.1)
    ((2, 3), (1, 2))
    """
    return (2, 3) if alpha < RARE else (1, 2)


def halvings(pairs: int) -> list[int]:
    """How many pairs of neighbours are looked at in each round of the search.

    Examples
    --------
    >>> halvings(7), halvings(3), halvings(1)
    ([7, 4], [3], [1])
    """
    rounds = [pairs]
    while (rounds[-1] + 1) // 2 > FINALISTS:
        rounds.append((rounds[-1] + 1) // 2)
    return rounds


CONFIDENT = (1e-4, 0.1)
"""Confidences at which pairs are ranked. At the second one it is rare events that promise most, and of few runs they
do by chance; it decides between pairs that show nothing at the first."""


def outcomes(values: Any, side: str) -> Floats:
    """Samples as rows of floats; nan and ±infinity stand for themselves."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecError(f"the {side} samples are no array of numbers", fix="code each outcome as numbers") from None
    if found.ndim == 0 or found.size == 0:
        raise SpecError(
            f"the {side} samples must be one row a run, got shape {found.shape}", fix="give (runs, numbers)"
        )
    return found.reshape(len(found), -1)


def claimed(claim: Any) -> tuple[float, float]:
    """ε and δ of a claim: a number is pure ε."""
    if isinstance(claim, PureDP):
        return claim.epsilon, 0.0
    if isinstance(claim, ApproxDP):
        return claim.epsilon, claim.delta
    pair: tuple[Any, ...] = claim if isinstance(claim, tuple) and len(claim) == 2 else (claim, 0.0)
    if not all(finite_number(v) for v in pair) or pair[0] < 0 or not 0 <= pair[1] < 1:
        raise SpecError(
            f"a claim is ε, (ε, δ) or a pure or approximate budget, not {claim!r}", fix="claim=(epsilon, delta)"
        )
    return float(pair[0]), float(pair[1])


def _alpha(alpha: Any) -> float:
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise SpecError(f"alpha must lie strictly between 0 and 1, got {alpha!r}", fix="alpha=1e-6")
    return alpha


def audit_samples(first: Any, second: Any, *, claim: Any, alpha: float = ALPHA) -> Finding:
    """Bound the ε of any mechanism from below, from samples of it on two neighbours.

    Parameters
    ----------
    first, second : array_like, shape (runs,) or (runs, numbers)
        Independent outcomes on each neighbour, in the order they were drawn; as many numbers on both sides. Code
        what is no number as a number, or as nan.
    claim : float, (float, float), PureDP or ApproxDP
        ε, or ε and δ: what the mechanism is said to have for these neighbours.
    alpha : float
        Probability that the bound exceeds the truth, at most.

    Returns
    -------
    Finding
        ``refuted`` where more than the claim is shown.

    Raises
    ------
    SpecError
        For samples that are no rows of numbers, differ in width, or are fewer than two on a side.

    Formal guarantees
    -----------------
    Samples are independent and identically distributed on each side. The events are functions of the first half of each
    side (500,000 at most), counted on the rest, with Clopper-Pearson limits that share ``alpha`` over both directions.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> first, second = rng.laplace(0.0, 1.0, 100_000), rng.laplace(1.0, 1.0, 100_000)
    >>> audit_samples(first, second, claim=1.0).refuted, audit_samples(first, second, claim=0.5).refuted
    (False, True)
    """
    one, two = outcomes(first, "first"), outcomes(second, "second")
    if one.shape[1] != two.shape[1]:
        raise SpecError(f"outcomes have {one.shape[1]} and {two.shape[1]} numbers", fix="code both sides alike")
    epsilon, delta = claimed(claim)
    (bound,) = lower_bounds(one, two, [delta], alpha=_alpha(alpha))
    return _finding("samples", "two neighbours", bound, epsilon, min(len(one), len(two)))


def audit_sampler(
    draw: Draw,
    pairs: Sequence[tuple[Any, Any]],
    *,
    claim: Any,
    runs: int,
    alpha: float = ALPHA,
    seeded: bool = False,
) -> Finding:
    """Search the neighbours and events that show the most, then count a few events on fresh runs.

    Parameters
    ----------
    draw : callable
        ``draw(input, times)`` gives that many independent outcomes, one row each; ``draw(input, times, seed)`` where
        ``seeded``, the same random numbers for the same seed.
    pairs : sequence of (input, input)
        Neighbours to try; both orders of each are tried.
    claim : float, (float, float), PureDP or ApproxDP
    runs : int
        Of the mechanism in all, search included. Less than half is spent on pairs, learning and choosing.
    alpha : float
    seeded : bool
        Both neighbours of a pair are then run with the same seeds (0, 1, ...), so that they differ by the change of the
        input alone and not by chance as well: at a small ε that shows as much as many times the runs. Row i must take
        the same random numbers whatever the input; where a run's input decides how many it takes, give each row a
        generator of its own.

    Returns
    -------
    Finding

    Formal guarantees
    -----------------
    A few events and their directions are functions of earlier runs; the fresh ones count each, with ``alpha`` shared.
    With ``seeded`` this needs that rows i on both inputs are, as a pair, independent of the other rows, and each alone
    has the law of the mechanism (:func:`dpframe.testing.limits.coupled_bound`).

    Examples
    --------
    >>> import numpy as np
    >>> def draw(x, times, seed):
    ...     return x + np.random.default_rng([9, seed]).laplace(0.0, 10.0, times)
    >>> audit_sampler(draw, [(0.0, 1.0)], claim=0.08, runs=100_000, seeded=True).refuted  # the truth is 0.1
    True
    """
    epsilon, delta = claimed(claim)
    (counted,) = attack(draw, pairs, delta, runs, [_alpha(alpha)], seeded=seeded)
    return _finding("sampler", counted.pair, counted.bound, epsilon, runs)


@attrs.frozen(eq=False)
class Counted:
    """A few events, chosen on earlier runs, and how often each happened on fresh ones.

    ``both`` is of events that are counted in pairs, at δ = 0: in how many pairs of runs, one on each side, both were in
    it; −1 for the others. ``coupled``: the runs of a pair had the same random numbers.
    """

    pair: str
    events: tuple[Event, ...]
    hits: tuple[tuple[int, int], ...]
    trials: int
    delta: float
    alpha: float
    both: tuple[int, ...] = ()
    coupled: bool = False

    @property
    def bound(self) -> Bound:
        """The best lower bound on ε, with ``alpha`` shared by the events: wrong with probability at most that."""
        best = Bound(self.delta, 0.0, "none")
        for event, hits, both in zip(self.events, self.hits, self.both or [-1] * len(self.hits), strict=True):
            share = self.alpha / len(self.events)
            if both >= 0 and self.coupled:
                found = float(coupled_bound(*hits, both, share))
            elif both >= 0:
                found = float(paired_bound(*hits, both, self.trials, share))
            else:
                found = float(epsilon_bound(*hits, (self.trials, self.trials), self.delta, share))
            best = Bound(self.delta, found, event.name) if found > best.epsilon else best
        return best


def attack(
    draw: Draw,
    pairs: Sequence[tuple[Any, Any]],
    delta: float,
    runs: int,
    alphas: Sequence[float],
    *,
    seeded: bool = False,
) -> list[Counted]:
    """The search and the count of :func:`audit_sampler`, with a few events for each confidence.

    All pairs are tried on a few runs, the better half of them on as many more in all, and so on until two are left:
    what tells two pairs apart at a small ε is less than the noise of a few runs. From these runs scores are learned,
    and on more of both pairs events are chosen; those of the pair that promises more are counted. What promises most
    may do so by chance, so the events that are best at several degrees of doubt all are. Each count holds with its own
    ``alpha``, not all together.

    Formal guarantees
    -----------------
    What is counted, pair, events and their number, is a function of runs that were drawn before the first that counts
    it. Given those, each event's limit is wrong with probability at most its share of ``alpha``, so one of them is with
    at most ``alpha``: however pairs were ranked and whatever was looked at more than once. How an event is counted,
    in pairs or apart, is chosen with it. With ``seeded`` no seed comes twice, but for the two sides of a pair.
    """
    rounds, final = halvings(len(pairs)), min(FINALISTS, len(pairs))
    times = [int(runs * SEARCH / (2 * len(rounds) * max(many, 1))) for many in rounds]
    if not pairs or min(times) < 2:
        raise SpecError(
            f"{runs} runs are too few for {len(pairs)} pairs of neighbours", fix="use more runs, or fewer pairs"
        )
    choosing = int(runs * CHOOSING / (2 * final))
    left = runs // 2 - sum(map(operator.mul, rounds, times)) - final * choosing

    seeds = itertools.count()

    def sampled(pair: tuple[Any, Any], times: int) -> list[Floats]:
        more = (next(seeds),) if seeded else ()
        sides = [outcomes(draw(value, times, *more), "drawn") for value in pair]
        if wrong := [len(side) for side in sides if len(side) != times]:
            raise SpecError(f"the sampler gave {wrong[0]} outcomes where {times} were asked for", fix="one row a run")
        return sides

    ranked = [(delta, alpha, RANKED) for alpha in CONFIDENT]
    seen = [sampled(pair, times[0]) for pair in pairs]
    order = list(range(len(pairs)))
    for turn, many in enumerate([*rounds[1:], final]):
        if many < len(order):
            ask = functools.partial(choose, asked=ranked, fresh=left, trees=turn > 0, coupled=seeded)
            shown = {i: _promise(ask(*seen[i])) for i in order}
            order = sorted(order, key=shown.__getitem__, reverse=True)[:many]
        for i in order if turn + 1 < len(rounds) else ():
            more = sampled(pairs[i], times[turn + 1])
            seen[i] = [np.concatenate(both) for both in zip(seen[i], more, strict=True)]
    asked = [(delta, alpha / counted_at(alpha)[1], doubt) for alpha in alphas for doubt in (*DOUBTS, HOPE)]
    found = {}
    for i in order:
        fresh = sampled(pairs[i], choosing)
        known, train = ((Rows(one), Rows(two)) for one, two in (seen[i], fresh))
        found[i] = choose_on(known, train, [*ranked, *asked], fresh=left, coupled=seeded)
    promised = {i: _promise(lists[: len(ranked)]) for i, lists in found.items()}
    at = max(promised, key=promised.__getitem__)
    chosen = iter(found[at][len(ranked) :])
    del seen, found, known, train, fresh
    events = []
    for alpha in alphas:
        each, most = counted_at(alpha)
        best = [event for _ in DOUBTS for event in distinct(next(chosen), each)]
        events.append(distinct([*best, *next(chosen)], most))
    every = [event for some in events for event in some]
    hits = np.zeros((len(every), 3), dtype=np.int64)
    for start in range(0, left, CHUNK):
        rows = [Rows(side) for side in sampled(pairs[at], min(CHUNK, left - start))]
        for i, event in enumerate(every):
            one, two = (event.within(side) for side in rows[:: -1 if event.turned else 1])
            hits[i] += one.sum(), two.sum(), (one & two).sum()
    hits[[not event.paired for event in every], 2] = -1
    name, counts = f"pair {at} of {len(pairs)}", iter(hits.tolist())
    out = []
    for some, alpha in zip(events, alphas, strict=True):
        own = list(itertools.islice(counts, len(some)))
        counted = tuple((p, q) for p, q, _ in own)
        out.append(Counted(name, tuple(some), counted, left, delta, alpha, tuple(both for *_, both in own), seeded))
    return out


def _promise(chosen: Sequence[Sequence[Event]]) -> tuple[float, ...]:
    """What the best event promises, at each confidence of a ranking."""
    return tuple(max([0.0, *(event.found for event in events)]) for events in chosen)


def _finding(subject: str, case: str, bound: Bound, epsilon: float, samples: int) -> Finding:
    return Finding(subject, case, bound.delta, epsilon, bound.epsilon, bound.event, samples)
