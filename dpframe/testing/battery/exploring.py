"""The law of a release, run after run with the samplers' stand-ins: most probable noise first; and laws compared."""

from __future__ import annotations

import contextlib
import heapq
import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from dpframe.testing.battery.coins import pieces
from dpframe.testing.battery.enumerator import (
    FEW_SIDES,
    MOST_TOGETHER,
    SUPPORT,
    Ask,
    Outcomes,
    Script,
    Sides,
    Unenumerable,
    later_sides,
)
from dpframe.testing.battery.lab import fingerprint

TAPES, MOST_COINS = 3, 120
"""Values that noise after a coin of many sides is given, and such coins in a law."""
MUCH = 1e-6
"""Probability that is missing from a law of which more could be known."""


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
    coins : int
        Coins of many sides that were taken by pieces.
    """

    mass: dict[bytes, float]
    missing: float
    shown: dict[bytes, Any]
    asked: list[tuple[str, Any, int]]
    coins: int = 0

    def is_like(self, other: Law) -> bool:
        """Whether it is the same law, but for rounding."""
        keys = self.mass.keys() | other.mass.keys()
        return math.fsum(abs(self.mass.get(k, 0.0) - other.mass.get(k, 0.0)) for k in keys) <= 1e-9


@attrs.frozen
class Tossed:
    """Sides of coins, as one outcome."""

    sides: tuple[int, ...]


def _script(prefix: tuple[Any, ...], floor: float, make: Callable[..., Script], *, by_pieces: bool) -> Script:
    """What answers so far: noise in its order and coins in theirs."""
    coins = tuple(side for value in prefix if isinstance(value, Tossed) for side in value.sides)
    noise = tuple(value for value in prefix if not isinstance(value, Tossed))
    return make(noise, floor, coins=coins, by_pieces=by_pieces)


def _of_sides(
    release: Callable[[], Any],
    scripts: list[Script],
    script: Script,
    bound: int,
    numbers: Sequence[float],
    second: bool,
) -> Outcomes:
    """The sides of coins on which the release does the same, whatever of a few values the noise has."""

    def look(sides: tuple[int, ...]) -> bytes | int:
        seen = []
        for then in range(TAPES if len(sides) == 1 else TAPES - 1):
            coins = (*script.coins, *sides)
            lenient = then > 0 or len(sides) >= MOST_TOGETHER
            scripts[:] = [Script(script.values, then=then, coins=coins, by_pieces=script.by_pieces, lenient=lenient)]
            try:
                released = release()
            except Sides as more:
                return more.bound
            seen += [fingerprint(released), repr(scripts[-1].asked).encode()]
        return b"|".join(seen)

    try:
        found = pieces(look, bound, numbers, [*script.coins, *later_sides(bound)], second=second)
    except Ask:
        found = None
    if found is None:
        raise Unenumerable
    return tuple((Tossed(sides), p) for sides, p in found)


def explore(
    release: Callable[[], Any],
    scripts: list[Script],
    *,
    most: int,
    floor: float,
    numbers: Sequence[float] = (),
    second: bool = False,
    make: Callable[..., Script] = Script,
) -> Law:
    """The law of a release: runs of it, most probable noise first.

    Coins of some tens to some thousands of sides are tried one by one, and by pieces where that leaves much out.

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
    second : bool
        Take other examples of what coins of many sides decide: the law must be the same.
    make : callable
        The stand-ins.

    Raises
    ------
    Unenumerable
        When it draws something that has too many values.
    """
    whole: Law | None = None
    with contextlib.suppress(Unenumerable):
        whole = _explore(release, scripts, most, floor, numbers, second, make, by_pieces=False)
        if whole.missing < MUCH or not any(
            name == "uniform_below" and FEW_SIDES < scale <= SUPPORT for name, scale, _ in whole.asked
        ):
            return whole
    try:
        parts = _explore(release, scripts, most, floor, numbers, second, make, by_pieces=True)
    except Unenumerable:
        if whole is None:
            raise
        return whole
    return parts if whole is None or parts.missing < whole.missing else whole


def _explore(
    release: Callable[[], Any],
    scripts: list[Script],
    most: int,
    floor: float,
    numbers: Sequence[float],
    second: bool,
    make: Callable[..., Script],
    *,
    by_pieces: bool,
) -> Law:
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
        script = _script(prefix, floor / -negative, make, by_pieces=by_pieces)
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
            wait(prefix, -negative, _of_sides(release, scripts, script, sides.bound, numbers, second), 0)
            continue
        key = fingerprint(released)
        mass.setdefault(key, []).append(-negative)
        shown.setdefault(key, released)
        asked = asked or script.asked
    if not mass:  # no run came to its end: too many values, each too improbable
        raise Unenumerable
    total = {key: math.fsum(parts) for key, parts in mass.items()}
    return Law(total, max(0.0, 1.0 - math.fsum(total.values())) + 1e-15, shown, asked, coins)


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
