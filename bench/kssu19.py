"""The KSSU19 learners on separated mixtures, beside the floor that is told the clusters.

usage: python bench/kssu19.py [CASE]... [--n N] [--d D] [--sep S] [--seeds S] [--radius R] [--unrefined]
                              [--first SEED] [--spec NAME] [--beside] [--note TEXT] [--out FILE]

At (1, 1e-6), replace-one, simulated noise; standard deviations are promised within a ratio of 1e3. ``pegme``: d=64,
k=4, spherical, equal weights, 20 apart. ``pgme``: d=64, k=4, deviations 1, 1, 10, 30, weights .1 to .4, 25 of the
larger deviation apart. ``aggregate``: d=2, k=3, 10 apart. Errors are the largest Mahalanobis mean error over the
floor of ``bench/mixtures.py``; a component is found where a released mean is within sep/4 of *its own* deviations.
``--spec practical_gmm`` runs that learner on the same tables, told a bound ten times too large. ``--beside`` also fits
scikit-learn's ``GaussianMixture(k, n_init=1, tol=1e-3, random_state=0)`` to each table: seconds (wall and CPU, those of
block processes included) and iterations. Each seed is merged into FILE by what was run, as soon as it is there.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mixtures
import numpy as np
from scipy.optimize import linear_sum_assignment

from dpframe.front.specs import load_spec

RESULTS = Path(__file__).parent / "results" / "kssu19.json"
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "pegme": ("kssu19_pegme", {"n": 20_000, "d": 64, "k": 4, "sep": 20.0}),
    "pgme": (
        "kssu19_pgme",
        {"n": 100_000, "d": 64, "k": 4, "sep": 25.0, "scales": (1.0, 1.0, 10.0, 30.0), "weights": (0.1, 0.2, 0.3, 0.4)},
    ),
    "aggregate": ("kssu19_sample_and_aggregate", {"n": 2_000_000, "d": 2, "k": 3, "sep": 10.0}),
}
SHIFT = 1e3


def found(table: mixtures.Table, means: Any, sep: float) -> int:
    """Number of components with a released mean within sep/4 of their own deviations."""
    gaps = np.einsum("iab,ijb->ija", np.linalg.inv(table.roots), means[None] - table.means[:, None])
    away = np.minimum(np.linalg.norm(gaps, axis=2), 1e12)
    own, other = linear_sum_assignment(away**2)
    return int((away[own, other] < sep / 4.0).sum())


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """What the work gives, and its seconds on the wall and of CPU, those of ended child processes too."""

    def cpu() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    wall, busy = time.perf_counter(), cpu()
    result = work()
    return result, {"seconds": round(time.perf_counter() - wall, 2), "cpu": round(cpu() - busy, 2)}


def beside(rows: Any, k: int) -> dict[str, Any]:
    """Seconds and iterations of scikit-learn's EM."""
    from sklearn.mixture import GaussianMixture

    model, spent = timed(lambda: GaussianMixture(k, n_init=1, tol=1e-3, random_state=0).fit(rows))
    return {**spent, "iterations": int(model.n_iter_), "converged": bool(model.converged_)}


def one(plan: Any, table: mixtures.Table, seed: int, k: int, sep: float, *, em: bool) -> dict[str, Any]:
    """One run beside its floor."""
    floor = mixtures.floor(table, seed, math.sqrt(2.0 * mixtures.FLOOR_RHO))
    result, record = timed(lambda: plan.run(x=table.rows, simulate=seed))
    record = {"seed": seed, "floor": floor, **record, "load": round(os.getloadavg()[0], 1)}
    if result.status == "released":
        model = result["mixture"]
        record |= mixtures.score(table, (model.weights, model.means, model.covariances), sep)
        record |= {"found": found(table, model.means, sep), "ratio": record["mean"] / floor}
    else:
        record |= {"failed": result.reason, "found": 0}
    return record | ({"em": beside(table.rows, k)} if em else {})


def run(case: str, asked: argparse.Namespace) -> None:
    """Seed by seed, then the medians, merged into the file."""
    spec, made = CASES[case]
    made = made | {key: getattr(asked, key) for key in ("n", "d", "sep") if getattr(asked, key) is not None}
    spec = asked.spec or spec
    keys: dict[str, Any] = {key: made[key] for key in ("n", "d", "k")}
    if spec == "practical_gmm":
        keys["bound"] = 10.0 * (SHIFT + made["sep"] * max(made.get("scales", (1.0,))) * math.sqrt(made["k"]))
    else:
        keys |= {"sigma_min": 0.03, "sigma_max": 30.0, "refine": not asked.unrefined}
        keys |= {} if asked.radius is None else {"R": asked.radius}
    plan = load_spec(spec, keys).plan()
    name = f"{case}, {spec}, n={made['n']:.3g}, d={made['d']}, sep={made['sep']:g}"
    name += "" if asked.radius is None else f", R={asked.radius:g}"
    name += ", unrefined" if asked.unrefined else ""
    for seed in range(asked.first, asked.first + asked.seeds):
        table = mixtures.random_mixture(seed, shift=SHIFT, **made)
        record = one(plan, table, seed, made["k"], made["sep"], em=asked.beside)
        print(f"{seed}: {say(record)}", flush=True)
        kept = merge(asked.out, name, made["k"], record, asked.note)
    ratio = "no median" if kept["ratio"] is None else f"{kept['ratio']:.2f} floors"
    print(f"{name}: {ratio}, all components in {kept['complete']} of {kept['of']}", flush=True)


def merge(path: Path, name: str, k: int, record: dict[str, Any], note: str) -> dict[str, Any]:
    """Into the file, replacing the same seed's; what all seeds that are there come to."""
    results = json.loads(path.read_text()) if path.exists() else {}
    before = results.get(name, {}).get("records", [])
    records = sorted([r for r in before if r["seed"] != record["seed"]] + [record], key=lambda r: int(r["seed"]))
    middle = statistics.median(r.get("ratio", math.inf) for r in records)
    results[name] = {
        "ratio": middle if math.isfinite(middle) else None,
        "complete": sum(r["found"] == k for r in records),
        "of": len(records),
        "note": note,
        "records": records,
    }
    path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    return dict(results[name])


def say(record: dict[str, Any]) -> str:
    """A line."""
    if "failed" in record:
        return f"failed, {record['failed']} ({record['seconds']:.1f} s)"
    line = (
        f"{record['mean']:.4f} = {record['ratio']:.2f} floors, covariance {record['covariance']:.3f}, "
        f"weight {record['weight']:.4f}, found {record['found']} ({record['seconds']:.1f} s, CPU {record['cpu']:.1f} s)"
    )
    em = record.get("em")
    return line if em is None else f"{line}; EM {em['iterations']} iterations, {em['seconds']} s, CPU {em['cpu']} s"


def main() -> None:
    """The cases that are named; all of them if none is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", choices=[[], *CASES])
    parser.add_argument("--n", type=lambda text: int(float(text)))
    parser.add_argument("--d", type=int)
    parser.add_argument("--sep", type=float)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=mixtures.FIRST_SEED)
    parser.add_argument("--radius", type=float, help="R; none if not given")
    parser.add_argument("--unrefined", action="store_true")
    parser.add_argument("--spec", help="another learner on the same tables")
    parser.add_argument("--beside", action="store_true", help="scikit-learn's EM too")
    parser.add_argument("--note", default="", help="kept with the results")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    for case in asked.cases or CASES:
        run(case, asked)


if __name__ == "__main__":
    main()
