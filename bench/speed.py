"""Whole runs against scikit-learn, import against NumPy's, solving shares, and runs of fifty components.

    python -m bench.speed [--rows 1000000] [--columns 10] [--repeats 5]

Ratios are taken pair by pair, the two alternating, and their medians are written to bench/results/speed.json:
wall-clock time, which other work on the machine disturbs, and processor time of all threads, which it disturbs less.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.mixtures import benchmark_g
from dpframe.errors import RunError

RESULTS = Path(__file__).parent / "results"
SEED = 1


def both(call: Callable[[], Any]) -> tuple[float, float]:
    """Wall and processor time of one call."""
    start, used = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - used


def seconds(call: Callable[[], Any]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def whole_run(rows: int, columns: int, repeats: int) -> dict[str, Any]:
    """A practical mixture (plan, run) against scikit-learn's GaussianMixture: benchmark G, n x d, k = 4, sep 4."""
    from sklearn.mixture import GaussianMixture

    import dpframe as dp

    made = benchmark_g(SEED, n=rows, d=columns, sep=4.0)
    bound = 10.0 * (float(np.linalg.norm(made.means, axis=1).max()) + columns**0.5 + 3.0)

    @dp.program
    def mixture(x):  # type: ignore[no-untyped-def]
        return dp.release("mixture", dp.recipe("practical_mixture", k=4, bound=bound), x)

    def ours() -> None:
        budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
        planned = dp.plan(mixture, x=dp.rows(n=rows, d=columns), adjacency=dp.REPLACE_ONE, budget=budget)
        planned.run(x=made.rows, simulate=1)

    def theirs() -> None:
        found = GaussianMixture(4, n_init=1, tol=1e-3, random_state=0).fit(made.rows)
        iterations.append(int(found.n_iter_))

    iterations: list[int] = []
    pairs = [(both(ours), both(theirs)) for _ in range(repeats)]
    found: dict[str, Any] = {"columns": columns, "sklearn_iterations": iterations[0]}
    for place, name in enumerate(("wall", "processor")):
        mine, other = ([pair[i][place] for pair in pairs] for i in range(2))
        found |= {f"ours_{name}_seconds": round(statistics.median(mine), 2)}
        found |= {f"sklearn_{name}_seconds": round(statistics.median(other), 2)}
        found |= {f"{name}_ratio": round(statistics.median(a / b for a, b in zip(mine, other, strict=True)), 2)}
    return found


def many_components(k: int = 50, rows: Sequence[int] = (100, 10_000), repeats: int = 3) -> dict[str, Any]:
    """A mixture and k-means of many components or clusters (plan, run): unit Gaussians in two columns."""
    from dpframe.estimators import PrivateGaussianMixture, PrivateKMeans

    how: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1000.0, "simulate": SEED}
    found: dict[str, Any] = {"k": k, "columns": 2}
    for n in rows:
        rng = np.random.default_rng(SEED)
        table = rng.uniform(0.0, 8.0 * k**0.5, size=(k, 2))[np.arange(n) % k] + rng.normal(size=(n, 2))
        for name, model in (("mixture", PrivateGaussianMixture), ("kmeans", PrivateKMeans)):

            def fit(model: Any = model, table: Any = table) -> None:
                with contextlib.suppress(RunError), warnings.catch_warnings():  # so few rows show no components
                    warnings.simplefilter("ignore")
                    model(k, **how).fit(table)

            taken = [both(fit) for _ in range(repeats)]
            for place, kind in enumerate(("wall", "processor")):
                found[f"{name}_{n}_{kind}_seconds"] = round(statistics.median(one[place] for one in taken), 2)
    return found


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
    words.add_argument("--columns", type=int, default=10)
    words.add_argument("--repeats", type=int, default=5)
    given = words.parse_args()
    report = {
        "benchmark": "speed",
        "rows": given.rows,
        "load": round(os.getloadavg()[0], 1),
        "import": imports(5),
        "solving": solving(given.repeats),
        "many_components": many_components(repeats=given.repeats),
        "whole_run": whole_run(given.rows, given.columns, given.repeats),
    }
    print(json.dumps(report, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "speed.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
