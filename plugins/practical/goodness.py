"""How likely rows are under the mixture of the last pass: a released histogram of log densities, for the verdict.

What the mixture itself would show is known without a row: bins lie at quantiles of log densities of rows drawn from
it, and, below them, at so many nats less. Rows that fall far below cost so many nats each; no pass sees them, since
every pass clips.
"""

from __future__ import annotations

import math

import attrs
import numpy as np

from .records import Floats, Mixture, as_floats, flattened

FARTHER = (1e2, 3e1, 3.0)
"""Where the bins of rows far outside begin, in nats below the lowest quantile. Beyond the first lie all rows 15
deviations out, and hardly any of t(3)'s at EM's optimum (2 in 15,000)."""
QUANTILES = (0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95)
EDGES = len(FARTHER) + len(QUANTILES)
SAMPLES = 20_000
SURELY = 2.0
"""Deviations of the noise that are taken off what is said of a mixture: what is left is surely so."""
FEW = 4.0
"""Rows are few below so many deviations of the noise. Above, the shortfall tells what they cost, and the verdict is
not left open for them. Numbers: RECIPE.md, "Few far rows leave the verdict open"."""
LESS = 0.1
"""Nats by which rows must surely be less likely than the mixture's own to be called so."""
SURE = 2.6
"""Deviations of the noise by which rows far outside must stand out: chance does so in 1 % of the runs."""


ALONE = 3.3
"""`SURE` where no bin between surely holds rows: such is chance more often. Numbers: RECIPE.md, "False alarms"."""


def log_densities(model: Mixture, rows: Floats) -> Floats:
    """Log densities of rows (m, d), without the power of 2π.

    Examples
    --------
    >>> log_densities(Mixture([1.0], [[0.0]], [[[1.0]]]), np.array([[2.0]])).tolist()
    [-2.0]
    """
    inverse = np.linalg.inv(model.cholesky)
    distances = np.array([(((rows - model.means[j]) @ inverse[j].T) ** 2).sum(axis=1) for j in range(len(inverse))])
    with np.errstate(divide="ignore"):
        weights = np.log(model.weights) - np.log(np.diagonal(model.cholesky, axis1=1, axis2=2)).sum(axis=1)
    return as_floats(np.logaddexp.reduce(weights[:, None] - 0.5 * distances, axis=0))


def drawn(model: Mixture, count: int, rng: np.random.Generator) -> Floats:
    """Rows of the mixture itself."""
    k, d = model.means.shape
    shares = np.maximum(model.weights, 0.0)
    labels = rng.choice(k, size=count, p=shares / shares.sum())
    rows = rng.standard_normal((count, d))
    for j in range(k):  # not by one array of a matrix a row: 40 GB for 500 columns
        rows[labels == j] = rows[labels == j] @ model.cholesky[j].T + model.means[j]
    return rows


def edges(model: Mixture, seed: int) -> Floats:
    """Edges of log densities, increasing: by rows drawn from the mixture with a public seed."""
    rows = drawn(attrs.evolve(model, cholesky=flattened(model.cholesky)), SAMPLES, np.random.default_rng([seed, 5]))
    inside = np.quantile(log_densities(model, rows), QUANTILES)
    return as_floats(np.concatenate([inside[0] - np.array(FARTHER), inside]))


def bins(released: Floats) -> Floats:
    """The counts of the first column's bins (`EDGES` + 1,), lowest densities first."""
    return as_floats(np.reshape(released, (EDGES + 1, EDGES + 1))[:, -1])


def standing_out(counts: Floats, std: float) -> slice:
    """Which bins of rows far outside, alone or together, stand out of the noise most; none where none does.

    Examples
    --------
    >>> far = [np.array([150.0, 20.0, 9000.0]), np.array([70.0, 90.0, 9000.0]), np.array([70.0, 20.0, 9000.0])]
    >>> [standing_out(counts, 30.0) for counts in far]
    [slice(0, 1, None), slice(0, 2, None), slice(0, 0, None)]
    """
    best, found = SURE, slice(0, 0)
    for first in range(len(FARTHER) - 1):
        for last in range(first + 1, len(FARTHER)):
            surely = float(counts[first:last].sum()) / (max(std, 1e-9) * math.sqrt(last - first))
            if surely > best:
                best, found = surely, slice(first, last)
    return found


@attrs.frozen
class Fit:
    """How much less likely rows are than rows of the mixture itself would be.

    Parameters
    ----------
    shortfall, error : float
        Nats a row, in the mean, and the noise's standard error of them.
    dimension : int
    outside : float
        Share of the rows that surely are more than `FARTHER` [0] nats below.
    beyond : float
        Nats a row that one more, wide component would gain for rows in all bins far outside, at least.
    unseen : float
        Nats a row that rows of the nearest bin far outside would cost more if they lay at its far edge; 0 where it
        does not surely hold some, and where it holds many (`FEW`).
    """

    shortfall: float
    error: float
    dimension: int
    outside: float = 0.0
    beyond: float = 0.0
    unseen: float = 0.0

    @property
    def possible(self) -> float:
        """Nats a row by which rows may be less likely than the mixture's own: what a bin's width and noise leave open.

        Examples
        --------
        >>> round(Fit(0.1, 0.1, 4, unseen=0.4).possible, 2), Fit(0.1, 0.6, 4).possible
        (0.6, 0.0)
        """
        return self.shortfall + self.error + self.unseen if self.unseen > 0.0 else 0.0

    @property
    def most(self) -> float:
        """The shortfall that noise alone does not exclude.

        Examples
        --------
        >>> Fit(0.5, 0.25, 4).most
        1.0
        """
        return self.shortfall + SURELY * self.error

    @property
    def is_short(self) -> bool:
        """Whether rows are less likely than the mixture's own: its covariances are narrower than theirs somewhere.

        Examples
        --------
        >>> Fit(0.5, 0.1, 12).is_short, Fit(0.2, 0.1, 12).is_short
        (True, False)
        """
        return self.shortfall - SURELY * self.error > LESS

    @property
    def square(self) -> float:
        """Mean square of whitened rows over d, as near to 1, which it is at an optimum, as noise allows.

        Examples
        --------
        >>> Fit(0.1, 0.1, 4).square, round(Fit(1.2, 0.1, 4).square, 6)
        (1.0, 1.5)
        """
        surely = max(abs(self.shortfall) - SURELY * self.error, 0.0)
        return max(1.0 + 2.0 * math.copysign(surely, self.shortfall) / self.dimension, 0.05)

    @property
    def gain(self) -> float:
        """Nats a row that other sizes of all covariances would gain beyond noise: so far from an optimum at least.

        To the accuracy of the bins. Multiplying all covariances by `square` = u gains ``d (u - 1 - ln u) / 2``.

        Examples
        --------
        >>> Fit(0.0, 0.1, 2).gain, round(Fit(1.1, 0.0, 4).gain, 2), round(Fit(1e4, 10.0, 2).gain)
        (0.0, 0.22, 9971)
        """
        return 0.5 * self.dimension * (self.square - 1.0 - math.log(self.square))

    @property
    def wide(self) -> float:
        """Nats a row that one more, wide component would gain for the rows far outside, at least.

        Examples
        --------
        >>> Fit(0.0, 0.1, 3).wide, round(Fit(0.0, 0.1, 3, 0.002).wide, 3)
        (0.0, 0.175)
        """
        return worth(self.outside, FARTHER[0], self.dimension)


def worth(share: float, lost: float, dimension: int) -> float:
    """Nats a row that one more, wide component gains for this share of the rows, so many nats less likely than usual.

    A component whose covariance is ``u = 1 + 2 l / d`` times the mixture's costs such a row ``d ln(u) / 2`` and the
    logarithm of its weight; without it, the row costs l nats.

    Examples
    --------
    >>> worth(0.0, 100.0, 3), worth(0.001, 5.0, 3), round(worth(0.03, 8.0, 4), 3)
    (0.0, 0.0, 0.038)
    """
    if share <= 0.0:
        return 0.0
    return max(share * (lost - 0.5 * dimension * math.log1p(2.0 * lost / dimension) + math.log(share)), 0.0)


def expected(model: Mixture, known: Floats, seed: int, result: Mixture | None) -> Floats:
    """Shares of rows in the bins of a mixture's log densities: of its own rows, or of those of the result."""
    if result is None:
        return as_floats(np.concatenate([np.zeros(len(FARTHER)), np.diff([0.0, *QUANTILES, 1.0])]))
    rows = drawn(attrs.evolve(result, cholesky=flattened(result.cholesky)), SAMPLES, np.random.default_rng([seed, 6]))
    return as_floats(np.bincount(np.searchsorted(known, log_densities(model, rows)), minlength=EDGES + 1) / SAMPLES)


def fit(
    model: Mixture, released: Floats, std: float, seed: int, *, tail: bool = False, result: Mixture | None = None
) -> Fit:
    """Read the histogram.

    Parameters
    ----------
    model : Mixture
        Whose log densities they are.
    released : array
        Noisy counts of `FitEdges`.
    std : float
        Their noise.
    seed : int
        Public: that of the edges.
    tail : bool
        Whether wide components take up rows far outside: then those count as if they were at the nearest bin's near
        edge, and none is `beyond`.
    result : Mixture, optional
        A later mixture, which rows are compared with in its place.

    Notes
    -----
    Of the bins far outside the nearest counts always, the others where they stand out of the noise: then as they are,
    and their noise is not taken off once more. The farthest must stand out more where it does alone (`ALONE`).
    """
    known, counts = edges(model, seed), bins(released).copy()
    nearest, far = len(FARTHER) - 1, len(FARTHER)
    own = expected(model, known, seed, result)
    excess = counts - own * max(float(counts.sum()), 1.0)
    if excess[0] < ALONE * std and not (excess[1:far] > SURELY * std).any():
        counts[0] = excess[0] = 0.0
    window = standing_out(excess, std)
    lost = np.array(FARTHER)[window]
    below = known[far] - (np.minimum(lost, FARTHER[-1]) if tail else lost)
    middles = 0.5 * (known[far:-1] + known[far + 1 :])
    depth = FARTHER[-1] if tail else 3.0 * FARTHER[-1]
    values = np.concatenate([below, [known[far] - depth, known[far] - 1.0], middles, known[-1:]])
    seen, own = (np.concatenate([found[window], found[nearest:]]) for found in (counts, own))
    mean = float(values @ own) / float(own.sum())
    values = mean - values
    rows = max(float(seen.sum()), 1.0)
    error = std / rows * float(np.linalg.norm(values[lost.size :]))
    outside = float(excess[0]) / rows if excess[0] > SURE * std and not tail else 0.0
    dimension = model.means.shape[1]
    surely = np.maximum(excess[: len(FARTHER)] - SURELY * std, 0.0) * (not tail) / rows
    depths = mean - known[: len(FARTHER)]  # of the bins' near edges
    beyond = sum(worth(float(share), float(lost), dimension) for share, lost in zip(surely, depths, strict=True))
    near = float(excess[nearest])
    unseen = near / rows * (FARTHER[-2] - depth) if SURELY * std < near < FEW * std and not tail else 0.0
    return Fit(float(seen @ values) / rows, error, dimension, min(outside, 1.0), beyond, unseen)
