"""Held-out log-likelihood of a private mixture of (air_time, distance) beside scikit-learn's.

usage: python bench/flights.py [--seeds N] [--out FILE]

A fifth of the rows, missing values included, is held out per seed; rows with missing values stay in the private
table (as empty rows), and are dropped for scikit-learn and from the held-out score. The learner is the estimator at
(1, 1e-6), replace-one, bound 10,000, with simulated noise so that figures can be repeated.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
COLUMNS = ["air_time", "distance"]
COMPONENTS, BOUND, SLACK = 4, 1e4, 0.1
DATA = Path(__file__).parents[1] / "dpframe" / "data" / "flights.parquet"


def log_likelihood(rows: Floats, weights: Floats, means: Floats, covariances: Floats) -> float:
    """Mean log density of rows."""
    d = rows.shape[1]
    logs = np.empty((len(weights), len(rows)))
    for j, root in enumerate(np.linalg.cholesky(covariances)):
        white = np.linalg.solve(root, (rows - means[j]).T)
        logs[j] = np.log(weights[j]) - np.log(np.diag(root)).sum() - 0.5 * (white**2).sum(axis=0)
    top = logs.max(axis=0)
    return float((top + np.log(np.exp(logs - top).sum(axis=0))).mean() - 0.5 * d * np.log(2.0 * np.pi))


def one(rows: Floats, seed: int) -> dict[str, float]:
    """One split: both scores in nats a row."""
    from sklearn.mixture import GaussianMixture

    from dpframe.front.estimators import PrivateGaussianMixture

    order = np.random.default_rng(seed).permutation(len(rows))
    held, kept = rows[order[: len(rows) // 5]], rows[order[len(rows) // 5 :]]
    held = held[np.isfinite(held).all(axis=1)]
    open_model = GaussianMixture(COMPONENTS, random_state=seed).fit(kept[np.isfinite(kept).all(axis=1)])
    private = PrivateGaussianMixture(
        COMPONENTS, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=BOUND, simulate=seed
    ).fit(kept)
    return {
        "seed": seed,
        "private": log_likelihood(held, private.weights_, private.means_, private.covariances_),
        "em": float(open_model.score(held)),
    }


def main() -> None:
    """Run the splits."""
    import pyarrow.parquet

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "flights.json")
    asked = parser.parse_args()
    table = pyarrow.parquet.read_table(DATA, columns=COLUMNS)
    rows = np.column_stack([table[name].to_numpy().astype(np.float64) for name in COLUMNS])
    records = [one(rows, seed) for seed in range(2026, 2026 + asked.seeds)]
    gains = [r["private"] - r["em"] for r in records]
    summary = {
        "private": statistics.median(r["private"] for r in records),
        "em": statistics.median(r["em"] for r in records),
        "median_gain": statistics.median(gains),
        "worst_gain": min(gains),
        "target": -SLACK,
    }
    asked.out.write_text(json.dumps({"summary": summary, "records": records}, indent=1) + "\n")
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
