"""Total variation of Gaussians and mixtures, in numbers; and the distance dist_GMM of Def 2.1.3."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import attrs
import numpy as np

from dpframe.plugin import DomainError

Floats = np.ndarray[Any, np.dtype[np.float64]]
Model = tuple[Floats, Floats, Floats]
REACH = 8.5
POINTS = {1: 16_000, 2: 240}
DRAWS = 200_000
CHUNK = 50_000
FALSE_ALARM = 1e-6


@attrs.frozen
class Variation:
    """A numerical total variation.

    Attributes
    ----------
    value : float
        In [0, 1].
    error : float
        For d <= 2 the difference to the rule with half as many points an axis. For d > 2 Hoeffding's half-width: the
        truth is farther off with probability at most 1e-6 over the draws.
    """

    value: float
    error: float


def mixture_tv(first: Model, second: Model, *, draws: int = DRAWS, seed: int = 0) -> Variation:
    """½∫|f − g| of two mixtures of Gaussians.

    With h = (f + g)/2 = Σ c_j N_j it is Σ c_j E_j[|f − g|/(f + g)], an average of numbers in [0, 1], taken in the frame
    of each component: on a grid for d <= 2, over random draws for d > 2.

    Parameters
    ----------
    first, second : tuple of ndarray
        Weights (k,), means (k, d) and covariances (k, d, d). The two k may differ.
    draws : int
        In d > 2.
    seed : int
        Of the draws.

    Raises
    ------
    DomainError
        When the shapes don't fit, or a covariance is not positive definite.

    Examples
    --------
    >>> one = (np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1)))
    >>> two = (np.ones(1), np.ones((1, 1)), np.ones((1, 1, 1)))
    >>> round(mixture_tv(one, two).value, 4)
    0.3829
    """
    models = _read(first), _read(second)
    d = models[0][1].shape[1]
    if models[1][1].shape[1] != d:
        raise DomainError(f"mixtures in {d} and {models[1][1].shape[1]} dimensions can't be compared")
    if d <= 2:
        fine, coarse = (_on_grid(models, POINTS[d] // parts) for parts in (1, 2))
        return Variation(min(fine, 1.0), abs(fine - coarse))
    value = _over_draws(models, draws, np.random.default_rng(seed))
    return Variation(value, float(np.sqrt(np.log(2 / FALSE_ALARM) / (2 * draws))))


def gaussian_tv(mean: Any, covariance: Any, other_mean: Any, other_covariance: Any, *, seed: int = 0) -> Variation:
    """Total variation of two Gaussians."""
    first, second = _single(mean, covariance), _single(other_mean, other_covariance)
    return mixture_tv(first, second, seed=seed)


def dist_gmm(first: Model, second: Model, *, seed: int = 0) -> Variation:
    """Def 2.1.3: the least over matchings of the largest of |w − w'| and the components' total variation.

    Raises
    ------
    DomainError
        When the mixtures have different numbers of components, or more than 8.
    """
    a, b = _read(first), _read(second)
    k = len(a[0])
    if len(b[0]) != k or k > 8:
        raise DomainError(f"mixtures of {k} and {len(b[0])} components can't be matched")
    found = [[gaussian_tv(a[1][i], a[2][i], b[1][j], b[2][j], seed=seed) for j in range(k)] for i in range(k)]
    values = np.array([[v.value for v in row] for row in found])
    pairs = np.maximum(values, np.abs(a[0][:, None] - b[0][None, :]))
    best = min(max(pairs[i, p[i]] for i in range(k)) for p in permutations(range(k)))
    return Variation(float(best), max(v.error for row in found for v in row))


def _single(mean: Any, covariance: Any) -> Model:
    return np.ones(1), np.asarray(mean, dtype=np.float64)[None], np.asarray(covariance, dtype=np.float64)[None]


def _read(model: Model) -> Model:
    """Checked arrays."""
    weights, means, covariances = (np.asarray(part, dtype=np.float64) for part in model)
    if means.ndim != 2 or weights.shape != means.shape[:1] or covariances.shape != (*means.shape, means.shape[1]):
        raise DomainError(f"no mixture has the shapes {weights.shape}, {means.shape} and {covariances.shape}")
    try:
        np.linalg.cholesky(covariances)
    except np.linalg.LinAlgError:
        raise DomainError("a covariance is not positive definite") from None
    return weights, means, covariances


def _ratio(points: Floats, models: tuple[Model, Model]) -> Floats:
    """|f − g|/(f + g) at points (n, d); 0 where both vanish."""
    logs = [_log_density(points, model) for model in models]
    return np.abs(np.tanh((logs[0] - logs[1]) / 2))


def _log_density(points: Floats, model: Model) -> Floats:
    weights, means, covariances = model
    terms = np.full((len(weights), len(points)), -np.inf)
    for j, root in enumerate(np.linalg.cholesky(covariances)):
        if weights[j] > 0:
            seen = np.linalg.solve(root, (points - means[j]).T)
            terms[j] = np.log(weights[j]) - np.log(np.diagonal(root)).sum() - (seen * seen).sum(axis=0) / 2
    top = np.maximum(terms.max(axis=0), -1e300)
    out: Floats = top + np.log(np.exp(terms - top).sum(axis=0))
    return out


def _frames(models: tuple[Model, Model]) -> list[tuple[float, Floats, Floats]]:
    """Weight in h, mean and root of each component of both."""
    out = []
    for weights, means, covariances in models:
        roots = np.linalg.cholesky(covariances)
        out += [(float(w) / 2, m, root) for w, m, root in zip(weights, means, roots, strict=True) if w > 0]
    return out


def _on_grid(models: tuple[Model, Model], points: int) -> float:
    d = models[0][1].shape[1]
    axis = REACH * (2 * (np.arange(points) + 0.5) / points - 1)
    mass = np.exp(-(axis**2) / 2)
    mass /= mass.sum()
    grid = np.stack(np.meshgrid(*[axis] * d, indexing="ij"), axis=-1).reshape(-1, d)
    weight = mass if d == 1 else np.outer(mass, mass).ravel()
    kept = weight > 1e-14
    grid, weight = grid[kept], weight[kept]
    total = sum(c * float(weight @ _ratio(mean + grid @ root.T, models)) for c, mean, root in _frames(models))
    return float(total)


def _over_draws(models: tuple[Model, Model], draws: int, rng: np.random.Generator) -> float:
    """Independent draws from h."""
    frames = _frames(models)
    shares = np.array([c for c, _, _ in frames])
    counts = rng.multinomial(draws, shares / shares.sum())
    total = 0.0
    for count, (_, mean, root) in zip(counts, frames, strict=True):
        for start in range(0, int(count), CHUNK):
            drawn = rng.standard_normal((min(CHUNK, int(count) - start), len(mean)))
            total += float(_ratio(mean + drawn @ root.T, models).sum())
    return total / draws
