"""Vectors that semimetrics are attacked on, distances of them as the kernel asks, and the error of these in floats."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.registered_models import quiet
from dpframe.kernel.families.registering import Semimetric
from dpframe.testing.battery import sizes

DIMENSIONS = tuple(range(1, 11))
MANY, EVERY = (16, 33, 64, 100), 4
"""More dimensions, tried in one round of so many."""
MOST_DIMENSIONS, MOST_OWN = 64, 8
MAGNITUDES = tuple(10.0**e for e in range(-6, 13))
LENGTHS = (1.0, 2.0, 0.5, 1e-3, 1e-6, 30.0, 1e3, 1e6, 1e9)
"""How far apart points are, next to their own size."""
RELATIVE, ULPS, MARGIN, JITTERS = 1e-7, (2.0**6, 2.0**14, 2.0**22), 8.0, 15
ADDED, MOST_ADDED = 2.0**-48, 1e3
"""Rounding of a sum with a number in the code, by that number, and the largest such number that is thought of."""
Triple = tuple[Any, Any, Any]


@attrs.frozen
class Finding:
    """A refuted property, with the points."""

    layer: str
    message: str
    points: tuple[Any, ...]


def distance(known: Semimetric, a: Any, b: Any) -> float:
    """As the kernel asks for it: what raises, and what is no number, is far."""
    try:
        with quiet():
            found = float(np.reshape(known.distance(a.copy(), (b[None] if known.many else b).copy()), 1)[0])
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  the kernel takes it as far
        return math.inf
    return math.inf if math.isnan(found) else found


def takes_part(known: Semimetric, value: Any, r: float) -> bool:
    """Whether a value is usable, as the kernel asks."""
    try:
        return known.usable is None or bool(known.usable(value.copy(), r))
    except Exception:  # noqa: BLE001  the kernel leaves it out
        return False


def triples_of(known: Semimetric, rng: np.random.Generator) -> Iterator[Triple]:
    """Points on a line, corners, random ones: first at the size of one in all dimensions, then all sizes."""
    yield from _at_numbers(sizes.constants(known.distance)[:MOST_OWN])
    own = [x for c in [*sizes.constants(known.distance), *sizes.constants(known.triangle)] for x in (c, 1 / c)]
    scales = [1.0, *MAGNITUDES, *own]
    dimensions = [*DIMENSIONS, *(m for m in sizes.around(own, MOST_DIMENSIONS) if m not in DIMENSIONS)]
    for round_ in range(10**6):
        for d in dimensions if round_ % EVERY else (*dimensions, *MANY):
            size = 1.0 if round_ == 0 else float(scales[int(rng.integers(len(scales)))])
            length = size * float(LENGTHS[int(rng.integers(len(LENGTHS)))])
            if own and rng.random() < 0.2:
                length = float(own[int(rng.integers(len(own)))]) * float(rng.choice([0.6, 0.9, 1.5]))
            if size > 1e13 or length > 1e18:
                continue
            yield from _placed(d, size, length, rng)


def _at_numbers(numbers: list[float]) -> Iterator[Triple]:
    """Points that are a number of the code apart, or nearly, and one near the second: a turn may end there."""
    for d, number in ((d, number) for d in (1, 2) for number in numbers):
        axis = np.eye(d)[-1]
        for length in (number, number - 1, number + 1, 0.999 * number, 1.001 * number, 2 * number, number / 2):
            for near in (0.3, -0.3, 0.01 * number, -0.01 * number):
                yield 0 * axis, length * axis, (length + near) * axis
            yield number * axis, (number + length) * axis, (number + length + 0.3) * axis


def _placed(d: int, size: float, length: float, rng: np.random.Generator) -> Iterator[Triple]:
    base = size * (0.5 + rng.random(d))
    if rng.random() < 0.4:
        base = base * rng.choice([-1.0, 0.0, 1.0], d)
    way, other = length * rng.standard_normal(d), length * rng.standard_normal(d)
    axis = length * np.eye(d)[int(rng.integers(d))]
    second = length * np.eye(d)[int(rng.integers(d))]
    share = float(rng.choice([0.5, 0.5, rng.random(), 1e-3]))
    for step in (way, axis):
        yield base, base + share * step, base + step
    yield base, base + axis, base + axis + second
    yield base + way, base, base + other
    yield base, base * float(rng.choice([1.5, 3.0, 1e3])), base * float(rng.choice([2.0, 9.0, 1e6]))
    with np.errstate(all="ignore"):
        grown = [base * np.exp(t * rng.standard_normal(d)) for t in (0.5, 2.0)]
    yield base, grown[0], grown[1]
    yield np.abs(base), np.abs(grown[0]), np.abs(base + way) + 1e-9 * size


def error_of(known: Semimetric, a: Any, b: Any, ulps: tuple[float, ...] = ULPS) -> float:
    """How far the distance moves when its arguments move in their last bits, with a margin.

    And the rounding of what is added to the numbers in its code, such as a turn of a circle: that is there however
    small its arguments are.
    """
    rng = np.random.default_rng(2)
    centre = distance(known, a, b)
    most = 0.0
    for i in range(JITTERS):
        unit = ulps[i % len(ulps)] * 2.0**-52
        near = [x * (1 + unit * rng.uniform(-1, 1, len(x))) for x in (a, b)]
        found = distance(known, *near)
        if math.isfinite(found):
            most = max(most, abs(found - centre))
    added = max((abs(x) for x in sizes.numbers(known.distance) if abs(x) <= MOST_ADDED), default=0.0)
    return MARGIN * most + ADDED * max(added, 1.0)
