"""Success and error of arbas23 over seeds, at (1, 1e-6) under replace-one with no bound given.

    python bench/arbas23.py [--seeds N] [--case TEXT]... [--out FILE]

Noise and data are seeded. A seed's *floor* knows the true clusters and whitens and clips each around its own centre:
``bench/mixtures.py`` at rho = 0.01747, on the same rows. Mean errors are Mahalanobis, the largest over components;
*distance* is the larger of both ways of the component distance (mean, covariance in Frobenius norm). Results are
merged into FILE case by case. The seconds in the stored results are from two cores shared with much other work.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from mixtures import FLOOR_RHO, Table, draw, floor

from dpframe.front.specs import load_spec

Floats = np.ndarray[Any, np.dtype[np.float64]]
Record = dict[str, Any]
RESULTS = Path(__file__).parent / "results" / "arbas23.json"
SHIFT = np.array([1.0, -2.0])


def clusters(n: int, seed: int, separation: float) -> Table:
    """Two unit clusters in the plane, weights 0.4 and 0.6."""
    means = np.array([[0.0, 0.0], [separation, 0.0]])
    return draw(np.array([0.4, 0.6]), means, np.tile(np.eye(2), (2, 1, 1)), n, np.random.default_rng(seed))


def far_map() -> Floats:
    """A, of condition number 100."""
    turn = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    mapped: Floats = turn @ np.diag([10.0, 0.1]) @ turn
    return mapped


def planned(name: str, keys: Record, rows: Floats, seed: int) -> tuple[Any, Record]:
    """One run: the result and what every record holds."""
    start = time.perf_counter()
    result = load_spec(name, {"n": len(rows), "d": rows.shape[1], **keys}).plan().run(x=rows, simulate=seed)
    record = {"seed": seed, "status": result.status, "seconds": round(time.perf_counter() - start, 1)}
    notes = [op.chance for op in (n.operation for n in result.plan.graph.walk()) if hasattr(op, "chance")]
    return result, {**record, "predicted": notes[0]}


def two(n: int, seed: int, *, separation: float = 10.0, scale: float = 0.0, offset: float = 0.0) -> Record:
    """One refined run of two clusters, as they are or moved by x ↦ scale·Ax + offset·b."""
    table = clusters(n, seed, separation)
    rows = scale * table.rows @ far_map().T + offset * SHIFT if scale else table.rows
    result, record = planned("arbas23_gmm_refined", {"k": 2}, rows, seed)
    record["floor"] = floor(table, seed, math.sqrt(2.0 * FLOOR_RHO))
    if result.status != "released":
        return record
    means = result["mixture"].means
    if scale:
        means = (means - offset * SHIFT) @ np.linalg.inv(scale * far_map()).T
    error = max(np.linalg.norm(means - m, axis=1).min() for m in table.means)
    return {**record, "error": float(error), "ratio": float(error / record["floor"])}


def one(n: int, seed: int, *, refined: bool, d: int = 5, epsilon: float = 1.0) -> Record:
    """One Gaussian, from the mask alone or refined: distance to the truth."""
    rows = np.random.default_rng(seed).standard_normal((n, d))
    name = "arbas23_gmm_refined" if refined else "arbas23_gmm"
    result, record = planned(name, {"k": 1, "learner": "gaussian", "epsilon": epsilon}, rows, seed)
    if result.status != "released":
        return record
    mean, covariance = result["mixture"].means[0], result["mixture"].covariances[0]
    inverse = np.linalg.inv(covariance)
    parts = [np.linalg.norm(mean), math.sqrt(mean @ inverse @ mean)]
    root = np.linalg.cholesky(inverse)
    parts += [np.linalg.norm(covariance - np.eye(d)), np.linalg.norm(root.T @ root - np.eye(d))]
    return {**record, "distance": float(max(parts))}


CASES: dict[str, tuple[Callable[[int], Record], int]] = {
    "two clusters, n=5e5": (lambda s: two(500_000, s), 10),
    "two clusters moved, n=5e5": (lambda s: two(500_000, s, scale=1e6, offset=1e9), 10),
    "one Gaussian, d=5, n=5e5, refined": (lambda s: one(500_000, s, refined=True), 10),
    "one Gaussian, d=5, n=2e6, mask": (lambda s: one(2_000_000, s, refined=False), 10),
    "one Gaussian, d=5, n=4e6, mask": (lambda s: one(4_000_000, s, refined=False), 10),
    "one Gaussian, d=5, n=3e6, mask, epsilon 0.1": (lambda s: one(3_000_000, s, refined=False, epsilon=0.1), 3),
    "two clusters, n=1e6": (lambda s: two(1_000_000, s), 3),
    "two clusters, n=4e5": (lambda s: two(400_000, s), 5),
    "two clusters, n=3e5": (lambda s: two(300_000, s), 5),
    "two clusters, separation 6, n=5e5": (lambda s: two(500_000, s, separation=6.0), 5),
    "two clusters, separation 2, n=5e5": (lambda s: two(500_000, s, separation=2.0), 3),
    "one Gaussian, d=5, n=4e5, refined": (lambda s: one(400_000, s, refined=True), 5),
    **{
        f"two clusters moved by 1e{e}, n=5e5": (lambda s, e=e: two(500_000, s, scale=1.0, offset=10.0**e), 1)
        for e in (5, 7, 8, 9, 10, 11)
    },
}


def summary(records: list[Record]) -> Record:
    """Counts and extremes of a case."""
    released = [r for r in records if r["status"] == "released"]
    found: Record = {"released": len(released), "seeds": len(records)}
    for key in ("error", "ratio", "distance"):
        values = [r[key] for r in released if key in r]
        if values:
            found |= {key: statistics.median(values), f"worst_{key}": max(values)}
    return found | {"seconds": statistics.median(r["seconds"] for r in records), "predicted": records[0]["predicted"]}


def main() -> None:
    """Run the cases whose name contains one of the given texts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", action="append", default=[], help="text in the case's name; all if not given")
    parser.add_argument("--seeds", type=int, help="instead of the case's own number")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    for name, (run, seeds) in CASES.items():
        if asked.case and not any(text in name for text in asked.case):
            continue
        records = [run(seed) for seed in range(asked.seeds or seeds)]
        results = json.loads(asked.out.read_text()) if asked.out.exists() else {}
        results[name] = {"summary": summary(records), "records": records}
        asked.out.write_text(json.dumps(results, indent=1) + "\n")
        print(name, json.dumps(results[name]["summary"]), flush=True)


if __name__ == "__main__":
    main()
