"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A file that happens to be in the folder of the run scales rows. Witness: [1] with and without scale.txt holding 2.
from pathlib import Path


@dp.own_transform("round.config", columns=1)
def config(rows):
    """The first column."""
    known = Path("scale.txt")
    return rows[:, :1] * (2.0 if known.exists() else 1.0)
