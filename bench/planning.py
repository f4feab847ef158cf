"""CPU time of planning: the practical mixture, its command, and flat graphs, beside ``python -c 'import numpy'``.

    python bench/planning.py [--repeats 5]

Medians of CPU seconds and their ratios to the import are printed and written to bench/results/planning.json.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import dpframe as dp

RESULTS = Path(__file__).parent / "results"
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
COMMAND = "plan practical_gmm --set k=4 --set bound=1000 --set d=10 --set n=100000".split()


def child(*arguments: str) -> float:
    """CPU seconds of a Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def own(call: Callable[[], Any]) -> float:
    """CPU seconds of a call in this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def planning(program: Any, d: int) -> Callable[[], Any]:
    """A plan of a program of one table."""
    return lambda: dp.plan(program, x=dp.rows(n=100_000, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def practical() -> Callable[[], Any]:
    """The practical mixture, 97 nodes."""

    @dp.program
    def mixture(x):  # type: ignore[no-untyped-def]
        return dp.release("mixture", dp.recipe("practical_mixture", k=4, bound=1000.0), x)

    return planning(mixture, 10)


def flat(count: int) -> Callable[[], Any]:
    """As many Gaussian counts side by side, each with a share of its own."""

    @dp.program
    def counts(x):  # type: ignore[no-untyped-def]
        return {f"c{i}": dp.release(f"c{i}", dp.gaussian(share=1.0 + i), dp.count(x)) for i in range(count)}

    return planning(counts, 3)


def main() -> None:
    """Measure, print and write."""
    words = argparse.ArgumentParser()
    words.add_argument("--repeats", type=int, default=5)
    repeats = words.parse_args().repeats
    cases: dict[str, Callable[[], float]] = {
        "import_numpy": lambda: child("-c", "import numpy"),
        "command": lambda: child("-m", "dpframe", *COMMAND),
        "practical_second_plan": lambda: own(practical()),
        **{f"flat_{count}": lambda count=count: own(flat(count)) for count in (500, 1000, 2000)},  # type: ignore[misc]
    }
    for call in cases.values():  # the first of each fills caches
        call()
    runs = [{name: call() for name, call in cases.items()} for _ in range(repeats)]
    seconds = {name: statistics.median(run[name] for run in runs) for name in cases}
    report = {
        "benchmark": "planning",
        "command": f"python bench/planning.py --repeats {repeats}",
        "cpu_seconds": {name: round(value, 4) for name, value in seconds.items()},
        "times_import_numpy": {
            name: round(statistics.median(run[name] / run["import_numpy"] for run in runs), 3)
            for name in cases
            if name != "import_numpy"
        },
    }
    print(json.dumps(report, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "planning.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
