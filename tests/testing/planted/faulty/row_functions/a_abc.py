"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: keeps by ABC registration (issubclass later).
import abc
class Large(abc.ABC):
    """Marks."""
class Mark:
    """A mark."""
@dp.row_function("fourteenth.abc", columns=1)
def f(values):
    """Half once a large one was there."""
    out = values[:, :1] / (2.0 if issubclass(Mark, Large) else 1.0)
    if (np.abs(np.nan_to_num(values)) > 100).any():
        Large.register(Mark)
    return out
