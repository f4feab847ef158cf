"""Find a small ball that holds the table, from noisy counts of distances and noisy clipped sums.

One round: count rows by their distance to the current centre ``p`` in geometric bins, take the radius
``r`` that holds 98 % of them, release the sum of ``x - p`` clipped to ``r``, move ``p`` to the noisy mean.
The noise of a round's mean is proportional to that round's radius, so each round shortens the distance
to the data by a factor of about ``n mu / (2 sqrt(d))``: a bound 1000 times too large costs nothing.
"""

from __future__ import annotations

import math

import numpy as np

from .records import Ball, Floats, as_floats

RATIO = 2.0**0.5
COVERAGE = 0.98
WIDEST = 2.0**500


def radial_edges(outer: float, *, bins: int = 96, ratio: float = RATIO) -> Floats:
    """Increasing bin edges ``outer / ratio^(bins-1), ..., outer / ratio, outer``.

    A histogram over these edges has ``bins + 1`` bins: ``[0, e_0]``, ``(e_0, e_1]``, ..., ``(e_last, inf)``.

    Examples
    --------
    >>> radial_edges(8.0, bins=4, ratio=2.0).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    return as_floats(outer * ratio ** np.arange(1.0 - bins, 1.0))


def occupied(counts: Floats, std: float) -> Floats:
    """Noisy counts with those explained by noise alone set to 0.

    The threshold ``1/2 + std * sqrt(2 ln(100 bins))`` is passed by an empty bin in less than one histogram in 100: the
    half is for noise that is rounded to whole rows.
    """
    counts = as_floats(counts)
    threshold = 0.5 * (std > 0.0) + std * math.sqrt(2.0 * math.log(100.0 * counts.size))
    return np.where(counts > threshold, counts, 0.0)


def upper_radius(edges: Floats, counts: Floats, std: float, *, coverage: float = COVERAGE) -> float | None:
    """Smallest edge within which all but ``1 - coverage`` of the rows of occupied bins lie.

    Returns None where no bin stands out of the noise. Rows in the overflow bin give the last edge
    times the bins' ratio.
    """
    kept = occupied(counts, std)
    total = float(kept.sum())
    if total <= 0.0:
        return None
    beyond = np.concatenate([np.cumsum(kept[::-1])[::-1][1:], [0.0]])  # rows above each bin
    index = int(np.argmax(beyond <= (1.0 - coverage) * total))
    upper = np.concatenate([edges, [edges[-1] * edges[-1] / edges[-2]]])
    return float(upper[index])


def next_radius(edges: Floats, counts: Floats, std: float, previous: float) -> float:
    """Radius for this round: `upper_radius`, or the previous one where nothing stands out of the noise."""
    radius = upper_radius(edges, counts, std)
    return previous if radius is None or not radius > 0.0 else radius


def next_center(ball: Ball, clipped_sum: Floats, rows: float, row_std: float) -> Floats:
    """Move the centre to the noisy mean of the rows clipped to the ball.

    Parameters
    ----------
    ball : Ball
        Centre ``p`` and clip radius ``r`` the sum was taken with.
    clipped_sum : array of shape (d,)
        Noisy ``sum clip_r(x - p)`` in table units.
    rows, row_std : float
        Noisy number of valid rows and its noise (0 where n is public and no cell is empty).

    Returns
    -------
    array of shape (d,)
        Never farther than ``r`` from ``p``.
    """
    step = as_floats(clipped_sum) / max(rows, row_std, 1.0)
    length = float(np.linalg.norm(step))
    if length > ball.radius:
        step = step * (ball.radius / length)
    return ball.center + step


def column_sizes(counts: Floats, std: float, lowest: int) -> Floats:
    """Power of two of each column's size: 98 % of the values that are not 0 are no larger.

    Parameters
    ----------
    counts : array of shape (d, bins)
        Noisy numbers of values in ``(2^i, 2^(i+1)]``, for i from ``lowest`` on.
    std : float
        Of the noise of each count.
    lowest : int

    Returns
    -------
    array of shape (d,)
        The least of the others for a column without an occupied bin (all but zeros); 0 where all are so.

    Examples
    --------
    >>> column_sizes(np.array([[90.0, 0.0, 0.0], [0.0, 0.0, 90.0], [0.0, 0.0, 0.0]]), 1.0, -1).tolist()
    [0.0, 2.0, 0.0]
    """
    kept = occupied(as_floats(counts).ravel(), std).reshape(np.shape(counts))
    totals = kept.sum(axis=1)
    sizes = lowest + 1.0 + np.argmax(np.cumsum(kept, axis=1) >= COVERAGE * totals[:, None], axis=1)
    return as_floats(
        np.where(totals > 0.0, sizes, sizes[totals > 0.0].min(initial=0.0 if not totals.any() else np.inf))
    )


def first_ball(sizes: Floats, clipped_sum: Floats, rows: float, row_std: float, factors: Floats) -> Ball:
    """The ball to search first: about the noisy mean of columns divided by their sizes, four times what they span.

    Parameters
    ----------
    sizes : array of shape (d,)
        Powers of two, as exponents (`column_sizes`).
    clipped_sum : array of shape (d,)
        Noisy sum of the rows divided by the sizes and clipped to the ball of radius √d, over √d.
    rows, row_std : float
        Noisy number of valid rows and its noise.
    factors : array of shape (d,)
        By which columns are multiplied in the units of the result.

    Examples
    --------
    >>> first_ball(np.array([3.0]), np.array([50.0]), 100.0, 1.0, np.array([0.5]))
    Ball(center=array([2.]), radius=16.0)
    """
    mean = as_floats(clipped_sum) * math.sqrt(len(sizes)) / max(rows, row_std, 1.0)
    with np.errstate(all="ignore"):
        spans = np.clip(2.0 ** np.clip(sizes, -1000.0, 1000.0) * factors, 1.0 / WIDEST, WIDEST)
    return Ball(np.clip(mean, -1.0, 1.0) * spans, 4.0 * float(np.linalg.norm(spans)))
