"""Mixtures with a little public data: hard (few public rows, many columns) and easy (public groups that show).

    python bench/bks22_mixtures.py [hard|twin|easy] [--n N] [--d D] [--public M]... [--seeds S]
                                   [--unrefined] [--alone] [--none] [--table]

``hard``: d=512, k=4, 14 apart, 5e5 rows, (1, 1e-6), ``bks22_gmm_hard``; ``twin``: the same at d=128 and 1e5 rows.
``easy``: d=20, k=4, 15 apart, 1e5 rows, ρ=0.0244, ``bks22_gmm_easy``. No bound is given. Spherical groups of equal
weight, 1000 away from 0, replace-one, simulated noise. Errors are the largest Mahalanobis error of a mean; the floor is
told the clusters (``bench/mixtures.py``). Beside each, (a) with ``--none``, what takes no public row: ``kssu19_pegme``
beside ``bks22_gmm_hard``, told that deviations are .03 to 30, and ``practical_gmm`` beside ``bks22_gmm_easy``, told a
bound of 1e6; both at (1, 1e-6); (b) public rows alone: single linkage and k-means (least sum of squares of 20
starts) of all columns and of k principal ones, spectral clustering, and the means of the public rows when their groups
are told. ``--alone`` measures (b) only. Each seed is merged into results/bks22_mixtures.json, with a table beside it;
``--table`` only writes the table.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from pathlib import Path
from typing import Any

import attrs
import mixtures
import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.cluster.vq import kmeans2
from scipy.optimize import linear_sum_assignment

from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe.plugin import find_learner

RESULTS = Path(__file__).parent / "results" / "bks22_mixtures.json"
HARD: dict[str, float] = {"epsilon": 1.0, "delta": 1e-6}
ZCDP: dict[str, float] = {"rho": 0.0244}
CASES: dict[str, dict[str, Any]] = {
    "hard": {"spec": "bks22_gmm_hard", "n": 500_000, "d": 512, "sep": 14.0, "public": [40], "budget": HARD},
    "twin": {"spec": "bks22_gmm_hard", "n": 100_000, "d": 128, "sep": 14.0, "public": [40], "budget": HARD},
    "easy": {
        "spec": "bks22_gmm_easy",
        "n": 100_000,
        "d": 20,
        "sep": 15.0,
        "public": [5000, 100],
        "budget": {"rho": 0.0244},
    },
}
NONE: dict[str, tuple[str, dict[str, float]]] = {
    "bks22_gmm_hard": ("kssu19_pegme", {"sigma_min": 0.03, "sigma_max": 30.0}),
    "bks22_gmm_easy": ("practical_gmm", {"bound": 1e6}),
}
K = 4


def tables(made: dict[str, Any], m: int, seed: int) -> tuple[mixtures.Table, Any, Any]:
    """Private rows with their truth, public rows and their groups."""
    both = mixtures.random_mixture(seed, n=made["n"] + m, d=made["d"], k=K, sep=made["sep"], shift=1e3)
    n = made["n"]
    return attrs.evolve(both, rows=both.rows[:n], labels=both.labels[:n]), both.rows[n:], both.labels[n:]


def alone(table: mixtures.Table, public: Any, groups: Any, sep: float) -> dict[str, dict[str, float]]:
    """Error of the means, and share of public rows in wrong groups, by clustering; and where the groups are told."""
    centred = public - public.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    few = centred @ directions[:K].T
    guesses = {"told their groups": groups}
    for name, rows in (("all columns", centred), (f"{K} principal columns", few)):
        guesses[f"single linkage, {name}"] = fcluster(linkage(rows, "single"), K, "maxclust") - 1
        tries = [kmeans2(rows, K, minit="++", seed=start) for start in range(20)]
        best = min(tries, key=lambda found: np.linalg.norm(rows - found[0][found[1]]))
        guesses[f"k-means, {name}"] = best[1]
    try:
        means = find_learner(f"spectral_{K}")(public, np.random.default_rng(0))[1]
        guesses["spectral"] = np.argmin([np.linalg.norm(public - mean, axis=1) for mean in means], axis=0)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        pass
    found = {}
    for name, guess in guesses.items():
        confusion = np.array([[np.count_nonzero((guess == i) & (groups == j)) for j in range(K)] for i in range(K)])
        rows, columns = linear_sum_assignment(-confusion)
        found[name] = {"wrong": round(1.0 - float(confusion[rows, columns].sum()) / len(groups), 3)}
        if len(np.unique(guess)) == K:
            means = np.array([public[guess == i].mean(axis=0) for i in range(K)])
            model = np.full(K, 1 / K), means, table.covariances
            found[name]["mean"] = round(mixtures.score(table, model, sep)["mean"], 3)
    return found


def ran(plan: Any, table: mixtures.Table, sep: float, seed: int, **public: Any) -> dict[str, Any]:
    """Errors of one run."""
    start = time.process_time()
    try:
        result = plan.run(x=table.rows, simulate=seed, **public)
    except DpframeError as error:
        return {"reason": str(error), "found": 0.0, "mean": None}
    seconds = round(time.process_time() - start, 1)
    if result.status != "released":
        return {"reason": result.reason, "found": 0.0, "mean": None, "cpu": seconds}
    model = result["mixture"]
    errors = mixtures.score(table, (model.weights, model.means, model.covariances), sep)
    return {key: round(value, 4) for key, value in errors.items()} | {"cpu": seconds, "verdict": result.quality.verdict}


def merge(path: Path, case: str, record: dict[str, Any]) -> dict[str, Any]:
    """Into the file, replacing the same seed's; all seeds of the case."""
    found = json.loads(path.read_text()) if path.exists() else {}
    rows: dict[str, Any] = found.setdefault(case, {})
    rows[str(record["seed"])] = rows.get(str(record["seed"]), {}) | record
    path.write_text(json.dumps(found, indent=1) + "\n")
    return rows


def main() -> None:
    """Seed by seed, then what they come to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=CASES, nargs="?", default="easy")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--n", type=lambda text: int(float(text)))
    parser.add_argument("--d", type=int)
    parser.add_argument("--public", type=int, action="append")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=mixtures.FIRST_SEED)
    parser.add_argument("--unrefined", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--none", action="store_true", help="also a learner that takes no public row")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    if asked.table:
        asked.out.with_suffix(".md").write_text(table(json.loads(asked.out.read_text())))
        return
    made = CASES[asked.case] | {
        key: getattr(asked, key) for key in ("n", "d", "public") if getattr(asked, key) is not None
    }
    keys = {"n": made["n"], "d": made["d"], "k": K} | made["budget"]
    rho = made["budget"].get("rho", mixtures.FLOOR_RHO)
    for m in made["public"]:
        name = f"{made['spec']} n={made['n']} d={made['d']} public={m}" + (" unrefined" if asked.unrefined else "")
        plan = load_spec(made["spec"], keys | {"refine": not asked.unrefined}).plan()
        other, told = NONE[made["spec"]]
        none = load_spec(other, {key: keys[key] for key in ("n", "d", "k")} | HARD | told).plan()
        for seed in range(asked.first, asked.first + asked.seeds):
            instance, public, groups = tables(made, m, seed)
            record: dict[str, Any] = {
                "seed": seed,
                "load": round(os.getloadavg()[0], 1),
                "public rows alone": alone(instance, public, groups, made["sep"]),
            }
            if not asked.alone:
                record["floor"] = round(mixtures.floor(instance, seed, math.sqrt(2.0 * rho)), 4)
                record["with public rows"] = ran(plan, instance, made["sep"], seed, public=public)
            if asked.none:
                record["no public row"] = ran(none, instance, made["sep"], seed)
            rows = merge(asked.out, name, record)
            asked.out.with_suffix(".md").write_text(table(json.loads(asked.out.read_text())))
            print(f"{name} {record}", flush=True)
        print(f"{name}: {summary(rows)}", flush=True)


def summary(rows: dict[str, Any]) -> dict[str, Any]:
    """Medians over the floor's, and how often every component was found."""
    floor = np.median([r["floor"] for r in rows.values() if "floor" in r] or [math.nan])
    said: dict[str, Any] = {}
    for name in ("with public rows", "no public row"):
        seen = [r[name] for r in rows.values() if name in r]
        if seen:
            error = np.median([math.inf if r["mean"] is None else r["mean"] for r in seen])
            right = sum(r["found"] for r in seen)
            said[name] = {"floors": round(float(error / floor), 3), "found": f"{right:g} of {len(seen)}"}
    beside = [r["public rows alone"] for r in rows.values()]
    for name in beside[0]:
        wrong = [r[name]["wrong"] for r in beside if name in r]
        error = np.median([r[name].get("mean", math.inf) for r in beside if name in r])
        right = f"right {wrong.count(0.0)} of {len(wrong)}"
        said[f"public rows alone, {name}"] = {"floors": round(float(error / floor), 3), "groups": right}
    return said


def table(cases: dict[str, dict[str, Any]]) -> str:
    """What all cases come to, in Markdown."""
    text = [
        "Largest error of a mean over that of an estimate that is told the clusters (medians), and in how many runs",
        "all components were found. Public rows alone: k-means in k principal columns, the groups and their means.",
        "",
        "| case | with public rows | no public row | public rows alone | CPU a run, s |",
        "|---|---|---|---|---|",
    ]
    for name, rows in cases.items():
        said = summary(rows)
        learned = [said.get(how) for how in ("with public rows", "no public row")]
        cells = [name, *(f"{own['floors']:.2f}, {own['found']}" if own else "" for own in learned)]
        beside = said[f"public rows alone, k-means, {K} principal columns"]
        cells.append(f"{beside['floors']:.3g}, {beside['groups']}")
        spent = [r["with public rows"]["cpu"] for r in rows.values() if "cpu" in r.get("with public rows", {})]
        cells.append(f"{np.median(spent):.3g}" if spent else "")
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    main()
