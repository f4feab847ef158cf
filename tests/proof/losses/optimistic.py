"""Lower bounds for the composer's answers, by code that shares nothing with it.

Every event is replaced by one that it dominates, on the lattice ``h * Z``: outcomes of Laplace and bounded-range
mechanisms are merged in cells whose likelihood ratio is a lattice point exactly (post-processing), atoms that
are lattice points stay, Gaussian losses are rounded down. The window is so wide, and the tilt absent, that
wrapping around and round-off stay below ``ERROR``, which is subtracted. Gaussians are added up first, exactly.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.losses import BoundedRange, Event, Gaussian, Laplace, Loss, Pure
from dpframe.proof.losses._numeric import FloatArray

ERROR = 1e-10
Masses = tuple[FloatArray, FloatArray]  # lattice indices, probabilities under P


def _cells(n: int, h: float, scale: float) -> Masses:
    """Cells (x - h, x + h) of a density proportional to exp(x / 2), centred at n - 1, n - 3, ..., 1 - n."""
    index = np.arange(n - 1, -n, -2)
    return index, scale * 2 * math.sinh(h / 2) * np.exp((index - n) * h / 2)


def masses(event: Event, h: float) -> Masses:
    """Losses and probabilities of something ``event`` dominates."""
    n = round(event.epsilon / h) if math.isfinite(event.epsilon) else 0
    if isinstance(event, Gaussian):
        reach = math.ceil((event.mu**2 / 2 + 9 * event.mu) / h)
        index = np.arange(-reach, reach)
        z = (index * h - event.mu**2 / 2) / event.mu
        return index, ndtr(z + h / event.mu) - ndtr(z)
    assert abs(n * h - event.epsilon) < 1e-12, "choose parameters on the lattice"
    if isinstance(event, Pure):
        return np.array([n, -n]), np.array([1.0, math.exp(-event.epsilon)]) / (1 + math.exp(-event.epsilon))
    if isinstance(event, BoundedRange):
        return _cells(n, h, 1 / -math.expm1(-event.epsilon))
    if isinstance(event, Laplace):
        index, weights = _cells(n, h, 0.5)
        ends = np.array([0.5, 0.5 * math.exp(-event.epsilon)])
        return np.append(index, [n, -n]), np.append(weights, ends)
    assert isinstance(event, DiscreteLaplace)
    step = round(2 / event.scale / h)
    assert abs(step * h - 2 / event.scale) < 1e-12, "choose a scale on the lattice"
    k = np.arange(event.shift + 1)
    weights = -math.expm1(-1 / event.scale) * np.exp(-k / event.scale)
    weights[[0, -1]] = 1.0, math.exp(-event.shift / event.scale)
    return n - step * k, weights / (1 + math.exp(-1 / event.scale))


def optimistic_epsilon(loss: Loss, delta: float, h: float, length: int) -> float:
    """A lower bound of epsilon at ``delta`` for the composed dominating pairs."""
    spectrum: np.ndarray = np.ones(length // 2 + 1, dtype=complex)
    mean = variance = 0.0
    mu = math.sqrt(sum(event.mu**2 * times for event, times in loss.events if isinstance(event, Gaussian)))
    others = [pair for pair in loss.events if not isinstance(pair[0], Gaussian)]
    for event, times in [*others, *([(Gaussian(mu), 1)] if mu else [])]:
        index, weights = masses(event, h)
        dense = np.bincount(index % length, weights, length)
        spectrum *= np.fft.rfft(dense) ** times
        mean += times * float(weights @ index) * h
        variance += times * (float(weights @ (index * h) ** 2) - float(weights @ (index * h)) ** 2)
    assert mean + 8 * math.sqrt(variance) < length * h / 2, "the window is too narrow"
    total = np.fft.irfft(spectrum, length)
    losses = np.arange(length) * h
    losses[length // 2 :] -= length * h

    def value(eps: float) -> float:
        above = losses > eps
        return float(np.sum(total[above] * -np.expm1(eps - losses[above]))) - ERROR

    if value(0.0) <= delta:
        return 0.0
    low, high = 0.0, length * h / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > delta else (low, middle)
    return low
