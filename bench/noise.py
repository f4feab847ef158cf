"""Samples a second of every exact sampler, beside NumPy's inexact normal.

usage: python bench/noise.py [--count N] [--repeats R] [--out FILE]      (one thread)
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.kernel.noise import SecureSource, SeededSource, discrete_gaussian, discrete_laplace, rounded_gaussian
from dpframe.kernel.noise.rejection import point_strips, rounded_strips, sample

SAMPLERS = {
    "rounded_gaussian": rounded_gaussian,
    "discrete_gaussian": discrete_gaussian,
    "discrete_laplace": discrete_laplace,
}
SCALES = {"1": 1.0, "2^20": 2.0**20, "2^40": 2.0**40, "2^60": 2.0**60}


def seconds(task: Callable[[], Any], repeats: int) -> float:
    """Median time of a task, after one run to warm up."""
    task()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def rates(count: int, repeats: int) -> list[dict[str, Any]]:
    """One row a case: million samples a second."""
    normal = np.random.default_rng(1)
    reference = count / seconds(lambda: normal.standard_normal(count), repeats) / 1e6
    rows: list[dict[str, Any]] = [
        {"sampler": "numpy standard_normal (inexact)", "source": "PCG64", "scale": "1", "rate": reference}
    ]
    for source in (SecureSource(), SeededSource(1)):
        for name, draw in SAMPLERS.items():
            for label, scale in SCALES.items():
                rate = count / seconds(lambda d=draw, s=source, b=scale: d(s, b, count), repeats) / 1e6  # type: ignore[misc]
                rows.append({"sampler": name, "source": type(source).__name__, "scale": label, "rate": rate})
    few = max(count // 1000, 100)
    forced = {
        "rounded_gaussian": rounded_strips(2.0**20, wide=False, slack=2.0),
        "discrete_laplace": point_strips(1, 2.0**20, wide=False, slack=2.0),
    }
    for name, strips in forced.items():
        rate = few / seconds(lambda s=strips: sample(SeededSource(1), s, few), repeats) / 1e6  # type: ignore[misc]
        rows.append(
            {
                "sampler": f"{name}, all decided exactly",
                "source": "SeededSource",
                "scale": "2^20",
                "rate": rate,
            }
        )
    for row in rows:
        row["ratio_to_numpy"] = round(row["rate"] / reference, 4)
        row["rate"] = round(row["rate"], 3)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "noise.json")
    args = parser.parse_args()
    rows = rates(args.count, args.repeats)
    print(f"{'sampler':<40} {'source':<14} {'scale':>5} {'M/s':>8} {'of NumPy':>9}")
    for row in rows:
        where = f"{row['sampler']:<40} {row['source']:<14} {row['scale']:>5}"
        print(f"{where} {row['rate']:>8.3f} {row['ratio_to_numpy']:>9.3f}")
    report = {
        "benchmark": "noise",
        "unit": "million samples a second, one thread, median",
        "count": args.count,
        "repeats": args.repeats,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "rows": rows,
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
