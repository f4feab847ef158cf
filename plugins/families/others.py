"""Laplace, product Bernoulli, product Poisson, and von Mises–Fisher in three dimensions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpframe.plugin import family

LEAST = 1e-9


@family(
    "families.laplace",
    size=lambda d: 2 * d,
    sample=lambda t, n, g: g.laplace(t[: len(t) // 2], np.abs(t[len(t) // 2 :]), (n, len(t) // 2)),
    fit=lambda rows, g: np.concatenate(
        [m := np.median(rows, axis=0), np.maximum(np.abs(rows - m).mean(axis=0), LEAST)]
    ),
    example=lambda d, g: np.concatenate([g.standard_normal(d), 0.5 + g.random(d)]),
)
def laplace(rows: Any, theta: Any) -> Any:
    """Independent Laplace columns: parameters medians, then scales."""
    d = rows.shape[1]
    total = np.zeros(len(rows))
    for i in range(d):
        total = total - np.abs(rows[:, i] - theta[i]) / theta[d + i]
    return total - float(np.log(np.abs(theta[d:])).sum())


@family(
    "families.bernoulli",
    size=lambda d: d,
    sample=lambda t, n, g: (g.random((n, len(t))) < t).astype(np.float64),
    fit=lambda rows, g: np.clip((rows > 0.5).mean(axis=0), 1e-3, 1 - 1e-3),
    example=lambda d, g: 0.1 + 0.8 * g.random(d),
)
def bernoulli(rows: Any, theta: Any) -> Any:
    """Independent columns, 1 with the probability that is the parameter; what is above ½ counts as 1."""
    total = np.zeros(len(rows))
    for i, p in enumerate(np.clip(theta, LEAST, 1 - LEAST).tolist()):
        total = total + np.where(rows[:, i] > 0.5, math.log(p), math.log1p(-p))
    return total


@family(
    "families.poisson",
    size=lambda d: d,
    sample=lambda t, n, g: g.poisson(np.clip(t, LEAST, 1e15), (n, len(t))).astype(np.float64),
    fit=lambda rows, g: np.maximum(rows.mean(axis=0), LEAST),
    example=lambda d, g: 1.0 + 9.0 * g.random(d),
)
def poisson(rows: Any, theta: Any) -> Any:
    """Independent counts: parameters the rates; ln x! is left out, as all members share it."""
    total = np.zeros(len(rows))
    for i, rate in enumerate(np.maximum(theta, LEAST).tolist()):
        total = total + rows[:, i] * math.log(rate) - rate
    return total


def _sample_sphere(theta: Any, count: int, generator: Any) -> Any:
    """Cosines by their closed law, directions around the axis uniform."""
    kappa = float(np.linalg.norm(theta)) + LEAST
    axis, u = theta / kappa, generator.random(count)
    cosine = 1 + np.log(u + (1 - u) * math.exp(-2 * min(kappa, 300.0))) / kappa
    around = generator.standard_normal((count, 3))
    around -= np.outer(around @ axis, axis)
    around /= np.linalg.norm(around, axis=1, keepdims=True)
    return cosine[:, None] * axis + np.sqrt(np.maximum(1 - cosine**2, 0.0))[:, None] * around


def _fit_sphere(rows: Any, generator: Any) -> Any:
    mean = rows.mean(axis=0)
    length = min(float(np.linalg.norm(mean)), 0.9999)
    return mean / max(length, LEAST) * length * (3 - length**2) / (1 - length**2)


@family(
    "families.von_mises_fisher",
    size=lambda d: 3,
    sample=_sample_sphere,
    fit=_fit_sphere,
    example=lambda d, g: 3.0 * g.standard_normal(3),
)
def von_mises_fisher(rows: Any, theta: Any) -> Any:
    """Directions in three dimensions: the parameter is κ·μ, |μ| = 1; density κ/(4π sinh κ)·e^{κ·⟨μ, x⟩}."""
    kappa = float(np.sqrt((theta * theta).sum())) + LEAST
    log_sinh = kappa + math.log1p(-math.exp(-2 * kappa)) - math.log(2)
    total = np.full(len(rows), math.log(kappa) - log_sinh)
    for i in range(3):
        total = total + theta[i] * rows[:, i]
    return total
