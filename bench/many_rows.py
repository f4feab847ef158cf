"""A million rows: how far behind EM is the practical mixture, and does that hang on the bound that it is given?

usage: python bench/many_rows.py [--rows N] [--pick NAME...] [--noise N...] [--bound FACTOR...] [--label TEXT]

Tables of 1e6 rows, or of so many: benchmark G, scikit-learn's blobs, sheared and in units of their own far from 0, six
uneven clusters that overlap in four columns (``uneven0``, ``uneven1``, ...), five to ten in four to ten columns
(``wide0``, ...), and R's tables of `hard.TABLES` drawn with replacement and blurred by a twentieth of a deviation. Nats
a row behind the best of four EMs of at most 150,000 rows, on 200,000 others; less than 0 is ahead. ``--bound``
multiplies the largest norm: it moves the radius of the located ball within its bins.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture

from dpframe.errors import RunError
from dpframe.estimators import PrivateGaussianMixture

try:
    from bench import hard
    from bench.mixtures import benchmark_g
except ImportError:  # run as a script
    import hard
    from mixtures import benchmark_g

Floats = NDArray[np.float64]
RESULTS = Path(__file__).parent / "results" / "many_rows.json"
ROWS, HELD_OUT, FOR_EM = 1_000_000, 200_000, 150_000
BLUR = 0.05
NAMES = ("G", "blobs", "sheared", "offset", *(f"uneven{i}" for i in range(4)), *list(hard.TABLES)[3:7])


def uneven(seed: int, n: int) -> tuple[Floats, int]:
    """Six clusters of weights .4 to .04 in four columns, of any shape, that overlap."""
    rng = np.random.default_rng(77 + seed)
    means, weights = rng.normal(size=(6, 4)) * 3.0, [0.4, 0.25, 0.15, 0.1, 0.06, 0.04]
    labels = rng.choice(6, n, p=weights)
    roots = rng.normal(size=(6, 4, 4)) * 0.6 + np.eye(4) * 0.5
    return means[labels] + np.einsum("nij,nj->ni", roots[labels], rng.normal(size=(n, 4))), 6


def wide(seed: int, n: int) -> tuple[Floats, int]:
    """Five to ten clusters of any shape in four to ten columns, that overlap more or less."""
    rng = np.random.default_rng(3000 + seed)
    k, d = int(rng.integers(5, 11)), int(rng.integers(4, 11))
    weights, means = rng.dirichlet(np.full(k, 5.0)), rng.normal(size=(k, d)) * rng.uniform(2.0, 4.0)
    labels = rng.choice(k, n, p=weights)
    roots = rng.normal(size=(k, d, d)) * 0.5 * rng.lognormal(0.0, 0.3, (k, 1, 1)) + np.eye(d) * 0.4
    return means[labels] + np.einsum("nij,nj->ni", roots[labels], rng.normal(size=(n, d))), k


def made(name: str, rows: int) -> tuple[Floats, Floats, int]:
    """Rows to learn from, rows held out, and k."""
    n = rows + HELD_OUT
    if name in hard.TABLES:
        x, rng = hard.table(name), np.random.default_rng(5)
        part = len(x) * 4 // 5
        drawn = [source[rng.integers(0, len(source), m)] for source, m in ((x[:part], rows), (x[part:], HELD_OUT))]
        train, test = (one + BLUR * rng.normal(size=one.shape) for one in drawn)
        return train, test, hard.TABLES[name][-1]
    if name == "G":
        x, k = benchmark_g(901, n=n, d=10, sep=4.0).rows, 4
    elif name == "blobs":
        rng = np.random.default_rng(77)
        x, k = make_blobs(n, n_features=5, centers=8, cluster_std=rng.uniform(0.5, 2.0, 8), random_state=3)[0], 8
        x = x @ rng.normal(size=(5, 5))
    elif name == "sheared":
        x, k = make_blobs(n, centers=3, random_state=170)[0] @ np.array([[0.6, -0.6], [-0.4, 0.8]]), 3
    elif name == "offset":
        x, k = make_blobs(n, n_features=4, centers=5, random_state=5)[0], 5
        x = x * np.array([1.0, 1e3, 1e-3, 1.0]) + np.array([0.0, 1.7e9, 5.0, -2000.0])
    elif name.startswith("wide"):
        x, k = wide(int(name.removeprefix("wide")), n)
    else:
        x, k = uneven(int(name.removeprefix("uneven")), n)
    return x[:rows], x[rows:], k


def behind(name: str, rows: int, noises: list[int], bounds: list[float]) -> list[dict[str, object]]:
    """Nats a row behind EM and the verdict, for each bound and noise."""
    train, test, k = made(name, rows)
    shift, scale = train.mean(axis=0), train.std(axis=0)
    seen = (train[np.random.default_rng(0).permutation(rows)[:FOR_EM]] - shift) / scale
    tried = [GaussianMixture(k, random_state=i, max_iter=300).fit(seen) for i in range(4)]
    best = max(tried, key=lambda one: float(one.lower_bound_))
    reached = float(best.score((test - shift) / scale)) - float(np.log(scale).sum())
    found: list[dict[str, object]] = []
    for factor in bounds:
        bound = factor * float(np.linalg.norm(train, axis=1).max())
        for noise in noises:
            learner = PrivateGaussianMixture(
                k, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=bound, simulate=noise
            )
            line: dict[str, object] = {"table": name, "rows": rows, "bound": factor, "noise": noise}
            try:
                learner.fit(train)
            except RunError:
                line |= {"behind": None, "verdict": "failed"}
            else:
                gap = reached - float(np.mean(learner.score_samples(test)))
                line |= {"behind": round(gap, 4), "verdict": learner.quality_["verdict"]}
            print(line, flush=True)
            found.append(line)
    return found


def main() -> None:
    """Measure, print and write under a label."""
    words = argparse.ArgumentParser()
    words.add_argument("--rows", type=int, default=ROWS)
    words.add_argument("--pick", nargs="+", default=list(NAMES))
    words.add_argument("--noise", nargs="+", type=int, default=[1, 2])
    words.add_argument("--bound", nargs="+", type=float, default=[10.0])
    words.add_argument("--label", default="now")
    given = words.parse_args()
    hard.MOST_ROWS = 400_000
    lines = [line for name in given.pick for line in behind(name, given.rows, given.noise, given.bound)]
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    kept[given.label] = lines
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
