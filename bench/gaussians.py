"""Private means and covariances of one Gaussian against CoinPress as published and as mended (peers' figures).

    python bench/gaussians.py [--seeds 20] [--large]

Means: d = 50, rho = 0.5, rows N(k·1, I), Euclidean error, 10 % trimmed mean over the seeds; each again with a bound a
million times larger. Covariances: Mahalanobis–Frobenius error, median, the spectrum in a random orientation; once
about a known centre (what CoinPress does) and once with unknown mean at 1e4·1. The non-private error is
recomputed on the same seeds; published and mended figures are the best over t of the comparison this project was given.
Writes bench/results/gaussians.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

import dpframe as dp

RESULTS = Path(__file__).parent / "results"

# n, k, bound, published best over t (t = 2 only in the figure), one public row
MEANS = [
    (500, 1000.0, 1000 * 50**0.5, 17.8, 0.46),
    (1000, 1000.0, 1000 * 50**0.5, 4.47, 0.278),
    (2000, 1000.0, 1000 * 50**0.5, 1.12, 0.180),
    (4272, 1000.0, 1000 * 50**0.5, 0.280, 0.114),
    (1000, 1.0, 10 * 50**0.5, 0.271, None),
    (4272, 1.0, 10 * 50**0.5, 0.112, None),
    (10_000, 1.0, 10 * 50**0.5, 0.073, None),
    (1000, 1.0, 1000 * 50**0.5, 0.277, None),
]

# name, n, spectrum, rho, published best over t, mended best over t
COVARIANCES = [
    ("I", 3000, np.ones(10), 0.5, 0.312, 0.237),
    ("I", 8000, np.ones(10), 0.5, 0.133, 0.125),
    ("half at 31.6", 3000, np.repeat([1.0, 31.6], 5), 0.5, 0.360, 0.235),
    ("half at 31.6", 8000, np.repeat([1.0, 31.6], 5), 0.5, 0.142, 0.129),
    ("half at 31623", 7000, np.repeat([1.0, 31623.0], 5), 0.5, 25.0, 0.147),
    ("I", 10_000, np.ones(10), 0.01747, None, 0.242),
    ("I", 100_000, np.ones(10), 0.01747, None, 0.038),
    ("1 to 1000", 10_000, np.logspace(0, 3, 10), 0.01747, None, None),
    ("1 to 1e9", 100_000, np.logspace(0, 9, 10), 0.01747, None, None),
]
LARGE = [("I", 80_000, np.ones(100), 0.5, 0.90, 0.459)]


def plan(recipe: str, d: int, n: int, rho: float, center: float | None = None, **parameters: Any) -> dp.Plan:
    """A plan that releases one recipe as ``out``."""

    @dp.program
    def program(x):  # type: ignore[no-untyped-def]
        more = [] if center is None else [dp.constant([center] * d)]
        return dp.release("out", dp.recipe(recipe, **parameters), x, *more)

    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=rho))


def trimmed(errors: list[float]) -> float:
    """Mean without the lowest and highest tenth."""
    cut = len(errors) // 10
    return float(np.mean(sorted(errors)[cut : len(errors) - cut or None]))


def mean_row(n: int, k: float, bound: float, published: float, public: float | None, seeds: int) -> dict[str, Any]:
    """One row of the table of means."""
    near = plan("coinpress_mean", 50, n, 0.5, bound=bound, scale=1.0)
    far = plan("coinpress_mean", 50, n, 0.5, bound=1e6 * bound, scale=1.0)
    errors: dict[str, list[float]] = {"plain": [], "near": [], "far": []}
    for seed in range(seeds):
        rows = np.random.default_rng(seed).standard_normal((n, 50)) + k
        errors["plain"].append(float(np.linalg.norm(rows.mean(axis=0) - k)))
        for name, made in (("near", near), ("far", far)):
            errors[name].append(float(np.linalg.norm(made.run(x=rows, simulate=seed)["out"] - k)))
    plain, ours, wide = (trimmed(errors[name]) for name in ("plain", "near", "far"))
    return {
        "n": n,
        "k": k,
        "bound": bound,
        "non_private": plain,
        "ours": ours,
        "worst": max(errors["near"]),
        "bound_1e6_times": wide,
        "passes": max(near.passes.values()),
        "to_non_private": ours / plain,
        "to_published": ours / published,
        "to_one_public_row": ours / public if public else None,
    }


def orientation(d: int, seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A random rotation."""
    return np.linalg.qr(np.random.default_rng([9, seed]).standard_normal((d, d)))[0]


def error(found: Any, root: Any) -> float:
    """‖Σ^(−1/2) Σ̂ Σ^(−1/2) − I‖ in Frobenius norm, Σ = root rootᵀ."""
    inner = np.linalg.solve(root, np.linalg.solve(root, found).T)
    return float(np.linalg.norm(inner - np.eye(len(root))))


def covariance_row(
    name: str, n: int, spectrum: Any, rho: float, published: float | None, mended: float | None, seeds: int
) -> dict[str, Any]:
    """One row of the table of covariances."""
    d = len(spectrum)
    bound = 100.0 * math.sqrt(d * spectrum.max())
    known = plan("coinpress_covariance", d, n, rho, center=0.0, bound=bound)
    unknown = plan("coinpress_gaussian", d, n, rho, bound=bound + 1e6)
    errors: dict[str, list[float]] = {"plain": [], "known": [], "unknown": [], "mean": [], "plain_mean": []}
    begun = time.perf_counter()
    for seed in range(seeds):
        root = orientation(d, seed) * np.sqrt(spectrum)
        white = np.random.default_rng(seed).standard_normal((n, d))
        rows = white @ root.T
        errors["plain"].append(error(rows.T @ rows / n, root))
        errors["plain_mean"].append(float(np.linalg.norm(white.mean(axis=0))))
        errors["known"].append(error(known.run(x=rows, simulate=seed)["out"], root))
        found = unknown.run(x=rows + 1e4, simulate=seed)["out"]
        errors["unknown"].append(error(found.covariance, root))
        errors["mean"].append(float(np.linalg.norm(np.linalg.solve(root, found.mean - 1e4))))
    plain, ours, shifted, mean, plain_mean = (
        float(np.median(errors[key])) for key in ("plain", "known", "unknown", "mean", "plain_mean")
    )
    return {
        "spectrum": name,
        "d": d,
        "n": n,
        "rho": rho,
        "non_private": plain,
        "known_mean": ours,
        "worst": max(errors["known"]),
        "unknown_mean": shifted,
        "worst_unknown": max(errors["unknown"]),
        "mahalanobis_mean": mean,
        "non_private_mean": plain_mean,
        "passes": max(known.passes.values()),
        "passes_unknown": max(unknown.passes.values()),
        "seconds_a_seed": (time.perf_counter() - begun) / seeds,
        "to_non_private": ours / plain,
        "to_published": ours / published if published else None,
        "to_mended": ours / mended if mended else None,
        "unknown_to_mended": shifted / mended if mended else None,
    }


def show(row: dict[str, Any]) -> None:
    """Print a row on one line."""
    print("  ".join(f"{k}={v:.3g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True)


def main() -> None:
    """Measure, print and write."""
    words = argparse.ArgumentParser()
    words.add_argument("--seeds", type=int, default=20)
    words.add_argument("--large", action="store_true", help="d = 100, n = 80000 as well")
    given = words.parse_args()
    report: dict[str, Any] = {"benchmark": "gaussians", "seeds": given.seeds, "means": [], "covariances": []}
    for case in MEANS:
        report["means"].append(mean_row(*case, seeds=5 * given.seeds))
        show(report["means"][-1])
    for name, n, spectrum, rho, published, mended in COVARIANCES + (LARGE if given.large else []):
        seeds = max(2, given.seeds // 7) if len(spectrum) > 50 else given.seeds
        report["covariances"].append(covariance_row(name, n, spectrum, rho, published, mended, seeds))
        show(report["covariances"][-1])
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "gaussians.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
