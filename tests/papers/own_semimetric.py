"""A semimetric, a mask and a learner of one's own: a positive number, compared and masked by ratios."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpframe.kernel.families.registering import mask, semimetric
from dpframe.kernel.registry import learner
from dpframe.plugin import lattice_gaussian


@semimetric("papers.ratio", triangle=lambda r: 1.0)
def ratio(a: Any, b: Any) -> float:
    """|ln(a/b)|, a metric of positive numbers; others are far from everything."""
    return abs(math.log(a[0] / b[0])) if min(a[0], b[0]) > 0 else math.inf


@mask("papers.factor", semimetric="papers.ratio", cost=lambda n, r: (r + 1e-12) ** 2 / (2 * n * n) * (1 + 1e-9))
def factor(value: Any, noise: float, normals: Any) -> Any:
    """The value times e^{noise·g}: the Gaussian mechanism for its logarithm."""
    return np.exp(lattice_gaussian(np.log(value[:1]), noise, normals))


@semimetric("papers.square", triangle=lambda r: 2.0)
def square(a: Any, b: Any) -> float:
    """Squared Euclidean distance: no metric, but (x + y)² <= 2(x² + y²)."""
    return float(((a - b) ** 2).sum()) * (1 + 1e-9)


@mask("papers.plain", semimetric="papers.square", cost=lambda n, r: (math.sqrt(r) / n + 1e-10) ** 2 / 2 * (1 + 1e-9))
def plain(value: Any, noise: float, normals: Any) -> Any:
    """The Gaussian mechanism for vectors within √r in ℓ₂."""
    return lattice_gaussian(value, noise, normals)


@learner("papers.scale")
def scale(rows: Any, generator: Any) -> Any:
    """Standard deviation of the first column."""
    return (np.array([rows[:, 0].std()]),)
