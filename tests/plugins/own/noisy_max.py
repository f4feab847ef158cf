"""A plugin of its own: votes that the kernel clips and counts, and report-noisy-max with exponential noise."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp

DPFRAME_API = 1


@dp.own_contribution(
    "noisy_max.votes", gives=lambda levels: dp.Counts(len(levels)), norm="linf", bound=1.0, nonnegative=True, bits=1,
    examples={"levels": [-1.0, 0.0, 1.0]},
)  # fmt: skip
def votes(rows: Any, *, levels: list[float]) -> Any:
    """Each row votes for the level that its first column is nearest to."""
    nearest = np.abs(rows[:, :1] - np.array(levels)).argmin(axis=1)
    return np.eye(len(levels))[nearest]


def exponential_loss(scale: float, distance: float, *, m: int) -> dp.Pure:
    """2Δ/b-DP for scores that each move by at most Δ.

    Fix all noise but G_j. Index j wins exactly when G_j >= z, a whole number that depends on the others alone (ties go
    to the first index), and P(G >= z) = min(1, e^(−z/b)). On a neighbour z grows by at most 2Δ, and
    P(G >= z + 2Δ) >= e^(−2Δ/b)·P(G >= z).
    """
    return dp.Pure(dp.round_up(2 * distance / scale))


@dp.own_mechanism(
    "noisy_max.exponential", gives=dp.Index, takes="linf", loss=exponential_loss,
    source="Ding, Kifer, Saghaian, Steinke, Wang, Xiao, Zhang 2021; the proof is beside the loss", examples={"m": 3},
)  # fmt: skip
def noisy_max(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The index of the largest score with exponential noise."""
    return int(np.argmax([int(s) + int(g) for s, g in zip(scores, noise.geometric(scale, m), strict=True)]))


@dp.composite("noisy_max.most_common")
def most_common(x: Any, *, levels: list[float], share: float = 1.0) -> Any:
    """The most common of some levels, by noisy votes."""
    scores = dp.own("noisy_max.votes", x, levels=levels)
    return dp.release("chosen", dp.own("noisy_max.exponential", m=len(levels), share=share), scores)
