"""Every estimator beside a plain mechanism at the same guarantee, which is *told* how wide the rows are.

    python bench/estimators.py [--rows N] [--seeds S]

Ours get a bound 100 times too large. The baselines get the smallest ball or box that holds the rows, which nobody has
without looking: the analytic Gaussian mechanism (Balle, Wang 2018) on sums, AdaSSP (Wang 2018) for regression, noisy
gradient descent on clipped gradients for logits, the exponential mechanism on 1024 candidates for quantiles, and
DPLloyd (Su and others 2016) with public random starts. All at (1, 1e-6), replace-one; medians over seeds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe import estimators as E
from dpframe_plugins.classic.sizing import gaussian_mu

EPSILON, DELTA = 1.0, 1e-6
MU = gaussian_mu(EPSILON, DELTA)
Floats = Any
SLOPES = "error of the slopes times the deviations, root mean square"


def noise(rng: Any, shape: Any, sensitivity: float, part: float = 1.0) -> Floats:
    """Gaussian noise for a part of μ²."""
    return rng.normal(size=shape) * sensitivity / (MU * part**0.5)


def plain_mean(X: Floats, rng: Any) -> Floats:
    centre = (X.max(0) + X.min(0)) / 2
    radius = np.linalg.norm(X - centre, axis=1).max()
    return X.mean(0) + noise(rng, X.shape[1], 2 * radius) / len(X)


def plain_gram(X: Floats, rng: Any, part: float = 1.0) -> tuple[Floats, Floats]:
    """Mean by half, second moments by half, in the smallest ball."""
    centre = (X.max(0) + X.min(0)) / 2
    Z = X - centre
    radius = np.linalg.norm(Z, axis=1).max()
    upper = np.triu(noise(rng, (X.shape[1],) * 2, radius**2 * 2**0.5, part / 2))
    noisy = (upper + upper.T) / 2**0.5
    mean = Z.mean(0) + noise(rng, X.shape[1], 2 * radius, part / 2) / len(X)
    return mean + centre, (Z.T @ Z + noisy) / len(X) - np.outer(mean, mean)


def plain_quantiles(X: Floats, rng: Any, asked: list[float]) -> Floats:
    each = EPSILON / (X.shape[1] * len(asked))
    found = []
    for column in X.T:
        grid = np.linspace(column.min(), column.max(), 1024)
        below = np.searchsorted(np.sort(column), grid)
        for q in asked:
            score = -np.abs(below - q * len(X))
            found.append(grid[np.argmax(each * score / 2 + rng.gumbel(size=1024))])
    return np.array(found).reshape(X.shape[1], -1)


def ada_ssp(X: Floats, y: Floats, rng: Any) -> Floats:
    Z = np.column_stack([np.ones(len(X)), X / np.abs(X).max(0)])
    bx, by = np.linalg.norm(Z, axis=1).max(), np.abs(y).max()
    upper = np.triu(noise(rng, (Z.shape[1],) * 2, bx**2 * 2**0.5, 1 / 2))
    inner = Z.T @ Z + (upper + upper.T) / 2**0.5
    cross = Z.T @ y + noise(rng, Z.shape[1], 2 * bx * by, 1 / 2)
    least = max(np.linalg.norm((upper + upper.T) / 2**0.5, 2) - np.linalg.eigvalsh(inner).min(), 0.0)
    return np.linalg.solve(inner + least * np.eye(len(inner)), cross)[1:] / np.abs(X).max(0)


def noisy_descent(X: Floats, y: Floats, rng: Any, steps: int = 30) -> Floats:
    scale, centre = X.std(0), X.mean(0)
    Z = np.column_stack([np.ones(len(X)), (X - centre) / scale])
    theta = np.zeros(Z.shape[1])
    for _ in range(steps):
        each = (1 / (1 + np.exp(-Z @ theta)) - y)[:, None] * Z
        each /= np.maximum(np.linalg.norm(each, axis=1, keepdims=True), 1.0)
        theta -= 4.0 * (each.sum(0) + noise(rng, len(theta), 2.0, 1 / steps)) / len(X)
    return theta[1:] / scale


def dp_lloyd(X: Floats, k: int, rng: Any, steps: int = 5) -> Floats:
    low, high = X.min(0), X.max(0)
    centres, radius = rng.uniform(low, high, size=(k, X.shape[1])), np.linalg.norm(high - low) / 2
    for _ in range(steps):
        near = np.linalg.norm(X[:, None] - centres, axis=2).argmin(1)
        for j in range(k):
            Z = X[near == j] - (low + high) / 2
            count = len(Z) + noise(rng, (), 2**0.5, 0.5 / steps)
            total = Z.sum(0) + noise(rng, X.shape[1], 2**0.5 * radius, 0.5 / steps)
            if count > 10:
                centres[j] = np.clip(total / count + (low + high) / 2, low, high)
    return centres


def naive_bayes(X: Floats, y: Floats, rng: Any) -> Callable[[Floats], Floats]:
    low, high = X.min(0), X.max(0)
    Z = 2 * (X - low) / (high - low) - 1
    found = []
    for label in (0, 1):
        part = Z[y == label]
        count = len(part) + noise(rng, (), 2**0.5, 1 / 3)
        wide = (2 * Z.shape[1]) ** 0.5
        mean = (part.sum(0) + noise(rng, Z.shape[1], wide, 1 / 3)) / count
        squares = ((part**2).sum(0) + noise(rng, Z.shape[1], wide, 1 / 3)) / count
        found.append((count, mean, np.maximum(squares - mean**2, 1e-4)))

    def predict(rows: Floats) -> Floats:
        seen = 2 * (rows - low) / (high - low) - 1
        logs = [np.log(c) - 0.5 * (np.log(v) + (seen - m) ** 2 / v).sum(1) for c, m, v in found]
        return (logs[1] > logs[0]).astype(int)

    return predict


def cases(n: int, seed: int) -> dict[str, tuple[str, float, float]]:
    """For each estimator its error measure, ours and the baseline's, on one seed."""
    rng = np.random.default_rng(seed)
    how: dict[str, Any] = {"epsilon": EPSILON, "delta": DELTA, "adjacency": "replace_one", "simulate": seed}
    X = rng.normal(size=(n, 5)) @ np.diag([8.0, 4.0, 2.0, 1.0, 1.0]) + rng.normal(size=5) * 5
    how["bound"] = 100.0 * float(np.linalg.norm(X, axis=1).max())
    spread, S = X.std(0), np.cov(X.T)
    _, cov = plain_gram(X, rng)

    def scaled(C: Floats) -> float:
        return float(np.linalg.norm((C - S) / np.outer(spread, spread)))

    def angle(V: Floats) -> float:
        top = np.linalg.eigh(S)[1][:, ::-1][:, :2]
        return float(1 - np.linalg.norm(V @ top) ** 2 / 2)

    found = {
        "PrivateMean": (
            "error of the mean over the deviation, root mean square",
            *(float(np.sqrt(np.mean(((m - X.mean(0)) / spread) ** 2)))
              for m in (E.PrivateMean(**how).fit(X).mean_, plain_mean(X, rng))),
        ),
        "PrivateCovariance": (
            "Frobenius error in correlations",
            scaled(E.PrivateCovariance(**how).fit(X).covariance_), scaled(cov),
        ),
        "PrivateStandardScaler": (
            "largest relative error of a deviation",
            float(np.abs(E.PrivateStandardScaler(**how).fit(X).scale_ / spread - 1).max()),
            float(np.abs(np.sqrt(np.maximum(np.diagonal(cov), 1e-9)) / spread - 1).max()),
        ),
        "PrivatePCA": (
            "part of the first two components missed",
            angle(E.PrivatePCA(2, **how).fit(X).components_), angle(np.linalg.eigh(cov)[1][:, ::-1][:, :2].T),
        ),
    }  # fmt: skip
    asked = [0.1, 0.5, 0.9]
    true = np.quantile(X, asked, axis=0).T
    both = (E.PrivateQuantiles(asked, **how).fit(X).quantiles_, plain_quantiles(X, rng, asked))
    found["PrivateQuantiles"] = (
        "error over the deviation, root mean square",
        *(float(np.sqrt(np.mean(((q - true) / spread[:, None]) ** 2))) for q in both),
    )
    edges = np.linspace(-40, 40, 17)
    counts = np.array([np.histogram(c, edges)[0] for c in X.T])
    ours = E.PrivateHistogram(edges, **how).fit(X).counts_
    plain = counts + noise(rng, counts.shape, (2 * X.shape[1]) ** 0.5)
    found["PrivateHistogram"] = ("error of a count, root mean square",
                                 *(float(np.sqrt(np.mean((c - counts) ** 2))) for c in (ours, plain)))  # fmt: skip
    beta = np.array([0.2, -0.5, 1.0, 2.0, -1.0])
    y = X @ beta + rng.normal(size=n)
    lines = (E.PrivateLinearRegression(**how).fit(X, y).coef_, ada_ssp(X, y, rng))
    found["PrivateLinearRegression"] = (SLOPES, *(float(np.sqrt(np.mean(((b - beta) * spread) ** 2))) for b in lines))
    logits = (X - X.mean(0)) / spread @ np.array([1.0, -1.0, 0.5, 0.0, 0.5])
    label = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(int)
    truth = np.array([1.0, -1.0, 0.5, 0.0, 0.5])
    slopes = (E.PrivateLogisticRegression(**how, classes=[0, 1]).fit(X, label).coef_[0], noisy_descent(X, label, rng))
    found["PrivateLogisticRegression"] = (SLOPES, *(float(np.sqrt(np.mean((b * spread - truth) ** 2))) for b in slopes))
    shifted = X + label[:, None] * spread
    nb = (E.PrivateGaussianNB(**how, classes=[0, 1]).fit(shifted, label).predict, naive_bayes(shifted, label, rng))
    found["PrivateGaussianNB"] = ("share of wrong labels", *(float(np.mean(p(shifted) != label)) for p in nb))
    centres = rng.normal(size=(5, 5)) * 6
    Z = centres[rng.integers(0, 5, n)] + rng.normal(size=(n, 5))
    pairs = (E.PrivateKMeans(5, **how).fit(Z).cluster_centers_, dp_lloyd(Z, 5, rng))
    found["PrivateKMeans"] = ("mean squared distance to the nearest centre", *(
        float((np.linalg.norm(Z[:, None] - c, axis=2).min(1) ** 2).mean()) for c in pairs))  # fmt: skip
    return found


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    every = [cases(given.rows, seed) for seed in range(given.seeds)]
    print("| estimator | error | ours, bound 100 times too large | baseline, told the bound |\n|---|---|---|---|")
    for name in every[0]:
        ours, plain = (np.median([found[name][i] for found in every]) for i in (1, 2))
        print(f"| `{name}` | {every[0][name][0]} | {ours:.3g} | {plain:.3g} |")


if __name__ == "__main__":
    main()
