"""Moments in the manner of Moitra and Valiant (2010), up to three components: a substitute without their proof.

The block is whitened. On lines in nearby directions the projected rows are a mixture of k Gaussians on the line,
whose 4k − 2 moments are matched; that of one direction is the start for the next, which keeps the components in order.
A component's mean along u is uᵀμ and its variance uᵀΣu, so μ and Σ follow from linear systems over the directions.

What is theirs: the reduction to lines, moments as the only statistic, nearby directions, linear systems. What is not:
they search all parameters on a grid, with polynomial guarantees for any learnable mixture; here a start from the
sorted line is improved by damped least squares, and the line is the one of many on which components are farthest
apart. Hermite moments are matched: as many equations as powers, better conditioned. Where some line shows the
components apart, errors are about those of ``em``; where none does, the block is ⊥, which their algorithm is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.plugin import learner

Floats = np.ndarray[Any, np.dtype[np.float64]]
Model = tuple[Floats, Floats, Floats]
MOST_COMPONENTS = 3
LINES, TURNS, SCREENED = 60, 150, 1500
"""Random lines that are tried, turns of the best of them, and rows that these look at."""
LEAST_APART = 1.2
BENDS = 0.03, 0.5
"""Least and largest length of what is added to the line's direction for the next ones."""
STRIDES = 4
"""Steps in which a line is turned, the answer of each being the start of the next."""
STEPS, TOLERANCE = 60, 1e-12
LEAST_VARIANCE, LEAST_WEIGHT = 1e-4, 1e-3
ROUNDS = 6


def fit(rows: Floats, k: int, generator: np.random.Generator) -> Model:
    """Weights (k,), means (k, d) and covariances (k, d, d) by matched moments.

    Parameters
    ----------
    rows : ndarray, shape (m, d)
    k : int
        At most 3.
    generator : numpy.random.Generator
        For the lines.

    Raises
    ------
    ValueError
        When no line gives k components: the block is then ⊥.
    numpy.linalg.LinAlgError
        When the rows do not span the space, or a recovered covariance is not positive definite.
    """
    centre = rows.mean(axis=0)
    root = np.linalg.cholesky(np.cov(rows.T).reshape(rows.shape[1], -1))
    white = np.linalg.solve(root, (rows - centre).T).T
    d = white.shape[1]
    base, start = _best_line(white, k, generator)
    weights, *line = _matched(white @ base, start)
    bend = _bend(line[0], line[1])
    directions = [base, *_nearby(base, bend, generator)]
    found = [_followed(white, base, u, (weights, line[0], line[1])) for u in directions]
    means = np.array([_solved(np.array(directions), np.array([line[1][j] for line in found])) for j in range(k)])
    squares = np.array([_products(u) for u in directions])
    halves = [_solved(squares, np.array([line[2][j] for line in found])) for j in range(k)]
    covariances = np.array([_symmetric(h, d) for h in halves])
    np.linalg.cholesky(covariances)
    return weights / weights.sum(), centre + means @ root.T, root @ covariances @ root.T


# ----------------------------------------------------------------------------------- one line


def hermite(values: Floats, count: int) -> Floats:
    """Means of the Hermite polynomials He_1 … He_count, divided by √j!."""
    before, now, out = np.ones_like(values), values, []
    for j in range(1, count + 1):
        out.append(now.mean() / math.sqrt(math.factorial(j)))
        before, now = now, values * now - j * before
    return np.array(out)


def expected(weights: Floats, means: Floats, variances: Floats, count: int) -> Floats:
    """The same of a mixture on a line: h_{j+1} = m·h_j − j(1 − s²)·h_{j−1} for each component.

    Examples
    --------
    >>> expected(np.ones(1), np.zeros(1), np.ones(1), 4).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    before, now, out = np.ones_like(means), means, []
    for j in range(1, count + 1):
        out.append(float(weights @ now) / math.sqrt(math.factorial(j)))
        before, now = now, means * now - j * (1 - variances) * before
    return np.array(out)


def _matched(line: Floats, start: Model, *, free: bool = True) -> Model:
    """Damped least squares from a start, in the logarithms of weights and variances; weights may be held."""
    k = len(start[0])
    if k == 1:
        return np.ones(1), np.array([line.mean()]), np.array([line.var()])
    wanted, held = hermite(line, 4 * k - 2), 0 if free else k
    theta, damping = _theta(start), 1e-3

    def residual(moving: Floats) -> Floats:
        return expected(*_parameters(np.concatenate([theta[:held], moving]), k), 4 * k - 2) - wanted

    moving = theta[held:]
    error = residual(moving)
    for _ in range(STEPS):
        slope = _slope(residual, moving, error)
        normal, gradient = slope.T @ slope, slope.T @ error
        if float(gradient @ gradient) < TOLERANCE:
            break
        tried = moving - np.linalg.solve(normal + damping * np.diag(np.diagonal(normal) + 1e-9), gradient)
        again = residual(tried)
        if np.isfinite(again).all() and float(again @ again) < float(error @ error):
            moving, error, damping = tried, again, max(damping / 4, 1e-12)
        else:
            damping *= 5
    return _parameters(np.concatenate([theta[:held], moving]), k)


def _followed(white: Floats, base: Floats, direction: Floats, start: Model) -> Model:
    """The components on a nearby line: the weights are those of the first line."""
    for i in range(1, STRIDES + 1):
        start = _matched(white @ _unit(base + i / STRIDES * (direction - base)), start, free=False)
    return start


def _theta(model: Model) -> Floats:
    return np.concatenate([np.log(model[0]), model[1], np.log(model[2])])


def _parameters(theta: Floats, k: int) -> Model:
    shares = np.exp(np.clip(theta[:k] - theta[:k].max(), -30, 0))
    weights = np.maximum(shares / shares.sum(), LEAST_WEIGHT)
    return weights / weights.sum(), theta[k : 2 * k], np.exp(np.clip(theta[2 * k :], math.log(LEAST_VARIANCE), 5))


def _slope(residual: Callable[[Floats], Floats], theta: Floats, error: Floats) -> Floats:
    steps = 1e-6 * np.eye(len(theta))
    return np.stack([(residual(theta + s) - error) / 1e-6 for s in steps], axis=1)


def _start(line: Floats, k: int) -> Model:
    """Cut the sorted line at its k-means, from even quantiles."""
    centres = np.quantile(line, (np.arange(k) + 0.5) / k)
    for _ in range(ROUNDS):
        nearest = np.argmin(np.abs(line[:, None] - centres[None]), axis=1)
        parts = [line[nearest == j] for j in range(k)]
        if min(len(p) for p in parts) < 2:
            raise ValueError("a part of the line is empty")
        centres = np.array([p.mean() for p in parts])
    counts = np.array([len(p) for p in parts], dtype=np.float64)
    return counts / counts.sum(), centres, np.array([max(p.var(), LEAST_VARIANCE) for p in parts])


def _best_line(white: Floats, k: int, generator: np.random.Generator) -> tuple[Floats, Model]:
    """A line on which the components are far apart: the best of random ones, turned while that helps."""
    rows = white[:SCREENED]
    lines = list(_unit(generator.standard_normal((LINES, white.shape[1]))))
    scores = [_apart(rows @ u, k) for u in lines]
    best, score = lines[int(np.argmax(scores))], max(scores)
    for i in range(TURNS if k > 1 and white.shape[1] > 1 else 0):
        turned = _unit(best + 0.97**i * generator.standard_normal(len(best)) / math.sqrt(len(best)))
        found = _apart(rows @ turned, k)
        if found > score:
            best, score = turned, found
    if not score > LEAST_APART:
        raise ValueError(f"no line shows {k} components")
    line = white @ best
    return best, _matched(line, _start(line, k))


def _apart(line: Floats, k: int) -> float:
    """The smallest gap between neighbours on the line, in their own deviations; 0 where there are no k parts."""
    try:
        _, means, variances = _start(line, k)
    except ValueError:
        return 0.0
    deviations = np.sqrt(variances)
    return float((np.diff(means) / (deviations[1:] + deviations[:-1])).min()) if k > 1 else math.inf


# ------------------------------------------------------------------------------- several lines


def _unit(vectors: Floats) -> Floats:
    lengths: Floats = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return lengths


def _bend(means: Floats, variances: Floats) -> float:
    """Twice a component's deviation on the line, where others have 1 across it; less where components are close."""
    close = np.diff(np.sort(means)).min() / 8 if len(means) > 1 else 1.0
    return float(np.clip(min(2 * np.sqrt(np.median(variances)), close), *BENDS))


def _nearby(base: Floats, bend: float, generator: np.random.Generator) -> list[Floats]:
    """Directions u ± b·e_i and u ± b(e_i + e_j)/√2: enough for d means and d(d + 1)/2 variances, twice."""
    d = len(base)
    frame: Floats = np.linalg.qr(np.column_stack([base, generator.standard_normal((d, d))]))[0][:, :d]
    axes = [frame[:, i] for i in range(1, d)]
    pairs = [(axes[i] + axes[j]) / math.sqrt(2) for i in range(d - 1) for j in range(i)]
    return [_unit(base + sign * bend * e) for e in (*axes, *pairs) for sign in (1.0, -1.0)]


def _products(u: Floats) -> Floats:
    """Coefficients of uᵀΣu in the upper half of Σ."""
    row, column = np.triu_indices(len(u))
    out: Floats = u[row] * u[column] * np.where(row == column, 1.0, 2.0)
    return out


def _solved(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], dtype=np.float64)


def _symmetric(half: Floats, d: int) -> Floats:
    out = np.zeros((d, d))
    out[np.triu_indices(d)] = half
    return out + np.triu(out, 1).T


def _of(k: int) -> Callable[[Floats, np.random.Generator], Model]:
    def moments(rows: Floats, generator: np.random.Generator) -> Model:
        return fit(rows, k, generator)

    moments.__doc__ = f"Matched moments of {k} components."
    return moments


for _k in range(1, MOST_COMPONENTS + 1):
    learner(f"moments_{_k}")(_of(_k))
