"""The error that the practical mode is predicted to make: Fisher information of its noisy counts of cells."""

from __future__ import annotations

import math

import numpy as np

from dpframe.plugin import Above, Expected

JOINT_CELLS = 2**16
FEWEST = 6
MANY_ROWS = 10_000
"""From here on, cells half as wide: they bring more detail than noise."""
FINEST = {True: 0.075, False: 0.125}
"""Width of a cell of one column in standard deviations, for scales that pairs tell, and for known ones."""
PUBLISHED = 4.0
"""Rows of a component over what a published bin must exceed: from here on its bins are expected to be found."""


def joint_cells(d: int, n: int, variance: float) -> int:
    """Cells a column of a product grid, where a count has noise of this variance.

    So many that rows outweigh noise in a cell (the noise of a fit grows with their number), but at least `FEWEST`
    a column, and no more than a fit affords.

    Examples
    --------
    >>> joint_cells(2, 100_000, 80.0), joint_cells(3, 20_000, 80.0), joint_cells(10, 20_000, 80.0)
    (31, 6, 3)
    """
    most = min(max(n / max(1.3 * variance, 8.0), FEWEST**d), JOINT_CELLS)
    return max(2, int(most ** (1.0 / d) + 1e-9))


def predicted(k: int, d: int, rows: int, noise: Above) -> Expected | None:
    """The distance of a mean, of a fit to counts of cells; None where there are no such cells (``mode=paper``)."""
    from scipy.special import ndtr, ndtri

    counts, each = noise.of("product_counts"), rows / k
    if not counts or not rows:
        return None
    variance = counts[-1] ** 2
    if d == 1:
        width = FINEST[bool(noise.of("dyadic_counts"))] / (2.0 if rows >= MANY_ROWS else 1.0)
        edges = np.arange(-5.0, 5.0 + width, width)
    else:
        parts = max(joint_cells(d, rows, variance) / k, 2.0)
        edges = ndtri(np.arange(1.0, parts) / parts)
        variance *= parts ** (d - 1.0)
    mass = np.diff(ndtr(edges), prepend=0.0, append=1.0)
    density = np.exp(-0.5 * edges**2) / math.sqrt(2.0 * math.pi)
    slope = np.diff(density, prepend=0.0, append=0.0)
    information = float(np.sum((each * slope) ** 2 / (each * mass + variance)))
    bars = [found["scale"] * math.log(0.5 / found["delta"]) for name, found in noise if name == "column_cells"]
    seen = all(each >= PUBLISHED * bar for bar in bars)
    what = "distance of a component's mean, in its standard deviations (root mean square)"
    instance = f"{k} Gaussians of equal weight and covariance I, ten deviations apart"
    return Expected(math.sqrt(d / information) if seen else math.inf, what, instance)
