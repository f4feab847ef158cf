"""Masks of several numbers that all move at once: noise that is right for one number may be too little for many.

A distance of all numbers together, ℓ2 or ℓ∞, lets each of d move by r/√d, or by r. Laplace noise of one width for each
then costs √d or d times as much as for one number, and shows it at small δ alone: not in one dimension, and not where
draws are compared at a δ of a tenth or more. So two values are compared that differ by as much as the semimetric allows
in *every* number. Draws of both learn how much likelier each place of a number is for the first value than for the
second; the sum of the logarithms over all numbers is what tells most where each has noise of its own. Other draws
choose a cut of that sum, or a corner (all numbers on one side of a cut), and fresh ones count it, more of them while
they promise something. Nothing is assumed of the law: what is counted is the release of all numbers at once. All
places together refute a mask that holds with a chance of at most :data:`FALSE_ALARM`.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.proof.losses import Event, Loss, tightest_epsilon
from dpframe.testing.battery.mask_draws import Priced, near_pair
from dpframe.testing.battery.mask_tails import Release, affine
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-8
PLACES = ((3, 2.0), (10, 2.0), (10, 0.5), (2, 2.0), (30, 0.5), (4, 4.5))
"""Dimensions and ρ: of pure claims 2, 1 and 3 are the ε. What asks too little at one noise does at others as well."""
RADIUS, LEAST_PLACES = 0.5, 3
"""Places looked at however slow the machine."""
DELTAS = (1e-9, 1e-3, 1e-2, 0.05)
"""δ whose ε an event is compared at: of a pure claim all are nearly the same one."""
LEARNED, PILOT, ROUNDS = 1500, 2000, (8000, 32_000)
"""Draws of each value that learn what tells, that choose an event, and that count it, round after round."""
CELLS, PARTS = 16, (0.005, 0.01, 0.02, *(k / 32 for k in range(1, 32)), 0.98, 0.99, 0.995)
"""Cells of one number; parts of the draws of both between which the cuts of an event lie."""
PROMISING = (1.5, 2.5)
"""Deviations by which more than is allowed has to show before each of the rounds."""
SLOW = 20.0
"""Times its seconds that counting may take where it promises something."""


NAMES = (
    *("what is likelier for one of them in all numbers", "what is likelier for one of them in each number"),
    *("the least number", "the largest number", "the mean number"),
)
"""What is looked at in a release: the logarithms of likelihoods, of one law or one a number; and the corners."""


@attrs.frozen
class Corner:
    """An event: a feature of the release is at most a cut, or above it, compared at ε, where δ is allowed.

    Turned, it is the second value for which it holds more often.
    """

    number: int
    cut: float
    above: bool
    turned: bool
    epsilon: float
    allowed: float

    @property
    def words(self) -> str:
        """The event."""
        return f"{NAMES[self.number]}, {'above' if self.above else 'at most'} {self.cut:.4g},"

    def holds(self, seen: Any) -> Any:
        """For which rows of features."""
        column = seen[:, self.number]
        return column > self.cut if self.above else column <= self.cut


def attack_corners(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(43), time.process_time() + seconds
    for i, (d, rho) in enumerate(PLACES):
        if i >= LEAST_PLACES and time.process_time() > end:
            break
        priced = mask.price(rho, RADIUS)
        pair = None if priced is None else near_pair(mask.space, d, 1.0, RADIUS, rng, ways=[np.ones(d)])
        if priced is None or pair is None:
            continue
        noise, event = priced
        release = functools.partial(mask.release, noise)
        if affine(release, pair[0], rng) is not None:  # its law is known exactly, and was compared
            continue
        limits = _limits(mask, event)
        words = _more_often(release, pair, limits, rng, end + SLOW * seconds) if limits else ""
        if words:
            words = f"of two near values that differ in all {d} numbers, {words}, than {event} allows"
            return words, {"values": list(pair), "noise": noise, "rho": rho, "r": RADIUS}
    return "", {}


def _limits(mask: Priced, event: Event) -> list[tuple[float, float]]:
    """ε at which draws can tell something, and the δ that is allowed there."""
    found = {round(tightest_epsilon(Loss.of(event), delta)[0], 9) for delta in DELTAS}
    return [(e, mask.allowed(event, e)) for e in sorted(found) if e < math.log(PILOT)]


def _more_often(
    release: Release, pair: tuple[Any, Any], limits: list[tuple[float, float]], rng: np.random.Generator, end: float
) -> str:
    """An event that is more probable than is allowed for one of the two, counted on fresh draws; in words."""
    learned = _drawn(release, pair, rng, LEARNED, end)
    features = _features(pair, learned)
    seen = [features(drawn) for drawn in _drawn(release, pair, rng, PILOT, end)]
    excess, corner = max(_corners(seen, limits), key=lambda found: found[0])
    alpha = FALSE_ALARM / (2 * len(PLACES) * len(ROUNDS))
    for runs, promising in zip(ROUNDS, PROMISING, strict=True):
        if excess < promising or time.process_time() > end:
            return ""
        drawn = _drawn(release, pair, rng, runs, end)
        hits, made = [int(corner.holds(features(side)).sum()) for side in drawn], len(drawn[0])
        one, two = hits[::-1] if corner.turned else hits
        least, most = (clopper_pearson(np.array(k), made, alpha)[i] for i, k in enumerate((one, two)))
        if least - math.exp(corner.epsilon) * most > corner.allowed * (1 + 1e-6):
            return f"{corner.words} holds in {one} and {two} of {made} draws: more at epsilon = {corner.epsilon:.4g}"
        excess = float(_excess(one / made, two / made, corner.epsilon, corner.allowed, made))
    return ""


def _drawn(release: Release, pair: tuple[Any, Any], rng: np.random.Generator, runs: int, end: float) -> list[Any]:
    """As many releases of each of two values."""
    rows: list[list[Any]] = [[], []]
    for run in range(runs):
        for kept, value in zip(rows, pair, strict=True):
            kept.append(release(value, rng.standard_normal))
        if run % 256 == 255 and time.process_time() > end:
            break
    return [np.array(kept) for kept in rows]


def _features(pair: tuple[Any, Any], learned: list[Any]) -> Callable[[Any], Any]:
    """What is looked at in a release, a column each of :data:`NAMES`; 0 and 1 stand for the numbers of the two."""

    def placed(drawn: Any) -> Any:
        return (drawn - pair[0]) / (pair[1] - pair[0])

    first, second = (placed(drawn) for drawn in learned)
    together = _likelier(first.ravel(), second.ravel())
    apart = [_likelier(one, two) for one, two in zip(first.T, second.T, strict=True)]

    def seen(drawn: Any) -> Any:
        y = placed(drawn)
        alone = sum(likelier(column) for likelier, column in zip(apart, y.T, strict=True))
        return np.column_stack([together(y).sum(axis=1), alone, y.min(axis=1), y.max(axis=1), y.mean(axis=1)])

    return seen


def _likelier(first: Any, second: Any) -> Callable[[Any], Any]:
    """The logarithm of how much likelier the cell of a number is for the first than for the second."""
    edges = np.unique(np.quantile(np.concatenate([first, second]), np.linspace(0, 1, CELLS + 1)[1:-1]))
    cells = [np.bincount(np.searchsorted(edges, side), minlength=len(edges) + 1) + 0.5 for side in (first, second)]
    ratio = np.log(cells[0] / cells[1])

    def likelier(y: Any) -> Any:
        return ratio[np.searchsorted(edges, y)]

    return likelier


def _corners(seen: list[Any], limits: list[tuple[float, float]]) -> Iterator[tuple[float, Corner]]:
    """Events, each with the deviations by which its shares exceed what is allowed."""
    made = len(seen[0])
    for number in range(seen[0].shape[1]):
        columns = [np.sort(side[:, number]) for side in seen]
        cuts = np.quantile(np.concatenate(columns), PARTS)
        below = [np.searchsorted(column, cuts, side="right") / made for column in columns]
        for above in (False, True):
            shares = [1 - share for share in below] if above else below
            for turned in (False, True):
                p, q = shares[::-1] if turned else shares
                for epsilon, allowed in limits:
                    over = _excess(p, q, epsilon, allowed, made)
                    at = int(np.argmax(over))
                    yield float(over[at]), Corner(number, float(cuts[at]), above, turned, epsilon, allowed)


def _excess(p: Any, q: Any, epsilon: float, allowed: float, made: int) -> Any:
    """The deviations by which P(first) - e^ε P(second) is above what is allowed."""
    grown = math.exp(epsilon)
    spread = p * (1 - p) + grown**2 * q * (1 - q) + (1 + grown**2) / made
    return (p - grown * q - allowed) / np.sqrt(spread / made)
