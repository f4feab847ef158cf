"""Mechanisms of one's own whose noise, where there is much of it, comes in steps that are coarser than the values'.

All releases of a value then leave one remainder, and those of a neighbour another. Two dozen releases show by how much
all of them differ by a multiple; the remainder is then an event, which is counted on fresh releases of two neighbours.
What is rounded after the noise leaves the same remainder for both, and is not refuted.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.losses import tightest_epsilon
from dpframe.testing.battery import own_law, sizes
from dpframe.testing.limits import epsilon_bound

SCALES = (20.7, 70.3, 600.1, 7e3, 1.1e5, 1.3e7)
LOOKED, COUNTED = 24, 100
DELTA, ALPHA = 1e-3, 1e-9
"""A mechanism that holds is refuted with a chance of at most 1e-7: at most a hundred events are counted."""
MOST_OWN, MOST_PLACES = 6, 8


def attack_lattice(operation: Mechanism, domain: Any) -> tuple[str, dict[str, Any]]:
    """What refutes it, in words and numbers; empty where nothing does."""
    function = operation.known.function  # type: ignore[attr-defined]
    own = [1.0137 * c + 0.06 for c in sizes.numbers(function) if SCALES[0] < c < 1e9][:MOST_OWN]
    _, first, second, met = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))
    source = SeededSource(0)
    for scale in (*SCALES, *own):
        try:
            loss = operation.loss({"scale": scale}, met, domain)
        except DpframeError:
            continue
        claimed = tightest_epsilon(loss, DELTA)[0]
        child, values = source.child(f"{scale}"), (first, second)
        sides = [_drawn(operation, v, scale, domain, child.child(f"{i}"), LOOKED) for i, v in enumerate(values)]
        for place in range(min(sides[0].shape[1], MOST_PLACES)):
            step = _step(sides[0][:, place])
            rest = sides[0][0, place] % step if step else 0
            if step < 2 or (sides[1][:, place] % step == rest).any():  # of little use, whatever the truth
                continue
            fresh = [
                _drawn(operation, v, scale, domain, child.child(f"{i} again"), COUNTED) for i, v in enumerate(values)
            ]
            hits = [int((side[:, place] % step == rest).sum()) for side in fresh]
            bound = float(epsilon_bound(hits[0], hits[1], (COUNTED, COUNTED), DELTA, ALPHA))
            if bound > claimed:
                often = f"{hits[0]} of {COUNTED} releases, and in {hits[1]} of a value one step further"
                words = f"number {place} is {rest} and a multiple of {step} in {often}"
                shown = {"numbers": sides[0].shape[1], "scale": scale}
                return f"{words}: it loses at least ε = {bound:.3f} at δ = {DELTA:g}, and claims {claimed:.3g}", shown
    return "", {}


def _drawn(operation: Mechanism, value: Exact, scale: float, domain: Any, source: Any, times: int) -> Any:
    """Releases as whole numbers, where they are such; a row a release."""
    made = [operation.release(value, {"scale": scale}, domain, source.child(f"{i}")) for i in range(times)]
    table = np.array([np.ravel(np.asarray(y, dtype=float)) for y in made]).reshape(times, -1)
    return np.where(np.abs(table) < 2.0**53, np.round(table), 0.0).astype(np.int64)


def _step(numbers: Any) -> int:
    """What all differences are multiples of; 0 where there are none."""
    return math.gcd(*(int(n) for n in numbers - numbers[0]))
