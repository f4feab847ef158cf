"""Masks on values that are something as a whole: of length one, shares, centred, in order; beside values that are not.

A mask that keeps what a value is (a direction stays one, shares stay shares, quantiles stay in order) tells by this
that the value was so, however much noise it adds. With much noise two near values must look nearly alike, so that a few
draws show it; where these suggest it, fresh draws decide.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpframe.proof.losses import Event, Loss, tightest_epsilon
from dpframe.testing.battery import scanned, sizes, special
from dpframe.testing.battery.mask_draws import Priced, draws, near_pair
from dpframe.testing.battery.semimetric_points import distance, takes_part
from dpframe.testing.estimation import lower_bounds

Pair = tuple[str, float, float, Event, tuple[Any, Any]]
DIMENSIONS, RHO, RADIUS, DELTA = (3, 4, 2, 1), 0.02, 0.5, 0.15
"""Numbers of a value; a price at which two near values look nearly alike."""
WITHIN = (1.01, 2.01, 10.01, 101.0)
"""Distances beyond which some are never."""
SCANNED, SCANS = (2, 1, 4), 0.15
"""Numbers of values that are looked through for odd ones, and seconds for each."""
FEW, APART, FALSE_ALARM, MOST_PAIRS = 100, 0.3, 1e-7, 48
"""Draws at a glance, by how much a share must differ there beyond what is allowed, and the chance of a false alarm."""


def attack_special(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(29), time.process_time() + seconds
    for words, r, noise, event, pair in itertools.chain(_far(mask), _near(mask, rng, end)):
        release, allowed = functools.partial(mask.release, noise), tightest_epsilon(Loss.of(event), DELTA)[0]
        few = [_told(np.array([release(one, rng.standard_normal) for _ in range(FEW)])) for one in pair]
        if _apart(few) < mask.allowed(event, 0.0) + APART:
            continue
        first, second = map(_told, draws(release, pair, rng, seconds))
        (bound,) = lower_bounds(first, second, (DELTA,), alpha=FALSE_ALARM / MOST_PAIRS)
        if bound.epsilon > allowed:
            shown = {"values": list(pair), "noise": noise, "rho": RHO, "r": r, "event": bound.event}
            told = f"epsilon is at least {bound.epsilon:.4g} at delta = {DELTA:g}, and {event} allows {allowed:.4g}"
            return f"of {words}, {told}", shown
    return "", {}


def _near(mask: Priced, rng: Any, end: float) -> Iterator[Pair]:
    """A value that is something as a whole, or that it treats in a way of its own, and a near one."""
    priced = mask.price(RHO, RADIUS)
    if priced is None:
        return
    listed = (one for d in DIMENSIONS for one in special.values(d))
    for words, value in itertools.chain(listed, _odd(mask, functools.partial(mask.release, priced[0]))):
        if time.process_time() > end:
            return
        way = np.array(special.OFF[: len(value)])
        pair = near_pair(mask.space, len(value), 1.0, RADIUS, rng, start=value, ways=[way, -way])
        if pair is not None and all(takes_part(mask.space, one, RADIUS) for one in pair):
            yield f"{words} and a value near it", RADIUS, *priced, pair


def _far(mask: Priced) -> Iterator[Pair]:
    """Two values that are far apart as numbers and within r in a distance that is never larger than that."""
    for r, d in itertools.product(WITHIN, (1, 3)):
        priced = mask.price(RHO, r)
        if priced is None or not np.isfinite(priced[0]):
            continue
        one = np.array(special.OFF[:d]) + 1.0
        for way in (np.array(special.OFF[:d]), np.ones(d)):
            other = one + 100.0 * max(priced[0], r) * way
            apart = max(distance(mask.space, one, other), distance(mask.space, other, one))
            if apart <= r and all(takes_part(mask.space, value, r) for value in (one, other)):
                yield f"two values that are not further apart than {r:g}", r, *priced, (one, other)


def _odd(mask: Priced, release: Callable[[Any, Any], Any]) -> Iterator[tuple[str, Any]]:
    """Values to which it does what it does to few."""
    same = np.random.default_rng(31).standard_normal(64)
    for d in SCANNED:
        done = functools.partial(_done, release, same)
        for value in scanned.odd(done, scanned.vectors(d, sizes.numbers(mask.known.function)), SCANS):
            yield "a value that it treats in a way of its own", value


def _done(release: Callable[[Any, Any], Any], same: Any, value: Any) -> Any:
    """What is added to it, as far as floats tell."""
    made = np.asarray(release(value, lambda count: same[:count].copy()), dtype=np.float64)
    return np.round((made - value) * 2**20, 0) if made.shape == value.shape else None


def _told(y: Any) -> Any:
    """What draws are: their numbers, total, length, least, largest, whether they rise, and how far from whole."""
    parts = [y[:, :4], y.sum(axis=1), np.square(y).sum(axis=1), y.min(axis=1), y.max(axis=1)]
    if y.shape[1] > 1:
        gaps = np.diff(y, axis=1)
        parts += [gaps.min(axis=1), gaps.max(axis=1), np.abs(y).min(axis=1)]
    parts.append(np.abs(y - np.round(y)).max(axis=1))
    return np.clip(np.nan_to_num(np.column_stack(parts)), -1e9, 1e9)


def _apart(few: list[Any]) -> float:
    """The largest difference of the shares of two samples that are above a number, or not below it, in any column."""
    most = 0.0
    for first, second in zip(few[0].T, few[1].T, strict=True):
        cuts = np.concatenate([first, second])
        for end in ("left", "right"):
            one, two = (np.searchsorted(np.sort(side), cuts, side=end) / FEW for side in (first, second))
            most = max(most, float(np.abs(one - two).max()))
    return most
