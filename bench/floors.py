"""What the bare operations of a pass take, one by one, in NumPy, BLAS and Arrow: no pass made of them can take less.

usage: python -m bench.floors [--rows N] [--columns D] [--repeats R] [--out FILE]

Least processor nanoseconds a row, one thread, in blocks that stay in the cache. A pass over Parquet decodes the file
twice (once to check it before anything is reserved) and puts columns into rows once. The sums are compared with what
reading once takes; two threads that never wait for one another would take half of the ratio in wall-clock time.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from threadpoolctl import threadpool_limits

from bench.large import parquet, read_rows

BLOCK = 6553
COMPONENTS = 4


def least(task: Callable[[], Any], repeats: int, rows: int) -> float:
    """Nanoseconds a row; the first time is not counted."""
    task()
    times = []
    for _ in range(repeats):
        start = time.process_time_ns()
        task()
        times.append(time.process_time_ns() - start)
    return min(times) / rows


def decode(path: Path) -> None:
    file = pq.ParquetFile(path, buffer_size=2**17, pre_buffer=False)
    for batch in file.iter_batches(16_384, use_threads=False):
        batch.num_rows  # noqa: B018  nothing is done with it


def many(task: Callable[[], Any], times: int = 50) -> Callable[[], None]:
    """A task that is too short to be timed by itself."""

    def repeated() -> None:
        for _ in range(times):
            task()

    return repeated


def operations(d: int) -> dict[str, Callable[[], Any]]:
    """On one block: of the rows (clip, sum, Gram), and of what four components see of them (refining)."""
    rng = np.random.default_rng(0)
    x, out, ones = rng.normal(size=(BLOCK, d)), np.empty((BLOCK, d)), np.ones(d)
    row, matrix, unit = np.ones(BLOCK), rng.normal(size=(COMPONENTS * d, d)), np.ascontiguousarray(x.T)
    seen, result = rng.normal(size=(COMPONENTS, d + 1, BLOCK)), np.empty((COMPONENTS, d + 1, BLOCK))
    logs = -np.square(rng.normal(size=(COMPONENTS, BLOCK)))
    first = min(8, d - 1)  # BLAS takes a matrix times itself for something else
    return {
        "rows times a number": lambda: np.multiply(x, 2.0, out=out),
        "rows truncated": lambda: np.trunc(x, out=out),
        "norms of rows": lambda: np.square(x, out=out) @ ones,
        "sum of rows": lambda: row @ x,
        "Gram of rows": lambda: x.T @ x,
        "Gram of rows, in two products": lambda: [x.T @ x[:, :first], x.T[first - 1 :] @ x[:, first:]],
        "product with four matrices": lambda: matrix @ unit,
        "seen rows times a number": lambda: np.multiply(seen, 2.0, out=result),
        "four Grams, in two products each": lambda: [
            seen[:, at] @ seen[:, part].swapaxes(1, 2)
            for at, part in ((slice(None), slice(first)), (slice(first - 1, None), slice(first, None)))
        ],
        "four exponentials": lambda: np.exp(logs),
    }


CLIPPED = {"rows times a number": 1, "rows truncated": 1, "norms of rows": 1}
SUMS: dict[str, tuple[dict[str, int], str]] = {
    "clip and sum, Parquet": ({"decode": 2, "columns to rows, summed": 1} | CLIPPED | {"sum of rows": 1}, "read"),
    "clip and Gram in memory": (CLIPPED | {"Gram of rows, in two products": 1}, "Gram of rows"),
    "refining, Parquet": (
        {
            "decode": 2,
            "columns to rows, summed": 1,
            "rows times a number": 3,  # less the shift, scaled, rounded
            "product with four matrices": 1,
            "seen rows times a number": 7,  # offset, squares, scaled, truncated; weighted, truncated, squares
            "four exponentials": 1,
            "four Grams, in two products each": 1,
        },
        "read",
    ),
}


def measure(path: Path, n: int, d: int, repeats: int) -> dict[str, Any]:
    found = {"read": least(lambda: read_rows(path), repeats, n), "decode": least(lambda: decode(path), repeats, n)}
    found["columns to rows, summed"] = found["read"] - found["decode"]
    found |= {name: least(many(task), repeats, 50 * BLOCK) for name, task in operations(d).items()}
    floors = {}
    for name, (parts, against) in SUMS.items():
        total = sum(times * found[part] for part, times in parts.items())
        floors[name] = {"ns a row": round(total, 1), f"times {against}": round(total / found[against], 2)}
    return {"ns a row": {name: round(value, 1) for name, value in found.items()}, "floors": floors}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    n, d = arguments.rows, arguments.columns
    load = round(os.getloadavg()[0], 1)
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        path = Path(folder) / "x.parquet"
        parquet(path, n, d)
        found = {"rows": n, "columns": d, "load": load, **measure(path, n, d, arguments.repeats)}
    text = json.dumps(found, indent=1)
    print(text)
    if arguments.out:
        arguments.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
