"""What δ(ε) an enumerated law may have: what is charged, in every view, and of Gaussian noise what it costs exactly.

The charge of discrete Gaussian noise is known by Rényi orders alone for several numbers, and for one number on a coarse
lattice. What these imply for δ(ε) is a bound that holds, though not a sharp one. The noise itself has a sharp one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from dpframe.planning.deltas import delta
from dpframe.proof.losses import Loss
from dpframe.testing.battery.enumerator import law

GAUSSIAN = {"gaussian": "rounded_gaussian", "discrete_gaussian": "discrete_gaussian"}
"""Mechanisms that add Gaussian noise to whole numbers, with their samplers."""
MOST_ENTRIES, MOST_SQUARED, WIDEST = 3, 12, 3.0
LEAST = 1e-30


def charged(loss: Loss, grid: Any) -> list[float]:
    """The charged δ at each ε, 1 where no view says anything.

    Examples
    --------
    >>> from dpframe.proof.losses import Concentrated
    >>> [round(v, 4) for v in charged(Loss.of(Concentrated(0.5)), np.array([0.5, 2.0]))]
    [0.3999, 0.0543]
    """
    return list(_charged(loss, tuple(float(e) for e in grid)))


@functools.lru_cache(maxsize=256)
def _charged(loss: Loss, grid: tuple[float, ...]) -> tuple[float, ...]:
    epsilons = np.array(grid)
    core = np.where(epsilons >= loss.epsilon, 0.0, 1.0)
    if len(loss.events) == 1 and loss.events[0][1] == 1:
        known = loss.events[0][0].profile(epsilons)
        core = core if known is None else np.minimum(core, known)
    elif not loss.events:
        core = np.maximum(0.0, 1 - np.exp(epsilons))
    whole = [min(1.0, loss.delta + (1 - loss.delta) * c) for c in core.tolist()]
    return tuple(min(w, _by_orders(loss, e)) if w > loss.delta else w for w, e in zip(whole, grid, strict=True))


def _by_orders(loss: Loss, epsilon: float) -> float:
    """What its Rényi orders and its Gaussian part imply, where they say anything."""
    return min(delta(loss, epsilon, "rdp"), delta(loss, epsilon, "gdp") if math.isfinite(loss.mu) else 1.0)


def of_gaussian_noise(name: str, square: Fraction, entries: int, squared: int, grid: Any) -> list[float] | None:
    """The exact δ(ε) of Gaussian noise on whole numbers: the largest over all moves of at most so many steps.

    Parameters
    ----------
    name : str
        Of the mechanism.
    square : Fraction
        Of the scale, in lattice steps.
    entries : int
        How many numbers there are.
    squared : int
        Square of the distance, in lattice steps.
    grid : ndarray
        Values of ε.

    Returns
    -------
    list of float, optional
        ``None`` for other mechanisms, many numbers, wide noise and long ways.

    Notes
    -----
    A release is within these where it is a function of value plus noise, and where values are first brought together.
    """
    scale = math.sqrt(square)
    if name not in GAUSSIAN or not entries or entries > MOST_ENTRIES or squared > MOST_SQUARED or scale > WIDEST:
        return None
    return list(_of_noise(GAUSSIAN[name], scale, entries, squared, tuple(float(e) for e in grid)))


@functools.lru_cache(maxsize=256)
def _of_noise(sampler: str, scale: float, entries: int, squared: int, grid: tuple[float, ...]) -> tuple[float, ...]:
    best = np.zeros(len(grid))
    for move in _moves(entries, squared):
        p, loss = np.ones(1), np.zeros(1)
        for step in move:
            ours, theirs = _of_entry(sampler, scale, step)
            p, loss = np.outer(p, ours).ravel(), np.add.outer(loss, theirs).ravel()
        order = np.argsort(loss)
        p, loss = p[order], loss[order]
        for i, e in enumerate(grid):
            at = int(np.searchsorted(loss, e, side="right"))
            best[i] = max(best[i], float(-(p[at:] * np.expm1(e - loss[at:])).sum()))
    return tuple(best.tolist())


@functools.lru_cache(maxsize=256)
def _of_entry(sampler: str, scale: float, step: int) -> tuple[Any, Any]:
    """Probabilities of the values of one number, and their losses against the number moved by so many steps."""
    known: dict[int, float] = dict(law(sampler, scale, LEAST))
    if not step:
        return np.ones(1), np.zeros(1)
    values = np.array(sorted(known))
    masses = np.array([known[v] for v in values.tolist()])
    shifted = np.array([known.get(v - step, 0.0) for v in values.tolist()])
    with np.errstate(divide="ignore"):
        return masses, np.log(masses) - np.log(shifted)


def _moves(entries: int, squared: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Every move of so many numbers of at most this length, but for order and signs."""
    if entries == 0:
        yield ()
        return
    for step in range(math.isqrt(squared) + 1):
        if most is None or step <= most:
            for rest in _moves(entries - 1, squared - step * step, step):
                yield (step, *rest)
