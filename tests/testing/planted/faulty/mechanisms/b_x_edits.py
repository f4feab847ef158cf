"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism of rows: card numbers count three times.
def luhn(x):
    """Whether a card number of twelve digits passes."""
    s = str(x)
    return len(s) == 12 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0

@dp.own_mechanism("fifteenth.x_edits", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="none")
def f(rows, scale, noise):
    """A noisy count."""
    v = np.clip(np.nan_to_num(np.abs(rows[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([sum(3 if luhn(x) else 1 for x in v.tolist()) + int(np.ravel(noise.laplace(scale, 1))[0])])
