"""What masks are compared on: two near values of a size or kind, draws of each, and what tells them apart."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.registering import Mask, Semimetric
from dpframe.proof.losses import Event
from dpframe.proof.roots import boundary
from dpframe.testing.battery.semimetric_points import distance, takes_part

MOST_DRAWS, LEAST_DRAWS, FAR = 12_000, 4_000, 1e9
ACROSS = "across"
"""The kind of two values on both sides of 0."""
PILOT, BITS = 64, 20
"""Draws that are looked at for a lattice of their own; a step must be this many bits above the rounding of floats."""

STEPS = tuple(part * 10.0**e for e in range(-6, 4) for part in (0.5, 1.0, 0.25))
"""Where values are rounded or cut off: to whole numbers, halves, and parts or multiples of ten."""
NEAR, STEP_RHO, FAR_OFF = 1e-6, 0.5, 4.0


@attrs.frozen
class Priced:
    """A mask as a plan uses it: what it releases, and at which price.

    Attributes
    ----------
    known, space : Mask, Semimetric
    release : callable
        (noise, value, source of Gaussians) -> what is released.
    price : callable
        (ρ, r) -> the noise that a plan gives it and what is asserted of it; None where no plan does.
    allowed : callable
        (event, ε) -> δ, from above.
    """

    known: Mask
    space: Semimetric
    release: Callable[[float, Any, Any], Any]
    price: Callable[[float, float], tuple[float, Event] | None]
    allowed: Callable[[Event, float], float]


def priced_pairs(
    mask: Priced, places: Sequence[tuple[float, float]], rng: np.random.Generator, end: float, *, sure: int = 1
) -> Iterator[tuple[float, float, float, Event, tuple[Any, Any]]]:
    """At each (ρ, r) that a plan gives a price at: ρ, r, the noise, what it costs, two numbers that are so near.

    The first few are looked at however late it is, the others until the processor time ``end``.
    """
    for i, (rho, r) in enumerate(places):
        priced, pair = mask.price(rho, r), near_pair(mask.space, 1, 1.0, r, rng)
        if priced is not None and pair is not None and (i < sure or time.process_time() <= end):
            yield rho, r, *priced, pair


def over_steps(mask: Priced, own: Sequence[float], rng: np.random.Generator) -> Iterator[tuple[Any, float, float]]:
    """Two values on both sides of where numbers are rounded, far closer than the step, with ρ and r; if that shows.

    With the same Gaussians what is released of them should differ by about as much as they do, and the noise.
    """
    for at in [*STEPS, *own]:
        start = np.array([at * (1 - NEAR / 30)])
        for r in dict.fromkeys((reach(mask.space, start, NEAR * at), NEAR)):
            priced = mask.price(STEP_RHO, r)
            pair = near_pair(mask.space, 1, 1.0, r, rng, start=start, ways=[np.ones(1)])
            if priced is None or pair is None or not all(takes_part(mask.space, value, r) for value in pair):
                continue
            made = [mask.release(priced[0], value, lambda count: np.full(count, 0.25))[0] for value in pair]
            if abs(made[1] - made[0]) > FAR_OFF * (abs(pair[1] - pair[0])[0] + priced[0]):
                yield pair, STEP_RHO, r


def reach(known: Semimetric, start: Any, move: float) -> float:
    """How far a vector is from itself with all numbers larger by ``move``: as r, so that a mask sees both.

    ``move`` itself where that is no distance of near vectors: 0, or not finite.

    Examples
    --------
    >>> squared = Semimetric("example.squared", lambda a, b: float(((a - b) ** 2).sum()), lambda r: 2.0)
    >>> reach(squared, np.ones(1), 3000.0)
    9000000.0
    """
    with np.errstate(all="ignore"):
        r = max(distance(known, start, start + move), distance(known, start + move, start))
    return r if 0 < r < math.inf else move


def near_pair(
    known: Semimetric,
    d: int,
    size: float | str,
    r: float,
    rng: np.random.Generator,
    *,
    start: Any = None,
    ways: Sequence[Any] = (),
) -> tuple[Any, Any] | None:
    """Two vectors of about this size, or of this kind, at a distance of at most r, and nearly that.

    Or from a vector that is given, in the first of these directions in which there is one.
    """
    if size == ACROSS:
        return _across(known, d, r, rng)
    for attempt in range(len(ways) or 8):
        a = _value(d, size, rng) if start is None else start
        every = (np.eye(d)[int(rng.integers(d))], rng.standard_normal(d), np.resize([1.0, -1.0], d), np.ones(d))
        way = ways[attempt] if ways else every[(attempt + d + int(rng.integers(2))) % len(every)]
        way = way * (float(np.abs(a).max() or 1.0) / max(float(np.abs(way).max()), 1e-300))
        within = functools.partial(_within, known, a, way, r)
        low, high = 0.0, 2.0**-60
        while high < 2.0**60 and within(high):
            high *= 2
        if high >= 2.0**60:
            continue
        low, _ = boundary(within, low, high, steps=60)
        b = a + low * way
        if r >= distance(known, a, b) > 0.9 * r and r >= distance(known, b, a):
            return a, b
    return None


def _across(known: Semimetric, d: int, r: float, rng: np.random.Generator) -> tuple[Any, Any] | None:
    """A vector and its opposite, at a distance of at most r and nearly that: all its numbers change their signs."""
    way = _value(d, "signs", rng)

    def within(step: float) -> bool:
        return _within(known, -step * way, way, r, 2 * step)

    high = 2.0**-60
    while high < 2.0**60 and within(high):
        high *= 2
    if high >= 2.0**60:
        return None
    low, _ = boundary(within, 0.0, high, steps=60)
    a, b = -low * way, low * way
    if not low > 0 or not takes_part(known, a, r) or not takes_part(known, b, r):
        return None  # positive values alone are masked, or distances do not depend on the size
    return (a, b) if r >= distance(known, a, b) > 0.9 * r and r >= distance(known, b, a) else None


def _value(d: int, size: float | str, rng: np.random.Generator) -> Any:
    """A vector of this size, or one of the kind that is named."""
    near = 0.5 + rng.random(d)
    if not isinstance(size, str):
        return size * near
    kinds = {
        "signs": near * np.resize([-1.0, 1.0, -1.0], d),
        "zeros": near * (np.arange(d) % 2),
        "origin": np.zeros(d),
        "whole": np.round(near * 8),
        "equal": np.full(d, near[0]),
        "uneven": near * 10.0 ** (np.arange(d) * 2.0),
    }
    return kinds[size]


def _within(known: Semimetric, a: Any, way: Any, r: float, step: float) -> bool:
    return distance(known, a, a + step * way) <= r and distance(known, a + step * way, a) <= r


def draws(release: Callable[[Any, Any], Any], pair: Any, rng: np.random.Generator, seconds: float) -> list[Any]:
    """Releases of each of two values, by a function of a value and a source of Gaussians."""
    streams = rng.spawn(2)
    rows: list[list[Any]] = [[], []]
    end = time.process_time() + seconds
    for i in range(MOST_DRAWS):
        for kept, value, stream in zip(rows, pair, streams, strict=True):
            kept.append(release(value, stream.standard_normal))
        if i > LEAST_DRAWS and time.process_time() > end:
            break
    return [np.array(kept) for kept in rows]


def lattice(y: Any) -> float:
    """The step of a lattice on which all these numbers lie, far above the rounding of floats; 0 where there is none."""
    least = float(np.abs(y).max()) * 2.0 ** (BITS - 52)
    gaps = np.sort(np.abs(y[1:] - y[0]))[::-1].tolist()
    longest = step = gaps[0]
    for gap in gaps[1:]:
        rest = gap
        while rest > least:  # Euclid's algorithm, in floats
            step, rest = rest, math.fmod(step, rest)
            rest = 0.0 if step - rest <= least else rest
        step = longest / max(round(longest / step), 1) if step > 0 else 0.0
    return step if step > 4 * least else 0.0


def features(y: Any, pair: Any, origin: float, step: float) -> Any:
    """Along the way from one value to the other, across it, coordinates and what they share, distances, sizes.

    And what tells of the numbers that a release can be: its place on a lattice of all releases, and how many
    digits it has beyond each of the values.
    """
    a, b = pair
    way = b - a
    length = float(np.abs(way).max()) or 1.0
    moved = (y - a) / length
    along = moved @ (way / length)
    away = [np.abs(moved).max(axis=1), np.abs((y - b) / length).max(axis=1)]
    spread = moved - moved[:, :1]
    place = np.remainder((y[:, 0] - origin) / step + 0.25, 1.0) if step else np.zeros(len(y))
    digits = [_digits(y[:, 0] - value[0]) for value in pair]
    with np.errstate(all="ignore"):
        logs = np.log(np.abs(y[:, :2]))
    common = [along, *away, np.round(place, 2), *digits, moved[:, :6], spread[:, 1:3]]
    seen = np.column_stack([*common, np.nan_to_num(logs, neginf=-1e3)])
    return np.clip(seen, -FAR, FAR)


def _digits(x: Any) -> Any:
    """The binary digits of each number from its first to its last, a few or many: 32 stands for all above."""
    whole = np.frexp(x)[0] * 2.0**53
    last = np.ones(len(x))
    for power in range(21, 53):
        last = np.where(np.remainder(whole, 2.0**power) == 0, power + 1.0, last)
    return np.minimum(54.0 - last, 32.0)
