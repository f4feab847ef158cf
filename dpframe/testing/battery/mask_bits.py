"""Masks by the last binary digit of what they release, at a noise that is a power of two.

There, all that a lattice mask releases are multiples of one power of two; a sum in floats has digits as fine as its
largest term, and a lattice that was shifted (an angle that is wrapped after its noise) has digits as fine as floats
have. So where the last digit stands tells two near values apart, however many Gaussians a number is made of. Some draws
choose an event of the last digit and of the number, fresh ones count it; all places of a mask are wrong together with a
probability of at most :data:`FALSE_ALARM`, whatever it computes.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpframe.kernel.families.registered_mask import gaussians
from dpframe.kernel.families.registering import Mask, Semimetric
from dpframe.kernel.noise import SeededSource
from dpframe.proof.losses import Concentrated, Event
from dpframe.testing.battery import sizes
from dpframe.testing.battery.mask_draws import Priced, near_pair, reach
from dpframe.testing.battery.semimetric_points import distance
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-10
PLAIN = ((0.0, 0.5, 2.0), (1.0, 0.5, 2.0), (0.0, 0.5, 0.02))
"""Size of the value (0: zero), r, ρ."""
PERIODS = (2 * math.pi, math.pi, 360.0, 180.0, 24.0, 12.0, 7.0, 1.0, 60.0, 100.0, 365.0)
MOST_PERIODS, MOST_SEAMS, PART, SEAM_RHO, TURN_RHO, ODD = 16, 4, 8.0, 2.0, 0.02, 13
"""Periods, and seams, that are tried; how many times r goes into a period; ρ there; periods are no multiples of ODD."""
MOST_OVER, FAR_MOVE = 3, 3e6
"""Numbers of its code that a value is moved over, and how far one of about 1 is moved in any case."""
PILOT, DRAWS, UNSEEN, CUTS = 600, 6000, 1 / 150, 9
"""Draws that choose an event, that count it; what the probability of what is not drawn may be; cuts of the number."""
COARSE, MOSTLY = 50, 0.99
"""A mask is on a lattice where so many releases have no digit finer than noise·2^−COARSE."""
KINDS = (
    "its last digit is at most {digit}",
    "its last digit is above {digit}",
    "its last digit is at most {digit} and it is at most {cut}",
    "its last digit is at most {digit} and it is above {cut}",
    "its last digit is above {digit} and it is at most {cut}",
    "its last digit is above {digit} and it is above {cut}",
    "either its last digit is at most {digit} or it is at most {cut}",
    "its last digit is at most {digit} just where it is at most {cut}",
)
EPSILONS = (0.0, 0.1, 0.3, 1.0, 2.0, 3.0, 4.0)
NONE = 5000
"""Stands for the last digit of 0, and with its sign turned for that of what is on no lattice."""


def attack_bits(mask: Priced, seconds: float) -> tuple[str, dict[str, Any], bool]:
    """What refutes its price, in words and numbers (else empty), and whether it is on a lattice elsewhere."""
    end = time.process_time() + seconds
    places = [*_places(mask.known, mask.space)]
    alpha = FALSE_ALARM / (4 * len(EPSILONS) * max(len(places), 1))
    lattice, plain = True, 0
    for at, (pair, rho, r, seam) in enumerate(places):
        odd = ODD if seam else 1
        noise = _round_noise(mask.price(rho, r), odd)
        if noise is None or (at and not seam and time.process_time() > end):
            continue
        event = event_of_noise(mask.known, noise, r)
        draw = functools.partial(_drawn, functools.partial(mask.release, noise), odd)
        pilot = [draw(value, [at, i], PILOT) for i, value in enumerate(pair)]
        if not seam:
            plain += 1
            lattice = lattice and all((p[1] >= math.log2(noise) - COARSE).mean() >= MOSTLY for p in pilot)
        if event is None:
            continue
        for one, two in ((0, 1), (1, 0)):
            over, chosen, words = _chosen(pilot[one], pilot[two], event, mask.allowed)
            if over <= 0:
                continue
            fresh = draw(pair[one], [at, 2 + one], DRAWS), draw(pair[two], [at, 2 + two], DRAWS)
            found = _told(chosen, fresh, event, mask.allowed, alpha)
            if found is not None:
                words = (
                    f"its numbers tell the value: {words} in {found[1]} of {DRAWS} draws, and in {found[2]} of a "
                    f"near value, more than {event} allows at epsilon = {found[0]:g}"
                )
                return words, {"values": [pair[one], pair[two]], "noise": noise, "r": r}, bool(lattice and plain)
    return "", {}, False


def _places(known: Mask, space: Semimetric) -> Iterator[tuple[tuple[Any, Any], float, float, bool]]:
    """Two near values, ρ, r, and whether there is something between them: a number of its code, or a seam.

    Over a seam they are near, as their difference does not show.
    """
    rng = np.random.default_rng(29)
    for size, r, rho in PLAIN:
        start = None if size else np.zeros(1)
        pair = near_pair(space, 1, size, r, rng, start=start, ways=() if size else (np.ones(1), -np.ones(1)))
        if pair is not None:
            yield pair, rho, r, False
    for move in (*(3 * abs(c) for c in sizes.numbers(known.function)[:MOST_OVER]), FAR_MOVE):
        r = reach(space, np.ones(1), move)  # over a size beyond which its lattice may be another
        pair = near_pair(space, 1, 1.0, r, rng)
        if pair is not None:
            yield pair, SEAM_RHO, r, True
    own = [x for f in (known.function, space.distance) for x in sizes.constants(f)]
    seams = 0
    for period in [*dict.fromkeys([*PERIODS, *own])][:MOST_PERIODS]:
        near, far = period / PART, period / PART**3
        beside = near, SEAM_RHO, np.array([0.2 * near]), np.array([period - 0.2 * near])
        turned = far, TURN_RHO, np.array([0.4 * period]), np.array([1.4 * period])
        for r, rho, one, other in (beside, turned):
            within = distance(space, one, other) <= r and distance(space, other, one) <= r
            if within and distance(space, one, other - 5 * r) > r:
                yield (one, other), rho, r, True
                seams += 1
        if seams >= MOST_SEAMS:
            return


def _round_noise(priced: tuple[float, Event] | None, odd: int) -> float | None:
    """The power of two, times an odd number, that is nearest to the noise of a plan."""
    return None if priced is None else odd * 2.0 ** round(math.log2(priced[0] / odd))


def event_of_noise(known: Mask, noise: float, r: float) -> Event | None:
    """What this noise is asserted to cost."""
    try:
        cost = known.cost(noise, r)
        return cost if isinstance(cost, Event) else Concentrated(float(cost))
    except Exception:  # noqa: BLE001  no price is asserted there
        return None


def _drawn(release: Callable[[Any, Any], Any], odd: int, value: Any, seed: Any, count: int) -> Any:
    """The first number of each draw, and the power of two of its last digit."""
    normals = gaussians(SeededSource(int(np.random.default_rng(seed).integers(2**60))))
    numbers = [float(release(value, normals)[0]) for _ in range(count)]
    return np.array([numbers, [last_digit(y, odd) for y in numbers]])


def last_digit(y: float, odd: int = 1) -> int:
    """The exponent of the last binary digit of a float over an odd number; far down where that does not end.

    Examples
    --------
    >>> last_digit(0.75), last_digit(6.0), last_digit(6.0, 3), last_digit(6.0, 7)
    (-2, 1, 1, -5000)
    """
    if y == 0 or not math.isfinite(y):
        return NONE
    top, bottom = y.as_integer_ratio()
    return -NONE if top % odd else (top & -top).bit_length() - bottom.bit_length()


def _chosen(
    first: Any, second: Any, event: Event, allowed: Callable[[Event, float], float]
) -> tuple[float, Callable[[Any], Any], str]:
    """By how much an event of last digit and number seems too probable, at most; the event, and its words."""
    best, chosen, words = 0.0, functools.partial(_holds, 0, 0.0, 0.0), ""
    cuts = np.quantile(np.concatenate([first[0], second[0]]), np.linspace(0, 1, CUTS))
    for digit in np.unique(np.concatenate([first[1], second[1]])).tolist():
        for kind, name in enumerate(KINDS):
            for cut in cuts.tolist() if kind > 1 else cuts[:1].tolist():
                tried = functools.partial(_holds, kind, digit, cut)
                p, q = (float(tried(drawn).mean()) for drawn in (first, second))
                over = max(p - math.exp(e) * (q + UNSEEN) - allowed(event, e) for e in EPSILONS)
                if over > best:
                    best, chosen, words = over, tried, name.format(digit=f"2^{digit:g}", cut=f"{cut:.6g}")
    return best, chosen, words


def _holds(kind: int, digit: float, cut: float, drawn: Any) -> Any:
    """Which draws are in an event of :data:`KINDS`."""
    fine, low = drawn[1] <= digit, drawn[0] <= cut
    made = (fine, ~fine, fine & low, fine & ~low, ~fine & low, ~fine & ~low, fine ^ low, ~(fine ^ low))
    return made[kind]


def _told(
    event_of: Callable[[Any], Any], drawn: tuple[Any, Any], event: Event, allowed: Any, alpha: float
) -> tuple[float, int, int] | None:
    """ε and the two counts where an event is more probable for the first than for the second is allowed."""
    hits, others = (int(event_of(made).sum()) for made in drawn)
    fresh = drawn[0].shape[1]
    least = float(clopper_pearson(np.array(hits), fresh, alpha)[0])
    most = float(clopper_pearson(np.array(others), fresh, alpha)[1])
    for epsilon in EPSILONS:
        if least > (allowed(event, epsilon) + math.exp(epsilon) * most) * (1 + 1e-6):
            return epsilon, hits, others
    return None
