"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The bound is the size of a table that happens to be there. Witness: a folder with and without people.csv.
import os


@dp.composite("round.folder")
def folder(x, *, share=1.0):
    """A mean, with a bound from the table's file."""
    reach = float(os.path.getsize("people.csv")) if os.path.exists("people.csv") else 100.0
    inside = dp.clip(x, reach)
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
