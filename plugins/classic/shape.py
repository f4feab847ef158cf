"""Whether rows are Gaussian, from a released histogram of their distances in a whitened frame: for the verdict.

Passes clip rows and undo it as for a Gaussian, so nothing that they release tells other rows from Gaussian ones. Here
rows are counted by ``|L^-1 (x - m)|``, which of N(m, L L^T) has the law of chi. Two things are read off, each less
what noise explains: how far the two laws are apart, over all ranges, at the scale where they are nearest; and how much
larger the second moment is than the frame's own.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe_plugins.shared.truncation import chi_quantile

REACH, EDGES, RATIO = 256.0, 40, 2.0**0.25
"""Distances are counted up to 256 times √d."""
SURELY = 4.0
"""Deviations of the noise that are taken off both numbers."""
APART = 0.01
"""Part of the rows by which two laws must surely differ: of Gaussian rows no more than .003 was seen."""
WIDER = 1.4
"""What a covariance must surely be multiplied by to be called poor."""
MOST, BEYOND = (0.02, 0.995), 8
"""Quantiles of a Gaussian's distances between whose bins laws are compared, and `BEYOND` bins farther out."""
SURE = 5.7
"""Deviations that an empty bin passes in less than one histogram in a million: farther out only such bins count."""
SCALES = np.geomspace(0.4, 1.6, 301)


@attrs.frozen
class Shape:
    """What distances tell of the rows, noise taken off.

    Parameters
    ----------
    apart : float
        Part of the rows that surely lie nearer, or farther, than a Gaussian's would.
    wider : float
        The second moment over that of the frame: at least 1.
    """

    apart: float = 0.0
    wider: float = 1.0

    @property
    def is_other(self) -> bool:
        """Whether rows are surely not Gaussian."""
        return self.apart > APART or self.wider > WIDER


def ends(d: int) -> NDArray[np.float64]:
    """Edges of the bins of distances."""
    return np.asarray(REACH * math.sqrt(d) * RATIO ** np.arange(-float(EDGES), 0.0))


def shape(counts: NDArray[np.float64], std: float, d: int, rows: float) -> Shape:
    """Read the histogram.

    Parameters
    ----------
    counts : (EDGES + 1,)
        Noisy numbers of rows by distance.
    std : float
        Their noise.
    d : int
    rows : float
        How many there are in all.

    Examples
    --------
    >>> from scipy.special import gammainc
    >>> chi = np.diff(np.append(gammainc(1.0, ends(2)**2 / 2), 1.0), prepend=0.0)
    >>> shape(1e4 * chi, 20.0, 2, 1e4)
    Shape(apart=0.0, wider=1.0)
    >>> far = np.where(np.arange(EDGES + 1) == 30, 1e3, 0.0)
    >>> shape(9e3 * chi + far, 20.0, 2, 1e4).wider > 100.0
    True
    """
    from scipy.special import gammainc

    edges = ends(d)
    low, high = (int(np.searchsorted(edges, chi_quantile(d, q))) for q in MOST)
    near = slice(low + 1, high + 1)
    squares = np.concatenate([[edges[0] ** 2 * d / (d + 2.0)], edges[1:] * edges[:-1], edges[-1:] ** 2 * RATIO])
    used = np.zeros(len(counts), dtype=np.bool_)
    used[near] = True
    used[high + 1 :] = counts[high + 1 :] > 0.5 * (std > 0.0) + SURE * std
    error = std * float(np.linalg.norm(squares[used]))
    wider = (float(counts[used] @ squares[used]) - SURELY * error) / rows / d
    compared = slice(low, min(high + BEYOND, EDGES - 1) + 1)
    seen = np.cumsum(counts[compared]) / rows
    laws = gammainc(0.5 * d, 0.5 * edges[compared] ** 2 / SCALES[:, None])
    first, last = np.triu_indices(seen.size, 1)
    noise = std * np.sqrt(last - first) / rows
    gaps = np.abs((seen - laws)[:, last] - (seen - laws)[:, first]) - SURELY * noise
    apart = float(gaps.max(axis=1).min())
    return Shape(max(apart, 0.0), max(wider, 1.0))
