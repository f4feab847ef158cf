"""Clusters of scipy's laws, for ``bench/verdicts.py --half scipy``: Gaussian or not, half of them through a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from sklearn import datasets

Floats = NDArray[np.float64]
Generator = np.random.Generator


def turned(n: int, d: int, rng: Generator) -> Floats:
    """Gaussian, deviations of up to a ratio of 10, turned by a Haar matrix."""
    widths = np.geomspace(1.0, rng.uniform(1.5, 10.0), d) / 2.0
    return rng.standard_normal((n, d)) * widths @ stats.ortho_group.rvs(d, random_state=rng)


def wishart(n: int, d: int, rng: Generator) -> Floats:
    """Gaussian, its covariance of an inverse Wishart's law."""
    scale = stats.invwishart.rvs(d + 4, 4.0 * np.eye(d), random_state=rng)
    return rng.standard_normal((n, d)) @ np.linalg.cholesky(scale).T


def log_ratios(n: int, d: int, rng: Generator) -> Floats:
    """A Dirichlet law's parts, as logarithms of their ratios to the last."""
    parts = np.log(stats.dirichlet.rvs(rng.uniform(2.0, 20.0, d + 1), size=n, random_state=rng))
    return parts[:, :-1] - parts[:, -1:]


def copula(n: int, d: int, rng: Generator) -> Floats:
    """Gamma columns, tied by a Gaussian copula."""
    ranks = special.ndtr(stats.multivariate_normal.rvs(cov=0.5 * (np.eye(d) + 1.0), size=n, random_state=rng))
    return np.asarray(stats.gamma.ppf(ranks.reshape(n, d).clip(1e-12, 1 - 1e-12), 4.0))


def shells(n: int, d: int, rng: Generator) -> Floats:
    """One Gaussian, the rows of one of its shells left out."""
    rows, shell = datasets.make_gaussian_quantiles(n_samples=2 * n, n_features=d, n_classes=3, random_state=1)
    return np.asarray(rows[shell != 1][:n]) if n else rows[:0]


LAWS: dict[str, Callable[[int, int, Generator], Floats]] = {
    "turned": turned,
    "t(8)": lambda n, d, rng: stats.multivariate_t.rvs(shape=np.eye(d), df=8, size=n, random_state=rng).reshape(n, d),
    "wishart": wishart,
    "skew": lambda n, d, rng: stats.skewnorm.rvs(3.0, size=(n, d), random_state=rng),
    "log ratios": log_ratios,
    "copula": copula,
    "logistic": lambda n, d, rng: stats.logistic.rvs(size=(n, d), random_state=rng) / 1.8,
    "shells": shells,
}


def clusters(seed: int) -> tuple[str, Floats, int]:
    """The law's name, rows in a public order and their number of clusters; half of the tables are sheared."""
    rng = np.random.default_rng([seed, 78])
    d, k = int(rng.integers(2, 10)), int(rng.integers(2, 7))
    n = round(math.exp(rng.uniform(math.log(3000), math.log(25000))))
    name = list(LAWS)[seed % len(LAWS)]
    apart = rng.uniform(2.0, 6.0)
    parts = []
    for count in rng.multinomial(n, rng.dirichlet(np.full(k, 4.0))):
        rows = LAWS[name](int(count), d, rng) * math.exp(rng.uniform(-0.5, 0.5))
        parts.append(rows + apart * rng.standard_normal(d))
    rows = np.concatenate(parts)
    if seed // len(LAWS) % 2:
        rows = rows @ rng.standard_normal((d, d))
    return name, rows[rng.permutation(len(rows))], k
