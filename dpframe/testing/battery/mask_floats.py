"""Masks that compute in floats: what one value releases, and a near one never can, to the last digit.

Where a number of the release rises (or falls) with one Gaussian of its own, what a value can release at all is found by
bisection over the floats that this Gaussian may be: a release that lies between those of two neighbouring floats
is out of its reach. Such releases are counted among draws of the other value, made as the kernel makes them. For sums
in floats a value near 0 and one farther off show most: near 0 floats lie closer than the sums that start from far.
On a lattice every release is within reach of both. A mask that holds is refuted with a chance of at most 1e-10, which all
pairs share: releases that are out of a value's reach have a probability of at most δ, so many of few draws are not had.
"""

from __future__ import annotations

import functools
import math
import struct
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.registered_mask import gaussians
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.registry import Mask, Semimetric
from dpframe.proof.losses import Event
from dpframe.testing.battery.mask_draws import near_pair
from dpframe.testing.battery.mask_tails import LONGEST, Again, Release, Tape
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-10
PLACES: tuple[tuple[int, float, float, float], ...] = (
    # dimensions, size (0: a value of zeros), ρ, r
    *((1, 0.0, 2.0, 0.5), (1, 1.0, 2.0, 0.5), (1, 0.0, 0.02, 0.5), (1, 1.0, 0.02, 0.5), (3, 0.0, 0.3, 0.5)),
    *((1, 0.0, 0.3, 1e6), (1, 1e3, 0.3, 8.0), (3, 1.0, 0.02, 2.0), (1, 1e12, 2.0, 100.0), (1, 1e-6, 2.0, 1e-6)),
)
DRAWS, FEW = 300, 30
"""At each place; after a few, all of which are within reach, the next place is taken."""
FAR = 40.0
NEAR, EVENLY = 48, 120
"""Neighbouring floats, and numbers over the whole line, on which a release is seen to rise."""


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


def attack_floats(
    known: Mask,
    space: Semimetric,
    release: Callable[[float, Any, Any], Any],
    price: Callable[[float, float], tuple[float, Event] | None],
    allowed: Callable[[Event, float], float],
    seconds: float,
) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does.

    The parameters are those of :func:`dpframe.testing.battery.mask_tails.attack_tails`.
    """
    rng, end = np.random.default_rng(23), time.process_time() + seconds
    for i, (d, size, rho, r) in enumerate(PLACES):
        priced, start = price(rho, r), None if size else np.zeros(d)
        pair = near_pair(space, d, size, r, rng, start=start, ways=() if size else [*np.eye(d), -np.eye(d)[0]])
        if priced is None or pair is None or (i > 4 and time.process_time() > end):
            continue
        if space.usable is not None and not all(space.usable(value, r) for value in pair):
            continue
        noise, event = priced
        limit = allowed(event, 30.0)
        for first, second in (pair, pair[::-1]):
            hits, tried = _out_of_reach(functools.partial(release, noise), first, second, rng, i)
            least = float(clopper_pearson(np.array(hits), max(tried, 1), FALSE_ALARM / (2 * len(PLACES)))[0])
            if least > max(1e-8, 2 * limit):
                words = (
                    f"its numbers tell the value: with a probability of at least {least:.3g} it releases what a near "
                    f"value never does ({hits} of {tried} draws), and {event} allows {limit:.3g}; add noise on a lattice "
                    f"(dp.lattice_gaussian) or round what is released to a grid"
                )
                return words, {"values": [first, second], "noise": noise, "rho": rho, "r": r}
    return "", {}


def _out_of_reach(release: Release, first: Any, second: Any, rng: np.random.Generator, seed: int) -> tuple[int, int]:
    """Of so many draws of the first value, those that the second can't release whatever its Gaussians are."""
    try:
        found = [_rising(release, value, rng) for value in (first, second)]
    except Again:
        return 0, 0
    one, two = found
    if one is None or two is None:
        return 0, 0
    normals, hits = gaussians(SeededSource(seed)), 0
    for tried in range(DRAWS):
        if tried == FEW and not hits:
            return 0, tried
        drawn = normals(len(one.numbers))
        try:
            hits += _beyond(two, two.sign * float(release(first, Tape(drawn))[0]))
        except Again:
            continue
    return hits, DRAWS


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
