"""Candidates of the practical mode: mixtures of 1 to k components fitted to released cells, and robust variants."""

from __future__ import annotations

import attrs
import numpy as np

from .fitting import Cells, Floats, Model, expected, refit
from .starts import centres, starts

KEPT = 3
WORK = 4e7
OUTLYING = 4.0
BESIDE, BEYOND = 5.0, 2.0
"""Standard deviations that a run of cells must hold beyond a model, and each of its cells."""


@attrs.frozen(eq=False)
class Candidates:
    """M mixtures of at most k components with diagonal covariances; components of weight 0 fill up.

    Parameters
    ----------
    weights : array of shape (M, k)
        Non-negative rows that sum to 1.
    means, variances : arrays of shape (M, k, d)
    """

    weights: Floats
    means: Floats
    variances: Floats

    def __len__(self) -> int:
        return len(self.weights)


def fits(
    cells: Cells, k: int, seed: int, *, kept: int = KEPT, smaller: Model | None = None
) -> list[tuple[Model, float]]:
    """The best fits of exactly k components, best first; one start is ``smaller`` and what it leaves unexplained."""
    work = float(cells.counts.size) * (k * (2 * cells.d + 1)) ** 2
    most = int(np.clip(WORK / work, 2, 8))
    found: list[tuple[Model, float]] = []
    more = beside(cells, smaller) if smaller is not None else None
    for model in starts(cells, k, seed)[:most] + ([more] if more is not None else []):
        fitted, score = refit(cells, model)
        if all(abs(score - other) > 1e-3 or not _alike(fitted, m) for m, other in found):
            found.append((fitted, score))
    return sorted(found, key=lambda item: item[1])[:kept]


def beside(cells: Cells, model: Model) -> Model | None:
    """The model and one component more, on the run of cells of a column that holds most beyond what it explains.

    EM from random starts does not see a light component that is much narrower than the others. None where no column
    has such a run; a column that has none gets the mean and deviation of the model as a whole.
    """
    if cells.d > 1 and not cells.marginals:
        return None
    variance = expected(cells, model) + cells.noise_variance + 1.0
    residual = cells.observed - expected(cells, model)
    shares = model.amplitudes / model.amplitudes.sum()
    means = shares @ model.means
    sds = np.sqrt(shares @ (model.sds**2 + (model.means - means) ** 2))
    masses, at = [], cells.counts.size if cells.marginals else 0
    for j, edges in enumerate([e for e, _ in cells.marginals] or cells.edges):
        span = slice(at, at + len(edges) + 1)
        at = span.stop
        found = _run(edges, residual[span], variance[span])
        if found is not None:
            mass, means[j], sds[j] = found
            masses.append(mass)
    if not masses:
        return None
    sds = np.maximum(sds, cells.narrowest) if cells.sds is None else cells.sds
    return Model(np.append(model.amplitudes, min(masses)), np.vstack([model.means, means]), np.vstack([model.sds, sds]))


def _run(edges: Floats, residual: Floats, variance: Floats) -> tuple[float, float, float] | None:
    """Mass, mean and standard deviation of what the run of cells holds that stands out most."""
    beyond = np.concatenate([[False], residual > BEYOND * np.sqrt(variance), [False]])
    ends = np.flatnonzero(np.diff(beyond)).reshape(-1, 2)
    if not len(ends):
        return None
    mass, spread = (np.append(0.0, np.cumsum(part)) for part in (residual, variance))
    found = (mass[ends[:, 1]] - mass[ends[:, 0]]) / np.sqrt(spread[ends[:, 1]] - spread[ends[:, 0]])
    if found.max() < BESIDE:
        return None
    inside = slice(*ends[int(np.argmax(found))])
    where, widths = (part[inside] for part in centres(edges))
    weights = residual[inside] / residual[inside].sum()
    mean = float(weights @ where)
    return float(residual[inside].sum()), mean, float(np.sqrt(weights @ ((where - mean) ** 2 + widths**2 / 12.0)))


def _alike(a: Model, b: Model) -> bool:
    order = [np.argsort(m.means[:, 0], kind="stable") for m in (a, b)]
    gap = np.abs(a.means[order[0]] - b.means[order[1]]) / np.minimum(a.sds[order[0]], b.sds[order[1]])
    return bool(gap.max() < 0.01)


def robust(cells: Cells, model: Model) -> Model:
    """Fitted again without the cells that the model explains worst: stray rows do not pull it."""
    total = expected(cells, model)
    residual = (cells.observed - total) / np.sqrt(total + cells.noise_variance + 1.0)
    ignored = residual > OUTLYING
    return refit(cells, model, ignored=ignored)[0] if ignored.any() else model


def lightest_dropped(model: Model) -> Model:
    """Without its lightest component."""
    kept = np.delete(np.arange(model.k), int(np.argmin(model.amplitudes)))
    return Model(model.amplitudes[kept], model.means[kept], model.sds[kept])


def candidates(cells: Cells, k: int, seed: int) -> list[Model]:
    """Fits of 1 to k components; of k + 1 with one dropped; and each of these fitted again without outlying cells."""
    found: list[Model] = []
    smaller = None
    for size in range(1, k + 1):
        best = [m for m, _ in fits(cells, size, seed + size, kept=KEPT if size == k else 1, smaller=smaller)]
        found += best
        found += [robust(cells, m) for m in best[:1]]
        smaller = best[0] if best else None
    for model, _ in fits(cells, k + 1, seed + k + 1, kept=1, smaller=smaller):
        smaller = lightest_dropped(model)
        found += [smaller, robust(cells, smaller)]
    return found


def packed(models: list[Model], k: int) -> Candidates:
    """Arrays of k components, weights normalised."""
    weights = np.zeros((len(models), k))
    means = np.zeros((len(models), k, models[0].means.shape[1]))
    variances = np.ones_like(means)
    for i, m in enumerate(models):
        weights[i, : m.k] = m.amplitudes / m.amplitudes.sum()
        means[i, : m.k], variances[i, : m.k] = m.means, m.sds**2
        means[i, m.k :], variances[i, m.k :] = m.means[0], m.sds[0] ** 2
    return Candidates(weights, means, variances)


def is_usable(model: Model) -> bool:
    """Whether all its numbers are finite and its weights and deviations positive."""
    finite = all(np.isfinite(part).all() for part in (model.amplitudes, model.means, model.sds))
    return finite and bool(model.amplitudes.sum() > 0.0 and model.amplitudes.min() >= 0.0 and model.sds.min() > 0.0)
