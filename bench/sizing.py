"""How far the errors that plans predict are from those of simulated runs.

    python bench/sizing.py [--runs 8] [--only NAME ...] [--dear | --held-out]

For each shipped spec, on the instance that it names: the least n for an error, by `dpframe size`, and the root mean
square error of simulated runs on tables of that instance and size. ``--dear`` takes the cases of minutes a run (blocks
of learners), with a quarter of the runs; ``--held-out`` sizes and budgets by which no constant of a model was chosen.
Writes the cases that ran into bench/results/sizing.json, beside the others.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import norm

from dpframe.front.sizing import size
from dpframe.front.specs import load_spec
from dpframe.planning.results import run_plan

RESULTS = Path(__file__).parent / "results" / "sizing.json"
WIDE = {"sigma_min": 0.1, "sigma_max": 10.0}
Tables = dict[str, Any]


@attrs.frozen
class Instance:
    """Tables of one size and seed, with what the score needs; the score of outputs: a square, or what is averaged."""

    tables: Callable[[int, np.random.Generator], tuple[Tables, Any]]
    score: Callable[[dict[str, Any], Any], float]
    keys: dict[str, Any]
    squared: bool = True


def mixture(
    output: str, keys: dict[str, Any], *, apart: float = 10.0, public: int = 0, bound: bool = False
) -> Instance:
    """k Gaussians of equal weight and covariance I, some deviations apart; the squared distance of a mean."""
    k, d = keys.get("k", 1), keys.get("d", 1)
    shift = 3.0 if bound else 50.0
    centres = apart * np.array([[j] + [j % 2] * (d - 1) for j in range(k)], dtype=float) + (shift if k == 1 else 0.0)

    def tables(n: int, rng: np.random.Generator) -> tuple[Tables, Any]:
        def rows(m: int) -> Any:
            return centres[rng.integers(0, k, size=m)] + rng.normal(size=(m, d))

        return {"x": rows(n), **({"public": rows(public)} if public else {})}, centres

    def score(outputs: dict[str, Any], centres: Any) -> float:
        value = outputs[output]
        means = value.means if hasattr(value, "means") else value
        means = np.atleast_2d(means.mean if hasattr(means, "covariance") else means)
        far = ((means[:, None] - centres[None]) ** 2).sum(-1)
        return float(far[linear_sum_assignment(far)].mean())

    extent = float(np.linalg.norm(centres, axis=1).max())
    return Instance(tables, score, {**keys, "bound": 10.0 * extent} if bound else keys)


def columns(output: str, d: int, score: Callable[[dict[str, Any], Any], float], *, squared: bool = True) -> Instance:
    """Gaussian rows of covariance I about 3."""
    tables = lambda n, rng: ({"x": 3.0 + rng.normal(size=(n, d))}, n)  # noqa: E731
    return Instance(tables, score, {"d": d, "bound": 30.0 * math.sqrt(d)}, squared)


def covariances(outputs: dict[str, Any], n: int) -> float:
    """Squared Frobenius distance."""
    return float(((outputs["covariance"] - np.eye(len(outputs["mean"]))) ** 2).sum())


def quantiles(outputs: dict[str, Any], n: int) -> float:
    """Mean squared distance of the quartiles."""
    return float(((outputs["values"] - 3.0 - norm.ppf([0.25, 0.5, 0.75])) ** 2).mean())


def masses(outputs: dict[str, Any], n: int) -> float:
    """Total variation of a column's masses."""
    return float((0.5 * np.abs(np.diff(norm.cdf(outputs["edges"] - 3.0), axis=1) - outputs["masses"]).sum(1)).mean())


def line(d: int) -> Instance:
    """A target that is one of d features plus as much noise."""

    def tables(n: int, rng: np.random.Generator) -> tuple[Tables, Any]:
        features = rng.normal(size=(n, d))
        return {"x": np.column_stack([features, features[:, 0] + rng.normal(size=n)])}, n

    true = np.eye(d + 1)[1]
    score = lambda outputs, n: float(((outputs["coefficients"] - true) ** 2).sum())  # noqa: E731
    return Instance(tables, score, {"d": d + 1, "bound": 100.0})


def classes(d: int, k: int) -> Instance:
    """Classes N(m, I) of equal size, two deviations apart on a line."""
    means = np.zeros((k, d))
    means[:, 0] = 2.0 * (np.arange(k) - 0.5 * (k - 1))
    true = np.column_stack([-0.5 * (means**2).sum(axis=1), means])
    true -= true.mean(axis=0)

    def tables(n: int, rng: np.random.Generator) -> tuple[Tables, Any]:
        codes = rng.integers(0, k, size=n)
        return {"x": np.column_stack([means[codes] + rng.normal(size=(n, d)), codes])}, n

    score = lambda outputs, n: float(((outputs["coefficients"] - true) ** 2).sum())  # noqa: E731
    return Instance(tables, score, {"d": d + 1, "classes": k, "bound": 100.0})


Case = tuple[str, str, Instance, dict[str, Any], float]
G, M = "gaussian", "mixture"
CASES: tuple[Case, ...] = (
    ("coinpress_gaussian", G, mixture(G, {"d": 1}, bound=True), {"epsilon": 1.0}, 0.02),
    ("coinpress_gaussian", G, mixture(G, {"d": 3}, bound=True), {"epsilon": 0.1}, 0.05),
    ("coinpress_gaussian", G, mixture(G, {"d": 10}, bound=True), {"epsilon": 1.0}, 0.1),
    ("practical_gmm", M, mixture(M, {"d": 1, "k": 2}, bound=True), {"epsilon": 1.0}, 0.03),
    ("practical_gmm", M, mixture(M, {"d": 3, "k": 3}, bound=True), {"epsilon": 0.3}, 0.1),
    ("practical_gmm", M, mixture(M, {"d": 5, "k": 4}, bound=True), {"epsilon": 1.0}, 0.02),
    ("flights", M, mixture(M, {"d": 3, "k": 4, "columns": None}, bound=True), {"epsilon": 1.0}, 0.05),
    ("bks22_mean", G, mixture(G, {"d": 3}, public=1), {}, 0.05),
    ("bks22_mean", G, mixture(G, {"d": 10}, public=1), {"epsilon": 0.3}, 0.1),
    ("bks22_gaussian", G, mixture(G, {"d": 3}, public=11), {}, 0.05),
    ("bks22_gaussian", G, mixture(G, {"d": 1}, public=5), {"epsilon": 0.3}, 0.03),
    ("bks22_gmm_easy", M, mixture(M, {"d": 3, "k": 3}, public=120), {}, 0.05),
    ("bks22_gmm_easy", M, mixture(M, {"d": 5, "k": 2}, public=80), {"epsilon": 0.5}, 0.03),
    ("bks22_gmm_hard", M, mixture(M, {"d": 10, "k": 3}, public=60), {}, 0.1),
    ("bks22_gmm_hard", M, mixture(M, {"d": 5, "k": 2}, public=40), {"epsilon": 2.0}, 0.05),
    ("kssu19_pegme", M, mixture(M, {"d": 5, "k": 3, **WIDE}, apart=20.0), {}, 0.06),
    ("kssu19_pegme", M, mixture(M, {"d": 10, "k": 2, **WIDE}, apart=20.0), {"epsilon": 0.5}, 0.03),
    ("kssu19_pgme", M, mixture(M, {"d": 5, "k": 3, **WIDE}, apart=25.0), {}, 0.05),
    ("kssu19_pgme", M, mixture(M, {"d": 2, "k": 2, **WIDE}, apart=25.0), {"epsilon": 2.0}, 0.03),
    ("aal21_univariate", M, mixture(M, {"k": 2}), {}, 0.05),
    ("aal21_univariate", M, mixture(M, {"k": 3}), {"epsilon": 2.0}, 0.02),
    ("aal21_axis_aligned", M, mixture(M, {"d": 2, "k": 2}), {}, 0.05),
    ("aal21_axis_aligned", M, mixture(M, {"d": 3, "k": 2}), {}, 0.02),
    ("aal21_known_covariance", M, mixture(M, {"d": 2, "k": 2, "sigma": 1.0}), {}, 0.05),
    ("aal21_known_covariance", M, mixture(M, {"d": 1, "k": 3, "sigma": 1.0}), {}, 0.03),
    ("private_moments", "mean", columns("mean", 3, lambda o, n: float(((o["mean"] - 3.0) ** 2).sum())), {}, 0.03),
    ("private_moments", "covariance", columns("covariance", 2, covariances), {}, 0.1),
    ("private_moments", "count", columns("count", 2, lambda o, n: float((o["count"] - n).item() ** 2)), {}, 30.0),
    ("private_quantiles", "values", columns("values", 1, quantiles), {}, 0.02),
    ("private_quantiles", "values", columns("values", 4, quantiles), {"epsilon": 0.3}, 0.05),
    ("private_density", "masses", columns("masses", 2, masses, squared=False), {}, 0.05),
    ("private_linear", "coefficients", line(1), {}, 0.05),
    ("private_linear", "coefficients", line(4), {"epsilon": 0.5}, 0.05),
    ("private_logistic", "coefficients", classes(2, 2), {}, 0.15),
    ("private_logistic", "coefficients", classes(3, 3), {"epsilon": 2.0}, 0.4),
    ("private_kmeans", "centres", mixture("centres", {"d": 2, "k": 3}, bound=True), {}, 0.1),
    ("private_kmeans", "centres", mixture("centres", {"d": 5, "k": 4}, bound=True), {}, 0.08),
)
DEAR: tuple[Case, ...] = (
    ("arbas23_gaussian", G, mixture(G, {"d": 1}), {}, 0.1),
    ("arbas23_gaussian", G, mixture(G, {"d": 2}), {"epsilon": 2.0}, 0.1),
    ("arbas23_gmm", M, mixture(M, {"d": 1, "k": 2}), {"epsilon": 4.0}, 0.1),
    ("arbas23_gmm_refined", M, mixture(M, {"d": 1, "k": 2}), {"epsilon": 4.0}, 0.02),
    ("kssu19_sample_and_aggregate", M, mixture(M, {"d": 1, "k": 2, **WIDE}), {"epsilon": 4.0}, 0.05),
)


HELD_OUT: tuple[Case, ...] = (
    ("coinpress_gaussian", G, mixture(G, {"d": 6}, bound=True), {"epsilon": 0.5, "delta": 1e-5}, 0.08),
    ("practical_gmm", M, mixture(M, {"d": 2, "k": 5}, bound=True), {"epsilon": 2.0}, 0.05),
    ("practical_gmm", M, mixture(M, {"d": 8, "k": 2}, bound=True), {"epsilon": 0.5}, 0.05),
    ("bks22_mean", G, mixture(G, {"d": 5}, public=1), {"epsilon": 2.0}, 0.02),
    ("bks22_gaussian", G, mixture(G, {"d": 2}, public=8), {"epsilon": 0.5}, 0.08),
    ("bks22_gmm_easy", M, mixture(M, {"d": 2, "k": 4}, public=160), {"epsilon": 2.0}, 0.08),
    ("bks22_gmm_hard", M, mixture(M, {"d": 8, "k": 2}, public=50), {}, 0.08),
    ("kssu19_pegme", M, mixture(M, {"d": 3, "k": 2, **WIDE}, apart=20.0), {"epsilon": 2.0}, 0.1),
    ("kssu19_pgme", M, mixture(M, {"d": 3, "k": 2, **WIDE}, apart=25.0), {}, 0.1),
    ("aal21_univariate", M, mixture(M, {"k": 2}), {"epsilon": 0.5}, 0.1),
    ("aal21_axis_aligned", M, mixture(M, {"d": 4, "k": 2}), {"epsilon": 2.0}, 0.1),
    ("aal21_known_covariance", M, mixture(M, {"d": 3, "k": 2, "sigma": 1.0}), {"epsilon": 2.0}, 0.1),
    (
        "private_moments",
        "mean",
        columns("mean", 8, lambda o, n: float(((o["mean"] - 3.0) ** 2).sum())),
        {"epsilon": 0.3},
        0.1,
    ),
    ("private_moments", "covariance", columns("covariance", 5, covariances), {"epsilon": 2.0}, 0.15),
    (
        "private_moments",
        "count",
        columns("count", 4, lambda o, n: float((o["count"] - n).item() ** 2)),
        {"epsilon": 0.5},
        60.0,
    ),
    ("private_quantiles", "values", columns("values", 2, quantiles), {"epsilon": 2.0}, 0.08),
    ("private_density", "masses", columns("masses", 4, masses, squared=False), {"epsilon": 0.5}, 0.1),
    ("private_linear", "coefficients", line(6), {"epsilon": 2.0}, 0.1),
    ("private_logistic", "coefficients", classes(4, 2), {"epsilon": 0.5}, 0.3),
    ("private_kmeans", "centres", mixture("centres", {"d": 3, "k": 2}, bound=True), {"epsilon": 0.5}, 0.12),
)


def measured(case: Case, runs: int) -> dict[str, Any]:
    """One spec at one size."""
    name, output, instance, more, error = case
    keys = {**instance.keys, **more}
    spec = load_spec(name, keys)
    found = size(spec, output, error)
    n = int(found.value)
    plan, scores = spec.set({"n": n}).plan(), []
    for seed in range(runs):
        tables, told = instance.tables(n, np.random.default_rng(1000 + seed))
        result = run_plan(plan, tables, simulate=seed)
        scores.append(instance.score(result.outputs, told) if result.status == "released" else math.inf)
    simulated = float(np.mean(scores)) if not instance.squared else math.sqrt(float(np.mean(scores)))
    return {
        "spec": name,
        "keys": keys,
        "output": output,
        "asked": error,
        "n": n,
        "predicted": found.expected.error,
        "simulated": simulated,
        "ratio": simulated / found.expected.error,
        "runs": runs,
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--only", nargs="*")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--dear", action="store_true")
    which.add_argument("--held-out", action="store_true")
    asked = parser.parse_args()
    for case in DEAR if asked.dear else HELD_OUT if asked.held_out else CASES:
        if asked.only and case[0] not in asked.only:
            continue
        row = measured(case, max(asked.runs // 4, 2) if asked.dear else asked.runs)
        row |= {"held_out": True} if asked.held_out else {}
        kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
        same = [k for k in kept if (k["spec"], k.get("output"), k["keys"]) != (row["spec"], row["output"], row["keys"])]
        RESULTS.write_text(json.dumps(sorted([*same, row], key=lambda k: k["spec"]), indent=1) + "\n")
        print({k: v for k, v in row.items() if k not in ("load",)}, flush=True)


if __name__ == "__main__":
    main()
