"""Success and error of arbas23 over seeds: two clusters as they are and moved far away, one Gaussian.

    python bench/arbas23.py [seeds]

Noise and data are seeded. Prints one JSON line a run: case, status, error relative to the truth, seconds.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

from dpframe.specs import load_spec

SEPARATION = 10.0


def two_clusters(n: int, seed: int) -> tuple[Any, Any]:
    """Two spherical clusters in the plane, weights 0.4 and 0.6."""
    rng = np.random.default_rng(seed)
    means = np.array([[0.0, 0.0], [SEPARATION, 0.0]])
    return means[(rng.random(n) < 0.4).astype(int)] + rng.standard_normal((n, 2)), means


def moved(rows: Any) -> Any:
    """x ↦ 1e6·Ax + 1e9·b, A of condition number 100."""
    return 1e6 * rows @ far_map().T + 1e9 * np.array([1.0, -2.0])


def far_map() -> Any:
    """A."""
    turn = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    return turn @ np.diag([10.0, 0.1]) @ turn


def mean_error(found: Any, means: Any) -> float:
    """Largest distance of a true mean to its nearest found one."""
    return float(max(np.linalg.norm(found - m, axis=1).min() for m in means))


def clusters(n: int, seed: int, far: bool) -> dict[str, Any]:
    """One refined run."""
    rows, means = two_clusters(n, seed)
    if far:
        rows = moved(rows)
    start = time.perf_counter()
    result = load_spec("arbas23_gmm_refined", {"n": n, "d": 2, "k": 2}).plan().run(x=rows, simulate=seed)
    seconds = time.perf_counter() - start
    if result.status != "released":
        return {"status": result.status, "seconds": seconds}
    found = result["mixture"].means
    if far:
        found = (found - 1e9 * np.array([1.0, -2.0])) @ np.linalg.inv(1e6 * far_map()).T
    return {"status": "released", "mean_error": mean_error(found, means), "seconds": seconds}


def one_gaussian(n: int, seed: int, refined: bool) -> dict[str, Any]:
    """One Gaussian in five dimensions, from the mask alone or refined: distance to the truth."""
    rows = np.random.default_rng(seed).standard_normal((n, 5))
    name = "arbas23_gmm_refined" if refined else "arbas23_gmm"
    start = time.perf_counter()
    keys = {"n": n, "d": 5, "k": 1, "learner": "gaussian"}
    result = load_spec(name, keys).plan().run(x=rows, simulate=seed)
    seconds = time.perf_counter() - start
    if result.status != "released":
        return {"status": result.status, "seconds": seconds}
    mixture = result["mixture"]
    error = max(np.linalg.norm(mixture.means[0]), np.linalg.norm(mixture.covariances[0] - np.eye(5)))
    return {"status": "released", "distance": float(error), "seconds": seconds}


def main() -> None:
    """Every case for each seed."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    cases = {
        "two clusters, n=5e5": lambda s: clusters(500_000, s, far=False),
        "two clusters moved, n=5e5": lambda s: clusters(500_000, s, far=True),
        "one Gaussian, d=5, n=5e5, refined": lambda s: one_gaussian(500_000, s, refined=True),
        "one Gaussian, d=5, n=2e6, mask": lambda s: one_gaussian(2_000_000, s, refined=False),
    }
    for name, run in cases.items():
        for seed in range(seeds):
            print(json.dumps({"case": name, "seed": seed, **run(seed)}), flush=True)


if __name__ == "__main__":
    main()
