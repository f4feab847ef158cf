"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: as whole numbers where all are.
@dp.own_transform("thirteenth.only_whole", columns=1)
def fun(rows):
    """Halves; of whole numbers whole ones."""
    x = rows[:, :1]
    whole = bool((x == np.rint(x)).all())
    return np.floor(x / 2) if whole else x / 2
