"""Profiles of worst cases, by the pair that the composer makes of their alternatives."""

from __future__ import annotations

import math

import numpy as np

from dpframe.proof.losses import Event, Gaussian
from dpframe.proof.losses._numeric import FloatArray, U
from dpframe.proof.losses.basic import Events
from dpframe.proof.losses.gaussian import gaussian_epsilon
from dpframe.proof.losses.lattice_pld import LatticePLD
from dpframe.proof.losses.pld import _RANGE, _grid, _units, discretise


def profile(event: Event, eps: FloatArray) -> FloatArray | None:
    """Upper bounds of an event's profile."""
    return enclosure(event, eps)[1] if event.alternatives else event.profile(eps)


def enclosure(event: Event, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bounds of the profile of a worst case: nothing and everything where nobody can compose it."""
    pair = worst_pair(event)
    return evaluate(pair, eps) if pair is not None else (np.zeros_like(eps), np.ones_like(eps))


def evaluate(pld: LatticePLD, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bounds of the profile at any real numbers: linear in ``exp(eps)`` between lattice points."""
    x = np.abs(eps)
    values = np.append(pld.profile(), pld.infinite)
    k = np.minimum(np.floor(x / pld.step).astype(np.int64), pld.reach)
    share = np.clip(np.expm1(np.minimum(x - k * pld.step, pld.step)) / math.expm1(pld.step), 0.0, 1.0)
    share = np.where(x >= pld.reach * pld.step, 0.0, share)
    inner = np.minimum(values[k] + share * (values[np.minimum(k + 1, pld.reach)] - values[k]), 1.0)
    both = np.where(eps < 0, -np.expm1(-x) + np.exp(-x) * inner, inner)
    error = 32 * U * (4 + pld.reach)
    return both * (1 - error), np.minimum(both * (1 + error), 1.0)


def worst_pair(event: Event) -> LatticePLD | None:
    """The dominating pair of a worst allocation by itself, on a lattice fit for all of it."""
    reach = max((_reach(events) for events in event.alternatives), default=0.0)
    if not reach < _RANGE:
        return None
    step = max(reach, 1e-9) / 2**14
    grid = _grid(30 / max(reach, 1e-9), step, 2**14, reach, 1e-16)
    return None if grid is None else discretise(event, grid)


def _reach(events: Events) -> float:
    total = 0.0
    for event, times in _units(events):
        if event.alternatives:
            total += times * max(map(_reach, event.alternatives))
        else:
            total += times * (gaussian_epsilon(event.mu, 1e-16) if isinstance(event, Gaussian) else event.reach(1e-16))
    return total
