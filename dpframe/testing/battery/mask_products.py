"""Masks whose numbers are released alike, each by Gaussians of its own: a corner of many numbers is a power of one.

Draws of d numbers at once count no event that is rarer than one in thousands, and noise that asks too little for ten
numbers or a hundred shows it at rare ones. Where each number of a release is one and the same function of its own value
and its own few Gaussians, the probability that all of d are at most a cut is p^d, and p is counted in d times as many
numbers as there are draws. Which Gaussians belong to which number is seen by moving one at a time. That the law is such
a product is then seen on thousands of tapes for each value, and again on tapes that lie in the corner itself, so that a
mask that treats corners in a way of its own is not taken for one. Of a mask that is such a product all places together
refute one that holds with a chance of at most :data:`FALSE_ALARM`; one that is another in less than a part 0.01 of the
draws, yet in no corner, could be taken for a product by these tapes.
"""

from __future__ import annotations

import functools
import math
import time
from typing import Any

import attrs
import numpy as np

from dpframe.proof.losses import Event, Loss, tightest_epsilon
from dpframe.testing.battery.mask_draws import Priced, near_pair
from dpframe.testing.battery.mask_tails import LEAST, Again, Release, Tape, affine
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-8
PLACES = ((30, 2.0), (100, 0.5), (10, 2.0))
"""Dimensions and ρ; the first is looked at however slow the machine."""
RADIUS, FEW, MOST_EACH, SHIFT = 0.5, 3, 16, 0.5
"""Numbers of which a mask is no affine function of Gaussians; Gaussians for one number at most, and by how much one is
moved to see what it moves."""
TRIED, CORNERED = 2000, 300
"""Tapes that show a product, and tapes in the corner."""
PILOT, FRESH = 1000, 6000
"""Draws of all numbers that choose a corner, and those that count it."""
DELTAS = (1e-9, 1e-6, 1e-3)
PARTS = tuple(k / 64 for k in range(1, 64))


@attrs.frozen
class Corner:
    """All numbers at most a cut, or above it; turned, it is more probable for the second value."""

    cut: float
    above: bool
    turned: bool

    def holds(self, made: Any) -> Any:
        """Number by number."""
        return made > self.cut if self.above else made <= self.cut


def attack_products(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(47), time.process_time() + seconds
    for i, (d, rho) in enumerate(PLACES):
        if i and time.process_time() > end:
            break
        priced = mask.price(rho, RADIUS)
        start = np.full(d, 0.75)
        pair = None if priced is None else near_pair(mask.space, d, 1.0, RADIUS, rng, start=start, ways=[np.ones(d)])
        if priced is None or pair is None:
            continue
        noise, event = priced
        release = functools.partial(mask.release, noise)
        if affine(release, pair[0][:FEW], rng) is not None:  # its law is known exactly, and was compared
            return "", {}
        places = _owners(release, pair[0], rng)
        if places is None or places.shape != getattr(_owners(release, pair[1], rng), "shape", None):
            return "", {}
        if not all(_product(release, value, places, rng) for value in pair):
            return "", {}
        words = _corner(release, pair, places, _limits(mask, event), rng)
        if words:
            return f"{words}, and {event} allows less", {"values": list(pair), "noise": noise, "rho": rho, "r": RADIUS}
    return "", {}


def _limits(mask: Priced, event: Event) -> list[tuple[float, float]]:
    """ε, and the δ that is allowed there."""
    found = [tightest_epsilon(Loss.of(event), delta)[0] * (1 + 1e-9) for delta in DELTAS]
    return [(epsilon, mask.allowed(event, epsilon)) for epsilon in found if epsilon < math.inf]


def _answer(release: Release, value: Any, numbers: Any) -> Any:
    """The release, or None where it asks for another number of Gaussians."""
    tape = Tape(numbers)
    try:
        made = release(value, tape)
    except Again:
        return None
    return made if tape.used == len(numbers) else None


def _owners(release: Release, value: Any, rng: np.random.Generator) -> Any:
    """The places on a tape of each number's Gaussians, a row a number; None where they are not its own."""
    d = len(value)
    tape = Tape(rng.standard_normal(MOST_EACH * d))
    try:
        before = release(value, tape)
    except Again:
        return None
    if not tape.used or tape.used % d:
        return None
    numbers = tape.numbers[: tape.used]
    rows: list[list[int]] = [[] for _ in range(d)]
    for place in range(tape.used):
        moved = numbers.copy()
        moved[place] += SHIFT
        made = _answer(release, value, moved)
        changed = [] if made is None else np.flatnonzero(made != before).tolist()
        if len(changed) != 1:
            return None
        rows[changed[0]].append(place)
    return np.array(rows) if len({len(row) for row in rows}) == 1 else None


def _product(release: Release, value: Any, places: Any, rng: np.random.Generator) -> bool:
    """Whether each number is the same function of its own Gaussians, for all tapes that are tried."""
    for _ in range(TRIED):
        numbers = rng.standard_normal(places.size)
        if not _alike(release, value, places, numbers, int(rng.integers(len(value)))):
            return False
    return True


def _alike(release: Release, value: Any, places: Any, numbers: Any, at: int) -> bool:
    """Whether a number of the release is what all are where all have its Gaussians."""
    repeated = np.empty_like(numbers)
    repeated[places] = numbers[places[at]]
    made, alone = _answer(release, value, numbers), _answer(release, value, repeated)
    return made is not None and alone is not None and bool((alone == made[at]).all())


def _corner(
    release: Release, pair: tuple[Any, Any], places: Any, limits: list[tuple[float, float]], rng: np.random.Generator
) -> str:
    """A corner that is more probable than is allowed for one of two values, in words."""
    d = len(pair[0])
    _, pilot = _drawn(release, pair, places.size, PILOT, rng)
    corners = [
        Corner(float(cut), above, turned)
        for cut in np.quantile(np.concatenate(pilot), PARTS)
        for above in (False, True)
        for turned in (False, True)
    ]
    overs = [_over(corner, pilot, limits, FRESH // PILOT)[0] for corner in corners]
    if not max(overs) > 0:
        return ""
    best = corners[int(np.argmax(overs))]
    tapes, fresh = _drawn(release, pair, places.size, FRESH, rng)
    over, epsilon, least, most = _over(best, fresh, limits)
    if not over > 0:
        return ""
    for value, rows, drawn in zip(pair, tapes, fresh, strict=True):
        if not _stays(release, value, places, rows[:, places][best.holds(drawn)], best, rng):
            return ""
    side = f"{'above' if best.above else 'at most'} {best.cut:.6g}"
    return (
        f"each of {d} numbers has Gaussians of its own and is {side} with a probability of at least {least:.4g} for "
        f"one of two near values, at most {most:.4g} for the other; all are, e^{d * math.log(least / most):.4g} times "
        f"as often, more at epsilon = {epsilon:.4g}"
    )


def _drawn(
    release: Release, pair: tuple[Any, Any], length: int, runs: int, rng: np.random.Generator
) -> tuple[list[Any], list[Any]]:
    """Tapes for each of two values, and what is released with them."""
    tapes = [rng.standard_normal((runs, length)) for _ in pair]
    return tapes, [np.array([release(value, Tape(row)) for row in t]) for value, t in zip(pair, tapes, strict=True)]


def _over(
    corner: Corner, made: list[Any], limits: list[tuple[float, float]], times: int = 1
) -> tuple[float, float, float, float]:
    """By how much the corner is above what is allowed, in the logarithm; at which ε; p at least and q at most.

    As if there were so many times as many draws. Rarer corners than :data:`LEAST` are not held against a mask.
    """
    d, count = made[0].shape[1], made[0].size * times
    one, two = (times * int(corner.holds(side).sum()) for side in (made[::-1] if corner.turned else made))
    alpha = FALSE_ALARM / (2 * len(PLACES))
    least = float(clopper_pearson(np.array(one), count, alpha)[0])
    most = float(clopper_pearson(np.array(two), count, alpha)[1])
    worst = (-math.inf, 0.0, least, most)
    for epsilon, allowed in limits:
        if least <= 0 or least**d <= allowed + LEAST:
            continue
        over = math.log(least**d - allowed) - epsilon - d * math.log(most)
        worst = max(worst, (over, epsilon, least, most))
    return worst


def _stays(release: Release, value: Any, places: Any, within: Any, corner: Corner, rng: np.random.Generator) -> bool:
    """Whether a mask is the same product on tapes all of whose numbers lie in the corner."""
    if len(within) < 2:  # too few to tell
        return False
    for _ in range(CORNERED):
        numbers = np.empty(places.size)
        numbers[places] = within[rng.integers(len(within), size=len(value))]
        made = _answer(release, value, numbers)
        if made is None or not corner.holds(made).all():
            return False
        if not _alike(release, value, places, numbers, int(rng.integers(len(value)))):
            return False
    return True
