"""Error against rows of the worked plugins (docs/worked), each beside its non-private learner.

    python bench/worked.py [--out FILE] [--only NAME] [--seeds N]

Seeded runs (noise from a seed: nothing here is a release), a table and a run for each of five seeds at a size; medians
over seeds, and each seed's error. Errors: the largest distance of a mean or a probability from the truth, in a Poisson
mixture of √rates, in a Laplace mixture of medians, of a ratio its logarithm; of the commonest value how much less
probable the reported one is, the mean of 100 runs; where a run failed, null (it counts as the largest).
The non-private learner of a mixture is the plugin's own EM on the rows themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import dpframe as dp
from dpframe.kernel.registry import import_file

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results" / "worked.json"
EPSILON, DELTA, SEED, SEEDS = 1.0, 1e-6, 1, 5
VALUES, CHANCE = [1.0, 2.0, 3.0, 4.0], [0.26, 0.28, 0.24, 0.22]
FILES = {"public_gaussians": "public_list", "commonest": "noisy_max"}
RATES, MEDIANS = np.array([4.0, 30.0]), np.array([1000.0, 1020.0])
CHANCES = np.array([[0.2, 0.3, 0.8, 0.6], [0.9, 0.8, 0.1, 0.2]])
MEANS, COVARIANCES = np.array([[0.0, 0.0], [8.0, -3.0]]), np.array([[[1.0, 0.95], [0.95, 1]], [[2.0, -1.2], [-1.2, 1]]])


def table(name: str, n: int, rng: np.random.Generator) -> Any:
    """Rows of a known law, the first component with weight 0.3."""
    second = (rng.random(n) > 0.3).astype(int)
    if name == "commonest":
        return rng.choice(VALUES, p=CHANCE, size=n)[:, None]
    if name == "ratio":
        return np.exp(rng.normal([0.5, 0.0], 1.0, (n, 2)))
    if name == "median_of_means":
        return 1e4 + rng.standard_normal((n, 2))
    if name == "poisson_mixture":
        return rng.poisson(RATES[second]).astype(float)[:, None]
    if name == "laplace_mixture":
        return (MEDIANS[second] + rng.laplace(0, np.array([1.0, 3.0])[second]))[:, None]
    if name == "bernoulli_mixture":
        return (rng.random((n, 4)) < CHANCES[second]).astype(float)
    drawn = [rng.multivariate_normal(m, c, n) for m, c in zip(MEANS, COVARIANCES, strict=True)]
    return np.where(second[:, None] == 1, drawn[1], drawn[0])


def error(name: str, value: Any) -> float:
    """Distance from the truth of a result in the plugin's own form."""
    if name == "commonest":
        return float(max(CHANCE) - [*CHANCE, 0.0][int(value)])
    if name == "ratio":
        return float(abs(np.ravel(value)[0] - 0.5))
    if name == "median_of_means":
        return float(np.abs(value - 1e4).max())
    ordered = value[np.argsort(value[:, 1])]
    if name == "poisson_mixture":
        return float(np.abs(ordered[:, 1] - np.sqrt(RATES)).max())
    if name == "laplace_mixture":
        return float(np.abs(ordered[:, 1] - MEDIANS).max())
    truth = CHANCES if name == "bernoulli_mixture" else MEANS
    return float(np.abs(ordered[:, 1 : 1 + truth.shape[1]] - truth).max())


def plain(name: str, rows: Any, module: Any) -> Any:
    """The non-private learner's answer, in the same form."""
    rng = np.random.default_rng(SEED)
    if name == "commonest":
        return module.plain(rows, VALUES)
    if name in ("median_of_means", "ratio"):
        return module.plain(rows)
    if name == "poisson_mixture":
        weights, rates = module.em(rows[:, 0], 2, rng)
        return np.stack([weights, np.sqrt(rates)], axis=1)
    if name == "laplace_mixture":
        return np.array([[0.5, *pair] for pair in module.fit(np.sort(rows[:, 0]), np.ones(len(rows)), 2)])
    if name == "bernoulli_mixture":
        points, counts = np.unique(rows, axis=0, return_counts=True)
        best = max((module.em(points, counts / len(rows), 2, rng) for _ in range(12)), key=lambda pair: pair[0])
        return np.insert(best[1], 0, 0.5, axis=1)
    first = rows @ [0.7, -0.3] < 2.8  # the components are known to be far apart
    return np.array([[0.3, *rows[first].mean(axis=0)], [0.7, *rows[~first].mean(axis=0)]])


SIZES = {
    "ratio": ((1_000, 4_000, 16_000, 64_000), lambda n: {}),
    "commonest": ((25, 100, 400, 1_600), lambda n: {"values": VALUES}),
    "median_of_means": ((20_000, 80_000, 320_000), lambda n: {"width": 1.5, "n": n, "t": 600}),
    "poisson_mixture": ((60_000, 240_000), lambda n: {"r": 0.7 * (60_000 / n) ** 0.5, "t": 500}),
    "laplace_mixture": ((5_000, 20_000, 80_000), lambda n: {}),
    "bernoulli_mixture": ((1_000, 4_000, 16_000, 64_000), lambda n: {}),
    "public_gaussians": ((300, 1_000, 4_000, 16_000), lambda n: {}),
}


def measured(name: str, n: int, parameters: Any, module: Any, seeds: int) -> dict[str, Any]:
    """One size: medians over the seeds."""
    pairs = [once(name, n, parameters, module, SEED + i) for i in range(seeds)]
    found = np.median([np.inf if e is None else e for e, _ in pairs])
    plain_error = float(np.median([e for _, e in pairs]))
    told = {"rows": n, "error": float(found) if np.isfinite(found) else None, "without_privacy": plain_error}
    return {**told, "errors": [e for e, _ in pairs]}


def once(name: str, n: int, parameters: Any, module: Any, seed: int) -> tuple[float | None, float]:
    """One table: the error, and that without privacy."""
    rng = np.random.default_rng(seed)
    rows, public = table(name, n, rng), table(name, 200, rng)
    tables: dict[str, Any] = {"x": dp.rows(n=n, d=rows.shape[1])}
    recipe = dp.recipe(f"worked.{name}", **parameters)

    def alone(x: Any) -> Any:
        return {"result": dp.release("result", recipe, x)}

    def both(x: Any, public: Any) -> Any:
        return {"result": dp.release("result", recipe, x, public)}

    listed = name == "public_gaussians"
    budget = dp.pure_dp(EPSILON) if name in FILES else dp.approx_dp(epsilon=EPSILON, delta=DELTA)
    more = {"public": public} if listed else {}
    declared = {"public": dp.public_rows(n=200, d=2)} if listed else {}
    said = {"adjacency": dp.REPLACE_ONE, "budget": budget, "allow_asserted": True}
    plan = dp.plan(both if listed else alone, **tables, **declared, **said)
    results = [plan.run(x=rows, **more, simulate=seed + i) for i in range(100 if name == "commonest" else 1)]
    errors = [error(name, result["result"]) for result in results if result.status == "released"]
    return float(np.mean(errors)) if errors else None, error(name, plain(name, rows, module))


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", choices=sorted(SIZES))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    arguments = parser.parse_args()
    found: dict[str, Any] = {}
    if arguments.only and arguments.out.exists():
        found = json.loads(arguments.out.read_text())
    found |= {"epsilon": EPSILON, "delta": DELTA, "seed": SEED, "seeds": arguments.seeds}
    for name, (sizes, parameters) in SIZES.items():
        if arguments.only not in (None, name):
            continue
        path = ROOT / "docs" / "worked" / f"{FILES.get(name, name)}.py"
        import_file(path)
        module = next(m for m in list(sys.modules.values()) if getattr(m, "__file__", "") == str(path))
        found[name] = [measured(name, n, parameters(n), module, arguments.seeds) for n in sizes]
        print(name, found[name], flush=True)
        arguments.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
