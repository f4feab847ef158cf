"""Tables of clusters of one law, most of them not Gaussian, for ``bench/verdicts.py --half laws``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Generator = np.random.Generator


def rings(n: int, d: int, rng: Generator) -> Floats:
    """Spheres of radius 3, a tenth as thick."""
    rows = rng.standard_normal((n, d))
    return 3.0 * rows / np.linalg.norm(rows, axis=1, keepdims=True) + 0.3 * rng.standard_normal((n, d))


def bananas(n: int, d: int, rng: Generator) -> Floats:
    """Bent along the first column."""
    rows = rng.standard_normal((n, d))
    if d > 1:
        rows[:, 1] += rows[:, 0] ** 2
    return rows


LAWS: dict[str, Callable[[int, int, Generator], Floats]] = {
    "Gaussian": lambda n, d, rng: rng.standard_normal((n, d)),
    "t(4)": lambda n, d, rng: rng.standard_normal((n, d)) / np.sqrt(rng.chisquare(4, (n, 1)) / 4),
    "uniform": lambda n, d, rng: rng.uniform(-1.7, 1.7, (n, d)),
    "exponential": lambda n, d, rng: rng.exponential(1.0, (n, d)),
    "rings": rings,
    "integers": lambda n, d, rng: np.round(2.0 * rng.standard_normal((n, d))),
    "zeros": lambda n, d, rng: rng.gamma(2.0, 1.0, (n, d)) * (rng.random((n, d)) < 0.8),
    "log-normal": lambda n, d, rng: rng.lognormal(0.0, 0.5, (n, d)),
    "bananas": bananas,
}


def clusters(seed: int) -> tuple[str, Floats, int]:
    """The law's name, rows in a public order, and their number of clusters: each turned, stretched and moved."""
    rng = np.random.default_rng([77, seed])
    d, k, n = int(rng.choice([1, 2, 3, 5, 8, 12])), int(rng.integers(1, 8)), int(10 ** rng.uniform(3.5, 4.8))
    name = list(LAWS)[seed % len(LAWS)]
    labels = rng.choice(k, n, p=rng.dirichlet(np.full(k, 3.0)))
    rows, spread = np.empty((n, d)), 10.0 ** rng.uniform(0.3, 1.2)
    for j in range(k):
        own = labels == j
        matrix = 0.4 * rng.standard_normal((d, d)) + np.eye(d)
        made = LAWS[name](int(own.sum()), d, rng) @ matrix.T
        rows[own] = made * 10.0 ** rng.uniform(-0.4, 0.4) + spread * rng.standard_normal(d)
    if seed % 4 == 0:
        rows *= 10.0 ** rng.uniform(-3.0, 3.0, (1, d))
    if name in ("integers", "zeros"):  # ties would let EM's likelihood grow without end
        step = 1.0 if name == "integers" else np.ptp(rows, axis=0) / 100.0
        rows += rng.uniform(-0.1, 0.1, rows.shape) * step
    return name, rows, k
