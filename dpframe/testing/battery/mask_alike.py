"""Masks on values that their semimetric takes for nearly the same although their numbers are not, and on its edges.

A distance of axes, of sets, of shapes or of factors is 0 between values that are another sign, order, place or turn of
each other; a mask that adds noise to the numbers as they come tells these apart. One that brings them into a form of
its own first, the first number positive or the numbers in order, does so where that form jumps: on both sides of a
zero, of two equal numbers, of two opposite ones. Such pairs are told apart at a glance, by a few hundred draws, or not
at all; where the few suggest it, fresh draws decide.
"""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from dpframe.kernel.families.registering import Semimetric
from dpframe.proof.losses import Loss, tightest_epsilon
from dpframe.proof.roots import boundary
from dpframe.testing.battery import sizes
from dpframe.testing.battery.mask_draws import PILOT, Priced, draws, features, lattice, near_pair
from dpframe.testing.battery.semimetric_points import distance, takes_part
from dpframe.testing.estimation import lower_bounds

DIMENSIONS, RHO, RADIUS, DELTA = (1, 2, 4, 3, 9), 2.0, 0.5, 0.15
"""Numbers of a value, squares among them: a factor of two by two turns as well."""
FEW, APART, FALSE_ALARM, MOST_PAIRS = 150, 0.15, 1e-7, 64
"""Draws at a glance, by how much a share must differ there beyond what is allowed, and the chance of a false alarm."""
MOST_OWN = 6
"""Numbers of the code that stand in values."""
LARGEST = 3.0
"""How much larger two numbers are than the others, whose signs or order decide a form."""


def attack_alike(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end, tried = np.random.default_rng(17), time.process_time() + seconds, 0
    priced = mask.price(RHO, RADIUS)
    if priced is None:
        return "", {}
    noise, event = priced
    release, allowed = functools.partial(mask.release, noise), tightest_epsilon(Loss.of(event), DELTA)[0]
    for words, pair in _pairs(mask.space, sizes.numbers(mask.known.function)[:MOST_OWN], rng):
        if tried == MOST_PAIRS or time.process_time() > end:
            break
        tried += 1
        few = [np.array([release(value, rng.standard_normal) for _ in range(FEW)]) for value in pair]
        if _glance(few) < mask.allowed(event, 0.0) + APART:
            continue
        drawn = draws(release, pair, rng, seconds)
        step = lattice(drawn[0][:PILOT, 0])
        first, second = (features(y[PILOT:], pair, drawn[0][0, 0], step) for y in drawn)
        (bound,) = lower_bounds(first, second, (DELTA,), alpha=FALSE_ALARM / MOST_PAIRS)
        if bound.epsilon > allowed:
            shown = {"values": list(pair), "noise": noise, "rho": RHO, "r": RADIUS, "event": bound.event}
            told = f"epsilon is at least {bound.epsilon:.4g} at delta = {DELTA:g}, and {event} allows {allowed:.4g}"
            return f"of {words}, which are at a distance of {distance(mask.space, *pair):.3g}, {told}", shown
    return "", {}


def _glance(few: list[Any]) -> float:
    """The largest difference of the shares of two samples that are above a number, in any place."""
    most = 0.0
    for first, second in zip(few[0].T, few[1].T, strict=True):
        cuts = np.concatenate([first, second])
        shares = [np.searchsorted(np.sort(side), cuts, side="right") / len(side) for side in (first, second)]
        most = max(most, float(np.abs(shares[0] - shares[1]).max()))
    return most


def _pairs(space: Semimetric, own: list[float], rng: np.random.Generator) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Names and pairs of values within the radius that are far apart as numbers, or stand on both sides of an edge.

    And of values that a mask may take for codes: its ``own`` numbers, and what lies near them.
    """
    for d, number in itertools.product((1, 3), own):
        for words, alike in (("in every place", np.ones(d)), ("in the first place", np.eye(d)[0]))[:d]:
            value = np.where(alike > 0, number, 0.5)
            found = near_pair(space, d, 1.0, RADIUS, rng, start=value, ways=[np.eye(d)[-1], np.ones(d)])
            if found is not None:
                yield f"a value with {number:g} {words} and one near it", found
    for d in DIMENSIONS:
        value = (0.5 + rng.random(d)) * rng.choice([-1.0, 1.0], d)
        for words, other in _turned(value, rng):
            if _near(space, value, other) and np.abs(other - value).max() > RADIUS:
                yield words, (value, other)
        for words, middle, way in _edges(d, rng):
            found = _across(space, middle, way)
            if found is not None:
                yield words, found


def _turned(value: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """The same value in other signs, orders, places, sizes and turns."""
    d = len(value)
    yield "a value and its opposite", -value
    yield "a value with another sign of one number", value * np.where(np.arange(d) == d - 1, -1.0, 1.0)
    yield "a value and its reverse", value[::-1].copy()
    yield "a value in another order", rng.permutation(value)
    yield "a value a place further", np.roll(value, 1)
    yield "a value and the same one moved", value + 1.0
    yield "a value and the same one moved far", value + 1e3
    yield "a value and twice as much", 2 * value
    yield "a value and a thousand times as much", 1e3 * value
    yield "a value and a whole number more", value + np.eye(d)[0]
    yield "a value and a turn more", value + 2 * math.pi * np.eye(d)[0]
    yield "a product of another split", value * np.resize([2.0, 0.5], d)
    k = math.isqrt(d)
    if k > 1 and k * k == d:
        square, turn = value.reshape(k, k), np.linalg.qr(rng.standard_normal((k, k)))[0]
        for words, made in (("turned", square @ turn), ("turned before", turn @ square), ("transposed", square.T)):
            yield f"a factor and the same one {words}", made.reshape(-1).copy()


def _edges(d: int, rng: np.random.Generator) -> Iterator[tuple[str, Any, Any]]:
    """Names, values at which a form jumps, and the way across."""
    plain, unit = (0.5 + rng.random(d)) * rng.choice([-1.0, 1.0], d), np.eye(d)
    for at in dict.fromkeys((0, d - 1)):
        yield "values on both sides of a zero", np.where(np.arange(d) == at, 0.0, plain), unit[at]
    if d > 1:
        ends = np.isin(np.arange(d), (0, 1))
        equal, sign = np.where(ends, LARGEST, plain), np.where(np.arange(d) == 1, -1.0, 1.0)
        yield "values on both sides of two equal numbers", equal, unit[0] - unit[1]
        yield "values on both sides of two opposite numbers", equal * sign, unit[0] + unit[1]


def _near(space: Semimetric, a: Any, b: Any) -> bool:
    within = distance(space, a, b) <= RADIUS and distance(space, b, a) <= RADIUS
    return within and takes_part(space, a, RADIUS) and takes_part(space, b, RADIUS)


def _across(space: Semimetric, middle: Any, way: Any) -> tuple[Any, Any] | None:
    """Values on both sides, as far apart as the radius allows but no further than it as numbers; None if none are."""
    within = functools.partial(_both_sides, space, middle, way)
    if within(RADIUS / 2):
        step = RADIUS / 2
    else:
        step, _ = boundary(within, 0.0, RADIUS / 2, steps=40)
    return (middle - step * way, middle + step * way) if step > 0 and within(step) else None


def _both_sides(space: Semimetric, middle: Any, way: Any, step: float) -> bool:
    return _near(space, middle - step * way, middle + step * way)
