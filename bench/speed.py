"""Whole runs against scikit-learn, import against NumPy's, and how long solving shares takes.

    python bench/speed.py [--rows 1000000] [--repeats 3]

Ratios are taken pair by pair in one run and their median is written to bench/results/speed.json.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).parent / "results"


def seconds(call: Callable[[], Any]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def whole_run(rows: int, repeats: int) -> dict[str, float]:
    """A practical mixture (plan, run) against scikit-learn's GaussianMixture, n x 10, k = 4."""
    from sklearn.mixture import GaussianMixture

    import dpframe as dp

    rng = np.random.default_rng(1)
    centres = rng.normal(size=(4, 10)) * 2.5
    table = centres[rng.integers(0, 4, rows)] + rng.normal(size=(rows, 10))

    @dp.program
    def mixture(x):  # type: ignore[no-untyped-def]
        return dp.release("mixture", dp.recipe("practical_mixture", k=4, bound=1000.0), x)

    def ours() -> None:
        budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
        dp.plan(mixture, x=dp.rows(n=rows, d=10), adjacency=dp.REPLACE_ONE, budget=budget).run(x=table)

    ours()
    pairs = [
        (seconds(ours), seconds(lambda i=i: GaussianMixture(4, random_state=i).fit(table)))  # type: ignore[misc]
        for i in range(repeats)
    ]
    return {
        "ours_seconds": statistics.median(a for a, _ in pairs),
        "sklearn_seconds": statistics.median(b for _, b in pairs),
        "ratio": statistics.median(a / b for a, b in pairs),
    }


def imports(repeats: int) -> dict[str, float]:
    """``import dpframe`` beyond ``import numpy``, in fresh processes."""

    def fresh(module: str) -> float:
        code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return float(done.stdout)

    pairs = [(fresh("dpframe"), fresh("numpy")) for _ in range(repeats)]
    return {"beyond_numpy_seconds": statistics.median(a - b for a, b in pairs)}


def solving(repeats: int) -> dict[str, float]:
    """Planning the practical mixture, and a plan of 12 mixed mechanisms that needs PLD."""
    import dpframe as dp

    @dp.program
    def mixture(x):  # type: ignore[no-untyped-def]
        return dp.release("mixture", dp.recipe("practical_mixture", k=4, bound=1000.0), x)

    @dp.program
    def mixed(x):  # type: ignore[no-untyped-def]
        inside = dp.clip(x, dp.ball(centre=[0.0] * 3, radius=1.0))
        out = {}
        for i in range(6):
            out[f"g{i}"] = dp.release(f"g{i}", dp.gaussian(share=1.0 + i), dp.sum(inside))
            out[f"l{i}"] = dp.release(f"l{i}", dp.laplace(share=1.0 + i), dp.count(x))
        return out

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)

    def plan(program: Any) -> None:
        dp.plan(program, x=dp.rows(n=10_000, d=3), adjacency=dp.REPLACE_ONE, budget=budget)

    plan(mixture)
    return {
        "practical_seconds": statistics.median(seconds(lambda: plan(mixture)) for _ in range(repeats)),
        "mixed_seconds": statistics.median(seconds(lambda: plan(mixed)) for _ in range(repeats)),
    }


def main() -> None:
    """Measure, print and write."""
    words = argparse.ArgumentParser()
    words.add_argument("--rows", type=int, default=1_000_000)
    words.add_argument("--repeats", type=int, default=3)
    given = words.parse_args()
    report = {
        "benchmark": "speed",
        "rows": given.rows,
        "import": imports(5),
        "solving": solving(given.repeats),
        "whole_run": whole_run(given.rows, given.repeats),
    }
    print(json.dumps(report, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "speed.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
