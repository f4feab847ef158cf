"""Masks of one number that are made of two Gaussians, such as their product: the law between two bounds.

The plane of the two Gaussians is cut into rectangles of known probability. Where the release is monotone in each of
the two, what it can be on a rectangle lies between what it is at the corners. So the probability of an interval of
releases is at least that of the rectangles within it, and at most that of those that touch it.
"""

from __future__ import annotations

import functools
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.testing.battery.mask_draws import Priced, priced_pairs
from dpframe.testing.battery.mask_tails import Again, Tape

PLACES = ((0.02, 0.5), (2.0, 0.5), (0.005, 0.01))
"""ρ and r: peaks show where little is charged, tails where much is."""
SIDES, REACH, CHECKED = 128, 9.0, 400
EPSILONS = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
WIDTHS = 20
LEAST = 1e-9


def attack_planes(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does, or it takes other than two Gaussians."""
    rng, end = np.random.default_rng(17), time.process_time() + seconds
    for rho, r, noise, event, pair in priced_pairs(mask, PLACES, rng, end):
        found = [_ranges(functools.partial(mask.release, noise), value, rng) for value in pair]
        sides = [side for side in found if side is not None]
        if len(sides) < len(found):
            return "", {}
        cuts = _cuts([float(v[0]) for v in pair], noise)
        laws = [_bounds(side, cuts) for side in sides]
        for one, other in ((0, 1), (1, 0)):
            least, most = laws[one][0], laws[other][1]
            for epsilon in EPSILONS:
                limit = mask.allowed(event, epsilon)
                over = least - math.exp(epsilon) * most
                u, v = np.unravel_index(int(np.argmax(over)), over.shape)
                if over[u, v] > limit * (1 + 1e-6) + LEAST:
                    words = (
                        f"P(a release from {cuts[u]:.6g} to {cuts[v]:.6g}) is at least {least[u, v]:.4g} and at most "
                        f"{most[u, v]:.4g}, more than e^{epsilon:g} and {limit:.3g} of {event} allow"
                    )
                    return words, {"values": list(pair[:: -1 if one else 1]), "noise": noise, "rho": rho, "r": r}
    return "", {}


def _ranges(release: Callable[[Any, Any], Any], value: Any, rng: Any) -> tuple[Any, Any, Any] | None:
    """The least and the largest release on each rectangle, and its probability; None where that can't be told."""
    inner = [statistics.NormalDist().inv_cdf(i / SIDES) for i in range(1, SIDES)]
    edges = np.array([-REACH, *inner, REACH])

    def at(x: float, y: float) -> float:
        tape = Tape(np.array([x, y]))
        made = float(release(value, tape)[0])
        if tape.used != 2:
            raise Again
        return made

    try:
        image = np.array([[at(x, y) for y in edges.tolist()] for x in edges.tolist()])
        corners = np.stack([image[:-1, :-1], image[1:, :-1], image[:-1, 1:], image[1:, 1:]])
        low, high = corners.min(axis=0), corners.max(axis=0)
        for i, j in rng.integers(SIDES, size=(CHECKED, 2)).tolist():
            x, y = (float(edges[k] + rng.random() * (edges[k + 1] - edges[k])) for k in (i, j))
            if not low[i, j] <= at(x, y) <= high[i, j]:
                return None
    except Again:
        return None
    below = np.array([0.5 * math.erfc(-e / math.sqrt(2)) for e in edges.tolist()])
    mass = np.diff(below)
    return low.ravel(), high.ravel(), np.outer(mass, mass).ravel()


def _cuts(values: list[float], noise: float) -> Any:
    widths = noise * np.geomspace(2e-3, 8.0, WIDTHS)
    gap = abs(values[1] - values[0])
    near = [v + sign * w for v in values for w in [*widths, *gap * np.array([0.25, 0.5, 0.75])] for sign in (-1, 1)]
    return np.unique([-np.inf, *near, *values, np.inf])


def _bounds(side: tuple[Any, Any, Any], cuts: Any) -> tuple[Any, Any]:
    """P(cut u <= release <= cut v) for all u and v, at least and at most."""
    low, high, mass = side
    n = len(cuts)

    def total(first: Any, last: Any) -> Any:
        """The mass of what has a first number >= u and a last one <= v."""
        made = np.bincount(first * (n + 1) + last, mass, minlength=(n + 1) ** 2).reshape(n + 1, n + 1)
        return made[::-1].cumsum(axis=0)[::-1].cumsum(axis=1)[:n, :n]

    # the last cut that is <= the least release, and the first that is >= the largest one: from u to v for certain
    inside = total(np.searchsorted(cuts, low, side="right") - 1, np.searchsorted(cuts, high, side="left"))
    # a rectangle that touches [u, v]: its largest release is >= cut u and its least one <= cut v
    touching = total(np.searchsorted(cuts, high, side="right") - 1, np.searchsorted(cuts, low, side="left"))
    return inside, np.minimum(touching + 1e-12, 1.0)
