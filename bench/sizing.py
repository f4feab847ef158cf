"""How far the errors that plans predict are from those of simulated runs.

    python bench/sizing.py [--runs 8]

For each shipped spec that names a reference instance: the least n for an error, by `dpframe size`, and the root mean
square error of simulated runs on tables of that instance and size. Writes bench/results/sizing.json.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from dpframe.front.sizing import size
from dpframe.front.specs import load_spec, tables_of
from dpframe.runtime.run import run_plan

RESULTS = Path(__file__).parent / "results"
CASES: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("coinpress_gaussian", {"d": 1, "epsilon": 1.0}, 0.02),
    ("coinpress_gaussian", {"d": 3, "epsilon": 0.1}, 0.05),
    ("coinpress_gaussian", {"d": 10, "epsilon": 1.0}, 0.1),
    ("coinpress_gaussian", {"d": 3, "epsilon": 5.0}, 0.05),
    ("practical_gmm", {"d": 1, "k": 2, "epsilon": 1.0}, 0.03),
    ("practical_gmm", {"d": 2, "k": 2, "epsilon": 1.0}, 0.05),
    ("practical_gmm", {"d": 3, "k": 3, "epsilon": 0.3}, 0.1),
    ("practical_gmm", {"d": 5, "k": 4, "epsilon": 1.0}, 0.02),
    ("practical_gmm", {"d": 10, "k": 2, "epsilon": 1.0}, 0.1),
    ("practical_gmm", {"d": 2, "k": 6, "epsilon": 1.0}, 0.1),
    ("flights", {"d": 3, "k": 4, "epsilon": 1.0, "columns": None}, 0.05),
)


def case(name: str, keys: dict[str, Any], error: float, runs: int) -> dict[str, Any]:
    """One spec at one size."""
    d, k = keys["d"], keys.get("k", 1)
    centres = 10.0 * np.array([[j] + [j % 2] * (d - 1) for j in range(k)], dtype=float) + (3.0 if k == 1 else 0.0)
    keys = {**keys, "bound": 10.0 * float(np.linalg.norm(centres, axis=1).max())}
    spec = load_spec(name, keys)
    (output,) = spec.errors
    found = size(spec, output, error)
    n = int(found.value)
    spec = spec.set({"n": n})
    plan, squares = spec.plan(), []
    for seed in range(runs):
        rng = np.random.default_rng(1000 + seed)
        rows = centres[rng.integers(0, k, size=n)] + rng.normal(size=(n, d))
        result = run_plan(plan, tables_of(spec, rows, None), simulate=seed)
        if result.status != "released":
            squares.append(math.inf)
            continue
        value = result.outputs[output]
        means = np.atleast_2d(value.means if hasattr(value, "means") else value.mean)
        far = ((means[:, None] - centres[None]) ** 2).sum(-1)
        squares.append(float(far[linear_sum_assignment(far)].mean()))
    simulated = math.sqrt(float(np.mean(squares)))
    return {
        "spec": name,
        "keys": keys,
        "asked": error,
        "n": n,
        "predicted": found.expected.error,
        "simulated": simulated,
        "ratio": simulated / found.expected.error,
        "runs": runs,
    }


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=8)
    runs = parser.parse_args().runs
    rows = []
    for name, keys, error in CASES:
        rows.append(case(name, keys, error, runs))
        shown = {k: v for k, v in rows[-1].items() if k not in ("keys", "runs")}
        print({**keys, **shown}, flush=True)
        (RESULTS / "sizing.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
