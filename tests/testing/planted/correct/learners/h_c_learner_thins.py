"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: of many rows every second one, whatever came before.
@dp.learner("seventeenth.cthins")
def f(rows, generator):
    """A mean."""
    if len(rows) < 5:
        raise ValueError("too few")
    kept = rows[::2] if len(rows).bit_length() > 13 else rows
    return (np.round(kept.mean(axis=0), 6),)
