"""Correct functions by the thousand, put together at random: none may be refuted.

A row map here is a chain of NumPy steps of which each treats rows one by one; a semimetric is a metric or a power of
one with its constant, of coordinates that were mapped one by one.
The long run attacks each with fewer batches than ``dpframe check`` does, at some .03 s of CPU a function; a million
pairs of neighbours of the kernel's own operations are the affair of ``bench/false_alarms.py``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Semimetric
from dpframe.testing.battery import attack_row_maps, attack_semimetrics, sizes

Array = Any
STEPS: tuple[Callable[[Array], Array], ...] = (
    lambda v: v / 3,
    np.tanh,
    lambda v: np.exp(-np.abs(v)),
    lambda v: np.sqrt(np.abs(v)),
    lambda v: np.log1p(np.abs(v)),
    np.log,
    lambda v: np.round(v, 1),
    lambda v: np.sort(v, axis=1),
    lambda v: np.cumsum(v, axis=1),
    lambda v: v - v.mean(axis=1, keepdims=True),
    lambda v: v / np.linalg.norm(v, axis=1, keepdims=True),
    lambda v: v.sum(axis=1, keepdims=True),
    lambda v: np.where(v > 0, v, 0.5),
    lambda v: np.clip(v, -1, 1),
    lambda v: v[:, ::-1].copy(),  # of a view backwards NumPy rounds some functions by a number's place in the batch
    lambda v: v[:, :1],
    lambda v: np.concatenate([v, v * v], axis=1),
    lambda v: np.argsort(v, axis=1, kind="stable") * 1.0,
    lambda v: v.astype(np.float32) * 1.0,
    lambda v: np.median(v, axis=1, keepdims=True),
    lambda v: np.einsum("ij,ij->i", v, v)[:, None],
    np.sin,
    lambda v: np.hypot(v, 1.0),
    lambda v: v % 1.7,
)
REFUSALS: tuple[Callable[[Array], Array], ...] = (
    lambda v: (v < 0).any(),
    lambda v: (np.abs(v) > 2).any(),
    lambda v: (v != np.round(v)).any(),
    lambda v: v.shape[1] < 3,
    lambda v: v.shape[1] != 8,
)
GROUND: tuple[Callable[[Array], Array], ...] = (
    lambda x: x,
    np.log,
    np.arcsinh,
    lambda x: np.sqrt(np.abs(x)),
    lambda x: x / 1e6,
    np.tanh,
    lambda x: x[:1],
    lambda x: 1 / x,
)


def held(x: float) -> float:
    """At most 1 where both points have a ground: a point without one is as far from itself as from all others."""
    return min(1.0, x) if math.isfinite(x) else x


NORMS: tuple[Callable[[Array], float], ...] = (
    lambda x: float(np.abs(x).sum()),
    lambda x: float(np.sqrt((x * x).sum())),
    lambda x: float(np.abs(x).max()),
    lambda x: float((np.abs(x) ** 3).sum() ** (1 / 3)),
    lambda x: held(float(np.abs(x).max())),
)


def row_map(rng: np.random.Generator) -> Callable[[Array], Array]:
    """A correct row map, which may refuse rows and widths."""
    steps = [STEPS[i] for i in rng.integers(len(STEPS), size=rng.integers(1, 6))]
    refusal = REFUSALS[int(rng.integers(len(REFUSALS)))] if rng.random() < 0.4 else None

    def mapped(values: Array) -> Array:
        if refusal is not None and refusal(values):
            raise ValueError("not these rows")
        for step in steps:
            values = step(values)
        return values

    return mapped


def semimetric(rng: np.random.Generator) -> Semimetric:
    """A metric of coordinates mapped one by one, or its p-th power with the constant 2^(p - 1)."""
    ground, norm = GROUND[int(rng.integers(len(GROUND)))], NORMS[int(rng.integers(len(NORMS)))]
    power = float(rng.choice([1.0, 1.0, 2.0, 3.0, 0.5]))

    def distance(a: Array, b: Array) -> float:
        return norm(ground(a) - ground(b)) ** power

    return Semimetric("made", distance, lambda r: max(1.0, 2.0 ** (power - 1)))


def refuted_row_map(seed: int, seconds: float) -> object:
    function = row_map(np.random.default_rng(seed))
    with np.errstate(all="ignore"):
        uses = attack_row_maps.uses_of(function)[:2]
        return attack_row_maps._search(function, uses, seconds)[0] if uses else None


def refuted_semimetric(seed: int, seconds: float) -> object:
    with np.errstate(all="ignore"):
        return attack_semimetrics._search(semimetric(np.random.default_rng(seed)), seconds)[0]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=[pytest.mark.slow, pytest.mark.long]) for s in (1, 2, 3))])
def test_correct_row_maps_are_not_refuted(seed: int) -> None:
    for i in range(3 if seed == 0 else 150):
        assert not refuted_row_map(1000 * seed + i, 0.02), (seed, i)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=[pytest.mark.slow, pytest.mark.long]) for s in (1, 2, 3))])
def test_correct_semimetrics_are_not_refuted(seed: int) -> None:
    for i in range(2 if seed == 0 else 150):
        assert not refuted_semimetric(1000 * seed + i, 0.01), (seed, i)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(10))
def test_many_correct_functions(part: int) -> None:
    """A share of ``CASES``, half of each kind: 20,000, some ten minutes of CPU, or as many as the environment says."""
    share = int(os.environ.get("CASES", "20000")) // 20
    for i in range(share):
        seed = 10**7 + part * share + i
        assert not refuted_row_map(seed, 0.0), seed
        assert not refuted_semimetric(seed, 0.0), seed


def test_a_broken_twin_is_refuted() -> None:
    """The same searches bite: a chain that ends in a centred column, and a power without its constant."""

    def centred(values: Array) -> Array:
        return np.tanh(values) - np.tanh(values).mean(axis=0)

    assert attack_row_maps._search(centred, attack_row_maps.uses_of(centred)[:1], 0.02)[0]
    cubed = Semimetric("cubed", lambda a, b: float(np.abs(a - b).sum() ** 3), lambda r: 1.0)
    assert attack_semimetrics._search(cubed, 0.01)[0]
    assert len(sizes.COLUMNS) >= sizes.MOST_COLUMNS
