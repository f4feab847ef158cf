"""Our accountants against dp-accounting on compositions a planner meets: epsilon, seconds, and the ratio.

Run: python bench/accounting.py [--quick] [--out bench/results/accounting.json]
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dp_accounting
import numpy as np
from dp_accounting.pld import privacy_loss_distribution as oracle

import dpframe.proof.losses as dl
from dpframe.planning.discrete_events import DiscreteLaplace

DELTA = 1e-6


def draws(seed: int, count: int, low: float, high: float) -> list[float]:
    return np.random.default_rng(seed).uniform(low, high, count).tolist()


def cases() -> dict[str, dl.Loss]:
    gaussians = [dl.Loss.of(dl.Gaussian(e)) for e in draws(1, 500, 0.02, 0.1)]
    laplaces = [dl.Loss.of(dl.Laplace(e)) for e in draws(2, 1000, 0.02, 0.1)]
    discrete = [dl.Loss.of(DiscreteLaplace(1, 1 / e)) for e in draws(3, 100, 0.02, 0.1)]
    return {
        "1 Gaussian": dl.Loss.of(dl.Gaussian(1.0)),
        "1 Gaussian + 1 Laplace": dl.compose(dl.Loss.of(dl.Gaussian(0.5)), dl.Loss.of(dl.Laplace(0.5))),
        "20 mixed": dl.compose(*gaussians[:10], *laplaces[:5], *discrete[:5]),
        "100 equal Laplace": dl.Loss.of(dl.Laplace(0.1), 100),
        "100 discrete Laplace": dl.compose(*discrete),
        "500 Gaussian + 500 Laplace": dl.compose(*gaussians, *laplaces[:500]),
        "1000 Laplace": dl.compose(*laplaces),
    }


def part(event: dl.Event, interval: float) -> Any:
    if isinstance(event, dl.Gaussian):
        return oracle.from_gaussian_mechanism(1 / event.mu, value_discretization_interval=interval)
    if isinstance(event, DiscreteLaplace):
        return oracle.from_discrete_laplace_mechanism(
            1 / event.scale, event.shift, value_discretization_interval=interval
        )
    return oracle.from_laplace_mechanism(1 / event.epsilon, value_discretization_interval=interval)


def theirs(loss: dl.Loss, interval: float) -> float:
    total = None
    for event, times in loss.events:
        piece = part(event, interval)
        piece = piece.self_compose(times) if times > 1 else piece
        total = piece if total is None else total.compose(piece)
    return float(total.get_epsilon_for_delta(DELTA))


def their_rdp(loss: dl.Loss) -> float:
    accountant = dp_accounting.rdp.RdpAccountant()
    for event, times in loss.events:
        if isinstance(event, dl.Gaussian):
            accountant.compose(dp_accounting.GaussianDpEvent(1 / event.mu), times)
        else:
            accountant.compose(dp_accounting.LaplaceDpEvent(1 / event.epsilon), times)
    return float(accountant.get_epsilon(DELTA))


def timed(call: Callable[[], Any], repeats: int = 1) -> tuple[Any, float]:
    best, value = math.inf, None
    for _ in range(repeats):
        start = time.perf_counter()
        value = call()
        best = min(best, time.perf_counter() - start)
    return value, best


def fresh(loss: dl.Loss) -> tuple[float, str]:
    from dpframe.proof.losses import pld, renyi

    pld._epsilon.cache_clear()
    renyi.epsilon.cache_clear()
    return dl.tightest_epsilon(loss, DELTA)


def measure(name: str, loss: dl.Loss, intervals: tuple[float, ...], limit: int) -> dict[str, Any]:
    (ours, accountant), seconds = timed(lambda: fresh(loss), repeats=3)
    row: dict[str, Any] = {"case": name, "epsilon": ours, "accountant": accountant, "seconds": seconds}
    row["our_views"] = {view: dl.epsilon(loss, DELTA, view) for view in dl.ACCOUNTANTS}
    row["dp_accounting_rdp"] = their_rdp(loss)
    for interval in intervals:
        if sum(1 for _ in loss.events) * (1e-4 / interval) > limit:
            continue
        value, spent = timed(lambda step=interval: theirs(loss, step))  # type: ignore[misc]
        row[f"dp_accounting_pld_{interval:g}"] = {"epsilon": value, "seconds": spent, "ratio": ours / value}
    return row


def show(rows: list[dict[str, Any]], intervals: tuple[float, ...]) -> None:
    print(f"{'case':28s} {'ours':>10s} {'by':>5s} {'s':>7s} {'their RDP':>10s}", end="")
    print("".join(f" | {f'PLD {i:g}':>10s} {'s':>7s} {'ratio':>8s}" for i in intervals))
    for row in rows:
        head = f"{row['case']:28s} {row['epsilon']:10.6f} {row['accountant']:>5s} {row['seconds']:7.3f}"
        print(f"{head} {row['dp_accounting_rdp']:10.6f}", end="")
        for interval in intervals:
            cell = row.get(f"dp_accounting_pld_{interval:g}")
            text = f"{cell['epsilon']:10.6f} {cell['seconds']:7.2f} {cell['ratio']:8.6f}" if cell else f"{'-':>27s}"
            print(f" | {text}", end="")
        print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only the compositions that dp-accounting does quickly")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "accounting.json")
    options = parser.parse_args()
    intervals = (1e-3, 1e-4)
    rows = [measure(name, loss, intervals, 20 if options.quick else 2000) for name, loss in cases().items()]
    show(rows, intervals)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "numpy": np.__version__, "machine": platform.machine()}
    options.out.write_text(json.dumps({"delta": DELTA, **machine, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
