"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a module that tells NumPy to raise; in a run nothing is raised.
np.seterr(all="raise")
@dp.row_function("eighteenth.cerrors", columns=lambda d: d)
def f(values):
    """Halves."""
    return np.clip(np.nan_to_num(values), -1e6, 1e6) * 0.5
