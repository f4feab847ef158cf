"""How often the verdict of a run is right, on tables that no generator of this project made.

    python bench/quality.py [--seeds 1] [--base 2000] [--most ROWS] [--packaged HALF] [--out FILE]

A mixture is bad where its mean log-likelihood of the table is more than 0.15 nats below that of scikit-learn's EM with
as many components; a Gaussian where its mean is more than half a standard deviation off, or some direction's variance
more than half of itself. Tables: scikit-learn's iris, wine, breast cancer, digits and diabetes; its blobs, plain and
sheared, moons and roll; uniform and exponential rows; too many components. ε=1, δ=1e-6, replace-one. Noise comes from
seeds. Tables of more than ROWS rows are left out. With HALF, tuning or untouched, Gaussians of R's tables alone
(``bench/packaged.py``). Writes bench/results/quality.json.
"""

from __future__ import annotations

import argparse
import collections
import json
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.mixture import GaussianMixture

from dpframe.errors import RunError
from dpframe.front.estimators import PrivateGaussian, PrivateGaussianMixture

try:
    from bench import packaged
except ImportError:  # run as a script
    import packaged

RESULTS = Path(__file__).parent / "results"
BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one"}
NATS, HALF = 0.15, 0.5


def small() -> dict[str, Any]:
    """Tables that scikit-learn ships."""
    return {
        "iris": datasets.load_iris().data,
        "wine": datasets.load_wine().data,
        "cancer": datasets.load_breast_cancer().data[:, :8],
        "digits": datasets.load_digits().data[:, [10, 20, 30, 42]],
        "diabetes": datasets.load_diabetes().data,
    }


def blobs(n: int, d: int, k: int, seed: int, *, sheared: bool = False) -> Any:
    """scikit-learn's blobs of different widths, plain or through a random matrix."""
    rng = np.random.default_rng(seed)
    x, _ = datasets.make_blobs(n, n_features=d, centers=k, cluster_std=rng.uniform(0.5, 2, size=k), random_state=seed)
    return x @ rng.normal(size=(d, d)) if sheared else x


def for_mixtures(seed: int) -> Iterator[tuple[str, Any, int]]:
    """Name, table, components."""
    for name, x in small().items():
        for k in (1, 3):
            yield name, x, k
    for n in (1000, 3000, 10_000, 30_000, 100_000):
        for d, k in ((1, 2), (2, 3), (3, 4), (4, 1), (5, 4), (8, 3), (10, 6)):
            yield f"blobs n={n} d={d}", blobs(n, d, k, seed + n + d), k
            if d > 1:
                yield f"sheared n={n} d={d}", blobs(n, d, k, seed + n + d, sheared=True), k
    rng = np.random.default_rng(seed)
    for n in (3000, 20_000):
        for d, k in ((2, 3), (5, 4)):
            yield f"uniform n={n} d={d}", rng.uniform(size=(n, d)), k
            yield f"exponential n={n} d={d}", rng.exponential(size=(n, d)), k
            yield f"k too large n={n} d={d}", blobs(n, d, k, seed + 7), k + 3
        yield f"moons n={n}", datasets.make_moons(n, noise=0.1, random_state=seed)[0], 3
        yield f"roll n={n}", datasets.make_swiss_roll(n, random_state=seed)[0], 5


def for_gaussians(seed: int) -> Iterator[tuple[str, Any, int]]:
    """Name, table, 1."""
    yield from ((name, x, 1) for name, x in small().items())
    rng = np.random.default_rng(seed)
    for n in (300, 1000, 3000, 10_000, 100_000):
        for d in (1, 2, 5, 10, 20):
            plain = rng.normal(size=(n, d))
            stretch = rng.normal(size=(d, d)) * 10.0 ** rng.uniform(-2, 2, size=d)
            yield f"normal n={n} d={d}", plain, 1
            yield f"stretched n={n} d={d}", plain @ stretch, 1
            yield f"uniform n={n} d={d}", rng.uniform(size=(n, d)), 1
            yield f"blobs n={n} d={d}", blobs(n, d, 3, seed + n + d), 1


def of_packages(half: str) -> Iterator[tuple[str, Any, int]]:
    """R's tables of a half."""
    for package, item, columns in packaged.halves()[packaged.HALVES.index(half)]:
        rows = packaged.numbers(package, item)[list(columns)].dropna().to_numpy(float)
        yield f"{package}/{item}", rows[np.random.default_rng(0).permutation(len(rows))[:60_000]], 1


def bad_mixture(x: Any, k: int, seed: int) -> tuple[bool, str, float]:
    """Whether the released mixture is bad, its verdict, and how many nats it is behind."""
    bound = 5.0 * float(np.linalg.norm(x, axis=1).max())
    model = PrivateGaussianMixture(k, **BUDGET, bound=bound, simulate=seed).fit(x)
    some = x[np.random.default_rng(0).permutation(len(x))[:20_000]]
    best = GaussianMixture(k, random_state=0, n_init=2, reg_covar=1e-6 * x.var()).fit(some)
    behind = float(best.score(some)) - model.score(some)
    return behind > NATS, model.quality_["verdict"], behind


def bad_gaussian(x: Any, k: int, seed: int) -> tuple[bool, str, float]:
    """Whether the released Gaussian is bad, its verdict, and its largest error."""
    model = PrivateGaussian(**BUDGET, bound=5.0 * float(np.linalg.norm(x, axis=1).max()), simulate=seed).fit(x)
    root = np.linalg.cholesky(model.covariance_)
    seen = np.linalg.solve(root, np.linalg.solve(root, np.atleast_2d(np.cov(x.T))).T)
    off = float(np.linalg.norm(np.linalg.solve(root, x.mean(axis=0) - model.mean_)))
    error = max(off, float(np.abs(np.linalg.eigvalsh(0.5 * (seen + seen.T)) - 1.0).max()))
    return error > HALF, model.quality_["verdict"], error


def measured(cases: Any, judge: Any, seeds: range, most: float) -> dict[str, Any]:
    """Counts by what a result was and what it said, and the cases where these differ."""
    counts: collections.Counter[str] = collections.Counter()
    wrong = []
    for seed in seeds:
        for name, x, k in cases(seed):
            if len(x) > most:
                continue
            try:
                bad, verdict, error = judge(x, k, seed)
            except RunError:
                counts["failed"] += 1
                continue
            counts[f"{'bad' if bad else 'fine'}, said {verdict}"] += 1
            if bad != (verdict == "poor"):
                wrong.append({"table": name, "k": k, "seed": seed, "verdict": verdict, "error": round(error, 3)})
    return {"counts": dict(sorted(counts.items())), "wrong": wrong}


def main() -> int:
    """Measure both and write the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--base", type=int, default=2000)
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--packaged", choices=packaged.HALVES)
    parser.add_argument("--out", type=Path, default=RESULTS / "quality.json")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    seeds = range(arguments.base, arguments.base + arguments.seeds)
    if arguments.packaged:
        name = f"coinpress_gaussian, R {arguments.packaged}"
        half = arguments.packaged
        found = {name: measured(lambda _: of_packages(half), bad_gaussian, seeds, arguments.most)}
    else:
        found = {
            "practical_gmm": measured(for_mixtures, bad_mixture, seeds, arguments.most),
            "coinpress_gaussian": measured(for_gaussians, bad_gaussian, seeds, arguments.most),
        }
    print(json.dumps(found, indent=1))
    known = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    arguments.out.write_text(json.dumps(known | found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
