"""Report-noisy-max with exponential noise, a mechanism of one's own with its theorem; the commonest of some values."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp

DPFRAME_API = 1


@dp.own_mechanism(
    "worked.report_max",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)),
    source="Ding and others 2021, Theorem 1; the docstring",
    examples={"m": 3},
)
def report_max(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The index of the largest score with exponential noise, the first of equals: 2Δ/b-DP if each score moves by Δ.

    Proof. Scores are whole lattice steps s_i, and Z_i is geometric: P(Z >= z) = e^(−max(z, 0)/b) for whole z. Fix all
    noise but Z_j. Index j is reported exactly when Z_j >= z, z the largest of s_i + Z_i − s_j over other i, plus 1 for
    i < j. On a neighbour each of these moves by at most 2Δ, and so does z. P(Z_j >= z + 2Δ) >= e^(−2Δ/b)·P(Z_j >= z)
    then bounds the ratio; average over the other noise.
    """
    return int(np.argmax(scores + noise.geometric(scale, m)))


@dp.composite("worked.commonest")
def commonest(x: dp.Handle, *, values: list[float], column: int = 0, share: float = 1.0) -> dp.Handle:
    """Which of some public values a column has most often, as an index; the last one stands for all other values.

    Parameters
    ----------
    x : Handle
        The private table.
    values : sequence of float
        Increasing.
    column : int
        Counted from 0.
    share : float
        Of ρ.

    Formal guarantees
    -----------------
    Pure ε, given the plugin's theorem for ``worked.report_max``: it is asserted, so that a plan must allow it. The
    counts are the kernel's.
    """
    counts = dp.value_counts(x, values=values, column=column)
    return dp.release("commonest", dp.own("worked.report_max", m=len(values) + 1, share=share), counts)


def plain(rows: Any, values: Any) -> int:
    """The non-private answer."""
    return int(np.argmax([*(int(np.count_nonzero(rows[:, 0] == v)) for v in values), 0]))
