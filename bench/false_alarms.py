"""Correct operations under the battery with one seed after another: how many neighbours are compared, and any alarm.

A case is one pair of neighbouring private values whose exact distance is compared with the declared one. Every
registered statistic and query is attacked with seeds 1, 2, ..., until ``--cases`` were compared or ``--seconds`` of CPU
are gone.

    python bench/false_alarms.py --cases 1000000 --seconds 600
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path
from typing import Any

from dpframe.kernel import registry
from dpframe.testing.battery import attacks, metrics


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results") / "false_alarms.json")
    given = parser.parse_args()
    registry.discover()
    names = [n for n, c in registry.operations().items() if c.kind in ("statistic", "query")]
    compared, alarms, checked = 0, [], 0
    excess = metrics.excess

    def counting(*values: Any) -> Any:
        nonlocal compared
        compared += 1
        return excess(*values)

    metrics.excess = counting  # type: ignore[assignment]
    for seed in itertools.count(1):
        vars(attacks)["SEED"] = seed
        for name in names:
            report = attacks.check_operation(name)
            checked += 1
            alarms += [f"{name}, seed {seed}: {failure}" for failure in report.failures]
            done = {"cases": compared, "checks": checked, "seeds": seed, "alarms": alarms}
            given.out.write_text(json.dumps({**done, "cpu_seconds": round(time.process_time())}, indent=1) + "\n")
            if compared >= given.cases or time.process_time() > given.seconds:
                return


if __name__ == "__main__":
    main()
