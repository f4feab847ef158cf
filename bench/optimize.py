"""What shares for a predicted error are worth: the noise of outputs with the shares as written, and with `optimize`.

    python bench/optimize.py [--runs 40]

Root mean square distance from what the table itself gives (noise alone), at (1, 1e-6) under replace-one, on Gaussian
rows 1e6 away where a ball is found and about 0 where it is public. Writes bench/results/optimize.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import dpframe as dp
from dpframe.front.specs import load_spec

RESULTS = Path(__file__).parent / "results" / "optimize.json"


@dp.program
def located(x: Any) -> Any:
    """The mean of README."""
    ball = dp.release("ball", dp.locate(share=0.3), x)
    return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, ball)))


@dp.program
def three(x: Any) -> Any:
    """A mean beside two other outputs."""
    inside = dp.clip(x, dp.ball(centre=[0.0, 0.0, 0.0], radius=5.0))
    return {
        "mean": dp.release("mean", dp.gaussian(share=0.2), dp.mean(inside)),
        "count": dp.release("count", dp.laplace(share=0.4), dp.count(x)),
        "gram": dp.release("gram", dp.gaussian(share=0.4), dp.gram(inside)),
    }


def moments(n: int, d: int, optimize: str | None) -> Any:
    """The mean of a shipped spec."""
    return load_spec("private_moments", {"n": n, "d": d, "bound": 100.0, "optimize": optimize and [optimize]}).plan()


def traced(program: Any, n: int, d: int, optimize: str | None) -> Any:
    """A program's plan."""
    budget = dp.approx_dp(1.0, 1e-6)
    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=budget, optimize=optimize)


CASES: tuple[tuple[str, Any, int, int, float], ...] = (
    ("three", lambda *a: traced(three, *a), 5000, 3, 0.0),
    ("located", lambda *a: traced(located, *a), 10_000, 3, 1e6),
    ("located", lambda *a: traced(located, *a), 100_000, 10, 1e6),
    ("private_moments", moments, 20_000, 3, 3.0),
)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    runs, rows = parser.parse_args().runs, []
    for name, make, n, d, far in CASES:
        found = []
        for optimize in (None, "mean"):
            plan, squares = make(n, d, optimize), []
            for seed in range(runs):
                x = far + np.random.default_rng(seed).normal(size=(n, d))
                squares.append(float(((plan.run(x=x, simulate=seed)["mean"] - x.mean(axis=0)) ** 2).sum()))
            found.append(float(np.sqrt(np.mean(squares))))
        row = {
            "case": name,
            "n": n,
            "d": d,
            "as written": found[0],
            "optimized": found[1],
            "ratio": found[1] / found[0],
        }
        rows.append({**row, "runs": runs})
        print(rows[-1], flush=True)
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
