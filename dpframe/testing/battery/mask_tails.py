"""Masks whose release is an affine function of their Gaussians, up to the far tail: their law is known exactly.

A mask is handed a tape of Gaussians in place of a generator. Where it is c(x) + A·g for the tapes that were tried,
the release of x is normal with mean c(x) and covariance AAᵀ, in any dimension, and two values cost exactly the
Gaussian mechanism of μ = ‖A⁺(c(x) − c(y))‖, or everything where the difference is not in the image of A. The pair is
looked for in the direction in which A is smallest. Where the numbers of a release are put in a secret order, or are
affine only together, their total is looked at in the same way: it is made of the release and tells no more. A mask
that asks for more numbers where those on the tape are far out draws again: then what the first value releases, and
the second never can, is counted by strata of the tail. So is what lies beyond the end of noise that is cut.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.registering import Semimetric
from dpframe.proof.losses import Event
from dpframe.proof.losses import Gaussian as GaussianEvent
from dpframe.testing.battery.mask_draws import Priced, near_pair

EPSILONS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)
TRIED, LONGEST = 2000, 64
"""Tapes on which a mask is compared with an affine function, and the numbers on the longest."""
REACH, CELL, EACH = 9.0, 0.25, 30
"""Of the strata of the tail: how far out, how wide, how many tapes in each."""
ROUNDS = 12
"""A mask that draws again for so many far tapes in a row always does."""
DOUBT = 1e-8
LEAST = 1e-11
"""As in the exact law: less than this is not held against a mask."""
SIZES = ((2, 1.0), (3, 1.0), (1, 1.0), (6, 1.0), (2, 1e3), (12, 1.0))


class Again(BaseException):  # must pass through whatever a mask catches
    """The tape has ended."""


@attrs.define
class Tape:
    """Gaussians that are handed out in order."""

    numbers: Any
    used: int = 0

    def __call__(self, count: Any = 1) -> Any:
        """The next ones."""
        many = int(count)
        if self.used + many > len(self.numbers):
            raise Again
        self.used += many
        return np.array(self.numbers[self.used - many : self.used])


@attrs.frozen
class Affine:
    """A release c + A·g, of ``length`` Gaussians g, and how often a tape was tried that it did not hold for."""

    centre: Any
    matrix: Any
    length: int

    def __call__(self, numbers: Any) -> Any:
        """What it gives."""
        return self.centre + self.matrix @ numbers


Release = Callable[[Any, Any], Any]
"""(value, source of Gaussians) -> what is released."""


def _length(release: Release, value: Any) -> int:
    """How many Gaussians it asks for when they are all small; 0 for too many."""
    tape = Tape(np.full(LONGEST, 0.25))
    try:
        release(value, tape)
    except Again:
        return 0
    return tape.used


def _total(release: Release, value: Any, tape: Any) -> Any:
    """The sum of a release, which tells nothing of the order of its numbers, and no more than they do."""
    return np.array([math.fsum(release(value, tape).tolist())])


def _answer(release: Release, value: Any, numbers: Any) -> Any:
    """The release, or None where it asks for more."""
    try:
        return release(value, Tape(numbers))
    except Again:
        return None


def affine(release: Release, value: Any, rng: np.random.Generator) -> Affine | None:
    """The affine function that it is of its Gaussians, or None.

    It is one for a part 1 − 0.01 of them at least, wrong with a chance of at most 1e-8: 2,000 tapes were tried.
    """
    length = _length(release, value)
    if not length:
        return None
    centre = _answer(release, value, np.zeros(length))
    columns = [_answer(release, value, row) for row in 0.5 * np.eye(length)]
    if centre is None or any(column is None for column in columns):
        return None
    found = Affine(centre, np.stack([(column - centre) / 0.5 for column in columns], axis=1), length)
    for numbers in rng.standard_normal((TRIED, length)):
        made = _answer(release, value, numbers)
        if made is not None and not _near(found, made, numbers):
            return None
    return found


def _near(known: Affine, made: Any, numbers: Any) -> bool:
    """Up to the rounding of what stands in it, and of the numbers that its matrix was found from."""
    size = float(np.abs(known.matrix).max(initial=0.0)) * (1.0 + float(np.abs(numbers).max()))
    size += 1e-7 * float(np.abs(known.centre).max(initial=0.0))
    return bool((np.abs(made - known(numbers)) <= 1e-6 * size).all())


def attack_tails(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(12), time.process_time() + seconds
    for i, (d, size) in enumerate(SIZES):
        rho, r = ((2.0, 0.5 * size), (0.3, 0.1 * size))[i % 2]
        priced = mask.price(rho, r)
        if priced is None or (i > 2 and time.process_time() > end):
            continue
        noise, event = priced
        at = functools.partial(mask.release, noise)
        value = size * (0.5 + rng.random(d))
        model = affine(at, value, rng)
        if model is None and d > 1:
            at = functools.partial(_total, at)
            model = affine(at, value, np.random.default_rng(i))
        if model is None:
            continue
        pair = _far_pair(model, mask.space, value, r, rng)
        other = None if pair is None else affine(at, pair[1], rng)
        if pair is None or other is None or not _same(model, other):
            continue
        shown = {"values": list(pair), "noise": noise, "rho": rho, "r": r}
        words = _too_near(model, other, event, mask.allowed)
        words = words or _drawn_again(at, pair, model, other, event, mask.allowed, rng)
        words = words or _cut(at, pair, model, event, mask.allowed, rng)
        if words:
            return words, shown
    return "", {}


def _far_pair(model: Affine, space: Semimetric, value: Any, r: float, rng: np.random.Generator) -> Any:
    """Two values within r, the most Gaussians apart: of four directions, else the first that has such values.

    For a total all numbers move together.
    """
    ways, d, size = _ways(model, len(value)), len(value), float(np.abs(value).max())
    if len(model.matrix) == 1 < d:
        return near_pair(space, d, size, r, rng, start=value, ways=[np.ones(d)])
    tried = [[way] for way in (*ways[:2], np.ones(d), np.resize([1.0, -1.0], d))] if ways else []
    pairs = [near_pair(space, d, size, r, rng, start=value, ways=way) for way in tried]
    found = [pair for pair in pairs if pair is not None]
    if found:
        return max(found, key=lambda pair: _gaussians_of(model, pair[1] - pair[0]))
    return near_pair(space, d, size, r, rng, start=value, ways=ways)


def _gaussians_of(model: Affine, gap: Any) -> float:
    """The length of the Gaussians that make up for a gap; infinite where none do."""
    made, rest = _solved(model, gap)
    return float(np.linalg.norm(made)) if rest <= 1e-3 else math.inf


def _ways(model: Affine, d: int) -> list[Any]:
    """Directions in which the release has the least noise first."""
    if model.matrix.shape[0] != d or not np.isfinite(model.matrix).all():
        return []
    left, _, _ = np.linalg.svd(model.matrix)
    return [*left.T[::-1], *np.eye(d)]


def _same(one: Affine, two: Affine) -> bool:
    size = float(np.abs(one.matrix).max(initial=0.0))
    return one.matrix.shape == two.matrix.shape and bool((np.abs(one.matrix - two.matrix) <= 1e-5 * size).all())


def _shift(one: Affine, two: Affine) -> tuple[Any, float]:
    """The Gaussians by which the two differ, and what of the difference no Gaussians make, in their size."""
    return _solved(one, one.centre - two.centre)


def _solved(model: Affine, gap: Any) -> tuple[Any, float]:
    found: Any = np.linalg.lstsq(model.matrix, gap, rcond=1e-9)[0]
    rest = float(np.abs(model.matrix @ found - gap).max()) / max(float(np.abs(gap).max()), 1e-300)
    return found, rest


def _too_near(one: Affine, two: Affine, event: Event, allowed: Callable[[Event, float], float]) -> str:
    """The exact profile of the two normal laws, less all that tapes on which they are none could add, against δ."""
    shift, rest = _shift(one, two)
    if rest > 1e-3:
        return "two near values differ in a direction that has no noise"
    mu = float(np.linalg.norm(shift)) * (1 - 1e-4)
    exact = GaussianEvent(mu).profile(np.array(EPSILONS))
    if mu == 0 or exact is None:
        return ""
    for epsilon, delta in zip(EPSILONS, exact.tolist(), strict=True):
        least = delta - 0.01 * (1 + math.exp(min(epsilon, 50.0)))
        if least > allowed(event, epsilon):
            return (
                f"its Gaussians have mu = {mu:.4g} there, so that delta({epsilon:g}) is at least {least:.4g}, "
                f"and {event} allows {allowed(event, epsilon):.4g}"
            )
    return ""


def _drawn_again(
    release: Release,
    pair: tuple[Any, Any],
    one: Affine,
    two: Affine,
    event: Event,
    allowed: Callable[[Event, float], float],
    rng: np.random.Generator,
) -> str:
    """The mass of what the first value releases at once, and the second would need Gaussians for that it refuses.

    The second asks for more numbers however often it is given these, so it releases that with a probability of at
    most 0.01^12, and e^30 of that is below what is held against a mask.
    """
    shift, _ = _shift(one, two)
    far = float(np.linalg.norm(shift))
    if not far > 1e-6:
        return ""
    along, mass = shift / far, 0.0
    for low in np.arange(-REACH, REACH, CELL):
        hits = sum(_only_first(release, pair, one, shift, along, float(low), rng) for _ in range(EACH))
        if hits:
            mass += _part(float(low)) * _at_least(hits)
    if mass > max(LEAST, allowed(event, 30.0)):
        return (
            f"it draws again where Gaussians are far out: with a probability of at least {mass:.3g} it releases "
            f"what a near value never does, and {event} allows {allowed(event, 30.0):.3g}"
        )
    return ""


def _cut(
    release: Release,
    pair: tuple[Any, Any],
    one: Affine,
    event: Event,
    allowed: Callable[[Event, float], float],
    rng: np.random.Generator,
) -> str:
    """The mass of what one value releases beyond the largest, or smallest, that the other can.

    An entry that has a Gaussian of its own, and is the same number for all of these that are far out, ends there. What
    is made of the release afterwards ends at the same number for both values.
    """
    for i, row in enumerate(one.matrix):
        at = int(np.abs(row).argmax())
        if np.abs(np.delete(row, at)).max(initial=0.0) > 1e-6 * abs(row[at]) or row[at] == 0:
            continue
        for first, second in (pair, pair[::-1]):
            for sign in (1.0, -1.0):
                side = functools.partial(_entry, release, i, at, sign * np.sign(row[at]), one.length, rng)
                ends = {side(second, REACH - 1) for _ in range(EACH)}
                if len(ends) != 1 or None in ends:
                    continue
                beyond = functools.partial(_beyond, side, first, ends.pop(), sign, 1e-6 * abs(row[at]))
                mass = sum(_part(low) * _at_least(beyond(low)) for low in np.arange(0, REACH, CELL).tolist())
                if mass > max(LEAST, allowed(event, 30.0)):
                    return (
                        f"its noise ends: with a probability of at least {mass:.3g} it releases what a near "
                        f"value never does, and {event} allows {allowed(event, 30.0):.3g}"
                    )
    return ""


def _entry(release: Release, i: int, at: int, way: float, length: int, rng: Any, value: Any, low: float) -> Any:
    """An entry of the release, for a Gaussian of its own between low and low + CELL, and any others."""
    numbers = rng.standard_normal(length)
    numbers[at] = way * (low + CELL * rng.random())
    made = _answer(release, value, numbers)
    return None if made is None else float(made[i])


def _beyond(side: Callable[[Any, float], Any], value: Any, end: float, sign: float, least: float, low: float) -> int:
    made = [side(value, low) for _ in range(EACH)]
    return sum(x is not None and sign * (x - end) > least for x in made)


def _part(low: float) -> float:
    """The probability of a Gaussian between low and low + CELL, to all its digits far out."""
    ends = sorted((abs(low), abs(low + CELL)))
    return 0.5 * (math.erfc(ends[0] / math.sqrt(2)) - math.erfc(ends[1] / math.sqrt(2)))


def _at_least(hits: int) -> float:
    """The lower limit of a probability of which so many of ``EACH`` trials were hits."""
    from dpframe.testing.limits import clopper_pearson

    return float(clopper_pearson(np.array(hits), EACH, DOUBT)[0])


def _only_first(
    release: Release, pair: tuple[Any, Any], one: Affine, shift: Any, along: Any, low: float, rng: np.random.Generator
) -> bool:
    numbers = rng.standard_normal(one.length)
    numbers += (low + CELL * rng.random() - numbers @ along) * along
    made = _answer(release, pair[0], numbers)
    if made is None or not _near(one, made, numbers):
        return False
    needed = numbers + shift
    return _answer(release, pair[1], needed) is None and _answer(release, pair[1], np.tile(needed, ROUNDS)) is None
