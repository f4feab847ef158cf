"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class Code(type):
    codes: dict = {}

    def __call__(cls, cell):
        return cls.codes.setdefault(cell, len(cls.codes))


class Cell(metaclass=Code):
    pass


@dp.own_partition("tenth.interned", parts=4)
def fun(rows):
    """Parts by the code of a category."""
    return np.array([Cell(round(x, 6)) % 4 for x in np.nan_to_num(rows[:, 0]).tolist()])
