"""Masks that compute in floats: what one value releases, and a near one never can, to the last digit.

Where a number of the release rises (or falls) with one Gaussian of its own, what a value can release at all is found by
bisection over the floats that this Gaussian may be: a release that lies between those of two neighbouring floats
is out of its reach. Such releases are counted among draws of the other value, made as the kernel makes them. For sums
in floats a value near 0 and one farther off show most: near 0 floats lie closer than the sums that start from far.
On a lattice every release is within reach of both. A mask that holds is refuted with a chance of at most 1e-10, which
all pairs share: what is out of a value's reach is had with a probability of at most δ, and what it can have by
Gaussians that had no part in the number in 20,000 draws is added. That the release rises is looked at, not proved.
"""

from __future__ import annotations

import functools
import math
import struct
import time
from itertools import pairwise
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.registered_mask import gaussians
from dpframe.kernel.noise import SeededSource
from dpframe.testing.battery.mask_draws import Priced, near_pair
from dpframe.testing.battery.mask_tails import LONGEST, Again, Release, Tape
from dpframe.testing.battery.semimetric_points import takes_part
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-10
PLACES: tuple[tuple[int, float, float, float], ...] = (
    # dimensions, size (0: a value of zeros), ρ, r
    *((1, 0.0, 2.0, 0.5), (1, 1.0, 2.0, 0.5), (1, 0.0, 0.02, 0.5), (1, 1.0, 0.02, 0.5), (3, 0.0, 0.3, 0.5)),
    *((1, 0.0, 0.3, 1e6), (1, 1e3, 0.3, 8.0), (3, 1.0, 0.02, 2.0), (1, 1e12, 2.0, 100.0), (1, 1e-6, 2.0, 1e-6)),
)
ALPHA = FALSE_ALARM / (4 * len(PLACES))
EPSILONS = (30.0, 12.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.3, 0.0)
LEAST = 1e-8
FIX = "add noise on a lattice (dp.lattice_gaussian), or round what is released to a grid that is coarser than floats"
DRAWS, FEW = 300, 30
"""At each place; after a few, all of which are within reach, the next place is taken."""
FAR = 40.0
NEAR, EVENLY = 48, 120
"""Neighbouring floats, and numbers over the whole line, on which a release is seen to rise."""
OTHERS = 20_000
"""Draws of the other Gaussians, none of which may change the number: they hardly ever do, then."""


@attrs.frozen
class Rising:
    """The first number of a release as a function of one of its Gaussians, the others held."""

    release: Release
    value: Any
    numbers: Any
    at: int
    sign: float = 1.0

    def __call__(self, g: float) -> float:
        """The number, turned round where it falls."""
        numbers = self.numbers.copy()
        numbers[self.at] = g
        return self.sign * float(self.release(self.value, Tape(numbers))[0])

    def rises(self, points: Any) -> bool:
        """Whether it does at these."""
        made = [self(float(g)) for g in points]
        return all(a <= b for a, b in pairwise(made))


def attack_floats(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(23), time.process_time() + seconds
    for i, (d, size, rho, r) in enumerate(PLACES):
        priced, start = mask.price(rho, r), None if size else np.zeros(d)
        ways = () if size else (*np.eye(d), -np.eye(d)[0])
        pair = near_pair(mask.space, d, size, r, rng, start=start, ways=ways)
        if priced is None or pair is None or (i > 4 and time.process_time() > end):
            continue
        if not all(takes_part(mask.space, value, r) for value in pair):
            continue
        noise, event = priced
        for first, second in (pair, pair[::-1]):
            hits, tried, most = _out_of_reach(functools.partial(mask.release, noise), first, second, rng, i)
            least = float(clopper_pearson(np.array(hits), max(tried, 1), ALPHA)[0])
            for epsilon in EPSILONS if least else ():
                limit = mask.allowed(event, epsilon)
                if least > max(LEAST, (limit + math.exp(epsilon) * most) * (1 + 1e-6)):
                    words = (
                        f"its numbers tell the value: with a probability of at least {least:.3g} ({hits} of {tried} "
                        f"draws) it releases what a near value does with one of at most {most:.3g}, and {event} "
                        f"allows delta({epsilon:g}) = {limit:.3g}; {FIX}"
                    )
                    return words, {"values": [first, second], "noise": noise, "rho": rho, "r": r}
    return "", {}


def _out_of_reach(
    release: Release, first: Any, second: Any, rng: np.random.Generator, seed: int
) -> tuple[int, int, float]:
    """Of so many draws of the first value, those that the second can't release whatever its Gaussian is.

    And how probable it is at most that the second releases such a thing by its other Gaussians.
    """
    try:
        one, two = (_rising(release, value, rng) for value in (first, second))
    except Again:
        return 0, 0, 1.0
    if one is None or two is None:
        return 0, 0, 1.0
    normals, hits = gaussians(SeededSource(seed)), 0
    for tried in range(DRAWS):
        if tried == FEW and not hits:
            return 0, tried, 0.0
        drawn = normals(len(one.numbers))
        try:
            hits += _beyond(two, two.sign * float(release(first, Tape(drawn))[0]))
        except Again:
            continue
    return hits, DRAWS, _by_others(two, rng)


def _by_others(known: Rising, rng: np.random.Generator) -> float:
    """An upper limit of the probability that another Gaussian than its own has any part in the number."""
    if len(known.numbers) == 1:
        return 0.0
    for drawn in rng.standard_normal((OTHERS, len(known.numbers))):
        try:
            if known.sign * float(known.release(known.value, Tape(drawn))[0]) != known(float(drawn[known.at])):
                return 1.0
        except Again:
            return 1.0
    return 1.0 - float(ALPHA ** (1.0 / OTHERS))


def _rising(release: Release, value: Any, rng: np.random.Generator) -> Rising | None:
    """The first number of the release, if it rises or falls with one Gaussian and depends on no other."""
    tape = Tape(np.full(LONGEST, 0.25))
    release(value, tape)
    numbers = rng.standard_normal(tape.used)
    plain = release(value, Tape(numbers))[0]
    moved = []
    for at in range(tape.used):
        other = numbers.copy()
        other[at] += 0.5
        moved.append(float(release(value, Tape(other))[0] - plain))
    used = [at for at, change in enumerate(moved) if change != 0]
    if len(used) != 1:
        return None
    found = Rising(release, value, numbers, used[0], math.copysign(1.0, moved[used[0]]))
    points = np.sort(np.concatenate([rng.standard_normal(EVENLY), np.linspace(-FAR, FAR, 17)]))
    return found if found.rises(points) else None


def _beyond(known: Rising, y: float) -> bool:
    """Whether a number lies between the releases of two neighbouring floats, amid floats where these rise."""
    low, high = _whole(-FAR), _whole(FAR)
    if not known(-FAR) < y < known(FAR):
        return False  # at an end: what is cut is for another attack
    while high - low > 1:
        middle = (low + high) // 2
        if known(_float(middle)) < y:
            low = middle
        else:
            high = middle
    return known(_float(high)) != y and known.rises([_float(high + k) for k in range(-NEAR, NEAR)])


def _whole(x: float) -> int:
    """The place of a float among all floats, in their order."""
    (bits,) = struct.unpack("<q", struct.pack("<d", x))
    return int(bits) if bits >= 0 else -(bits & (2**63 - 1))


def _float(at: int) -> float:
    (made,) = struct.unpack("<d", struct.pack("<q", at if at >= 0 else -at - 2**63))
    return float(made)
