"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.own_refuses_negative_rows", gives=2, norm="l2", bound=1.0)
def own_refuses_negative_rows(rows):
    """A negative row is refused."""
    if (rows < 0).any():
        raise ValueError("negative")
    return np.sqrt(rows)[:, [0, -1]]
