"""Means and variances of skewed columns by ``PrivateMean`` and ``PrivateCovariance``, beside what sampling alone does.

    python bench/skewed.py [--seeds S]    writes bench/results/skewed.json

At (1, 1e-6) under replace-one, in a bound ten times too large, with simulated noise. Errors are from the rows' own
mean, over their deviation, and covariance, over their variances; root mean squares over seeds and columns. ``stated``
is a mean's error over its stated noise.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.estimators import PrivateCovariance, PrivateMean

RESULTS = Path(__file__).parent / "results" / "skewed.json"
LAWS: dict[str, Any] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "lognormal": lambda rng, shape: rng.lognormal(0.0, 1.0, shape),
    "lognormal 1.5": lambda rng, shape: rng.lognormal(0.0, 1.5, shape),
    "t(3)": lambda rng, shape: rng.standard_t(3, size=shape),
    "Pareto 3": lambda rng, shape: rng.pareto(3.0, shape),
    "exponential, 70 % zeros": lambda rng, shape: np.where(rng.random(shape) < 0.7, 0.0, rng.exponential(size=shape)),
}
SHAPES = ((2000, 1), (10_000, 1), (50_000, 1), (10_000, 5), (50_000, 20))


def errors(rows: Any, seed: int) -> tuple[Any, Any, Any]:
    """Of a mean, over deviations and over stated noise; of a covariance, over variances."""
    bound = 10.0 * float(np.linalg.norm(rows, axis=1).max())
    how: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": bound, "simulate": seed}
    mean, covariance = PrivateMean(**how).fit(rows), PrivateCovariance(**how).fit(rows).covariance_
    off, scale = mean.mean_ - rows.mean(axis=0), rows.std(axis=0)
    own = np.atleast_2d(np.cov(rows.T))
    return off / scale, off / mean.standard_errors_["mean_"]["noise"], (covariance - own) / np.outer(scale, scale)


def main() -> None:
    """Print a line a law and shape, and write them all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=6)
    seeds = parser.parse_args().seeds
    warnings.simplefilter("ignore")
    out: list[dict[str, Any]] = []
    for n, d in SHAPES:
        for name, draw in LAWS.items():
            found = [errors(draw(np.random.default_rng(seed), (n, d)), seed) for seed in range(seeds)]
            sizes = [float(np.sqrt(np.mean(np.square([each[i] for each in found])))) for i in range(3)]
            measured = dict(zip(("mean", "stated", "covariance"), (float(f"{s:.3g}") for s in sizes), strict=True))
            out.append(
                {"rows": n, "columns": d, "law": name, "seeds": seeds, **measured, "sampling": round(n**-0.5, 4)}
            )
            print(out[-1], flush=True)
    RESULTS.write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
