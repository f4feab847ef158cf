"""Noise whose every entry is right by itself, and whose entries know one another: two and three at once, enumerated."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from dpframe.kernel.operations import Exact
from tests.mutants.base import table
from tests.mutants.law import Patch, broken, twin


def changed(change: Callable[[Any], Any], entries: int) -> Patch:
    """Noise of this mechanism changed after it was drawn, from so many entries on."""

    def noise(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
        drawn = np.asarray(self.draw(source, scale, math.prod(shape)))
        return (change(drawn) if drawn.size >= entries else drawn).reshape(shape)

    return DiscreteGaussianMechanism, "noise", noise


def where(first: int, others: tuple[int, ...], then: int) -> Callable[[Any], Any]:
    """The first entry's noise is another where it and the next ones are just these."""

    def change(noise: Any) -> Any:
        met = noise[0] == first and all(noise[1 + i] == z for i, z in enumerate(others))
        return np.concatenate([[then], noise[1:]]) if met else noise

    return change


def third_of_sum(noise: Any) -> Any:
    """Small noise on the third entry has that on the first two added to it."""
    more = noise[0] + noise[1] if abs(int(noise[2])) < 3 else 0
    return np.concatenate([noise[:2], [noise[2] + more], noise[3:]])


def ties_apart(noise: Any) -> Any:
    """Equal noise on the first and the last entry is moved apart."""
    return np.concatenate([noise[:-1], [noise[-1] + (noise[0] == noise[-1])]])


def one_sign(noise: Any) -> Any:
    """The third entry has the product of the signs of the first two."""
    signs = np.where(noise[:2] < 0, -1, 1)
    return np.concatenate([noise[:2], [abs(int(noise[2])) * int(signs.prod())], noise[3:]])


def summed_with_the_next(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    """A correct twin: entries after the first are released as sums with the one before, values and noise alike."""
    total = np.asarray(Additive.noisy(self, exact, calibration, domain, source), dtype=object)
    return np.cumsum(total) if total.ndim == 1 else total


D = "discrete_gaussian"
ROWS: list[tuple[str, str, Patch]] = [
    ("two-seldom", "one entry's noise moves where the next one's is 2", changed(where(0, (2,), 1), 2)),
    ("two-tied", "equal noise on two entries is moved apart", changed(ties_apart, 2)),
    ("three-still", "no noise on the first of three where the others have 1", changed(where(1, (1, 1), 0), 3)),
    ("three-bare", "the first of three moves where the others have no noise", changed(where(2, (0, 0), 1), 3)),
    ("three-summed", "a third entry with the noise of two more", changed(third_of_sum, 3)),
    ("three-signed", "three entries have two signs", changed(one_sign, 3)),
]
MUTANTS = table("law", *((name, fault, "law: ", broken(D, patch), twin(D)) for name, fault, patch in ROWS))
CORRECT: list[tuple[str, str, Patch]] = [
    ("entries summed up", D, (DiscreteGaussianMechanism, "noisy", summed_with_the_next)),
]
