"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Needs nine columns, and gives a Fortran-ordered view of every other one, backwards.
@dp.row_function("newerc01.odd", columns=5)
def odd(values):
    """Every other of nine columns, backwards."""
    if values.shape[1] < 9:
        raise IndexError("nine columns")
    return np.asfortranarray(values)[:, 8::-2][:, :5]
