"""Gaussians: any covariance, diagonal, a multiple of the identity. The kernel has ``unit_gaussian``."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.plugin import family

LEAST = 1e-12


def mahalanobis(rows: Any, mean: Any, root: Any) -> Any:
    """|L⁻¹(x − μ)|² row by row: forward substitution, column by column, in a fixed order."""
    z: list[Any] = []
    total = np.zeros(len(rows))
    for i in range(len(mean)):
        rest = rows[:, i] - mean[i]
        for j in range(i):
            rest = rest - root[i, j] * z[j]
        z.append(rest / root[i, i])
        total = total + z[i] * z[i]
    return total


def lower(entries: Any, d: int) -> Any:
    """The lower triangular matrix of d(d + 1)/2 entries, rows one after the other."""
    root = np.zeros((d, d))
    root[np.tril_indices(d)] = entries
    return root


def columns(theta: Any) -> int:
    """d, from d + d(d + 1)/2 parameters."""
    return int((np.sqrt(9 + 8 * len(theta)) - 3) / 2 + 0.5)


def covariance_root(rows: Any) -> Any:
    """Root of the empirical covariance, lifted where it is singular."""
    covariance = np.atleast_2d(np.cov(rows, rowvar=False, bias=True))
    lift = 1e-9 * max(float(np.trace(covariance)), LEAST)
    return np.linalg.cholesky(covariance + lift * np.eye(len(covariance)))


def _fit_full(rows: Any, generator: Any) -> Any:
    return np.concatenate([rows.mean(axis=0), covariance_root(rows)[np.tril_indices(rows.shape[1])]])


def _sample_full(theta: Any, count: int, generator: Any) -> Any:
    d = columns(theta)
    return theta[:d] + generator.standard_normal((count, d)) @ lower(theta[d:], d).T


def _example_full(d: int, generator: Any) -> Any:
    return _fit_full(generator.standard_normal((d + 5, d)) + generator.standard_normal(d), generator)


@family(
    "families.gaussian_full",
    size=lambda d: d + d * (d + 1) // 2,
    sample=_sample_full,
    fit=_fit_full,
    example=_example_full,
    decoder="families.gaussian_decoder",
)
def gaussian_full(rows: Any, theta: Any) -> Any:
    """N(μ, LLᵀ): parameters μ, then the lower triangle of L row by row."""
    d = rows.shape[1]
    root = lower(theta[d:], d)
    return -mahalanobis(rows, theta[:d], root) / 2 - float(np.log(np.abs(np.diagonal(root))).sum())


@family(
    "families.gaussian_diagonal",
    size=lambda d: 2 * d,
    sample=lambda t, n, g: t[: len(t) // 2] + g.standard_normal((n, len(t) // 2)) * t[len(t) // 2 :],
    fit=lambda rows, g: np.concatenate([rows.mean(axis=0), np.maximum(rows.std(axis=0), LEAST)]),
    example=lambda d, g: np.concatenate([g.standard_normal(d), 0.5 + g.random(d)]),
)
def gaussian_diagonal(rows: Any, theta: Any) -> Any:
    """Independent columns: parameters μ, then the standard deviations."""
    d = rows.shape[1]
    return -mahalanobis(rows, theta[:d], np.diag(theta[d:])) / 2 - float(np.log(np.abs(theta[d:])).sum())


@family(
    "families.gaussian_spherical",
    size=lambda d: d + 1,
    sample=lambda t, n, g: t[:-1] + t[-1] * g.standard_normal((n, len(t) - 1)),
    fit=lambda rows, g: np.append(rows.mean(axis=0), max(float(np.sqrt(rows.var(axis=0).mean())), LEAST)),
    example=lambda d, g: np.append(g.standard_normal(d), 0.5 + g.random()),
)
def gaussian_spherical(rows: Any, theta: Any) -> Any:
    """N(μ, σ²I): parameters μ, then σ."""
    d = rows.shape[1]
    return -mahalanobis(rows, theta[:d], theta[d] * np.eye(d)) / 2 - d * float(np.log(np.abs(theta[d])))
