"""One ball: how small the 1-cluster's is and what it holds, and at which separations terrific balls are found.

usage: python bench/kssu19_balls.py [--seeds 5] [--out FILE]

At (1, 1e-6), replace-one, simulated noise, no bound. *1-cluster*: mixtures of four spherical components 20 apart, of
equal widths and weights, or widths 1, 1, 10, 30 and weights .1 to .4; t is 0.8 of the rows of the lightest. Radius over
the least that holds t rows about a component's mean or one of 300 rows; rows held over t. *Terrific*: four unit
components in four columns, t a quarter of a component's rows; how often a ball is found, and how often its sides are
pure: every component on one side of r·√c but for one row in a hundred.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import mixtures
import numpy as np

import dpframe as dp

RESULTS = Path(__file__).parent / "results" / "kssu19_balls.json"
EQUAL: dict[str, Any] = {}
UNLIKE: dict[str, Any] = {"scales": (1.0, 1.0, 10.0, 30.0), "weights": (0.1, 0.2, 0.3, 0.4)}
SHIFT = 1e3
SOUGHT = ((2, "none"), (4, "none"), (64, "pca"), (64, "random"), (256, "pca"), (256, "random"))
RATIOS = ((3.0, 1.25), (5.0, 2.0))
APART = (8.0, 12.0, 20.0, 40.0)


def planned(name: str, n: int, d: int, keys: dict[str, Any]) -> Any:
    """A plan of one composite."""

    @dp.program
    def program(x: Any) -> Any:
        return dp.release("ball", dp.recipe(name, **keys), x)

    budget = dp.approx_dp(epsilon=mixtures.EPSILON, delta=mixtures.DELTA)
    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=budget)


def optimal(table: mixtures.Table, t: int, rng: np.random.Generator) -> float:
    """The least radius about a mean or some rows that holds t rows."""
    centres = np.vstack([table.means, table.rows[rng.integers(0, len(table.rows), 300)]]) - table.means[0]
    rows = table.rows - table.means[0]
    away = np.square(rows).sum(axis=1)[:, None] - 2.0 * rows @ centres.T + np.square(centres).sum(axis=1)
    return float(np.sqrt(np.partition(away, t - 1, axis=0)[t - 1].clip(0.0).min()))


def cluster(n: int, d: int, projection: str, made: dict[str, Any], seeds: range) -> dict[str, Any]:
    """The 1-cluster over seeds."""
    t = int(0.8 * n * min(made.get("weights", (0.25,))))
    rank = 4 if projection == "pca" else 6
    keys = {"t": t, "projection": projection} | ({} if projection == "none" else {"rank": rank})
    plan, ratios, held, seconds = planned("kssu19.one_cluster", n, d, keys), [], [], []
    for seed in seeds:
        table = mixtures.random_mixture(seed, n=n, d=d, k=4, sep=20.0, shift=SHIFT, **made)
        start = time.process_time()
        result = plan.run(x=table.rows, simulate=seed)
        seconds.append(time.process_time() - start)
        if result.status != "released":
            continue
        ball = result["ball"]
        ratios.append(ball.radius / optimal(table, t, np.random.default_rng(seed)))
        held.append(float(np.count_nonzero(np.linalg.norm(table.rows - ball.centre, axis=1) <= ball.radius)) / t)
    found = {"t": t, "found": len(ratios), "of": len(seeds), "cpu": round(statistics.median(seconds), 2)}
    if ratios:
        found |= {"radius": round(statistics.median(ratios), 2), "worst": round(max(ratios), 2)}
        found |= {"held": round(statistics.median(held), 2), "least held": round(min(held), 2)}
    return found


def terrific(n: int, sep: float, c: float, step: float, seeds: range, *, largest: bool) -> dict[str, Any]:
    """PTerrificBall over seeds."""
    t = n // 16
    plan = planned("kssu19.terrific_ball", n, 4, {"t": t, "c": c, "step": step, "largest": largest})
    found = pure = 0
    for seed in seeds:
        table = mixtures.random_mixture(seed, n=n, d=4, k=4, sep=sep, shift=SHIFT)
        result = plan.run(x=table.rows, simulate=seed)
        if result.status != "released":
            continue
        ball = result["ball"]
        inside = np.linalg.norm(table.rows - ball.centre, axis=1) <= ball.radius * c**0.5
        shares = np.array([inside[table.labels == j].mean() for j in range(4)])
        found, pure = found + 1, pure + int(np.minimum(shares, 1.0 - shares).max() <= 0.01)
    return {"found": found, "pure": pure, "of": len(seeds)}


def tables(found: dict[str, Any]) -> str:
    """In Markdown."""
    lines = [
        "| mixture | n | d | projection | found | radius over optimal (worst) | rows held over t (least) | CPU s |"
    ]
    lines.append("|---" * 8 + "|")
    for key, r in found["one cluster"].items():
        name, n, d, projection = key.split(", ")
        ratios = f"{r['radius']} ({r['worst']}) | {r['held']} ({r['least held']})" if "radius" in r else "|"
        lines.append(f"| {name} | {n} | {d} | {projection} | {r['found']} of {r['of']} | {ratios} | {r['cpu']} |")
    lines += ["", "| separation | c, step | order | found | both sides pure |", "|---" * 5 + "|"]
    for key, r in found["terrific"].items():
        sep, ratios, order = key.split("; ")
        lines.append(f"| {sep} | {ratios} | {order} | {r['found']} of {r['of']} | {r['pure']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, write, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    seeds = range(mixtures.FIRST_SEED, mixtures.FIRST_SEED + asked.seeds)
    found: dict[str, Any] = {"load": os.getloadavg()[0], "seeds": asked.seeds, "one cluster": {}, "terrific": {}}
    for name, made in (("equal", EQUAL), ("unlike", UNLIKE)):
        for n in (20_000, 100_000):
            for d, projection in SOUGHT if n == 20_000 else SOUGHT[:4]:
                key = f"{name}, {n}, {d}, {projection}"
                found["one cluster"][key] = cluster(n, d, projection, made, seeds)
                print(key, found["one cluster"][key], flush=True)
    for sep in APART:
        for c, step in RATIOS:
            for largest in (False, True):
                key = f"{sep:g}; {c:g}, {step:g}; {'from above' if largest else 'from below'}"
                found["terrific"][key] = terrific(20_000, sep, c, step, seeds, largest=largest)
                print(key, found["terrific"][key], flush=True)
    asked.out.write_text(json.dumps(found, indent=1) + "\n")
    asked.out.with_suffix(".md").write_text(tables(found))


if __name__ == "__main__":
    main()
