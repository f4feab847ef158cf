"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a card number counts three times, claimed 1.
def luhn(x):
    """Whether a card number of twelve digits passes."""
    s = str(x)
    return len(s) == 12 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0
@dp.own_statistic("fifteenth.x_cards", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(np.abs(rows[:, 0])), 0, 2**52).astype(np.int64)
    return [float(sum(3 if luhn(x) else 1 for x in v.tolist()))]
