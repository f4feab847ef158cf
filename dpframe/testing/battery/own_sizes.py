"""Mechanisms of many numbers that ask for less noise than for few at a price, which few numbers do not show.

Of few numbers a law is enumerated; of many it is not, and a scale that is a tenth too small shows in thousands of
releases alone. But what is asked of the samplers is seen in one. Where that is less for many numbers than for few, or
the price is, many releases of two neighbours decide; elsewhere none are drawn.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.kernel import registry
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own import claims
from dpframe.kernel.owned import Own
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.roots import boundary
from dpframe.proof.spaces import Counts
from dpframe.testing.battery import own_law, sizes
from dpframe.testing.battery.enumerator import NoBits, Unenumerable, law, standing_in
from dpframe.testing.battery.findings import Finding
from dpframe.testing.battery.law_sizes import Silent
from dpframe.testing.battery.own_parameters import code_of
from dpframe.testing.battery.own_samples import FAST, worst_of
from dpframe.testing.battery.stock import Stocked
from dpframe.testing.estimation import ALPHA

SIZES, MOST = (8, 16, 64), 100
SCALES = (1.3718, 30.41)
DELTAS, MOST_EPSILON = (0.3, 0.2, 0.1, 0.05, 0.02), 6.0
LESS, DELTA = 0.985, 1e-3
ADDED = (0.7183, 1.3718, 2.7183)
SAMPLES, MOST_ASKED = 20_000, 300
PRICED, FEWER = (1.3718, 2.7183, 8.4719), 4_000
"""Noise at which every price is looked at, and releases of each of two neighbours that must be noise added."""
Asked = dict[str, float]


@attrs.define(eq=False)
class Few(Silent):
    """Stand-ins that answer with no noise, so many times."""

    def answer(self, name: str, scale: Any, count: int, outcomes: Any) -> Any:
        """Zeros."""
        if len(self.asked) >= MOST_ASKED:
            raise Unenumerable
        return super().answer(name, scale, count, outcomes)


def attack_sizes(known: Own, operation: Mechanism) -> Finding | None:
    """What refutes it for many numbers, if anything does."""
    if known.takes == "edits":  # it is handed rows, which no parameter counts
        return None
    few = next(sized(known, operation, (3, 2)), None)
    if few is None:
        return None
    for m, made in sized(known, operation, _sizes(operation)):
        with contextlib.suppress(Exception):  # it need not take so many numbers
            if _less(few, (m, made)):
                pair = next(iter(own_law.neighbours(made, Counts(m), np.random.default_rng(0))))
                found = [*_added(made, pair, m)] or worst_of(made, Counts(m), [pair], FAST, SeededSource(m))
                for one in found:
                    if one.refuted:
                        return attrs.evolve(one, case=f"{pair[0]}, {m} numbers")
    return None


def attack_price(operation: Mechanism, domain: Any) -> Finding | None:
    """What refutes its price where noise is wide, if it adds noise: of several numbers such a law is not enumerated."""
    if not isinstance(domain, Counts) or operation.known.takes == "edits":  # type: ignore[attr-defined]
        return None
    with contextlib.suppress(Exception):  # it need not take such noise
        pair = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))
        for found in _added(operation, pair, domain.m, PRICED, FEWER):
            return found
    return None


def _added(
    operation: Mechanism,
    pair: own_law.Neighbours,
    m: int,
    scales: tuple[float, ...] = ADDED,
    samples: int = SAMPLES,
) -> Iterator[Finding]:
    """Of values with noise added: the exact law of the noise that is asked for, where thousands of releases are such.

    A release is something else with probability at most η, or so many would not all be such; so δ(ε) of the neighbours
    is at least that of one number and the same a step further, less (1 + e^ε)·η. The chance of an error is 2α.
    """
    domain, name = Counts(m), operation.known.name  # type: ignore[attr-defined]
    eta = math.log(1 / ALPHA) / samples
    for scale in scales:
        asked = _asked(operation, m, scale)
        if len(asked) != 1 or not all(_only_added(operation, exact, m, scale, samples) for exact in pair[1:3]):
            return
        ((sampler, told),) = asked.items()
        chances = dict(law(sampler, told, 1e-12))
        loss = operation.loss({"scale": scale}, pair[3], domain)

        def beyond(epsilon: float, delta: float, known: dict[Any, float] = chances) -> bool:
            ratio = math.exp(epsilon)
            more = (max(0.0, p - ratio * known[z - 1]) for z, p in known.items() if z - 1 in known)
            return math.fsum(more) - (1 + ratio) * eta > delta

        for delta in DELTAS:
            claim = tightest_epsilon(loss, delta)[0]
            if claim < MOST_EPSILON and beyond(claim, delta):
                found = boundary(functools.partial(beyond, delta=delta), claim, MOST_EPSILON)[0]
                words = f"every number has noise added, {sampler} of scale {told:.6g} where scale is {scale:g}"
                yield Finding(name, pair[0], delta, claim, found, words, samples)
                return


def _only_added(operation: Mechanism, exact: Exact, m: int, scale: float, samples: int) -> bool:
    """Whether so many releases are the value and one draw for each of its numbers."""
    drawn: list[Any] = []

    class Told(Stocked):
        def _handed(self, *given: Any) -> Any:
            drawn.append(super()._handed(*given))
            return drawn[-1].copy()

    kept, source = vars(claims)["Sampler"], SeededSource(m)
    vars(claims)["Sampler"] = functools.partial(Told, stock={})
    try:
        for _ in range(samples):
            drawn.clear()
            made = operation.release(exact, {"scale": scale}, Counts(m), source)
            if len(drawn) != 1 or not np.array_equal(np.ravel(made), np.ravel(exact.integers) + drawn[0]):
                return False
    finally:
        vars(claims)["Sampler"] = kept
    return True


def _sizes(operation: Any) -> tuple[int, ...]:
    return tuple(dict.fromkeys([*sizes.around(sizes.constants(code_of(operation)), MOST, 4)[:6], *SIZES]))


def sized(known: Own, operation: Any, counts: tuple[int, ...]) -> Iterator[tuple[int, Any]]:
    """The mechanism for so many numbers, where it has a parameter for how many; the first that works for each."""
    told = dict(operation.keywords)
    whole = [name for name, value in told.items() if type(value) is int and value > 1]
    for m in counts:
        for name in whole:
            with contextlib.suppress(Exception):  # its parameters need not be such that they can be others
                made: Any = registry.build(known.name, {**told, name: m, "share": 1.0})
                _asked(made, m, SCALES[0])
                yield m, made
                break


def _less(few: tuple[int, Any], many: tuple[int, Any]) -> bool:
    """Whether for many numbers noise times price, for a step of one number, is less."""
    for scale in SCALES:
        prices = [_claim(made, m, scale) for m, made in (few, many)]
        one, other = (_asked(made, m, scale) for m, made in (few, many))
        shared = [name for name in one if name in other]
        if any(prices[1] * other[name] < LESS * prices[0] * one[name] for name in shared):
            return True
        if not shared and prices[1] < LESS * prices[0]:
            return True
    return False


def _asked(operation: Mechanism, m: int, scale: float) -> Asked:
    """The narrowest noise that each sampler is asked for in one release of zeros."""
    script = Few(())
    with standing_in() as scripts:
        scripts[:] = [script]
        try:
            operation.release(Exact(np.zeros(m, dtype=np.int64)), {"scale": scale}, Counts(m), NoBits())
        except Unenumerable:
            return {}
    least: Asked = {}
    for name, told, _ in script.asked:
        if told is not None and name not in ("uniform_below", "permutation", "categorical_exp"):
            least[name] = min(least.get(name, float("inf")), float(told))
    return least


def _claim(operation: Mechanism, m: int, scale: float) -> float:
    domain = Counts(m)
    pair = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))
    return tightest_epsilon(operation.loss({"scale": scale}, pair[3], domain), DELTA)[0]
