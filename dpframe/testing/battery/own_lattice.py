"""Mechanisms of one's own whose noise, where there is much of it, comes in steps that are coarser than the values'.

All releases of a value then leave one remainder, and those of a neighbour another, or any. Two dozen releases show by
how much all of them differ by a multiple; the remainder is then an event, which is counted on fresh releases of two
neighbours. What is rounded after the noise leaves the same remainder for both, and is not refuted; what is rounded to a
grid that is chosen by the value leaves a coarser one on one side of where the grid changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.theorems import Metrics
from dpframe.proof.theorems.own import size_of
from dpframe.testing.battery import own_law, own_turns, sizes
from dpframe.testing.battery.clocks import spent
from dpframe.testing.limits import epsilon_bound

SCALES = (20.7, 70.3, 600.1, 7e3, 1.1e5, 1.3e7)
LOOKED, COUNTED, SHARED = 24, 100, 600
"""Releases that show a step, those that count it, and that count it where the other value has it too, less often."""
DELTA, ALPHA, MOST_COUNTED = 1e-3, 1e-9, 100
"""A mechanism that holds is refuted with a chance of at most 1e-7: so many events are counted at most."""
MOST_OWN, MOST_PLACES = 6, 8
FEW, WIDE, OFTEN = 6, 0.3, 0.6
"""Releases of a pair at a turn that show whether to look; their noise over the value; how often the other has it."""
SECONDS = 0.5
"""For the pairs at turns."""
Place = tuple[Exact, Exact, Metrics, float]


def attack_lattice(operation: Mechanism, domain: Any) -> tuple[str, dict[str, Any]]:
    """What refutes it, in words and numbers; empty where nothing does."""
    source, counted = SeededSource(0), 0
    for number, (first, second, met, scale) in enumerate(_places(operation, domain)):
        try:
            loss = operation.loss({"scale": scale}, met, domain)
        except DpframeError:
            continue
        claimed = tightest_epsilon(loss, DELTA)[0]
        child = source.child(f"{number}")
        values = [(v, child.child(f"{i}")) for i, v in enumerate((first, second))]
        sides = [_drawn(operation, v, scale, domain, own, LOOKED) for v, own in values]
        for one, two in ((0, 1), (1, 0)):
            for place in range(min(sides[0].shape[1], MOST_PLACES)):
                step = _step(sides[one][:, place])
                rest = sides[one][0, place] % step if step else 0
                often = (sides[two][:, place] % step == rest).mean() if step > 1 else 1.0
                if often > OFTEN or counted == MOST_COUNTED:  # of little use, whatever the truth
                    continue
                counted += 1
                times = SHARED if often else COUNTED
                fresh = [
                    _drawn(operation, *(values[i][0], scale, domain, values[i][1].child(f"{counted} again")), times)
                    for i in (one, two)
                ]
                hits = [int((side[:, place] % step == rest).sum()) for side in fresh]
                bound = float(epsilon_bound(hits[0], hits[1], (times, times), DELTA, ALPHA))
                if bound > claimed:
                    words = (
                        f"number {place} is {rest} and a multiple of {step} in {hits[0]} of {times} releases, and in "
                        f"{hits[1]} of a value one step further: it loses at least ε = {bound:.3f} at δ = {DELTA:g}, "
                        f"and claims {claimed:.3g}"
                    )
                    shown = [np.ravel(values[i][0].integers)[:4].tolist() for i in (one, two)]
                    return words, {"numbers": sides[0].shape[1], "scale": scale, "values": shown}
    return "", {}


def _places(operation: Mechanism, domain: Any) -> Iterator[Place]:
    """Two values, how far they are apart, and noise: from 0 with much noise, and where a number gets one more digit."""
    function = operation.known.function  # type: ignore[attr-defined]
    own = [1.0137 * c + 0.06 for c in sizes.numbers(function) if SCALES[0] < c < 1e9][:MOST_OWN]
    _, first, second, met = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))
    for scale in (*SCALES, *own):
        yield first, second, met, scale
    source, end = SeededSource(1), spent() + SECONDS
    for at, (words, start, move) in enumerate(own_turns.pairs(size_of(domain))):
        if spent() > end:
            return
        _, first, second, met = own_law.apart(operation, domain, words, start, move)
        scale = max(SCALES[0], WIDE * float(np.abs(start).max()))
        try:
            streams = [source.child(f"{at} {i}") for i in range(2)]
            one, two = (_drawn(operation, v, scale, domain, streams[i], FEW) for i, v in enumerate((first, second)))
        except DpframeError:
            continue
        steps = [[_step(side[:, j]) for side in (one, two)] for j in range(min(one.shape[1], MOST_PLACES))]
        if any(a != b or (a > 1 and (one[0, j] - two[0, j]) % a) for j, (a, b) in enumerate(steps)):
            yield first, second, met, scale


def _drawn(operation: Mechanism, value: Exact, scale: float, domain: Any, source: Any, times: int) -> Any:
    """Releases as whole numbers, where they are such; a row a release."""
    made = [operation.release(value, {"scale": scale}, domain, source.child(f"{i}")) for i in range(times)]
    table = np.array([np.ravel(np.asarray(y, dtype=float)) for y in made]).reshape(times, -1)
    return np.where(np.abs(table) < 2.0**53, np.round(table), 0.0).astype(np.int64)


def _step(numbers: Any) -> int:
    """What all differences are multiples of; 0 where there are none."""
    return math.gcd(*(int(n) for n in numbers - numbers[0]))
