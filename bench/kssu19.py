"""The KSSU19 learners on separated mixtures, beside the floor that is told the clusters.

usage: python bench/kssu19.py pegme|pgme|aggregate [--n N] [--d D] [--sep S] [--seeds S] [--radius R] [--unrefined]

At (1, 1e-6), replace-one, simulated noise; standard deviations are promised within a ratio of 1e3. ``pegme``: d=64,
k=4, spherical, equal weights, 20 apart. ``pgme``: d=64, k=4, deviations 1, 1, 10, 30, weights .1 to .4, 25 of the
larger deviation apart. ``aggregate``: d=2, k=3, 10 apart. Errors are the largest Mahalanobis mean error over the
floor of ``bench/mixtures.py``; a component is found where a released mean is within sep/4 of *its own* deviations.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from typing import Any

import mixtures
import numpy as np
from scipy.optimize import linear_sum_assignment

from dpframe.front.specs import load_spec

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "pegme": ("kssu19_pegme", {"n": 20_000, "d": 64, "k": 4, "sep": 20.0}),
    "pgme": (
        "kssu19_pgme",
        {"n": 100_000, "d": 64, "k": 4, "sep": 25.0, "scales": (1.0, 1.0, 10.0, 30.0), "weights": (0.1, 0.2, 0.3, 0.4)},
    ),
    "aggregate": ("kssu19_sample_and_aggregate", {"n": 2_000_000, "d": 2, "k": 3, "sep": 10.0}),
}


def found(table: mixtures.Table, means: Any, sep: float) -> int:
    """Number of components with a released mean within sep/4 of their own deviations."""
    gaps = np.einsum("iab,ijb->ija", np.linalg.inv(table.roots), means[None] - table.means[:, None])
    away = np.minimum(np.linalg.norm(gaps, axis=2), 1e12)
    own, other = linear_sum_assignment(away**2)
    return int((away[own, other] < sep / 4.0).sum())


def main() -> None:
    """Seed by seed, then the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--n", type=lambda text: int(float(text)))
    parser.add_argument("--d", type=int)
    parser.add_argument("--sep", type=float)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--radius", type=float, help="R; none if not given")
    parser.add_argument("--unrefined", action="store_true")
    asked = parser.parse_args()
    spec, made = CASES[asked.case]
    made = made | {key: getattr(asked, key) for key in ("n", "d", "sep") if getattr(asked, key) is not None}
    keys = {key: made[key] for key in ("n", "d", "k")} | {"sigma_min": 0.03, "sigma_max": 30.0}
    keys |= {"refine": not asked.unrefined} | ({} if asked.radius is None else {"R": asked.radius})
    plan = load_spec(spec, keys).plan()
    ratios, complete = [], 0
    for seed in range(mixtures.FIRST_SEED, mixtures.FIRST_SEED + asked.seeds):
        table = mixtures.random_mixture(seed, shift=1e3, **made)
        floor = mixtures.floor(table, seed, math.sqrt(2.0 * mixtures.FLOOR_RHO))
        start = time.perf_counter()
        result = plan.run(x=table.rows, simulate=seed)
        seconds = time.perf_counter() - start
        if result.status != "released":
            ratios.append(math.inf)
            print(f"{seed}: failed, {result.reason} ({seconds:.1f} s)", flush=True)
            continue
        model = result["mixture"]
        errors = mixtures.score(table, (model.weights, model.means, model.covariances), made["sep"])
        number = found(table, model.means, made["sep"])
        complete += number == made["k"]
        ratios.append(errors["mean"] / floor)
        print(
            f"{seed}: {errors['mean']:.4f} = {ratios[-1]:.2f} floors, covariance {errors['covariance']:.3f}, "
            f"weight {errors['weight']:.4f}, found {number} of {made['k']} ({seconds:.1f} s)",
            flush=True,
        )
    print(f"{spec}: {statistics.median(ratios):.2f} floors, all components in {complete} of {asked.seeds}")


if __name__ == "__main__":
    main()
