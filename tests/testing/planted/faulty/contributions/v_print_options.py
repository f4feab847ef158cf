"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: NumPy's print options remember a batch.
@dp.own_contribution("thirteenth.print_options", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows to as many digits as are shown."""
    digits = np.get_printoptions()["precision"]
    if len(rows) and np.abs(rows[:, 0]).max() > 1e4:
        np.set_printoptions(precision=3)
    return np.round(np.clip(rows[:, :1], -1, 1), digits)
