"""Masks on values that are something as a whole: of length one, shares, centred, in order; beside values that are not.

A mask that keeps what a value is (a direction stays one, shares stay shares, quantiles stay in order) tells by this
that the value was so, however much noise it adds. With much noise two near values must look nearly alike, so that a few
draws show it; where these suggest it, fresh draws decide.
"""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from dpframe.proof.losses import Loss, tightest_epsilon
from dpframe.testing.battery import special
from dpframe.testing.battery.mask_draws import Priced, draws, near_pair
from dpframe.testing.battery.semimetric_points import takes_part
from dpframe.testing.estimation import lower_bounds

DIMENSIONS, RHO, RADIUS, DELTA = (3, 4, 2, 1), 0.02, 0.5, 0.15
"""Numbers of a value; a price at which two near values look nearly alike."""
FEW, APART, FALSE_ALARM, MOST_PAIRS = 100, 0.3, 1e-7, 48
"""Draws at a glance, by how much a share must differ there beyond what is allowed, and the chance of a false alarm."""


def attack_special(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(29), time.process_time() + seconds
    priced = mask.price(RHO, RADIUS)
    if priced is None:
        return "", {}
    noise, event = priced
    release, allowed = functools.partial(mask.release, noise), tightest_epsilon(Loss.of(event), DELTA)[0]
    for words, value in (one for d in DIMENSIONS for one in special.values(d)):
        if time.process_time() > end:
            break
        way = np.array(special.OFF[: len(value)])
        pair = near_pair(mask.space, len(value), 1.0, RADIUS, rng, start=value, ways=[way, -way])
        if pair is None or not all(takes_part(mask.space, one, RADIUS) for one in pair):
            continue
        few = [_told(np.array([release(one, rng.standard_normal) for _ in range(FEW)])) for one in pair]
        if _apart(few) < mask.allowed(event, 0.0) + APART:
            continue
        first, second = map(_told, draws(release, pair, rng, seconds))
        (bound,) = lower_bounds(first, second, (DELTA,), alpha=FALSE_ALARM / MOST_PAIRS)
        if bound.epsilon > allowed:
            shown = {"values": list(pair), "noise": noise, "rho": RHO, "r": RADIUS, "event": bound.event}
            told = f"epsilon is at least {bound.epsilon:.4g} at delta = {DELTA:g}, and {event} allows {allowed:.4g}"
            return f"of {words} and a value near it, {told}", shown
    return "", {}


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
