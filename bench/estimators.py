"""Every estimator beside a plain mechanism at the same guarantee and beside two libraries, all *told* the range.

    python bench/estimators.py [--rows N] [--seeds S] [--learners]    writes bench/results/estimators.json

With ``--learners`` the papers' learners instead, each at a size where it works, beside our own and a told baseline.

diffprivlib and OpenDP need not be there (``bench/libraries.py``; ``pip install --target DIR --no-deps diffprivlib
randomgen`` and ``PYTHONPATH=DIR``); diffprivlib is pure ε.

Ours get a bound 100 times too large. The baselines get the smallest ball or box that holds the rows, which nobody has
without looking: the analytic Gaussian mechanism (Balle, Wang 2018) on sums, AdaSSP (Wang 2018) for regression, noisy
gradient descent on clipped gradients for logits, the exponential mechanism on 1024 candidates for quantiles, and
DPLloyd (Su and others 2016) with public random starts. All at (1, 1e-6), replace-one; medians over seeds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libraries
import numpy as np
from scipy.optimize import linear_sum_assignment

from dpframe import estimators as E
from dpframe.errors import RunError
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


Beside = dict[str, tuple[str, list[float]]]
KINDS = ("ours", "plain", "diffprivlib", "opendp")


def cases(n: int, seed: int, libs: list[libraries.Fits]) -> Beside:
    """For each estimator its error measure, and the errors of ours, the baseline and the libraries, on one seed."""
    rng = np.random.default_rng(seed)
    np.random.seed(seed)  # noqa: NPY002  diffprivlib's own
    how: dict[str, Any] = {"epsilon": EPSILON, "delta": DELTA, "adjacency": "replace_one", "simulate": seed}
    X = rng.normal(size=(n, 5)) @ np.diag([8.0, 4.0, 2.0, 1.0, 1.0]) + rng.normal(size=5) * 5
    how["bound"] = 100.0 * float(np.linalg.norm(X, axis=1).max())
    spread, S = X.std(0), np.cov(X.T)
    found: Beside = {}

    def compare(name: str, measure: str, error: Callable[[Any], float], ours: Any, plain: Any, *given: Any) -> None:
        each = [ours, plain, *(libraries.found(fits, name, *given) for fits in libs)]
        found[name] = measure, [float("nan") if one is None else float(error(one)) for one in each]

    def rms(off: Floats) -> float:
        return float(np.sqrt(np.mean(np.square(off))))

    mean = "error of the mean over the deviation, root mean square"
    compare("PrivateMean", mean, lambda m: rms((m - X.mean(0)) / spread), E.PrivateMean(**how).fit(X).mean_,
            plain_mean(X, rng), X)  # fmt: skip
    cov = plain_gram(X, rng)[1]
    compare("PrivateCovariance", "Frobenius error in correlations",
            lambda C: np.linalg.norm((C - S) / np.outer(spread, spread)),
            E.PrivateCovariance(**how).fit(X).covariance_, cov)  # fmt: skip
    compare("PrivateStandardScaler", "largest relative error of a deviation",
            lambda s: np.abs(s / spread - 1).max(), E.PrivateStandardScaler(**how).fit(X).scale_,
            np.sqrt(np.maximum(np.diagonal(cov), 1e-9)), X)  # fmt: skip
    top = np.linalg.eigh(S)[1][:, ::-1][:, :2]
    compare("PrivatePCA", "part of the first two components missed", lambda V: 1 - np.linalg.norm(V @ top) ** 2 / 2,
            E.PrivatePCA(2, **how).fit(X).components_, np.linalg.eigh(cov)[1][:, ::-1][:, :2].T, X, 2)  # fmt: skip
    asked = [0.1, 0.5, 0.9]
    true = np.quantile(X, asked, axis=0).T
    compare("PrivateQuantiles", "error over the deviation, root mean square",
            lambda q: rms((q - true) / spread[:, None]), E.PrivateQuantiles(asked, **how).fit(X).quantiles_,
            plain_quantiles(X, rng, asked), X, asked)  # fmt: skip
    edges = np.linspace(-40, 40, 17)
    counts = np.array([np.histogram(c, edges)[0] for c in X.T])
    noisy = counts + noise(rng, counts.shape, (2 * X.shape[1]) ** 0.5)
    compare("PrivateHistogram", "error of a count, root mean square", lambda c: rms(c - counts),
            E.PrivateHistogram(edges, **how).fit(X).counts_, noisy, X, edges)  # fmt: skip
    inside = np.linspace(X.min(), X.max(), 33)
    heights = np.array([np.histogram(c, inside)[0] for c in X.T]) + noise(rng, (5, 32), (2 * X.shape[1]) ** 0.5)
    compare("PrivateUnivariateDensity", "total variation of the columns from their laws",
            lambda f: np.mean([_variation(*one, c) for one, c in zip(f, X.T, strict=True)]),
            _density(E.PrivateUnivariateDensity(**how).fit(X)), [(inside, h) for h in heights])  # fmt: skip
    beta = np.array([0.2, -0.5, 1.0, 2.0, -1.0])
    y = X @ beta + rng.normal(size=n)
    compare("PrivateLinearRegression", SLOPES, lambda b: rms((b - beta) * spread),
            E.PrivateLinearRegression(**how).fit(X, y).coef_, ada_ssp(X, y, rng), X, y)  # fmt: skip
    truth = np.array([1.0, -1.0, 0.5, 0.0, 0.5])
    logits = (X - X.mean(0)) / spread @ truth
    label = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(int)
    compare("PrivateLogisticRegression", SLOPES, lambda b: rms(b * spread - truth),
            E.PrivateLogisticRegression(**how, classes=[0, 1]).fit(X, label).coef_[0],
            noisy_descent(X, label, rng), X, label)  # fmt: skip
    shifted = X + label[:, None] * spread
    compare("PrivateGaussianNB", "share of wrong labels", lambda p: np.mean(p(shifted) != label),
            E.PrivateGaussianNB(**how, classes=[0, 1]).fit(shifted, label).predict,
            naive_bayes(shifted, label, rng), shifted, label)  # fmt: skip
    centres = rng.normal(size=(5, 5)) * 6
    Z = centres[rng.integers(0, 5, n)] + rng.normal(size=(n, 5))
    compare("PrivateKMeans", "mean squared distance to the nearest centre",
            lambda c: (np.linalg.norm(Z[:, None] - c, axis=2).min(1) ** 2).mean(),
            E.PrivateKMeans(5, **how).fit(Z).cluster_centers_, dp_lloyd(Z, 5, rng), Z, 5)  # fmt: skip
    return found


def _density(model: Any) -> list[tuple[Floats, Floats]]:
    """Edges and masses of each column."""
    return list(zip(model.edges_, model.masses_, strict=True))


def _variation(edges: Floats, masses: Floats, column: Floats) -> float:
    """Total variation between a histogram and the normal law of a column."""
    masses = np.maximum(masses, 0.0) / np.maximum(masses, 0.0).sum()
    grid = np.linspace(column.min() - column.std(), column.max() + column.std(), 4001)
    middle = (grid[1:] + grid[:-1]) / 2
    place = np.searchsorted(edges, middle, side="right") - 1
    heights = masses / np.maximum(np.diff(edges), 1e-300)
    law = np.exp(-(((middle - column.mean()) / column.std()) ** 2) / 2) / (column.std() * (2 * np.pi) ** 0.5)
    seen = np.where((place >= 0) & (place < len(masses)), heights[np.clip(place, 0, len(masses) - 1)], 0.0)
    return float(np.abs(seen - law).sum() * (grid[1] - grid[0]) / 2)


WIDE = {"sigma_min": 0.1, "sigma_max": 10.0}
LEARNERS: dict[str, tuple[int, int, dict[str, Any], int, float, float]] = {
    "AAL21Univariate": (8_000, 1, {"k": 2}, 0, 10.0, 1.0),
    "AAL21AxisAligned": (6_000, 2, {"k": 2}, 0, 10.0, 1.0),
    "AAL21KnownCovariance": (6_000, 2, {"k": 2, "sigma": 1.0}, 0, 10.0, 1.0),
    "ARBAS23Gaussian": (25_000, 1, {}, 0, 10.0, 4.0),
    "ARBAS23GMM": (120_000, 1, {"k": 2}, 0, 10.0, 4.0),
    "ARBAS23GMMRefined": (40_000, 1, {"k": 2}, 0, 10.0, 4.0),
    "KSSU19PEGME": (15_000, 5, {"k": 3, **WIDE}, 0, 20.0, 1.0),
    "KSSU19PGME": (15_000, 5, {"k": 3, **WIDE}, 0, 25.0, 1.0),
    "KSSU19SampleAndAggregate": (50_000, 1, {"k": 2, **WIDE}, 0, 10.0, 4.0),
    "BKS22Mean": (2_000, 3, {}, 1, 10.0, 1.0),
    "BKS22Gaussian": (2_000, 3, {}, 11, 10.0, 1.0),
    "BKS22GMMHard": (8_000, 10, {"k": 3}, 60, 10.0, 1.0),
    "BKS22GMMEasy": (15_000, 3, {"k": 3}, 120, 10.0, 1.0),
}
"""Rows, columns, keys, public rows, how far apart components are, and ε: where the learner works."""
DISTANCE = "distance of a mean in deviations, root mean square over components"


def learner(name: str, seed: int) -> list[float]:
    """Errors of a paper's learner, of our own and of the told baseline on one table of Gaussians of covariance I."""
    n, d, keys, public, apart, epsilon = LEARNERS[name]
    rng = np.random.default_rng([seed, n, d])
    k = keys.get("k", 1)
    centres = apart * np.array([[j] + [j % 2] * (d - 1) for j in range(k)], dtype=float) + (50.0 if k == 1 else 0.0)
    rows = [centres[rng.integers(0, k, m)] + rng.normal(size=(m, d)) for m in (n, public)]
    how: dict[str, Any] = {"epsilon": epsilon, "delta": DELTA, "adjacency": "replace_one", "simulate": seed}
    bound = {"bound": 100.0 * float(np.linalg.norm(rows[0], axis=1).max())}
    made = getattr(E, name)
    needs = bound if made.BOUND is not None else {"bound": None}
    more = {"public": rows[1]} if public else {}
    theirs = _centres(lambda: made(**keys, **needs, **how).fit(rows[0], **more).means_)
    own: Any = E.PrivateGaussian(**bound, **how) if k == 1 else E.PrivateGaussianMixture(k, **bound, **how)
    ours = _centres(lambda: own.fit(rows[0])._model.means)
    mu = gaussian_mu(epsilon, DELTA)
    spread = np.linalg.norm(rows[0] - rows[0].mean(0), axis=1).max()
    told = rows[0].mean(0) + rng.normal(size=d) * 2 * spread / mu / n if k == 1 else dp_lloyd(rows[0], k, rng)
    return [_off(found, centres) for found in (theirs, ours, np.atleast_2d(told))]


def _centres(fit: Callable[[], Floats]) -> Floats:
    """What a fit gives, infinity where it failed."""
    try:
        return np.atleast_2d(fit())
    except RunError:
        return np.full((1, 1), np.inf)


def _off(found: Floats, centres: Floats) -> float:
    if not np.isfinite(found).all():
        return float("inf")
    far = ((found[:, None] - centres[None]) ** 2).sum(-1)
    return float(np.sqrt(far[linear_sum_assignment(far)].mean()))


def learners(seeds: int, only: list[str]) -> dict[str, Any]:
    """A line each, as Markdown, and what to write."""
    print("| learner | rows, columns, components, ε | the paper's | ours | baseline, told |\n|---|---|---|---|---|")
    out: dict[str, Any] = {}
    for name in only or LEARNERS:
        n, d, keys, _, _, epsilon = LEARNERS[name]
        errors = np.median([learner(name, seed) for seed in range(seeds)], axis=0)
        size = f"{n}, {d}, {keys.get('k', 1)}, {epsilon:g}"
        print(f"| `{name}` | {size} | {' | '.join(f'{e:.3g}' for e in errors)} |", flush=True)
        out[name] = {"error": DISTANCE, "rows": n, "seeds": seeds, "epsilon": epsilon}
        out[name] |= dict(zip(("paper", "ours", "plain"), map(float, errors), strict=True))
    return out


RESULTS = Path(__file__).parent / "results" / "estimators.json"


def main() -> None:
    """Print the table as Markdown, and write it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--learners", nargs="*", metavar="CLASS", help="the papers' learners, or some of them")
    given = parser.parse_args()
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if given.learners is not None:
        known["learners"] = {**known.get("learners", {}), **learners(given.seeds, given.learners)}
        RESULTS.write_text(json.dumps(known, indent=1) + "\n")
        return
    libs = [libraries.diffprivlib(), libraries.opendp()]
    every = [cases(given.rows, seed, libs) for seed in range(given.seeds)]
    heads = ("ours, bound 100 times too large", "baseline, told the range", "diffprivlib, pure ε, told", "OpenDP, told")
    print(f"| estimator | error | {' | '.join(heads)} |\n|---|---|---|---|---|---|")
    out: dict[str, Any] = {"rows": given.rows, "seeds": given.seeds, "learners": known.get("learners", {})}
    for name, (measure, _) in every[0].items():
        errors = np.median([found[name][1] for found in every], axis=0)
        print(f"| `{name}` | {measure} | {' | '.join('' if np.isnan(e) else f'{e:.3g}' for e in errors)} |", flush=True)
        out[name] = {"error": measure, **{k: float(e) for k, e in zip(KINDS, errors, strict=True) if not np.isnan(e)}}
    RESULTS.write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
