"""Releases whose law is right for few entries and small values only; refuted by what they ask of the samplers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.kernel.mechanisms.above_threshold import AboveThreshold
from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.mechanisms.selection import Selection
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.operations import Exact
from tests.mutants.base import table
from tests.mutants.law import Patch, broken, twin

MANY, BINS = 20, 50


def told(real: Any, changes: Callable[[Any], bool], key: str, factor: float) -> Any:
    """A method that is told another scale or rate where ``changes`` says so of the exact value."""

    def method(self: Any, exact: Exact, calibration: Any, *rest: Any) -> Any:
        more = {**calibration, key: calibration[key] * factor} if changes(exact.integers) else calibration
        return real(self, exact, more, *rest)

    return method


def matrices_alike(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
    """Several matrices share the noise of the first."""
    noise = symmetric(self, shape, scale, domain, source)
    return np.broadcast_to(noise[:1], noise.shape).copy() if noise.ndim == 3 else noise


def floats_when_wide(self: Any, source: Any, scale: float, size: int) -> Any:
    """NumPy's generator for wide noise."""
    if scale > 2.0**30:
        return np.rint(np.random.default_rng(1).laplace(0, 1, size) * scale).astype(np.int64)
    return draw(self, source, scale, size)


def tiled(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
    """128 draws, over and over."""
    count = math.prod(shape)
    return np.resize(np.asarray(self.draw(source, scale, min(count, 128))), count).reshape(shape)


def in_pieces(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
    """A correct twin: drawn in pieces of 128, the last ones first."""
    count = math.prod(shape)
    pieces = [np.asarray(self.draw(source, scale, min(128, count - i))) for i in range(0, count, 128)]
    return np.concatenate([*pieces[::-1], np.zeros(0, dtype=np.int64)]).reshape(shape)


def round_numbers_bare(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    """A count of exactly ten thousand stays as it is."""
    total = noisy(self, exact, calibration, domain, source)
    return np.where(np.asarray(exact.integers) == 10_000, exact.integers, total)


def clear_leads(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any, times: int) -> Any:
    """A lead of more than a thousand needs no noise."""
    scores = np.asarray(exact.integers)
    if int(scores.max()) - int(scores.min()) > 1000:
        return [int(np.argmax(scores))] * times
    return chosen(self, exact, calibration, domain, source, times)


symmetric, draw, noisy = GaussianMechanism.noise, LaplaceMechanism.draw, Additive.noisy
chosen, first, cells, passed = (
    Selection.release_many,
    AboveThreshold.release_many,
    StableHistogram.release,
    TruncatedLaplaceTest.release_many,
)


def many(count: int) -> Callable[[Any], bool]:
    return lambda integers: np.size(integers) > count


def many_bins(levels: Any) -> bool:
    return sum(len(counts) for _, counts in levels) > BINS


def full_bins(levels: Any) -> bool:
    return any(len(counts) and int(max(counts)) > 5000 for _, counts in levels)


def far(integers: Any) -> bool:
    return int(np.ravel(integers)[0]) > 3 * 10**6


def odd_total(integers: Any) -> bool:
    return int(np.abs(np.asarray(integers)).sum()) % 64 == 63


L, G, H, T = "laplace", "gaussian", "stable_histogram", "truncated_laplace_test"
A, E = "above_threshold", "exponential_mechanism"
ROWS: list[tuple[str, str, str, Patch]] = [
    ("matrices-alike", "several matrices share noise", G, (GaussianMechanism, "noise", matrices_alike)),
    ("floats-wide", "float noise at large scales", L, (LaplaceMechanism, "draw", floats_when_wide)),
    ("tiled", "noise repeats after 128 entries", L, (Additive, "noise", tiled)),
    ("ten-thousand", "one round number is released bare", L, (Additive, "noisy", round_numbers_bare)),
    ("totals-odd", "less noise for some totals", L, (Additive, "noisy", told(noisy, odd_total, "scale", 0.25))),
    (
        "entries-many",
        "half the noise from 200 entries on",
        L,
        (Additive, "noisy", told(noisy, many(200), "scale", 0.5)),
    ),
    ("candidates-many", "a higher rate for many", E, (Selection, "release_many", told(chosen, many(MANY), "rate", 4))),
    ("leads-clear", "far leaders are chosen without noise", E, (Selection, "release_many", clear_leads)),
    ("queries-many", "less noise for many", A, (AboveThreshold, "release_many", told(first, many(MANY), "rate", 3))),
    ("bins-many", "less noise from 50 bins on", H, (StableHistogram, "release", told(cells, many_bins, "scale", 0.3))),
    ("bins-full", "less noise on full bins", H, (StableHistogram, "release", told(cells, full_bins, "scale", 0.3))),
    (
        "far-cheap",
        "less noise far out",
        T,
        (TruncatedLaplaceTest, "release_many", told(passed, far, "sensitivity", 0.2)),
    ),
]
MUTANTS = table("law", *((name, fault, "law: ", broken(op, patch), twin(op)) for name, fault, op, patch in ROWS))
CORRECT: list[tuple[str, str, Patch]] = [("noise drawn in pieces", L, (Additive, "noise", in_pieces))]
