"""The thesis's calibration beside T3's: radius, blocks and rows, as a table and a picture.

    python bench/arbas23_calibrations.py     # seconds; writes bench/results/arbas23_calibrations.{json,md,png}

For masks within α = 0.3 with probability 0.9 on half of (1, 1e-6): the radius γ that inputs may be apart, the blocks t,
and the rows that an efficient learner needs for its test to pass (first order, see plugins/arbas23/selecting.py). The
last column is the averaged form at the same budget, whose blocks need not agree to γ.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dpframe.proof.families.masks import SLACK, allowed_radius, mixture_cost
from dpframe.proof.losses import ApproxDP, Loss, tightest_epsilon
from dpframe_plugins.arbas23 import constants
from dpframe_plugins.arbas23.calibration import exact, thesis
from dpframe_plugins.arbas23.selecting import rows_wanted, select
from dpframe_plugins.arbas23.sizing import sizes

ALPHA, BETA, EPSILON, DELTA = 0.3, 0.1, 0.5, 5e-7
BUDGET = ApproxDP(1.0, 1e-6)
SIZES = ((1, 1), (1, 2), (1, 5), (1, 10), (2, 1), (2, 2), (2, 5), (2, 10), (3, 2), (4, 10))
OUT = Path(__file__).parent / "results"
HEAD = ("k", "d", "γ thesis, proof's C2", "γ thesis, fitted C2", "its ε by T3", "γ by T3, thesis's η", "γ by T3, own η")
HEAD += ("t thesis", "t T4", "rows thesis", "rows first", "rows averaged")


def rows_of(mode: str, k: int, d: int) -> float:
    """Rows at which the mode's test is predicted to pass."""
    found = select(10**15, d, k, mode=mode, budget=BUDGET, alpha=ALPHA, beta=BETA)
    return found.t * rows_wanted(k, d, found.nu, (1 + found.needed) / 2)


def rows_averaged(k: int, d: int) -> float:
    """The same for the averaged form: chance of at least 0.9."""
    n = 2000.0
    while n < 1e9 and sizes(int(n), d, k, budget=BUDGET).chance < 0.9:
        n *= 1.2
    return n


def line(k: int, d: int) -> dict[str, Any]:
    """One size."""
    old, new = thesis(ALPHA, BETA, EPSILON, DELTA, k, d), exact(ALPHA, BETA, EPSILON, DELTA, k, d)
    cost = tightest_epsilon(Loss.of(mixture_cost(old.gamma, old.etas, k, d), delta=SLACK), DELTA)[0]
    return {
        "k": k,
        "d": d,
        "gamma_thesis_proof": old.gamma * constants.C2 / constants.C2_PROOF,
        "gamma_thesis_fitted": old.gamma,
        "epsilon_thesis_by_T3": cost,
        "gamma_T3_at_thesis_noise": allowed_radius(old.etas, k, d, EPSILON, DELTA),
        "gamma_T3": new.gamma,
        "t_thesis": old.t,
        "t_T4": new.t,
        "rows_thesis": rows_of("thesis", k, d),
        "rows_first": rows_of("first", k, d),
        "rows_averaged": rows_averaged(k, d),
    }


def markdown(lines: list[dict[str, Any]]) -> str:
    """The table."""
    rows = [[str(v) if isinstance(v, int) else f"{v:.2g}" for v in row.values()] for row in lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(HEAD), ["---"] * len(HEAD), *rows]) + "\n"


def picture(lines: list[dict[str, Any]], path: Path) -> None:
    """Radius and rows against d, for k = 1 and 2."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    kinds = {
        0: (
            ("gamma_thesis_proof", "thesis, C2 = 150"),
            ("gamma_thesis_fitted", "thesis, C2 fitted"),
            ("gamma_T3", "T3"),
        ),
        1: (("rows_thesis", "thesis"), ("rows_first", "first"), ("rows_averaged", "averaged")),
    }
    for at, axis in enumerate(axes):
        for colour, (key, label) in enumerate(kinds[at]):
            for k, style in ((1, "--"), (2, "-")):
                chosen = [row for row in lines if row["k"] == k]
                axis.plot(
                    [r["d"] for r in chosen],
                    [r[key] for r in chosen],
                    style,
                    color=f"C{colour}",
                    label=f"{label}, k = {k}",
                )
        axis.set(xscale="log", yscale="log", xlabel="d")
        axis.legend(fontsize=7)
    axes[0].set_ylabel("allowed radius γ of the mask")
    axes[1].set_ylabel("rows for the test to pass")
    figure.suptitle("masks within 0.3 with probability 0.9, budget (1, 1e-6)", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Table and picture."""
    lines = [line(k, d) for k, d in SIZES]
    given = {"alpha": ALPHA, "beta": BETA, "epsilon": EPSILON, "delta": DELTA, "C1": constants.C1_BY_DIMENSION}
    given |= {"C2": constants.C2, "C2_proof": constants.C2_PROOF}
    (OUT / "arbas23_calibrations.json").write_text(json.dumps({"given": given, "lines": lines}, indent=1) + "\n")
    (OUT / "arbas23_calibrations.md").write_text(markdown(lines))
    picture(lines, OUT / "arbas23_calibrations.png")
    print(markdown(lines))


if __name__ == "__main__":
    main()
