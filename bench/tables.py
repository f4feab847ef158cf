"""Writes the results of ``bench/mixtures.py`` as a table in Markdown, beside them, and prints it.

usage: python bench/tables.py [FILE.json]

A ratio is the median error over the median floor (see ``bench/mixtures.py``); beside the target, whether it holds.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

HEAD = (
    "case",
    "seeds",
    "found",
    "error",
    "worst",
    "floor",
    "ratio",
    "target",
    "worst seed's ratio",
    "ratio, floor at the budget",
    "EM's ratio",
    "covariance / EM's",
    "seconds",
    "EM's",
)


def number(value: float | None, digits: int = 2) -> str:
    """A short number, or a dash."""
    if value is None:
        return "–"
    return "∞" if math.isinf(value) else f"{value:.{digits}f}"


def verdict(value: float, target: float | None) -> str:
    """The target and whether it is met."""
    return "–" if target is None else f"≤ {target:g} {'yes' if value <= target else 'NO'}"


def line(name: str, summary: dict[str, Any]) -> tuple[str, ...]:
    """One row."""
    own, em = summary["private"], summary.get("em")
    covariance = "–"
    if em is not None:
        covariance = number(summary["covariance_ratio"])
        if summary["covariance_target"] is not None:
            covariance += " " + verdict(summary["covariance_ratio"], summary["covariance_target"])
    return (
        name,
        str(summary["seeds"]),
        str(own["found"]),
        number(own["median"], 4),
        number(own["worst"], 4),
        number(summary["floor"], 4),
        number(own["ratio"]),
        verdict(own["ratio"], summary["target"]),
        number(own["worst_ratio"]),
        number(own["ratio_at_budget"]),
        number(em and em["ratio"]),
        covariance,
        number(own["seconds"], 1),
        number(em and em["seconds"], 1),
    )


def table(results: dict[str, Any]) -> str:
    """All cases."""
    rows = [HEAD, tuple("---" for _ in HEAD)]
    rows += [line(name, case["summary"]) for name, case in results.items() if "private" in case["summary"]]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def main() -> None:
    """Write and print the table of the given file."""
    default = Path(__file__).parent / "results" / "mixtures.json"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    text = table(json.loads(path.read_text()))
    path.with_suffix(".md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
