"""Neighbouring values for the exact laws of mechanisms: every step, scale and base, at edges of thresholds and cuts."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.spaces import L1, L2, Counts, Domain, SparseCounts, Symmetric, Vector, Within
from dpframe.proof.theorems import Metrics
from dpframe.proof.theorems.mechanisms import histogram_threshold, truncated_laplace_bound
from dpframe.testing.battery import metrics
from dpframe.testing.battery.case import accepted

STEPS = (Fraction(1), Fraction(1, 3), Fraction(1, 2**18), Fraction(5))
SCALES = (0.4837261, 1.3718293, 2.7182819)
"""Noise over sensitivity: no round numbers."""
BASES = (0, 1, 2, -1, 7, -40, 1000, 10**6 + 1, 2**31, 2**53 + 1, 2**62 + 3, -(2**70))
EDGES = (2, 3, 5)


@attrs.frozen(eq=False)
class Pair:
    """Two neighbouring values, how far apart they are, and the noise."""

    domain: Domain
    first: Exact
    second: Exact
    apart: Metrics
    calibration: dict[str, Any]
    charged_at: Metrics

    @property
    def entries(self) -> int:
        """How many numbers there are."""
        if isinstance(self.first.integers, list):
            return sum(len(c) for _, c in self.first.integers)
        return int(np.size(self.first.integers))


def pairs_of(operation: Mechanism) -> Iterator[Pair]:
    """Neighbours at all their distances, with noise of every scale, at the edges of thresholds and cuts."""
    if accepted(operation, (SparseCounts(1, 1),)):
        yield from _histograms(operation)
        return
    takes = [d for d in (Counts(1), Counts(2), Counts(3), Vector(2), Symmetric(2)) if accepted(operation, (d,))]
    if Counts(2) in takes and Vector(2) in takes:
        takes.remove(Vector(2))
    for domain in takes:
        for i, (step, scale, base, moves) in enumerate(_numbers(operation, domain)):
            pair = _pair(operation, domain, step, scale, base, moves, edge=EDGES[i % len(EDGES)])
            if pair is not None:
                yield pair


Place = tuple[Fraction, float, Any, Any]
"""Step, noise over sensitivity, a value and how its neighbour differs."""


def _numbers(operation: Mechanism, domain: Domain) -> Iterator[Place]:
    shape = tuple(getattr(domain, "shape", (getattr(domain, "m", getattr(domain, "d", 1)),)))
    tests = hasattr(operation, "threshold")  # looked at where its comparison turns over
    top = math.ceil(Fraction(getattr(operation, "threshold", 0)))
    if shape == (1,):
        yield from _single(operation, tests=tests)
    elif tests and shape == (3,):  # all but the last stay below while it passes
        last = np.array([-1, -1, 0])
        yield Fraction(1), 0.25, top + last, -(2 * last + 1)
    else:
        moves = list(_moves(domain, shape))
        for base in (top, top - 2) if tests else (0,):
            for move in moves:
                yield Fraction(1), 0.15 if tests else SCALES[0], np.full(shape, base), move
        if not tests:
            yield Fraction(1, 2**18), SCALES[1], np.full(shape, 3), moves[-1]


def _single(operation: Mechanism, *, tests: bool) -> Iterator[Place]:
    """Values of one entry: every step and scale at 0 or around the threshold, every base at one of them."""
    one = np.ones(1, dtype=np.int64)
    for step in STEPS:
        top = math.ceil(Fraction(getattr(operation, "threshold", 0)) / step)
        for scale in SCALES[:1] if tests else SCALES:
            for k in (0, -1, 2) if tests else (0,):
                yield step, scale, np.array([top + k]), one
        if tests and step == 1:  # wide noise: what is drawn again weighs more
            for k in (0, 1):
                yield step, SCALES[2], np.array([top + k]), one
    for i, base in enumerate(BASES):
        for twice in (1 + i % 2,) if tests else (1, 2):  # of a test a law takes long, and its distances are alike
            yield Fraction(1), SCALES[0 if tests else 1], np.array([base], dtype=object), twice * one


def _moves(domain: Domain, shape: tuple[int, ...]) -> Iterator[Any]:
    """One entry moves, two move together, two move apart."""
    one = np.zeros(shape, dtype=np.int64)
    if isinstance(domain, Symmetric):
        diagonal, off = one.copy(), one.copy()
        diagonal[0, 0], off[0, 1], off[1, 0] = 1, 1, 1
        yield diagonal
        yield off
        return
    first, last = one.copy(), one.copy()
    first[0], last[-1] = 1, 1
    yield first
    if one.size > 1:
        yield last
        yield first - last
        yield np.ones(shape, dtype=np.int64)


def _pair(
    operation: Mechanism, domain: Domain, step: Fraction, scale: float, base: Any, move: Any, *, edge: int
) -> Pair | None:
    big = np.asarray(base, dtype=object)
    first, second = Exact(narrow(big), step), Exact(narrow(big + move), step)
    apart = _metrics(domain, first, second)
    rho = 1 / (2 * scale * scale)
    try:
        calibration = operation.calibrate(rho, 0.01, apart, domain)
        if "half_width" in calibration:
            calibration = _cut_at(calibration, edge)
        return Pair(domain, first, second, apart, calibration, apart)
    except DpframeError:
        return None


def narrow(values: Any) -> Any:
    """Python integers as int64 where they fit."""
    small = all(abs(int(v)) < 2**63 for v in np.ravel(values))
    return values.astype(np.int64) if small else values


def _cut_at(calibration: dict[str, Any], edge: int) -> dict[str, Any]:
    """The δ at which the cut is a whole number of sensitivities: one step less would cost more."""
    epsilon, sensitivity = calibration["epsilon"], calibration["sensitivity"]
    delta = math.expm1(epsilon) / (2 * math.expm1(epsilon * edge))
    while truncated_laplace_bound(sensitivity, epsilon, delta) > edge * sensitivity:
        delta *= 1 + 1e-12
    width = truncated_laplace_bound(sensitivity, epsilon, delta)
    return {**calibration, "delta": delta, "half_width": width}


def _metrics(domain: Domain, first: Exact, second: Exact) -> Metrics:
    """How far apart the two are, in every metric of the domain, rounded up."""
    found = metrics.difference(first, second)

    def at(metric: Any) -> Any:
        if isinstance(metric, L2):
            return L2(_root(found[L2]))
        if isinstance(metric, Within):
            return Within(metric.semimetric, _root(found[L2]))
        return type(metric)(_up(found[type(metric)])) if type(metric) in found else metric

    return tuple(at(m) for m in metrics.of_value(domain))


def _up(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def _root(value: Fraction) -> float:
    near = math.sqrt(float(value))
    while Fraction(near) ** 2 < value:
        near = math.nextafter(near, math.inf)
    return near


def _histograms(operation: Mechanism) -> Iterator[Pair]:
    """Up to two histograms: bins of one row occupied on one side only, and common ones; at edges of thresholds."""
    noise = getattr(operation, "noise", "gaussian")
    for levels, used in ((1, 1), (2, 2), (2, 1), (3, 2)):
        domain = SparseCounts(1, levels)
        unit = metrics.of_value(domain)
        for i, scale in enumerate(SCALES[: 2 if used == 1 else 1]):
            calibration = operation.calibrate(1 / (2 * scale * scale), 0.01, unit, domain)
            calibration = {**calibration, "delta": _tail_at(noise, calibration["scale"], used, EDGES[i + used - 1])}
            for before, after in _bins(used):
                first, second = (Exact([_cells(level) for level in side]) for side in (before, after))
                apart = _metrics(domain, first, second)
                grown = levels / used  # the noise is that of the histograms in use, the loss is stated for all
                at = tuple(
                    L1(m.bound * grown)
                    if isinstance(m, L1)
                    else L2(m.bound * math.sqrt(grown))
                    if isinstance(m, L2)
                    else m
                    for m in apart
                )
                yield Pair(domain, first, second, apart, calibration, at)


Side = list[dict[int, int]]


def _bins(used: int) -> Iterator[tuple[Side, Side]]:
    """Bins and counts of neighbours, a histogram each: a row comes, leaves, or changes its bin, in all or in one."""
    for before, after in (
        ({0: 1}, {}),
        ({}, {0: 1}),
        ({0: 3}, {0: 4}),
        ({0: 1, 1: 2}, {1: 3}),
        ({0: 1}, {5: 1}),
        ({0: 3, 1: 3}, {0: 3, 1: 4}),
    ):
        yield [before] * used, [after] * used
    if used > 1:
        yield [{0: 3}, {0: 1}], [{0: 3}, {}]


def _cells(counts: dict[int, int]) -> Any:
    ids = np.array(sorted(counts), dtype=np.int64).reshape(-1, 1)
    return ids, np.array([counts[k] for k in sorted(counts)], dtype=np.int64)


@functools.cache
def _tail_at(noise: str, scale: float, m: int, threshold: int) -> float:
    """The δ just above which the threshold would be lower."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if histogram_threshold(noise, scale, m, middle) > threshold else (low, middle)
    return high
