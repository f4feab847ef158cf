"""Learners that block processes can import."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe as dp


@dp.learner("tests.mean")
def mean(rows: Any, generator: Any) -> Any:
    """Mean of a block; a block with an outlier fails."""
    if np.abs(rows).max() > 50:
        raise ValueError("an outlier")
    return (rows.mean(axis=0),)


@dp.learner("tests.two_means")
def two_means(rows: Any, generator: Any) -> Any:
    """Means of the rows left and right of 0, in a random order."""
    sides = [rows[rows[:, 0] < 0].mean(axis=0), rows[rows[:, 0] >= 0].mean(axis=0)]
    return (np.stack(sides if generator.random() < 0.5 else sides[::-1]),)
