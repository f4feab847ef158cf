"""Errors of the private mixture learner beside EM's and a floor that is told the true clusters.

usage: python bench/mixtures.py [--case TEXT]... [--seeds N] [--fit private|MODULE:FUNCTION] [--no-em] [--out FILE]

A fit is ``fit(rows, k, bound, seed) -> (weights, means, covariances)`` or None for a failed run; ``private`` is the
estimator at (1, 1e-6), replace-one, with simulated noise so that figures can be repeated. Each seed makes its own
table. The floor knows the clusters: rows of cluster j, whitened, clipped to ``r^2 = d + 2 sqrt(d ln n) + 2 ln n``
around its centre, their mean plus ``N(0, (2 r / (n_j sqrt(2 rho)))^2 I)``, at rho = 0.01747 and at the planner's own
``mu = 0.2367``. Mean errors are Mahalanobis, the largest after optimal matching, and are compared as a ratio of
medians over seeds. Results are merged into FILE case by case; ``bench/tables.py`` prints them.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Floats = NDArray[np.float64]
Model = tuple[Floats, Floats, Floats]
Fit = Callable[[Floats, int, float, int], Model | None]

EPSILON, DELTA = 1.0, 1e-6
FLOOR_RHO, BUDGET_MU = 0.01747, 0.2367
FIRST_SEED = 2026


@attrs.frozen(eq=False)
class Table:
    """Rows with the truth that made them."""

    rows: Floats
    labels: NDArray[np.int64]
    weights: Floats
    means: Floats
    covariances: Floats

    @property
    def roots(self) -> Floats:
        """Cholesky factors."""
        roots: Floats = np.asarray(np.linalg.cholesky(self.covariances), dtype=np.float64)
        return roots


def rotation(d: int, rng: np.random.Generator) -> Floats:
    """Haar-random orthogonal matrix."""
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    turned: Floats = q * np.sign(np.diag(r))
    return turned


def draw(weights: Floats, means: Floats, covariances: Floats, n: int, rng: np.random.Generator) -> Table:
    """Draw n rows of a mixture."""
    labels = rng.choice(len(weights), p=weights, size=n)
    rows = rng.standard_normal((n, means.shape[1]))
    for j, root in enumerate(np.linalg.cholesky(covariances)):
        rows[labels == j] = rows[labels == j] @ root.T + means[j]
    return Table(rows, labels, weights, means, covariances)


def benchmark_g(seed: int, *, n: int, d: int, sep: float, stretch: float = 1.0) -> Table:
    """Four unit Gaussians of equal weight on a rotated square (d=2) or regular simplex, all pairs ``sep`` apart.

    Columns are then multiplied by 1 to ``stretch``, evenly on a log scale: tables have columns of different units.
    """
    rng = np.random.default_rng(seed)
    if d == 2:
        corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * sep
    else:
        corners = np.zeros((4, d))
        simplex = np.eye(4) * sep / math.sqrt(2.0)
        u, s, _ = np.linalg.svd(simplex - simplex.mean(axis=0))
        corners[:, :3] = (u * s)[:, :3]
    means = (corners - corners.mean(axis=0)) @ rotation(d, rng).T
    table = draw(np.full(4, 0.25), means, np.repeat(np.eye(d)[None], 4, axis=0), n, rng)
    if stretch == 1.0:
        return table
    units = stretch ** np.linspace(0.0, 1.0, d)
    shapes = table.covariances * units[:, None] * units
    return Table(table.rows * units, table.labels, table.weights, table.means * units, shapes)


def random_mixture(
    seed: int,
    *,
    n: int,
    d: int,
    k: int,
    sep: float,
    condition: float = 1.0,
    weights: tuple[float, ...] | None = None,
    shift: float = 0.0,
    scales: tuple[float, ...] | None = None,
) -> Table:
    """Random centres at least ``sep`` largest standard deviations apart, randomly oriented covariances, shifted.

    Eigenvalues are log-uniform with the condition number reached; ``scales`` are the largest standard deviations of
    the components, and centres are then ``sep`` times the larger one of each *pair* apart.
    """
    rng = np.random.default_rng(seed)
    values = np.exp(rng.uniform(0.0, math.log(max(condition, 1.0 + 1e-12)), (k, d)))
    if d > 1:
        values[:, 0], values[:, 1] = 1.0, condition
    if scales is not None:
        values *= np.square(scales)[:, None] / values.max(axis=1, keepdims=True)
    frames = [rotation(d, rng) for _ in range(k)]
    covariances = np.array([(q * v) @ q.T for q, v in zip(frames, values, strict=True)])
    sd = np.sqrt(values.max(axis=1))
    pairs = np.maximum(sd[:, None], sd[None]) if scales is not None else np.full((k, k), sd.max())
    spread = sep * sd.max() / math.sqrt(2.0 * d)
    for attempt in range(1, 100_000):
        means = spread * rng.standard_normal((k, d))
        gaps = np.linalg.norm(means[:, None] - means[None], axis=2) + np.diag(np.full(k, np.inf))
        if (gaps >= sep * pairs).all():
            break
        spread *= 1.1 if attempt % 200 == 0 else 1.0
    direction = rng.standard_normal(d)
    means = means + shift * direction / np.linalg.norm(direction)
    probabilities = np.full(k, 1.0 / k) if weights is None else np.array(weights)
    return draw(probabilities, means, covariances, n, rng)


def floor(table: Table, seed: int, mu: float) -> float:
    """Largest Mahalanobis mean error of the private estimate that is told the clusters."""
    rng = np.random.default_rng([seed, 7])
    n, d = table.rows.shape
    radius = math.sqrt(d + 2.0 * math.sqrt(d * math.log(n)) + 2.0 * math.log(n))
    errors = []
    for j, root in enumerate(table.roots):
        own = table.rows[table.labels == j]
        white = np.linalg.solve(root, (own - table.means[j]).T).T
        white *= np.minimum(1.0, radius / np.maximum(np.linalg.norm(white, axis=1), 1e-300))[:, None]
        noise = 2.0 * radius / (len(own) * mu) * rng.standard_normal(d)
        errors.append(float(np.linalg.norm(white.mean(axis=0) + noise)))
    return max(errors)


def score(table: Table, model: Model, sep: float) -> dict[str, float]:
    """Errors after the matching with the smallest sum of squared distances; whether each centre was found.

    ``mean``: largest Mahalanobis mean error; ``covariance``: largest ``|S^(-1/2) C S^(-1/2) - I|_F``; ``found``:
    whether distinct released means lie within sep/4 (largest standard deviations) of every centre.
    """
    weights, means, covariances = model
    d = means.shape[1]
    inverse = np.linalg.inv(table.roots)
    gaps = np.einsum("iab,ijb->ija", inverse, means[None] - table.means[:, None])
    distances = np.minimum(np.linalg.norm(gaps, axis=2), 1e12)
    own, other = linear_sum_assignment(distances**2)
    spectra = [np.linalg.norm(r @ covariances[j] @ r.T - np.eye(d)) for r, j in zip(inverse[own], other, strict=True)]
    sd = math.sqrt(np.linalg.eigvalsh(table.covariances).max())
    far = np.linalg.norm(means[None] - table.means[:, None], axis=2) > sep / 4.0 * sd
    if np.ptp(np.log(table.covariances.diagonal(axis1=1, axis2=2))) > 10.0:  # stretched columns
        far = distances > sep / 4.0
    matched = linear_sum_assignment(far)
    return {
        "mean": float(distances[own, other].max()),
        "covariance": float(max(spectra)),
        "weight": float(np.abs(weights[other] - table.weights[own]).max()),
        "found": float(not far[matched].any()),
    }


def private(rows: Floats, k: int, bound: float, seed: int) -> Model | None:
    """The estimator, with simulated noise."""
    from dpframe.errors import RunError
    from dpframe.front.estimators import PrivateGaussianMixture

    learner = PrivateGaussianMixture(
        k, epsilon=EPSILON, delta=DELTA, adjacency="replace_one", bound=bound, simulate=seed
    )
    try:
        learner.fit(rows)
    except RunError:
        return None
    return learner.weights_, learner.means_, learner.covariances_


def em(rows: Floats, k: int, bound: float, seed: int) -> Model:
    """scikit-learn's GaussianMixture as it comes; it needs no bound."""
    from sklearn.mixture import GaussianMixture

    found = GaussianMixture(k, random_state=seed).fit(rows)
    return found.weights_, found.means_, found.covariances_


@attrs.frozen
class Case:
    """One line of the benchmark: how its tables are made, the bound, and what is asked."""

    name: str
    make: Callable[[int], Table] = attrs.field(eq=False)
    k: int
    sep: float
    seeds: int = 10
    loose: float | None = 10.0
    """Bound as a multiple of the tight one, ``max |centre| + sqrt d + 3``."""
    bound: float = 1e6
    """Bound where ``loose`` is None."""
    target: float | None = None
    """Largest ratio of medians of mean error to the floor."""
    covariance_target: float | None = None
    """Largest ratio of medians of covariance error to scikit-learn's."""

    def bound_for(self, table: Table) -> float:
        """The a-priori bound the learner is given."""
        if self.loose is None:
            return self.bound
        d = table.means.shape[1]
        return self.loose * (float(np.linalg.norm(table.means, axis=1).max()) + math.sqrt(d) + 3.0)


def case_g(n: int, d: int, sep: float, target: float | None, *, loose: float = 10.0, **other: Any) -> Case:
    """A line of benchmark G."""
    name = f"G n=1e{round(math.log10(n))} d={d} sep={sep:g} bound x{loose:g}"
    return Case(name, lambda s: benchmark_g(s, n=n, d=d, sep=sep), 4, sep, loose=loose, target=target, **other)


def case_stretched(n: int, d: int, sep: float, stretch: float, target: float | None) -> Case:
    """Benchmark G with columns in units up to ``stretch`` apart."""
    name = f"G n=1e{round(math.log10(n))} d={d} sep={sep:g} columns stretched up to {stretch:g}"
    make = functools.partial(benchmark_g, n=n, d=d, sep=sep, stretch=stretch)
    return Case(name, make, 4, sep, target=target)


def case_random(name: str, sep: float, k: int, *, seeds: int = 20, target: float | None = None, **made: Any) -> Case:
    """A line with random mixtures and a public bound."""
    extra = {key: made.pop(key) for key in ("loose", "bound", "covariance_target") if key in made}
    return Case(
        name,
        lambda s: random_mixture(s, k=k, sep=sep, **made),
        k,
        sep,
        seeds=seeds,
        target=target,
        **{"loose": None, **extra},
    )


CASES = (
    case_g(10**4, 2, 8.0, 1.5),
    case_g(10**4, 10, 8.0, 1.5),
    case_g(10**5, 2, 8.0, 1.25, seeds=40),
    case_g(10**5, 10, 8.0, 1.25, seeds=40, covariance_target=2.0),
    case_g(10**5, 10, 8.0, None, seeds=40, loose=1000.0),
    case_g(10**5, 2, 4.0, 1.7, seeds=40),
    case_g(10**5, 10, 4.0, 1.4, seeds=40),
    case_g(10**6, 2, 8.0, 1.25),
    case_g(10**6, 10, 8.0, 1.25),
    case_g(10**5, 100, 8.0, 1.1, seeds=3),
    case_g(10**5, 100, 4.0, None, seeds=3),
    case_g(10**6, 100, 4.0, 1.2, seeds=3),
    case_g(10**6, 500, 10.0, 1.3, seeds=1),
    case_stretched(10**5, 10, 8.0, 1e2, 1.25),
    case_stretched(10**5, 10, 8.0, 1e6, 1.25),
    case_random("k=6 d=8 n=3e5 cond=20 shift=1e3", 8.0, 6, target=1.3, n=300_000, d=8, condition=20.0, shift=1e3),
    case_random(
        "k=4 d=6 n=5e4 weights .4 .3 .2 .1", 8.0, 4, target=1.4, n=50_000, d=6, weights=(0.4, 0.3, 0.2, 0.1), shift=1e3
    ),
    case_random("k=1 d=10 n=1e5 shift=1e3", 8.0, 1, n=10**5, d=10, condition=20.0, shift=1e3),
    case_random("k=3 d=1 n=1e5 shift=1e3", 8.0, 3, n=10**5, d=1, shift=1e3),
    case_random("k=1 d=1 n=1e4 shift=1e3", 8.0, 1, n=10**4, d=1, shift=1e3),
    case_random(
        "k=4 d=10 n=1e5 cond=100", 8.0, 4, seeds=10, n=10**5, d=10, condition=100.0, loose=10.0, covariance_target=2.0
    ),
    case_random(
        "k=4 d=10 n=1e6 scales 10 5 2 1, weights .55 .25 .15 .05, cond=100, shift=1e4",
        4.0,
        4,
        seeds=8,
        n=10**6,
        d=10,
        condition=100.0,
        shift=1e4,
        scales=(10.0, 5.0, 2.0, 1.0),
        weights=(0.55, 0.25, 0.15, 0.05),
    ),
    case_random("k=4 d=10 n=1e5 scales .5 1 2 6", 8.0, 4, n=10**5, d=10, scales=(0.5, 1.0, 2.0, 6.0)),
)


def one(case: Case, seed: int, fit: Fit, *, with_em: bool) -> dict[str, Any]:
    """One seed: floors, the private fit, and EM."""
    table = case.make(seed)
    record: dict[str, Any] = {
        "seed": seed,
        "floor": floor(table, seed, math.sqrt(2.0 * FLOOR_RHO)),
        "floor_at_budget": floor(table, seed, BUDGET_MU),
    }
    fits: dict[str, Fit] = {"private": fit, "em": em} if with_em else {"private": fit}
    for name, learn in fits.items():
        start = time.perf_counter()
        model = learn(table.rows, case.k, case.bound_for(table), seed)
        record[f"{name}_seconds"] = round(time.perf_counter() - start, 3)
        record[name] = None if model is None else score(table, model, case.sep)
    return record


def summary(case: Case, records: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians, their ratios and the worst seed; a failed run counts as an infinite error."""
    result: dict[str, Any] = {"seeds": len(records), "target": case.target}
    base = statistics.median(r["floor"] for r in records)
    budget = statistics.median(r["floor_at_budget"] for r in records)
    for name in ("private", "em"):
        if name not in records[0]:
            continue
        means = [math.inf if r[name] is None else r[name]["mean"] for r in records]
        shapes = [math.inf if r[name] is None else r[name]["covariance"] for r in records]
        middle = statistics.median(means)
        result[name] = {
            "median": middle,
            "mean": statistics.fmean(means),
            "worst": max(means),
            "ratio": middle / base,
            "ratio_at_budget": middle / budget,
            "worst_ratio": max(m / r["floor"] for m, r in zip(means, records, strict=True)),
            "covariance": statistics.median(shapes),
            "covariance_worst": max(shapes),
            "found": sum(r[name] is not None and r[name]["found"] > 0 for r in records),
            "seconds": statistics.median(r[f"{name}_seconds"] for r in records),
        }
    result["floor"] = base
    if "em" in result:
        result["covariance_ratio"] = result["private"]["covariance"] / result["em"]["covariance"]
        result["covariance_target"] = case.covariance_target
    return result


def load(name: str) -> Fit:
    """``private``, ``em`` or ``module:function``."""
    if name in {"private", "em"}:
        return {"private": private, "em": em}[name]
    module, _, function = name.partition(":")
    fit: Fit = getattr(importlib.import_module(module), function)
    return fit


def main() -> None:
    """Run the cases whose name contains one of the given texts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", action="append", default=[], help="text in the case's name; all if not given")
    parser.add_argument("--seeds", type=int, help="instead of the case's own number")
    parser.add_argument("--fit", default="private")
    parser.add_argument("--no-em", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "mixtures.json")
    asked = parser.parse_args()
    fit = load(asked.fit)
    for case in CASES:
        if asked.case and not any(text in case.name for text in asked.case):
            continue
        seeds = range(FIRST_SEED, FIRST_SEED + (asked.seeds or case.seeds))
        records = [one(case, seed, fit, with_em=not asked.no_em) for seed in seeds]
        found = summary(case, records)
        results = json.loads(asked.out.read_text()) if asked.out.exists() else {}
        results[case.name] = {"fit": asked.fit, "summary": found, "records": records}
        asked.out.write_text(json.dumps(results, indent=1) + "\n")
        own = found["private"]
        print(
            f"{case.name}: {own['median']:.4f} = {own['ratio']:.2f} floors (target {case.target}), "
            f"worst {own['worst']:.3f}, found {own['found']}/{len(records)}, {own['seconds']:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
