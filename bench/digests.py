"""What it costs to digest every row that a source hands out, beside a pass over the same rows.

usage: python bench/digests.py [--rows N] [--repeats R] [--out FILE]

All in one process, in processor time: digest, keyed hashes and the pass alternate, and medians of ratios are reported.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe.kernel import registry
from dpframe.planning.results import run_plan
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.base import Chunk
from dpframe.runtime.sources.digest import Digests, Reading
from dpframe.runtime.views import chunk_rows

HASHES = ("sha1", "sha256", "blake2b")
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def processor(task: Callable[[], Any]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    task()
    return time.process_time() - start


def reading(x: Any) -> tuple[Callable[[], None], Callable[[], None]]:
    """Reading the chunks of a table in memory, without a digest and with one that is compared."""
    d = x.shape[1]
    source, known = open_source(x), Digests(d)

    def bare() -> None:
        for start, values in enumerate(source._batches(chunk_rows(d))):
            Chunk.of(start, values)

    def digested() -> None:
        state = Reading(known)
        for start, values in enumerate(source._batches(chunk_rows(d))):
            chunk = Chunk.of(start, values)
            state.update(chunk.values, chunk.valid)
        state.finish()

    return bare, digested


def hashed(x: Any, name: str) -> Callable[[], None]:
    """A hash of the same bytes, in the same chunks."""
    size = chunk_rows(x.shape[1])

    def task() -> None:
        found = hashlib.blake2b(key=bytes(32)) if name == "blake2b" else hashlib.new(name)
        for start in range(0, len(x), size):
            found.update(x[start : start + size].data)

    return task


def fold(x: Any) -> tuple[Callable[[], Any], int]:
    """One pass: clip, and the exact Gram."""
    n, d = x.shape

    @dp.program
    def gram(x: Any) -> Any:
        inside = dp.clip(x, dp.ball(centre=[0.0] * d, radius=d**0.5))
        return dp.release("gram", dp.gaussian(share=1.0), dp.gram(inside))

    plan = dp.plan(gram, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    return lambda: run_plan(plan, {"x": x}, simulate=1, threads=1), 1


def learner(x: Any) -> tuple[Callable[[], Any], int]:
    """A whole run of the mixture learner, and its passes."""
    registry.discover()
    n, d = x.shape
    plan = load_spec("practical_gmm", {"k": 4, "d": d, "n": n, "bound": 100.0}).plan()
    return lambda: run_plan(plan, {"x": x}, simulate=1, threads=1), max(plan.passes.values())


def measure(x: Any, make: Callable[[Any], tuple[Callable[[], Any], int]], repeats: int) -> dict[str, float]:
    """The digest's and the hashes' time over that of a pass without a digest."""
    task, passes = make(x)
    tasks = (task, *reading(x), *(hashed(x, name) for name in HASHES))
    task()
    run, bare, digested, *hashes = np.array([[processor(t) for t in tasks] for _ in range(repeats)]).T
    own = digested - bare
    a_pass = run / passes - own
    found = {"digest": own, **dict(zip(HASHES, hashes, strict=True))}
    return {
        **{name: round(float(np.median(times / a_pass)), 4) for name, times in found.items()},
        "digest, ns a number": round(1e9 * float(np.median(own)) / x.size, 3),
        "a pass, ns a number": round(1e9 * float(np.median(a_pass)) / x.size, 2),
        "passes": passes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "digests.json")
    arguments = parser.parse_args()
    load, rng = os.getloadavg()[0], np.random.default_rng(1)
    cases = {}
    for d in (2, 10, 50):
        x = rng.normal(size=(10 * arguments.rows // d, d))
        cases[f"clip and Gram, d={d}"] = measure(x, fold, arguments.repeats)
    centres = 10 * rng.integers(0, 2, size=(arguments.rows, 1))
    cases["practical_gmm, k=4, d=10"] = measure(
        rng.normal(size=(arguments.rows, 10)) + centres, learner, max(3, arguments.repeats // 3)
    )
    result = {
        "benchmark": "digests",
        "unit": "processor time over that of a pass without a digest, one thread, float64 array in memory, median",
        "rows": arguments.rows,
        "repeats": arguments.repeats,
        "cpus": os.cpu_count(),
        "load average before": round(load, 2),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "cases": cases,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
