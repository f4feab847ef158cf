"""Time of private hypothesis selection, and the constants of AAL21's theorems fitted by simulation.

    python bench/selection.py [--hypotheses M] [--out FILE]

Times: scores of M mixtures of two Gaussians, all components different, against 1e5 rows in 4096 cells, with two
threads; beside them a plain NumPy version of the same (SciPy's normal distribution, whole arrays), measured on 1024
hypotheses and scaled. Wall seconds mean little where the load, which is in the file, is above 1. Constants: the least
rows at which a step succeeds with the probability asked for, over the theorem's expression; seeded noise, the largest
constant over the cases.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

import dpframe as dp
from dpframe.kernel.families.hypotheses import Hypotheses, MixtureNet
from dpframe.kernel.families.interval_scores import IntervalScores
from dpframe.kernel.families.scheffe_scores import ScheffeScores
from dpframe.kernel.noise import SeededSource, categorical_exp
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import Rows

Floats = np.ndarray[Any, np.dtype[np.float64]]
RESULTS = Path(__file__).parent / "results" / "selection.json"
CELLS, ROWS = 4096, 100_000
BETA = 0.1


def listed(many: int, rng: np.random.Generator, d: int = 1) -> Hypotheses:
    """Mixtures of two about (0, 1) and (6, 3)."""
    means = 0.7 * rng.normal(size=(many, 2, d)) + np.array([0.0, 6.0])[:, None]
    variances = np.exp(0.5 * rng.normal(size=(many, 2, d))) * np.array([1.0, 9.0])[:, None]
    return Hypotheses.of(rng.dirichlet(np.ones(2), size=many), means, variances)


def folded(statistic: Any, rows: Floats, *params: Any) -> Any:
    """The fold of all rows."""
    fold = statistic.start(Rows(rows.shape[1]), *params)
    for start in range(0, len(rows), 65536):
        piece = rows[start : start + 65536]
        statistic.update(fold, Batch(start, piece, np.ones(len(piece), dtype=np.bool_)), *params)
    return fold


def plain(hypotheses: Hypotheses, edges: Floats, counts: Floats, n: int, intervals: int) -> Floats:
    """The same scores from whole arrays."""
    picks, weights = hypotheses.chunk(0, len(hypotheses))
    means, sds = hypotheses.means[picks, 0], np.sqrt(hypotheses.variances[picks, 0])
    below = sum(weights[:, i, None] * ndtr((edges - means[:, i, None]) / sds[:, i, None]) for i in (0, 1))
    excess = n * np.diff(below, axis=1, prepend=0.0, append=1.0) - counts
    inside, best = np.zeros((len(picks), intervals)), np.zeros((len(picks), intervals + 1))
    for column in excess.T:
        inside = np.maximum(inside, best[:, :-1]) + column[:, None]
        best[:, 1:] = np.maximum(best[:, 1:], inside)
    return -np.ceil(best[:, -1])


def clocked(function: Callable[[], Any]) -> tuple[Any, float, float]:
    """Result, wall and processor seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = function()
    return found, time.perf_counter() - wall, time.process_time() - cpu


def timed(many: int) -> list[dict[str, Any]]:
    """Seconds for unions of intervals and for contests."""
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((ROWS, 1)) < 0.3, rng.normal(size=(ROWS, 1)), 6 + 3 * rng.normal(size=(ROWS, 1)))
    edges = np.linspace(-8.0, 22.0, CELLS - 1)
    statistic = IntervalScores(size=many, n=ROWS, intervals=4)
    hypotheses = listed(many, rng)
    fold = folded(statistic, rows, edges[None], hypotheses)
    exact, wall, cpu = clocked(lambda: statistic.value(fold))
    few = Hypotheses(hypotheses.means, hypotheses.variances, hypotheses.picks[:1024], hypotheses.weights[:1024])
    counts = np.bincount(np.searchsorted(edges, rows[:, 0], side="right"), minlength=CELLS).astype(np.float64)
    other, _, baseline = clocked(lambda: plain(few, edges, counts, ROWS, 4))
    if np.abs(other - exact.integers[:1024]).max() > 1:
        raise SystemExit("the two versions differ")
    net = MixtureNet(np.linspace(-2.0, 8.0, 110), np.ones(110), 2, 18)
    shared = IntervalScores(size=len(net), n=ROWS, intervals=4)
    fold = folded(shared, rows, edges[None], net)
    _, net_wall, net_cpu = clocked(lambda: shared.value(fold))
    scaled = baseline * many / 1024
    unions = {"n": ROWS, "cells": CELLS, "intervals": 4}
    return [
        {
            "scores": "unions of intervals",
            "hypotheses": many,
            **unions,
            "seconds": round(wall, 2),
            "cpu_seconds": round(cpu, 2),
            "plain_numpy_cpu_seconds": round(scaled, 1),
            "ratio_to_plain_numpy": round(cpu / scaled, 3),
        },
        {
            "scores": "unions of intervals, a net of 110 components",
            "hypotheses": len(net),
            **unions,
            "seconds": round(net_wall, 2),
            "cpu_seconds": round(net_cpu, 2),
        },
        contests(200, 100_000),
    ]


def contests(many: int, n: int) -> dict[str, Any]:
    """Seconds for all pairs in three columns, without the public integration."""
    rng = np.random.default_rng(1)
    statistic = ScheffeScores(size=many, n=n)
    hypotheses, rows = listed(many, rng, d=3), 3.0 * rng.normal(size=(n, 3))
    _, wall, cpu = clocked(lambda: folded(statistic, rows, hypotheses, np.full((many, many), 0.5)))
    return {"scores": "contests", "hypotheses": many, "n": n, "d": 3, "seconds": round(wall, 2), "cpu": round(cpu, 2)}


def least(succeeds: Callable[[int], bool], low: int, high: int) -> int:
    """Least n, to 10 %."""
    while high > 1.1 * low:
        middle = round(math.sqrt(low * high))
        low, high = (low, middle) if succeeds(middle) else (middle, high)
    return high


def decoding(alpha: float, k: int, known: bool, runs: int = 40) -> dict[str, Any]:
    """Constant of Corollary 4.5 (Lemma 4.10): a component of weight α/18k on a bin's edge, the rest far and wide.

    With unknown variances the rest is three values, so that few other scales are found.
    """
    part, accuracy, beta = alpha / (18 * k), alpha / 18, BETA / (2 * k)
    within = accuracy * (1 + 1e-9)
    rng = np.random.default_rng(2)

    def rate(n: int) -> bool:
        wanted = {"alpha": accuracy, "gamma": 1 - part, "rows": n, "limit": 10**9}
        name = "aal21.known_decoder" if known else "aal21.gaussian_decoder"
        more = {"sds": (1.0,)} if known else {}

        @dp.program
        def program(x: Any) -> Any:
            return dp.apply("list", dp.recipe(name, share=1.0, delta_fraction=0.5, **wanted, **more), x)

        budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
        plan = dp.plan(program, x=dp.rows(n=n, d=1), adjacency=dp.REPLACE_ONE, budget=budget)
        found = 0
        for seed in range(runs):
            rows = rng.uniform(1e6, 1e9, n) if known else rng.choice([1e6, 3e6, 1e7], n)
            rows[rng.random(n) < part] = 0.0
            mine = rows == 0.0
            rows[mine] = 0.5 + rng.normal(size=int(mine.sum()))
            result = plan.run(x=rows[:, None], simulate=seed)
            parts = next(iter(result.outputs.values()), [])
            found += any(
                abs(g.mean[0] - 0.5) <= within and abs(math.sqrt(g.covariance[0, 0]) - 1) <= within for g in parts
            )
        return found >= (1 - beta) * runs

    scale = math.log(1 / (beta * 1e-6)) / (part if known else part**2)
    rows = least(rate, max(16, round(scale)), round(64 * scale))
    return {"step": "decode", "known": known, "alpha": alpha, "k": k, "rows": rows, "constant": round(rows / scale, 2)}


def selecting(alpha: float, components: int, runs: int = 40) -> dict[str, Any]:
    """Constant of Lemma 3.1: the truth is in the list, and the selected one is within α/2 of it."""
    net = MixtureNet(np.linspace(-3.0, 3.0, components), np.ones(components), 2, 18)
    many = len(net)
    edges = np.linspace(-8.0, 8.0, 161)
    picks, weights = net.chunk(0, many)
    below = sum(weights[:, i, None] * ndtr(edges - net.means[picks[:, i]]) for i in (0, 1))
    cells = np.diff(below, axis=1, prepend=0.0, append=1.0)
    rng = np.random.default_rng(3)

    def rate(n: int) -> bool:
        statistic = IntervalScores(size=many, n=n, intervals=4)
        found = 0
        for seed in range(runs):
            truth = int(rng.integers(many))
            which = picks[truth][(rng.random(n) > weights[truth, 0]).astype(int)]
            rows = net.means[which, 0] + rng.normal(size=n)
            exact = statistic.value(folded(statistic, rows[:, None], edges[None], net))
            chosen = int(categorical_exp(SeededSource(seed), exact.integers, 0.5))
            found += bool(np.abs(cells[chosen] - cells[truth]).sum() / 2 <= alpha / 2)
        return found >= (1 - BETA) * runs

    scale = math.log(2 * many / BETA) * (1 / alpha**2 + 1 / alpha)
    rows = least(rate, max(4, round(0.05 * scale)), round(8 * scale))
    return {"step": "select", "alpha": alpha, "hypotheses": many, "rows": rows, "constant": round(rows / scale, 2)}


def main() -> int:
    """Measure, print and write."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--hypotheses", type=int, default=100_000)
    arguments.add_argument("--out", type=Path, default=RESULTS)
    given = arguments.parse_args()
    constants: list[dict[str, Any]] = []
    cases: list[Callable[[], dict[str, Any]]] = [
        *(lambda a=alpha, k=k: decoding(a, k, True) for alpha, k in ((1.0, 1), (1.0, 2), (0.5, 2))),
        *(lambda a=alpha, m=many: selecting(a, m) for alpha in (0.1, 0.2, 0.4) for many in (7, 15)),
        lambda: decoding(1.0, 1, False),
    ]
    for case in cases:
        constants.append(case())
        print(constants[-1], flush=True)
    times = timed(given.hypotheses)
    for row in times:
        print(row, flush=True)
    load = round(os.getloadavg()[0], 1)
    made = {
        "benchmark": "selection",
        "numpy": np.__version__,
        "load_average": load,
        "times": times,
        "constants": constants,
    }
    given.out.write_text(json.dumps(made, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
