"""Mixtures of product Gaussians fitted to noisy counts of product cells: all of it on released values.

Counts are unbiased, with known noise, and negative where noise made them so. Starts come from EM on the cells that
stand out; each is then fitted by weighted least squares, ``Σ (c_i − Σ_j a_j P_j(cell i))² / V_i`` with
``V_i = expected count + noise²``, which is unbiased, uses the cells that do not stand out, and needs no number of rows:
the amplitudes a_j are free and normalised at the end. Where product cells are wide, finer counts of each column alone
are terms of the sum as well. ``P_j`` are exact integrals over the cells, so wide cells cost
precision and no bias.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS = (30, 60, 60)
TRIES = 8
FIRST_DAMPING = 1e-3
TOLERANCE = 1e-6
FARTHEST = 40.0


@attrs.frozen(eq=False)
class Cells:
    """Noisy counts of product cells, in units of about one.

    Parameters
    ----------
    edges : tuple of arrays
        Of each column, increasing; the outer cells are unbounded.
    counts : array of shape (m_1, …, m_d)
        ``m_j = len(edges[j]) + 1``.
    noise : float
        Standard deviation of a count's noise.
    sds : array of shape (d,), optional
        Known standard deviations of every component.
    marginals : tuple of (edges, counts)
        Of each column alone, on finer cells; none where the product cells are fine themselves.
    marginal_noise : float
        Standard deviation of their noise.
    """

    edges: tuple[Floats, ...]
    counts: Floats
    noise: float
    sds: Floats | None = None
    marginals: tuple[tuple[Floats, Floats], ...] = ()
    marginal_noise: float = 0.0

    @property
    def d(self) -> int:
        """Number of columns."""
        return len(self.edges)

    @property
    def narrowest(self) -> Floats:
        """Least standard deviation that is told from 0, a column: a part of the narrowest cell."""
        finest = [e for e, _ in self.marginals] or self.edges
        return np.array([0.1 * np.diff(e).min() if len(e) > 1 else 1e-3 for e in finest])

    @property
    def observed(self) -> Floats:
        """All counts: of the product cells, then of each column."""
        return np.concatenate([self.counts.ravel(), *(c for _, c in self.marginals)])

    @property
    def noise_variance(self) -> Floats:
        """Variance of the noise of each count."""
        columns = [np.full(c.size, self.marginal_noise**2) for _, c in self.marginals]
        return np.concatenate([np.full(self.counts.size, self.noise**2), *columns])


@attrs.frozen(eq=False)
class Model:
    """Amplitudes (k,), means (k, d) and standard deviations (k, d)."""

    amplitudes: Floats
    means: Floats
    sds: Floats

    @property
    def k(self) -> int:
        """Number of components."""
        return len(self.amplitudes)


def _integrals(edges: Floats, mean: float, sd: float) -> tuple[Floats, Floats, Floats]:
    """Mass of each cell under N(mean, sd²), and its derivatives by the mean and by ln sd."""
    from scipy.special import ndtr

    z = np.clip((edges - mean) / sd, -FARTHEST, FARTHEST)
    density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    lower = np.concatenate([[0.0], ndtr(z)])
    upper = np.concatenate([ndtr(-z), [0.0]])
    # a difference of tails on the side where they are small keeps digits
    mass = np.where(np.append(z, FARTHEST) < 0, np.diff(np.append(lower, 1.0)), -np.diff(np.append(1.0, upper)))
    by_mean = -np.diff(np.concatenate([[0.0], density, [0.0]])) / sd
    by_log_sd = -np.diff(np.concatenate([[0.0], z * density, [0.0]]))
    return np.maximum(mass, 0.0), by_mean, by_log_sd


def _outer(columns: list[Floats]) -> Floats:
    out = columns[0]
    for column in columns[1:]:
        out = out[..., None] * column
    return out.ravel()


def expected(cells: Cells, model: Model) -> Floats:
    """Expected counts of all cells, in the order of ``observed``."""
    total = np.zeros(cells.observed.size)
    for a, mean, sd in zip(model.amplitudes, model.means, model.sds, strict=True):
        masses = [_integrals(e, m, s)[0] for e, m, s in zip(cells.edges, mean, sd, strict=True)]
        fine = [_integrals(e, m, s)[0] for (e, _), m, s in zip(cells.marginals, mean, sd, strict=False)]
        total += a * np.concatenate([_outer(masses), *fine])
    return total


def _jacobian(cells: Cells, model: Model) -> tuple[Floats, Floats]:
    """Expected counts and their derivatives by ln amplitude, means and (unless known) ln sd of every component."""
    rows, total, d = [], np.zeros(cells.observed.size), cells.d
    for a, mean, sd in zip(model.amplitudes, model.means, model.sds, strict=True):
        parts = [_integrals(e, m, s) for e, m, s in zip(cells.edges, mean, sd, strict=True)]
        fine = [_integrals(e, m, s) for (e, _), m, s in zip(cells.marginals, mean, sd, strict=False)]
        own = a * np.concatenate([_outer([p[0] for p in parts]), *(p[0] for p in fine)])
        total += own
        rows.append(own)
        for which in (1,) if cells.sds is not None else (1, 2):
            for j in range(d):
                joint = _outer([parts[i][which if i == j else 0] for i in range(d)])
                alone = [p[which] if i == j else np.zeros(p[0].size) for i, p in enumerate(fine)]
                rows.append(a * np.concatenate([joint, *alone]))
    return total, np.array(rows)


def _moved(cells: Cells, model: Model, step: Floats) -> Model:
    """The model after a step in its free parameters, kept where it makes sense."""
    d = cells.d
    steps = step.reshape(model.k, -1)
    amplitudes = model.amplitudes * np.exp(np.clip(steps[:, 0], -2.0, 2.0))
    means = model.means + np.clip(steps[:, 1 : 1 + d], -3.0 * model.sds, 3.0 * model.sds)
    sds = model.sds
    if cells.sds is None:
        sds = np.maximum(sds * np.exp(np.clip(steps[:, 1 + d :], -1.0, 1.0)), cells.narrowest)
    return Model(amplitudes, means, sds)


def _solved(matrix: Floats, right: Floats) -> Floats:
    """The solution, or no step where there is none."""
    try:
        step = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.zeros_like(right)
    return np.asarray(np.nan_to_num(step, nan=0.0, posinf=0.0, neginf=0.0), dtype=np.float64)


def _variance(cells: Cells, model: Model) -> Floats:
    """Of each noisy count: the noise, and the rows themselves where the model puts them."""
    return np.asarray(expected(cells, model) + cells.noise_variance + 1.0)


def _misfit(cells: Cells, model: Model, variance: Floats) -> float:
    return float(((cells.observed - expected(cells, model)) ** 2 / variance).sum())


def _descend(cells: Cells, model: Model, variance: Floats, steps: int) -> Model:
    """Levenberg–Marquardt steps on the squares over these variances."""
    damping, misfit = FIRST_DAMPING, _misfit(cells, model, variance)
    for _ in range(steps):
        total, rows = _jacobian(cells, model)
        weighted = rows / variance
        gradient, hessian = weighted @ (cells.observed - total), weighted @ rows.T
        scale = np.diag(np.diagonal(hessian) + 1e-12 * (1.0 + np.trace(hessian)))
        for _ in range(TRIES):
            tried = _moved(cells, model, _solved(hessian + damping * scale, gradient))
            new = _misfit(cells, tried, variance)
            if new < misfit:
                break
            damping *= 6.0
        else:
            return model
        gain, model, misfit, damping = misfit - new, tried, new, max(damping / 6.0, 1e-9)
        if gain < TOLERANCE * max(1.0, misfit):
            return model
    return model


def refit(cells: Cells, model: Model, *, ignored: NDArray[np.bool_] | None = None) -> tuple[Model, float]:
    """The model fitted to the counts, and its misfit: −2 log likelihood of counts that are about normal.

    The variances are those of the model itself, brought up to date twice.

    Parameters
    ----------
    cells : Cells
    model : Model
        Where to begin.
    ignored : array of bool, optional
        Counts, in the order of ``observed``, that carry no weight.
    """
    unseen = np.where(ignored, np.inf, 0.0) if ignored is not None else 0.0
    for steps in STEPS:
        model = _descend(cells, model, _variance(cells, model) + unseen, steps)
    variance = _variance(cells, model)
    return model, _misfit(cells, model, variance) + float(np.log(variance).sum())
