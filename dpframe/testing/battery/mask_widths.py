"""Masks that choose between a few widths by other Gaussians: the last digit of a release tells which it was.

Of one number, one Gaussian moves the release along a line, and the others choose among at most four lines. The law on
each line is a normal one. At a noise that makes one width a power of two, releases of that width end at another binary
digit than those of another one: the event is such a last digit and a number beyond a cut. How often a line is chosen
and its releases beyond the cut have that digit is counted, so a mask that holds is refuted with a chance of at most
:data:`FALSE_ALARM`; that there are no other lines is looked at, not proved.
"""

from __future__ import annotations

import functools
import math
import time
from typing import Any

import attrs
import numpy as np

from dpframe.proof.losses import Event
from dpframe.testing.battery.mask_bits import event_of_noise, last_digit
from dpframe.testing.battery.mask_draws import Priced, priced_pairs
from dpframe.testing.battery.mask_tails import LONGEST, Again, Release, Tape
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-10
PLACES = ((1.0, 0.5), (2.0, 0.5), (0.4, 0.5))
"""ρ and r: tails show most where a little more than a deviation is charged."""
LOOKED, MOST, SELDOM = 200, 4, 0.03
"""Runs that show the lines; lines at most; a line that is chosen more seldom is not looked for."""
POINTS = (-3.0, -1.0, 0.5, 2.0, 4.0)
"""Of one Gaussian, where a release must lie on its line."""
PILOT, COUNTED = 2000, (30_000, 100_000)
"""Runs that choose a digit and a cut, and those that count, of the first value and of the second."""
SURE, SELDOM_SEEN = 0.045, 29.0
"""What counts that are made will leave open, about: a part of each, and so many runs."""
EPSILONS, CUTS = np.linspace(0.0, 8.0, 33), np.linspace(-1.0, 4.5, 56)
LEAST = 1e-7
"""Less than this is not looked for."""
SLOW = 60.0
"""Times its seconds that the counting may take."""
NEAR = 1e-6
Line = tuple[float, float]
"""A width, and by how much the release of a Gaussian of 0 is off the value."""


@attrs.frozen
class Lines:
    """A release as one of a few lines of the Gaussian at a place of the tape, which has this length."""

    release: Release
    length: int
    at: int
    lines: tuple[Line, ...]

    def drawn(self, value: Any, runs: int, rng: np.random.Generator, end: float, beyond: Any = None) -> Any:
        """The line of each run and the last digit of its release; -1 for what lies on none.

        Releases from near the value, or those beyond a cut, as probable as they are there: (the cut, the side of it).
        """
        found = []
        for run in range(runs):
            numbers = rng.standard_normal(self.length)
            g = float(rng.uniform(-4.0, 4.0))
            line, y = self._of(value, numbers, g)
            if beyond is not None and line >= 0:
                g = self._tail(value, line, float(rng.random()), *beyond)
                again, y = self._of(value, numbers, g)
                line = line if again == line else -1
            found.append((line, last_digit(y)))
            if run % 512 == 0 and time.process_time() > end:
                break
        return np.array(found)

    def _of(self, value: Any, numbers: Any, g: float) -> tuple[int, float]:
        """The line, by its number, and the release."""
        numbers[self.at] = g
        try:
            y = float(self.release(value, Tape(numbers))[0])
        except Again:
            return -1, math.nan
        near = [abs(y - value[0] - c - s * g) <= NEAR * abs(s) for s, c in self.lines]
        return (near.index(True) if any(near) else -1), y

    def _tail(self, value: Any, line: int, part: float, cut: float, away: float) -> float:
        """A Gaussian whose release on that line is beyond the cut: so large a part of these are farther out."""
        from scipy.special import ndtr, ndtri

        width, centre = self.lines[line]
        least = away * (cut - value[0] - centre) / abs(width)
        return float(-ndtri(part * ndtr(-least)) * math.copysign(1.0, away * width))


def attack_widths(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(37), time.process_time() + seconds
    for _, r, planned, _, pair in priced_pairs(mask, PLACES, rng, end):
        known = _lines(functools.partial(mask.release, planned), pair[0], rng)
        if known is None:
            return "", {}
        for width, _ in known.lines:
            noise = planned / abs(width) * 2.0 ** round(math.log2(abs(width)))
            event = event_of_noise(mask.known, noise, r)
            made = _lines(functools.partial(mask.release, noise), pair[0], rng)
            if event is None or made is None:
                continue
            for first, second in (pair, pair[::-1]):
                words = _told(made, first, second, event, mask, rng, end + SLOW * seconds)
                if words:
                    return words, {"values": [first, second], "noise": noise, "r": r}
    return "", {}


def _lines(release: Release, value: Any, rng: np.random.Generator) -> Lines | None:
    """The lines on which releases lie, if they are few and more than one."""
    tape = Tape(np.full(LONGEST, 0.25))
    try:
        release(value, tape)
        for at in range(tape.used if tape.used > 1 else 0):
            lines: list[Line] = []
            times: list[int] = []
            for _ in range(LOOKED):
                line = _line(release, value, rng.standard_normal(tape.used), at)
                same = None if line is None else next((k for k, old in enumerate(lines) if _alike(line, old)), -1)
                if same is None or (same < 0 and len(lines) == MOST):
                    break
                if same < 0:
                    lines, times = [*lines, line], [*times, 0]  # type: ignore[list-item]
                times[same] += 1
            else:
                if len(lines) > 1 and min(times) > SELDOM * LOOKED:
                    return Lines(release, tape.used, at, tuple(lines))
    except Again:
        return None
    return None


def _line(release: Release, value: Any, numbers: Any, at: int) -> Line | None:
    """The line of a run, if there is one that is not flat."""
    made = []
    for g in POINTS:
        numbers[at] = g
        made.append(float(release(value, Tape(numbers))[0] - value[0]))
    width = (made[-1] - made[0]) / (POINTS[-1] - POINTS[0])
    centre = made[0] - width * POINTS[0]
    straight = all(abs(y - centre - width * g) <= NEAR / 4 * abs(width) for g, y in zip(POINTS, made, strict=True))
    return (width, centre) if straight and width != 0 else None


def _alike(one: Line, two: Line) -> bool:
    return max(abs(a - b) for a, b in zip(one, two, strict=True)) <= NEAR / 4 * abs(two[0])


def _told(
    known: Lines, first: Any, second: Any, event: Event, mask: Priced, rng: np.random.Generator, end: float
) -> str:
    """What of last digits and cuts refutes the price of the first value against the second; empty for nothing."""
    pilot = known.drawn(first, PILOT, rng, end)
    if (pilot[:, 0] < 0).any():
        return ""
    best: tuple[float, Any] = (1.0, None)
    for digit in np.unique(pilot[:, 1]).tolist():
        for below in (True, False):
            shares = [(pilot[pilot[:, 0] == k, 1] <= digit) == below for k in range(len(known.lines))]
            if max(s.mean() for s in shares if len(s)) - min(s.mean() for s in shares if len(s)) < 0.25:
                continue
            part = np.array([s.sum() / len(pilot) for s in shares])
            most = part * (1 + SURE) + SELDOM_SEEN / COUNTED[1]
            over, at = _over(known, first, second, event, mask, part * (1 - SURE), most)
            if over > best[0]:
                best = over, (digit, below, at)
    if best[1] is None:
        return ""
    digit, below, (epsilon, cut) = best[1]
    alpha = FALSE_ALARM / (8 * len(PLACES) * MOST * MOST)
    limits = []
    beyond = float(first[0]) + cut, math.copysign(1.0, float(first[0] - second[0]))
    for value, runs in zip((first, second), COUNTED, strict=True):
        fresh = known.drawn(value, runs, rng, end, beyond)
        if (fresh[:, 0] < 0).any() or len(fresh) < PILOT:
            return ""
        met = (fresh[:, 1] <= digit) == below
        hits = np.array([(met & (fresh[:, 0] == k)).sum() for k in range(len(known.lines))])
        limits.append(clopper_pearson(hits, len(fresh), alpha))
    p, q = _both(known, first, second, np.array([cut]), limits[0][0], limits[1][1])
    limit = mask.allowed(event, epsilon)
    if p[0] <= (limit + math.exp(epsilon) * q[0]) * (1 + 1e-6):
        return ""
    return (
        f"its last digit tells its width: with a digit of {'at most' if below else 'above'} 2^{digit:g} and a number "
        f"beyond {first[0] + cut:.6g} it is released with a probability of at least {p[0]:.4g}, of a near value of at "
        f"most {q[0]:.4g}, and {event} allows delta({epsilon:g}) = {limit:.4g}"
    )


def _over(
    known: Lines, first: Any, second: Any, event: Event, mask: Priced, least: Any, most: Any
) -> tuple[float, tuple[float, float]]:
    """How many times what is allowed the probabilities seem to be, at most; ε and the cut, as off the first value."""
    away = math.copysign(1.0, float(first[0] - second[0]))
    cuts = np.concatenate([away * abs(width) * CUTS + centre for width, centre in known.lines])
    p, q = _both(known, first, second, cuts, least, most)
    found = [(float((p - math.exp(e) * q).max()) / max(mask.allowed(event, e), LEAST), e) for e in EPSILONS.tolist()]
    over, epsilon = max(found)
    return over, (epsilon, float(cuts[int((p - math.exp(epsilon) * q).argmax())]))


def _both(known: Lines, first: Any, second: Any, cuts: Any, least: Any, most: Any) -> tuple[Any, Any]:
    """The probability of the event for the first value at least, and for the second at most, at each cut."""
    from scipy.special import ndtr

    gap = float(first[0] - second[0])
    away = math.copysign(1.0, gap)
    made = [
        sum(
            share * ndtr(-away * (cuts + moved - centre) / abs(width))
            for share, (width, centre) in zip(shares, known.lines, strict=True)
        )
        for shares, moved in ((least, 0.0), (most, gap))
    ]
    return made[0], made[1]
