"""The law of a release, run after run with the samplers' stand-ins: most probable noise first; and laws compared."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from dpframe.testing.battery.coins import pieces
from dpframe.testing.battery.enumerator import Ask, Outcomes, Script, Sides, Unenumerable
from dpframe.testing.battery.lab import fingerprint

TAPES, MOST_COINS = 3, 120
"""Values that noise after a coin of many sides is given, and such coins in a law."""


@attrs.frozen(eq=False)
class Law:
    """The law of a release.

    Attributes
    ----------
    mass : dict
        Outputs by their bits, with their probability.
    missing : float
        Probability of what was not explored.
    shown : dict
        Outputs by their bits.
    asked : list
        The calls of the samplers in the most probable run.
    """

    mass: dict[bytes, float]
    missing: float
    shown: dict[bytes, Any]
    asked: list[tuple[str, Any, int]]


def _of_sides(
    release: Callable[[], Any], scripts: list[Script], prefix: tuple[Any, ...], bound: int, numbers: Sequence[float]
) -> Outcomes:
    """The sides of a coin on which the release does the same, whatever of a few values the noise after it has."""

    def done(side: int) -> bytes:
        seen = []
        for then in range(TAPES):
            scripts[:] = [Script((*prefix, (side,)), then=then)]
            seen.append(fingerprint([release(), [(name, str(scale), n) for name, scale, n in scripts[-1].asked]]))
        return b"|".join(seen)

    before = [int(value[0]) for value in prefix if isinstance(value, tuple) and len(value) == 1]
    after = [bound // 3 + then for then in range(TAPES)]  # what a script answers for later coins
    try:
        found = pieces(done, bound, numbers, [*before, *after])
    except Ask:
        found = None
    if found is None:
        raise Unenumerable
    return tuple(((side,), p) for side, p in found)


def explore(
    release: Callable[[], Any], scripts: list[Script], *, most: int, floor: float, numbers: Sequence[float] = ()
) -> Law:
    """The law of a release: runs of it, most probable noise first.

    Parameters
    ----------
    release : callable
        Draws from the kernel's samplers alone.
    scripts : list
        Of :func:`standing_in`.
    most : int
        Runs.
    floor : float
        Values that are less probable than this are not tried.
    numbers : sequence of float
        Those in its code, which it may compare a draw with.

    Raises
    ------
    Unenumerable
        When it draws something that has too many values.
    """
    waiting: list[tuple[float, int, tuple[Any, ...], float, Outcomes, int]] = []
    mass: dict[bytes, list[float]] = {}
    shown: dict[bytes, Any] = {}
    asked: list[tuple[str, Any, int]] = []
    number = coins = 0

    def wait(prefix: tuple[Any, ...], p: float, outcomes: Outcomes, i: int) -> None:
        """Put the i-th outcome after a prefix in line; the next one follows when it is taken."""
        nonlocal number
        if i < len(outcomes) and p * outcomes[i][1] >= floor:
            number += 1
            heapq.heappush(waiting, (-p * outcomes[i][1], number, prefix, p, outcomes, i))

    wait((), 1.0, ((None, 1.0),), 0)
    for _ in range(most):
        if not waiting:
            break
        negative, _, before, p, outcomes, i = heapq.heappop(waiting)
        wait(before, p, outcomes, i + 1)
        prefix = (*before, outcomes[i][0]) if number > 1 else ()
        script = Script(prefix, floor / -negative)
        scripts[:] = [script]
        try:
            released = release()
        except Ask as ask:
            wait(prefix, -negative, ask.outcomes, 0)
            continue
        except Sides as sides:
            coins += 1
            if coins > MOST_COINS:
                raise Unenumerable from None
            wait(prefix, -negative, _of_sides(release, scripts, prefix, sides.bound, numbers), 0)
            continue
        key = fingerprint(released)
        mass.setdefault(key, []).append(-negative)
        shown.setdefault(key, released)
        asked = asked or script.asked
    if not mass:  # no run came to its end: too many values, each too improbable
        raise Unenumerable
    total = {key: math.fsum(parts) for key, parts in mass.items()}
    return Law(total, max(0.0, 1.0 - math.fsum(total.values())) + 1e-15, shown, asked)


def hockey_stick(first: Law, second: Law, epsilon: float) -> tuple[float, bytes]:
    """A lower bound of sup_S P(S) − e^ε·Q(S), and the output that adds most to it."""
    grown = math.exp(epsilon)
    parts = {key: p - grown * second.mass.get(key, 0.0) for key, p in first.mass.items()}
    gains = [v for v in parts.values() if v > 0]
    whole = math.fsum(gains) - grown * second.missing
    worst = max(parts, key=lambda key: parts[key], default=b"")
    return whole, worst


def renyi(first: Law, second: Law, order: float) -> float:
    """A lower bound of the Rényi divergence of the first law from the second."""
    logs = [
        order * math.log(p) + (1 - order) * math.log(second.mass.get(key, 0.0) + second.missing)
        for key, p in first.mass.items()
        if p > 0
    ]
    top = max(logs)
    return (top + math.log(math.fsum(math.exp(v - top) for v in logs))) / (order - 1)
