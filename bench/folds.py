"""The exact Gram of clipped rows against the raw float `X.T @ X`, in the same process, and the price of `exp_det`.

usage: python bench/folds.py [--rows N] [--columns D] [--repeats R] [--out FILE]

A child process for each setting of the BLAS threads; each timing lies between two of the raw product, and the
median of the ratios is reported, since the machine's load changes from one second to the next.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.kernel.exact.folds import GramFold, block_rows
from dpframe.kernel.exact.lattice import exp_det, to_ball

RADII = {"no row outside": 12.0, "about half outside": 7.05, "every row outside": 1.0}  # √50 = 7.07
THREADS = {"1": "1", "default": None}


def seconds(task: Callable[[], Any]) -> np.ndarray[Any, Any]:
    """Wall and processor time of a task."""
    wall, processor = time.perf_counter(), time.process_time()
    task()
    return np.array([time.perf_counter() - wall, time.process_time() - processor])


def ratio(task: Callable[[], Any], reference: Callable[[], Any], repeats: int) -> dict[str, float]:
    """Median of time over the mean of the reference's times just before and just after.

    Processor time is the steadier one on a machine that does other work; it adds up the threads.
    """
    task()
    ratios, times = [], []
    for _ in range(repeats):
        before, own, after = seconds(reference), seconds(task), seconds(reference)
        ratios.append(2 * own / (before + after))
        times.append(own)
    wall, processor = np.median(ratios, axis=0)
    return {
        "ratio": round(float(wall), 3),
        "processor_ratio": round(float(processor), 3),
        "seconds": round(float(np.median(times, axis=0)[0]), 4),
    }


def exact_gram(x: Any, valid: Any, centre: Any, radius: float, *, bits: int, workers: int) -> Any:
    """The exact Gram, clipped and folded block by block, by so many threads."""
    d = x.shape[1]

    def work(mine: range) -> GramFold:
        fold = GramFold(d, bits)
        for start in mine:
            rows = x[start : start + block_rows(d)]
            known = valid[start : start + block_rows(d)]
            fold.update(to_ball(rows, known, centre, radius, bits))
        return fold

    blocks = range(0, len(x), block_rows(d))
    with ThreadPoolExecutor(workers) as pool:
        first, *others = pool.map(work, [blocks[w::workers] for w in range(workers)])
    for other in others:
        first.merge(other)
    return first.value


def float_gram(x: Any, centre: Any, radius: float) -> Any:
    """The naive clip and Gram in floats, in the same blocks."""
    total = np.zeros((x.shape[1], x.shape[1]))
    for start in range(0, len(x), block_rows(x.shape[1])):
        rows = x[start : start + block_rows(x.shape[1])] - centre
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        rows *= np.minimum(1.0, radius / norms)[:, None]
        total += rows.T @ rows
    return total


def measure(rows: int, columns: int, repeats: int) -> list[dict[str, Any]]:
    """All cases under this process's BLAS threads."""
    rng = np.random.default_rng(1)
    x, valid = rng.standard_normal((rows, columns)), np.ones(rows, dtype=np.bool_)
    centre = 0.01 * rng.standard_normal(columns)
    cases: list[dict[str, Any]] = []
    for label, radius in RADII.items():
        tasks: dict[str, Callable[[], Any]] = {
            "float clip and Gram": lambda r=radius: float_gram(x, centre, r),  # type: ignore[misc]
        }
        for bits, workers in ((20, 1), (18, 1), (20, 2)):
            tasks[f"exact, {bits} bits, {workers} worker(s)"] = (
                lambda r=radius, b=bits, w=workers: exact_gram(x, valid, centre, r, bits=b, workers=w)  # type: ignore[misc]
            )
        for name, task in tasks.items():
            cases.append({"case": name, "rows": label, **ratio(task, lambda: x.T @ x, repeats)})
    return cases


def exponential(repeats: int) -> dict[str, Any]:
    """`exp_det` against `np.exp` on 16384 values."""
    cases: dict[str, Any] = {}
    for label, low in (("-50..0", -50.0), ("-5000..0", -5000.0)):
        values, out = np.random.default_rng(2).uniform(low, 0.0, 16384), np.empty(16384)

        def own(v: Any = values) -> None:
            for _ in range(50):
                exp_det(v)

        def numpy_exp(v: Any = values, o: Any = out) -> None:
            for _ in range(50):
                np.exp(v, out=o)

        found = ratio(own, numpy_exp, 5 * repeats)
        cases[label] = {**found, "ns": round(found["seconds"] / 50 / 16384 * 1e9, 2)}
    return cases


def child(threads: str | None, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The cases, measured in a process with so many BLAS threads."""
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    if threads is not None:
        environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    sizes = ("--rows", str(arguments.rows), "--columns", str(arguments.columns), "--repeats", str(arguments.repeats))
    done = subprocess.run(
        [sys.executable, __file__, "--child", *sizes], env=environment, capture_output=True, text=True, check=True
    )
    result: list[dict[str, Any]] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=11)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "folds.json")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(measure(arguments.rows, arguments.columns, arguments.repeats)))
        return
    load = os.getloadavg()[0]
    cases = [
        {"blas_threads": label, **case} for label, threads in THREADS.items() for case in child(threads, arguments)
    ]
    result = {
        "benchmark": "folds",
        "unit": "time over that of X.T @ X on the same float64 array, median",
        "rows": arguments.rows,
        "columns": arguments.columns,
        "repeats": arguments.repeats,
        "cpus": os.cpu_count(),
        "load average before": round(load, 2),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "gram": cases,
        "exp_det over np.exp": exponential(arguments.repeats),
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
