"""Total variation to the truth of aal21 over seeds, at the numbers that the specs are held to.

    python bench/aal21.py [seeds] [case ...]

ε = 1, δ = 1e-6, replace-one, no bound on any parameter. Data and noise are seeded. Total variation is integrated in one
or two columns and taken over a million draws in more (Hoeffding: off by more than 0.003 with probability under 1e-6).
Writes ``bench/results/aal21.json``: every run, and for each case the median, the worst of the first nine seeds, the
targets, and what EM on the rows themselves reaches.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.front.specs import load_spec
from dpframe_plugins.arbas23.variation import mixture_tv

RESULTS = Path(__file__).parent / "results" / "aal21.json"
DRAWS = 1_000_000


@attrs.frozen(eq=False)
class Case:
    """A spec, its keys, a truth with diagonal covariances, and what must be reached."""

    spec: str
    n: int
    weights: Any
    means: Any
    deviations: Any
    median: float | None = None
    worst: float | None = None
    keys: dict[str, Any] = attrs.Factory(dict)
    scale: float = 1.0
    shift: float = 0.0
    outliers: float = 0.0

    @property
    def truth(self) -> tuple[Any, Any, Any]:
        """Weights, means and covariances, in the units the fit is compared in: those before the map."""
        deviations = np.array(self.deviations, dtype=np.float64)
        covariances = np.array([np.diag(s * s) for s in deviations])
        return np.array(self.weights), np.array(self.means, dtype=np.float64), covariances

    def rows(self, seed: int) -> Any:
        """Seeded rows, before the map x ↦ scale·x + shift."""
        rng = np.random.default_rng(seed)
        which = rng.choice(len(self.weights), size=self.n, p=self.weights)
        means, deviations = np.array(self.means, dtype=np.float64), np.array(self.deviations)
        rows = means[which] + deviations[which] * rng.standard_normal((self.n, means.shape[1]))
        stray = rng.random(self.n) < self.outliers
        rows[stray] = 10.0 * rng.standard_cauchy((int(stray.sum()), means.shape[1]))
        return rows

    def moved(self, rows: Any) -> Any:
        """As the learner sees them."""
        return self.scale * rows + self.shift

    def error(self, mixture: Any) -> float:
        """Total variation of a released mixture to the truth."""
        means = (np.asarray(mixture.means) - self.shift) / self.scale
        found = np.asarray(mixture.weights), means, np.asarray(mixture.covariances) / self.scale**2
        return mixture_tv(found, self.truth, draws=DRAWS).value


TWO: dict[str, Any] = {"weights": [0.3, 0.7], "means": [[0.0], [6.0]], "deviations": [[1.0], [3.0]]}
THREE: dict[str, Any] = {
    "weights": [0.3, 0.3, 0.4],
    "means": [[0.0], [4.0], [12.0]],
    "deviations": [[1.0], [1.0], [3.0]],
}
CLOSE: dict[str, Any] = {"weights": [0.5, 0.5], "means": [[0.0], [1.0]], "deviations": [[1.0], [1.0]]}
SPACE: dict[str, Any] = {
    "weights": [0.4, 0.6],
    "means": [[0.0, 0.0, 0.0], [4.0, 2.0, -3.0]],
    "deviations": [[1.0, 2.0, 0.5], [2.0, 1.0, 1.0]],
}
TEN: dict[str, Any] = {
    "weights": [0.2, 0.3, 0.5],
    "means": (4.0 * np.random.default_rng(5).standard_normal((3, 10))).tolist(),
    "deviations": np.exp(0.5 * np.random.default_rng(6).standard_normal((3, 10))).tolist(),
}
KNOWN: dict[str, Any] = {"weights": [0.3, 0.7], "means": [[0.0, 0.0], [2.0, 1.0]], "deviations": [[1.0, 1.0]] * 2}
UNIVARIATE, ALIGNED, COVARIANCE = "aal21_univariate", "aal21_axis_aligned", "aal21_known_covariance"
FAR: dict[str, Any] = {"scale": 1e-4, "shift": 1e8}
CASES: dict[str, Case] = {
    "univariate k=2": Case(UNIVARIATE, 100_000, **TWO, median=0.02, worst=0.03),
    "univariate k=3": Case(UNIVARIATE, 100_000, **THREE, median=0.03),
    "univariate k=2, 1e-4 x + 1e8": Case(UNIVARIATE, 100_000, **TWO, **FAR, median=0.02, worst=0.03),
    "univariate k=3, 1e-4 x + 1e8": Case(UNIVARIATE, 100_000, **THREE, **FAR, median=0.03),
    "two unit components 1 apart": Case(UNIVARIATE, 100_000, **CLOSE, median=0.012),
    "axis-aligned d=3": Case(ALIGNED, 500_000, **SPACE, median=0.08),
    "axis-aligned d=3, 1e-4 x + 1e8": Case(ALIGNED, 500_000, **SPACE, **FAR, median=0.08),
    "known covariance d=2, n=1e5": Case(COVARIANCE, 100_000, **KNOWN, keys={"sigma": 1.0}),
    "univariate k=2, 1 % Cauchy": Case(UNIVARIATE, 100_000, **TWO, outliers=0.01),
    "univariate k=2, n=1e4": Case(UNIVARIATE, 10_000, **TWO),
    "univariate k=2, n=3e3": Case(UNIVARIATE, 3_000, **TWO),
    "axis-aligned d=3, n=2e4": Case(ALIGNED, 20_000, **SPACE),
    "axis-aligned d=10, k=3, n=2e5": Case(ALIGNED, 200_000, **TEN),
}


def em(case: Case, rows: Any) -> float:
    """What EM without privacy reaches from the true parameters."""
    weights, means, covariances = case.truth
    variances = np.array([np.diagonal(c) for c in covariances])
    for _ in range(100):
        logs = np.log(weights) - 0.5 * np.log(variances).sum(axis=1)
        logs = logs - 0.5 * (((rows[:, None] - means) ** 2) / variances).sum(axis=2)
        share = np.exp(logs - logs.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        mass = share.sum(axis=0)
        weights, means = mass / mass.sum(), share.T @ rows / mass[:, None]
        if "sigma" not in case.keys:
            variances = share.T @ rows**2 / mass[:, None] - means**2
    found = weights, means, np.array([np.diag(v) for v in variances])
    return mixture_tv(found, case.truth, draws=DRAWS).value


def run(case: Case, seed: int) -> dict[str, Any]:
    """One seed."""
    rows = case.rows(seed)
    keys = {"n": case.n, "k": len(case.weights), **case.keys}
    if case.spec != UNIVARIATE:
        keys["d"] = rows.shape[1]
    plan = load_spec(case.spec, keys).plan()
    start = time.perf_counter()
    result = plan.run(x=case.moved(rows), simulate=seed)
    seconds = time.perf_counter() - start
    found = {"seed": seed, "status": result.status, "seconds": round(seconds, 2)}
    if result.status == "released":
        found["tv"] = case.error(result["mixture"])
    if case.outliers == 0.0:
        found["em"] = em(case, rows)
    return found


def summary(case: Case, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Median of all, worst of nine, and whether the targets hold; a failed run counts as a total variation of 1."""
    errors = [r.get("tv", 1.0) for r in runs]
    out = {
        "n": case.n,
        "median": float(np.median(errors)),
        "worst_of_nine": max(errors[:9]),
        "em": float(np.median([r["em"] for r in runs])) if "em" in runs[0] else None,
        "seconds": float(np.median([r["seconds"] for r in runs])),
        "target": case.median,
        "worst_target": case.worst,
    }
    within = (case.median is None or out["median"] <= case.median) and (
        case.worst is None or out["worst_of_nine"] <= case.worst
    )
    return {**out, "holds": bool(within)}


def main() -> None:
    """Every case for each seed."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    names = sys.argv[2:] or list(CASES)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in names:
        runs = []
        for seed in range(seeds):
            runs.append(run(CASES[name], seed))
            print(json.dumps({"case": name, **runs[-1]}), flush=True)
        results[name] = {"summary": summary(CASES[name], runs), "runs": runs}
        print(json.dumps({"case": name, **results[name]["summary"]}), flush=True)
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
