"""Mechanisms of many numbers of which some share their noise: links between them, at sizes of which no law is known.

A dozen releases show which numbers of a release always differ by the same, or add up to the same, or never change.
That such a link holds is then an event, which is counted on fresh releases of two neighbours: where both numbers have
the same noise it holds for one of them always, and for the other never.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpframe.kernel import registry
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import Counts
from dpframe.testing.battery import sizes
from dpframe.testing.battery.stock import releases
from dpframe.testing.limits import epsilon_bound

SIZES = (17, 65, 130, 300, 1000)
LOOKED, COUNTED = 12, 200
"""Releases that links are found on, and those on which they are counted, of each neighbour."""
DELTA, ALPHA = 1e-3, 1e-9
"""A mechanism that holds is refuted with a chance of at most 1e-7: of some fifty links that are counted at most."""
MOST_LINKS = 8
Link = tuple[int, int, int]
"""Two numbers and the sign of the second; a sign of 0 for a number that never changes."""


def attack_links(
    known: Own, operation: Any, calibrated: Callable[[Any, Any], tuple[Any, float]], seconds: float
) -> tuple[str, dict[str, Any]]:
    """What refutes it, in words and numbers; empty where nothing does.

    Parameters
    ----------
    calibrated : callable
        (operation, domain) -> the noise, and the ε that is claimed at δ = 1e-3 for a number that moves by one step.
    seconds : float
        Of CPU, after which no further size is tried.
    """
    if known.takes == "edits":  # it is handed rows, which no parameter counts
        return "", {}
    end = time.process_time() + seconds
    for m, made in _sized(known, operation):
        if time.process_time() > end:
            break
        with contextlib.suppress(Exception):  # it need not take so many numbers
            domain = Counts(m)
            found = _at(made, domain, *calibrated(made, domain))
            if found[0]:
                return found
    return "", {}


def _sized(known: Own, operation: Any) -> Iterator[tuple[int, Any]]:
    """The mechanism for more numbers, where it has a parameter for how many."""
    own = sizes.around(sizes.constants(known.function), SIZES[-1], SIZES[0])[:6]
    told = dict(operation.keywords)
    whole = [name for name, value in told.items() if type(value) is int and value > 1]
    for m in dict.fromkeys([*SIZES, *own]):
        for name in whole or [""]:
            other = {**told, name: m} if name else told
            with contextlib.suppress(Exception):  # its parameters need not be such that they can be others
                yield m, registry.build(known.name, {**other, "share": 1.0})


def _at(operation: Any, domain: Counts, calibration: Any, claimed: float) -> tuple[str, dict[str, Any]]:
    start = np.zeros(domain.m, dtype=np.int64)
    source = SeededSource(domain.m)
    looked = _drawn(operation, start, calibration, domain, source.child("looked"), LOOKED)
    if looked is None:
        return "", {}
    for link in _links(looked)[:MOST_LINKS]:
        other = start.copy()
        other[link[0]] = 1
        constant = _value(looked, link)[0]
        hits = []
        for side, value in (("one", start), ("other", other)):
            drawn = _drawn(operation, value, calibration, domain, source.child(f"{side} {link}"), COUNTED)
            hits.append(0 if drawn is None else int((_value(drawn, link) == constant).sum()))
        bound = float(epsilon_bound(hits[0], hits[1], (COUNTED, COUNTED), DELTA, ALPHA))
        if bound > claimed:
            i, j, sign = link
            what = f"number {i}" if not sign else f"number {i} {'-' if sign > 0 else '+'} number {j}"
            often = f"in {hits[0]} of {COUNTED} releases, and in {hits[1]} where number {i} is one step more"
            loses = f"it loses at least ε = {bound:.3f} at δ = {DELTA:g}, and claims {claimed:.3f}"
            shown = {"numbers": domain.m, "calibration": dict(calibration)}
            return f"{what} of {domain.m} is {constant:g} {often}: {loses}", shown
    return "", {}


def _drawn(operation: Any, value: Any, calibration: Any, domain: Counts, source: Any, times: int) -> Any:
    made = np.array(
        [
            np.ravel(np.asarray(y, dtype=float))
            for y in releases(operation, Exact(value), calibration, domain, source, times)
        ]
    )
    return made if made.shape == (times, domain.m) else None


def _links(drawn: Any) -> list[Link]:
    """Numbers that never change, and pairs whose difference or sum never does."""
    moved = drawn - drawn[0]
    seen: dict[bytes, int] = {}
    found: list[Link] = []
    for i, column in enumerate(moved.T):
        if not column.any():
            found.append((i, i, 0))
            continue
        for sign in (1, -1):
            at = seen.get((sign * column + 0.0).tobytes())
            if at is not None:
                found.append((i, at, sign))
        seen.setdefault((column + 0.0).tobytes(), i)
    return found


def _value(drawn: Any, link: Link) -> Any:
    i, j, sign = link
    return drawn[:, i] - sign * drawn[:, j]
