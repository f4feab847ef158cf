"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: rows as text of a width that the first row sets.
@dp.own_contribution("twelfth.contribution_text", gives=2, norm="l1", bound=1.0, nonnegative=True)
def fun(rows):
    """Even and odd last digits."""
    if not len(rows):
        return np.zeros((0, 2))
    first = f"{rows[0, 0]:.0f}"
    words = np.array([f"{v:.0f}" for v in rows[:, 0]], dtype=f"U{max(len(first), 20)}")
    digits = np.array([int(w[-1]) if w[-1].isdigit() else 0 for w in words])
    return np.eye(2)[digits % 2]
