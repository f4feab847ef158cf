"""Whether what a mixture of rows with tails says of itself is true: its stated noise, and its verdict.

    python bench/tails.py [--runs 8] [--seeds 8]

*noise*: results of so many noises on one table of two clusters, their distance from the median over the noise that
`uncertainty` states, root mean square. *verdict*: tables of two clusters 12 apart, one noise each, beside EM's best of
ten starts on fresh rows: level is at most .05 nats a row behind, bad more than .2. *verdict, bound 200*: the same of
twice as many tables with exponential rows, and how far behind the worst is.
ε=1, δ=1e-6, replace-one, simulated noise. Writes bench/results/tails.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.mixture import GaussianMixture

try:
    from bench import hard
except ImportError:  # run as a script
    import hard

RESULTS = Path(__file__).parent / "results" / "tails.json"
NOISE = (*((law, 20_000, 3) for law in hard.LAWS), ("gaussian", 4000, 4), ("exponential", 4000, 4))
SIZES = (4000, 9000, 16_000)
VERDICT = tuple((law, n) for law in ("t(5)", "exponential") for n in SIZES[1:])
PARTS = ("weights", "means", "covariances")


def mixed(law: str, n: int, d: int, seed: int) -> Any:
    """Two clusters 12 apart, stretched by one random map, in deviations."""
    rng = np.random.default_rng(seed)
    labels, rows = rng.integers(0, 2, n), hard.LAWS[law](rng, (n, d))
    rows = rows @ (0.5 * rng.standard_normal((d, d)) + np.eye(d)) + 12.0 * np.eye(1, d) * labels[:, None]
    return (rows - rows.mean(axis=0)) / rows.std(axis=0)


def clusters(law: str, n: int, seed: int) -> Any:
    """Two clusters of weights .4 and .6, 12 apart along the first of three columns."""
    rng = np.random.default_rng(seed)
    rows = hard.LAWS[law](rng, (n, 3))
    return rows + 12.0 * np.eye(1, 3) * (rng.random((n, 1)) < 0.6)


def ratios(law: str, n: int, d: int, runs: int) -> dict[str, Any]:
    """Distance from the median over the noise that is stated, of each part."""
    rows = mixed(law, n, d, 5)
    found = [model for seed in range(runs) if (model := hard.fitted(rows, 2, 1.0, seed)) is not None]
    orders = [
        linear_sum_assignment(np.linalg.norm(found[0].means_[:, None] - m.means_[None], axis=2))[1] for m in found
    ]
    record: dict[str, Any] = {"law": law, "n": n, "d": d, "runs": len(found)}
    for part in PARTS:
        values = np.array([getattr(m, f"{part}_")[order] for m, order in zip(found, orders, strict=True)])
        stated = np.array([m.standard_errors_[f"{part}_"]["noise"][o] for m, o in zip(found, orders, strict=True)])
        record[part] = round(float(np.sqrt(np.mean(((values - np.median(values, axis=0)) / stated) ** 2))), 2)
    return record


def judged(law: str, n: int, seeds: int, bound: float | None = None) -> dict[str, Any]:
    """How many tables end level with EM, or bad, and how many of these are called."""
    fresh = clusters(law, 20_000, 99)
    counts = dict.fromkeys(("level", "level, called", "between", "bad", "bad, called"), 0)
    worst = -np.inf
    for seed in range(seeds):
        rows = clusters(law, n, seed)
        model = hard.fitted(rows, 2, 1.0, seed, bound=bound)
        best = GaussianMixture(2, n_init=10, random_state=0).fit(rows).score(fresh)
        behind = np.inf if model is None else best - model.score(fresh)
        worst = max(worst, behind)
        kind = "level" if behind <= 0.05 else "bad" if behind > 0.2 else "between"
        counts[kind] += 1
        if kind != "between" and (model is None or model.quality_["verdict"] != "good"):
            counts[f"{kind}, called"] += 1
    return {"law": law, "n": n, **counts, "worst, nats behind": round(float(worst), 3)}


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=8)
    asked = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {"noise": [], "verdict": [], "verdict, bound 200": []}
    for case in NOISE:
        found["noise"].append(ratios(*case, asked.runs))
        print(json.dumps(found["noise"][-1]), flush=True)
    for law, n in VERDICT:
        found["verdict"].append(judged(law, n, asked.seeds))
        print(json.dumps(found["verdict"][-1]), flush=True)
    for n in SIZES:
        found["verdict, bound 200"].append(judged("exponential", n, 2 * asked.seeds, 200.0))
        print(json.dumps(found["verdict, bound 200"][-1]), flush=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
